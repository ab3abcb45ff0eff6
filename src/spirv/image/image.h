// SPDX-License-Identifier: MIT
#pragma once
#include "ir/image.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {

// Images, samplers and both together are values of one or two leaves of type `resource` (TypeInfo::is_handle), which
// pass through loads, copies and parameters like any other. What an instruction needs to know of an image beside its
// type is found at the `resource` that a leaf must turn out to be.

// Types and variables (types.cpp, handles.cpp)

bool read_image_type(Reader& r, const Instruction& in);
bool read_sampler_type(Reader& r, const Instruction& in);
bool read_sampled_image_type(Reader& r, const Instruction& in);
/// The pointer to a variable of images or samplers, or an array of them.
bool handle_pointer(Reader& r, Variable& variable, Pointer& pointer);
/// Loads what such a pointer leads to.
bool load_handle(Reader& r, const Pointer& pointer, const Leaves& out);

/// The kind of image that the type is in loads, stores and atomics if `texels`, where cubes are arrays of their faces,
/// else in samples and queries.
ir::ImageAccess image_shape(const ImageInfo& image, bool texels);
/// A kind of image that fragment shaders read at their own pixel.
bool is_input_attachment(const ImageInfo& image);
/// Components of a texel of the format; 4 if it is not known.
uint32_t format_components(uint32_t format);

/// Reads the operand `id`, which must be a sampled image or, if `sampled_image` is false, an image.
bool image_handle(Reader& r, uint32_t id, bool sampled_image, ImageHandle& out);
/// Completes `out`, whose type is known, for the image `value` that `id` names. An image that only the run decides
/// about is not supported.
bool resolve_handle(Reader& r, uint32_t id, ir::Value value, ImageHandle& out);
/// Says that the handle `value`, used by the name `id`, may differ between lanes, if decorations of the id say so.
void mark_non_uniform(Reader& r, uint32_t id, ir::Value value);

// Operands (operands.cpp)

/// The optional operands of an image instruction: ids, or 0.
struct ImageExtras {
  uint32_t bias = 0, lod = 0, gradient_x = 0, gradient_y = 0;
  uint32_t const_offset = 0, offset = 0, const_offsets = 0, offsets = 0;
  uint32_t sample = 0, min_lod = 0;
  AccessExtra access;
};
/// Reads them from in[index] on, up to the end of the instruction.
bool read_image_extras(Reader& r, const Instruction& in, uint32_t index, ImageExtras& extras);

/// The operands of an image operation while they are collected: at most image, sampler, an address of 12 and data of 2.
using ImageValues = SmallVector<ir::Value, 16>;
/// Appends the first `count` components of the integer vector `id`, plus the texel offsets of `extras` on the first
/// `axes` of them.
bool texel_coordinates(Reader& r, uint32_t id, uint32_t count, uint32_t axes, const ImageExtras& extras,
                       ImageValues& values);
/// Appends the integer `id`.
bool integer_operand(Reader& r, uint32_t id, ImageValues& values);
/// Appends the level `id` of a load, store or size, but for the constant 0.
bool level_operand(Reader& r, uint32_t id, ImageValues& values, ir::ImageAccess& access);

/// Flags and scope of an access to texels of `image`.
void set_texel_access(const ImageHandle& image, const ImageExtras& extras, ir::ImageAccess& access);

// Results (result.cpp)

/// The result type of an instruction that gives texels: a scalar or vector, or with a residency code a struct of an
/// integer and that.
struct TexelResult {
  uint32_t type = kNone;
  uint32_t texel = kNone;  ///< type of the texel
  bool sparse = false;
};
/// Reads the type in[1]; its texel has components like those of the image.
bool texel_result(Reader& r, const Instruction& in, bool sparse, uint32_t image_type, TexelResult& out);
/// The type of an image operation that returns `components` of such texels, in words where they have 64 bits.
ir::Type texel_type(const Reader& r, const TexelResult& result, uint32_t components);
/// Components that a load of texels of 64 bits asks for: both words, or all where the result has the last one.
uint32_t wide_texel_mask(const Reader& r, const TexelResult& result);
/// Binds in[2] to what an operation with a result of texel_type gave.
bool bind_texel(Reader& r, const Instruction& in, const TexelResult& result, ir::Value value);
/// Binds in[2], a value of this type, to anything.
bool bind_undefined(Reader& r, const Instruction& in, uint32_t type);

// Pointers to texels (texel_pointer.cpp), which only atomic operations take

/// The image operation that does to a texel what `op` (a load, store or atomic) does to memory. `operands` is the data,
/// the access is that of the memory operation.
ir::Value texel_atomic(Reader& r, ir::Op op, ir::Type type, const TexelPlace& place, std::span<const ir::Value> data,
                       const ir::MemoryAccess& access);

// Instructions

bool translate_image_read(Reader& r, const Instruction& in);
bool translate_image_write(Reader& r, const Instruction& in);
bool translate_image_query(Reader& r, const Instruction& in);
bool translate_image_query_lod(Reader& r, const Instruction& in);
bool translate_image_sample(Reader& r, const Instruction& in);
bool translate_image_gather(Reader& r, const Instruction& in);
bool translate_texel_pointer(Reader& r, const Instruction& in);
bool translate_image_of(Reader& r, const Instruction& in);
bool translate_sampled_image(Reader& r, const Instruction& in);
bool translate_texels_resident(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
