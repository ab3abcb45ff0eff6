// SPDX-License-Identifier: MIT
// OpImageRead, OpImageFetch, OpImageWrite and their sparse forms: one texel at integer coordinates. Those of an input
// attachment count from the fragment's pixel, in the layer that the fragment is in; with multiview that is its view.
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

/// The instruction has none of the operands that only samples take.
bool only_texel_extras(Reader& r, const ImageExtras& extras) {
  const bool sampled = extras.bias != 0 || extras.gradient_x != 0 || extras.const_offsets != 0 || extras.offsets != 0 ||
                       extras.min_lod != 0;
  return !sampled || r.fail("an image operand that only samples can have");
}

bool input_attachment_coordinates(Reader& r, uint32_t id, const ImageExtras& extras, ImageValues& values) {
  constexpr uint32_t kAxes = 2;
  ImageValues offsets;
  if (!texel_coordinates(r, id, kAxes, kAxes, extras, offsets)) return false;
  for (uint32_t i = 0; i < kAxes; ++i) {
    const ir::Value place = built_in_value(r, ir::BuiltIn::frag_coord, i);
    const ir::Value pixel = r.b.convert(ir::Op::f_to_s, ir::kI32, place);
    values.push_back(r.b.iadd(pixel, offsets[i]));
  }
  values.push_back(built_in_value(r, ir::BuiltIn::layer, 0));
  return true;
}

/// Appends the image and the address of the texel.
bool add_texel_address(Reader& r, const ImageHandle& image, uint32_t coordinate, const ImageExtras& extras,
                       ir::ImageAccess& access, ImageValues& values) {
  const uint32_t axes = ir::image_axes(access.dim);
  const uint32_t count = axes + (access.arrayed() ? 1 : 0);
  const bool is_attachment = is_input_attachment(r.types[image.type].image);
  values.push_back(image.image);
  if (is_attachment) {
    if (!input_attachment_coordinates(r, coordinate, extras, values)) return false;
  } else if (!texel_coordinates(r, coordinate, count, axes, extras, values)) {
    return false;
  }
  if (access.multisampled() != (extras.sample != 0)) {
    return r.fail(extras.sample != 0 ? "a sample of an image that has none" : "expected the Sample image operand");
  }
  if (extras.sample != 0 && !integer_operand(r, extras.sample, values)) return false;
  if (extras.lod == 0) return true;
  const bool has_levels = !access.multisampled() && access.dim != ir::ImageDim::buffer && !is_attachment;
  if (!has_levels) return r.fail("a level of an image that has one");
  return level_operand(r, extras.lod, values, access);
}

bool check_sampled(Reader& r, const Instruction& in, const ImageInfo& image) {
  const bool fetch = in.opcode == spv::OpImageFetch || in.opcode == spv::OpImageSparseFetch;
  if (fetch && image.sampled == 2) return r.fail("expected an image that can be sampled");
  if (in.opcode == spv::OpImageSparseRead && is_input_attachment(image)) {
    return r.fail("a sparse read of an input attachment");
  }
  return !fetch || image.dim != spv::DimCube || r.fail("a fetch from a cube");
}

}  // namespace

bool translate_image_read(Reader& r, const Instruction& in) {
  const bool sparse = in.opcode == spv::OpImageSparseRead || in.opcode == spv::OpImageSparseFetch;
  ImageHandle image;
  ImageExtras extras;
  TexelResult result;
  if (!r.has_words(in, 5) || !image_handle(r, in[3], false, image)) return false;
  const ImageInfo& info = r.types[image.type].image;
  if (!check_sampled(r, in, info) || !texel_result(r, in, sparse, image.type, result)) return false;
  if (!read_image_extras(r, in, 5, extras) || !only_texel_extras(r, extras)) return false;
  ir::ImageAccess access = image_shape(info, true);
  ImageValues values;
  if (!add_texel_address(r, image, in[4], extras, access, values)) return false;
  if (image.undefined) return bind_undefined(r, in, result.type);
  const bool wide = r.types[result.texel].scalar == ir::Scalar::i64;
  const uint32_t mask = wide ? wide_texel_mask(r, result) : (1u << r.types[result.texel].leaves) - 1;
  const auto components = static_cast<uint32_t>(std::popcount(mask));
  access.mask = static_cast<uint8_t>(mask) & 0xf;
  if (sparse) access.traits |= ir::kSparse;
  set_texel_access(image, extras, access);
  const ir::Type type = texel_type(r, result, components);
  return bind_texel(r, in, result, r.b.insert(ir::Op::image_load, type, values, access.pack(), 0));
}

bool translate_image_write(Reader& r, const Instruction& in) {
  ImageHandle image;
  ImageExtras extras;
  Leaves texel;
  if (!r.has_words(in, 4) || !image_handle(r, in[1], false, image)) return false;
  const TypeInfo& type = r.types[image.type];
  if (!r.vector_value(in[3], r.types[type.element].scalar, 0, texel)) return false;
  if (!read_image_extras(r, in, 4, extras) || !only_texel_extras(r, extras)) return false;
  if (type.image.sampled == 1) return r.fail("a store to an image that can only be sampled");
  if (is_input_attachment(type.image)) return r.fail("a store to an input attachment");
  ir::ImageAccess access = image_shape(type.image, true);
  ImageValues values;
  if (!add_texel_address(r, image, in[2], extras, access, values)) return false;
  if (image.undefined) return true;
  set_texel_access(image, extras, access);
  if ((access.flags & ir::kReadOnly) != 0) return r.fail("a store to an image that is read only");
  // What the format does not have, nothing keeps.
  const bool wide = r.types[type.element].scalar == ir::Scalar::i64;
  const uint32_t components = wide ? 2 : std::min(texel.count, format_components(type.image.format));
  access.mask = static_cast<uint8_t>((1u << components) - 1) & 0xf;
  SmallVector<ir::Value, 4> data;
  for (uint32_t i = 0; i < components && !wide; ++i) data.push_back(r.leaf(texel, i));
  values.push_back(wide ? r.b.bitcast(ir::kI32.vector(2), r.leaf(texel, 0)) : r.b.vec(data));
  r.b.insert(ir::Op::image_store, ir::kVoid, values, access.pack(), 0);
  return true;
}

}  // namespace spalt::spirv
