// SPDX-License-Identifier: MIT
#include "spirv/image/sample_address.h"

namespace spalt::spirv {

bool read_sampled_image(Reader& r, uint32_t id, const ImageExtras& extras, SampleAddress& address) {
  if (!image_handle(r, id, true, address.image)) return false;
  const ImageInfo& info = r.types[address.image.type].image;
  if (info.multisampled) return r.fail("an image of several samples for a texel can only be fetched from");
  if (extras.sample != 0) return r.fail("the Sample image operand is for fetches");
  if (extras.access.scope != ir::Scope::invocation) return r.fail("a sample makes no texel available or visible");
  address.access = image_shape(info, false);
  constexpr uint8_t kFlags = ir::kReadOnly | ir::kVolatile | ir::kNonTemporal;
  address.access.flags = (address.image.access | extras.access.flags) & kFlags;
  return true;
}

bool read_f32(Reader& r, uint32_t id, ir::Value& out) {
  return r.scalar_value(id, ir::Scalar::f32, out);
}

bool read_sample_coordinates(Reader& r, uint32_t id, bool layers, bool project, SampleAddress& address) {
  const uint32_t axes = ir::image_axes(address.access.dim);
  const uint32_t count = axes + (layers || project ? 1 : 0);
  Leaves given;
  if (!r.vector_value(id, ir::Scalar::f32, 0, given)) return false;
  if (given.count < count) return r.fail(concat("expected ", count, " coordinates, found ", given.count));
  for (uint32_t i = 0; i < axes; ++i) {
    const ir::Value coordinate = r.leaf(given, i);
    address.coordinates.push_back(project ? r.b.fdiv(coordinate, r.leaf(given, axes)) : coordinate);
  }
  if (layers) address.coordinates.push_back(r.leaf(given, axes));
  return true;
}

bool read_compare(Reader& r, uint32_t id, uint32_t coordinates, bool project, SampleAddress& address) {
  Leaves given;
  if (!read_f32(r, id, address.compare)) return false;
  if (!project) return true;
  if (!r.vector_value(coordinates, ir::Scalar::f32, 0, given)) return false;
  address.compare = r.b.fdiv(address.compare, r.leaf(given, ir::image_axes(address.access.dim)));
  return true;
}

ir::Value pack_offset(Reader& r, std::span<const ir::Value> texels) {
  ir::Value packed = r.b.i32(0);
  for (uint32_t i = 0; i < texels.size(); ++i) {
    const ir::Value bits = r.b.iand(texels[i], r.b.i32(63));
    const ir::Value placed = r.b.ishl(bits, r.b.i32(8 * i));
    packed = r.b.ior(placed, packed);
  }
  return packed;
}

bool read_offset(Reader& r, const ImageExtras& extras, SampleAddress& address) {
  const uint32_t id = extras.const_offset != 0 ? extras.const_offset : extras.offset;
  if (id == 0) return true;
  if (extras.const_offset != 0 && extras.offset != 0) return r.fail("two offsets for one sample");
  if (address.access.dim == ir::ImageDim::cube) return r.fail("an offset in a cube");
  Leaves offset;
  const uint32_t axes = ir::image_axes(address.access.dim);
  if (!r.vector_value(id, ir::Scalar::i32, axes, offset)) return false;
  SmallVector<ir::Value, 3> texels;
  for (uint32_t i = 0; i < axes; ++i) texels.push_back(r.leaf(offset, i));
  address.offset = pack_offset(r, texels);
  return true;
}

void resolve_level(Reader& r, SampleAddress& address) {
  const bool implicit = !address.lod.valid() && address.gradients.empty();
  if (!implicit || r.module.has_derivatives()) return;
  address.lod = address.bias.valid() ? address.bias : r.b.f32(0);
  if (address.min_lod.valid()) address.lod = r.b.binary(ir::Op::fmax, address.lod, address.min_lod);
  address.bias = address.min_lod = ir::Value();
}

ir::Value insert_sample(Reader& r, ir::Op op, ir::Type type, const SampleAddress& address) {
  ir::ImageAccess access = address.access;
  ImageValues values;
  values.push_back(address.image.image);
  values.push_back(address.image.sampler);
  const auto add = [&](ir::Value value, ir::ImagePart part) {
    if (!value.valid()) return;
    access.parts |= part;
    values.push_back(value);
  };
  add(address.offset, ir::kImageOffset);
  add(address.bias, ir::kImageBias);
  add(address.compare, ir::kImageCompare);
  for (const ir::Value gradient : address.gradients) add(gradient, ir::kImageGradients);
  for (const ir::Value coordinate : address.coordinates) values.push_back(coordinate);
  add(address.lod, ir::kImageLod);
  add(address.min_lod, ir::kImageMinLod);
  return r.b.insert(op, type, values, access.pack(), 0);
}

}  // namespace spalt::spirv
