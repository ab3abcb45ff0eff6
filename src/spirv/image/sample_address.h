// SPDX-License-Identifier: MIT
// Internal to src/spirv/image: the address of a sample, collected from the operands of an instruction in their order
// and handed out in that of the IR.
#pragma once
#include "spirv/image/image.h"

namespace spalt::spirv {

/// Values that are not valid are absent.
struct SampleAddress {
  ImageHandle image;
  ir::ImageAccess access;  ///< kind of image, flags
  ir::Value offset, bias, compare, lod, min_lod;
  SmallVector<ir::Value, 6> gradients;
  SmallVector<ir::Value, 4> coordinates;
};

/// Reads the sampled image `id`, which gives the kind of image and the flags.
bool read_sampled_image(Reader& r, uint32_t id, const ImageExtras& extras, SampleAddress& address);
/// Reads the coordinates `id`: those of the axes, then the layer if `layers`. With `project` the component after the
/// axes divides them.
bool read_sample_coordinates(Reader& r, uint32_t id, bool layers, bool project, SampleAddress& address);
/// Reads the reference of a comparison, `id`, which the divisor of `project`ed coordinates divides, too.
bool read_compare(Reader& r, uint32_t id, uint32_t coordinates, bool project, SampleAddress& address);
/// Reads one f32.
bool read_f32(Reader& r, uint32_t id, ir::Value& out);
/// Reads the texel offset that `extras` has, if any.
bool read_offset(Reader& r, const ImageExtras& extras, SampleAddress& address);
/// Packs an integer for each axis as the IR wants offsets.
ir::Value pack_offset(Reader& r, std::span<const ir::Value> texels);
/// Where nothing says how coordinates change from one invocation to the next, samples by implicit derivatives are of
/// level 0, with bias and least level on top.
void resolve_level(Reader& r, SampleAddress& address);
/// Creates the operation; the address says which parts it has.
ir::Value insert_sample(Reader& r, ir::Op op, ir::Type type, const SampleAddress& address);

}  // namespace spalt::spirv
