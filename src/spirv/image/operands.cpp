// SPDX-License-Identifier: MIT
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"

namespace spalt::spirv {

bool read_image_extras(Reader& r, const Instruction& in, uint32_t index, ImageExtras& extras) {
  if (index >= in.count) return true;
  const uint32_t mask = in[index++];
  bool complete = true;
  const auto take = [&](uint32_t bit, uint32_t& id) {
    if ((mask & bit) == 0) return;
    complete = complete && index < in.count;
    if (complete) id = in[index++];
  };
  uint32_t available = 0, visible = 0;
  // In the order of the bits, which is that of the operands.
  take(spv::ImageOperandsBiasMask, extras.bias);
  take(spv::ImageOperandsLodMask, extras.lod);
  take(spv::ImageOperandsGradMask, extras.gradient_x);
  take(spv::ImageOperandsGradMask, extras.gradient_y);
  take(spv::ImageOperandsConstOffsetMask, extras.const_offset);
  take(spv::ImageOperandsOffsetMask, extras.offset);
  take(spv::ImageOperandsConstOffsetsMask, extras.const_offsets);
  take(spv::ImageOperandsSampleMask, extras.sample);
  take(spv::ImageOperandsMinLodMask, extras.min_lod);
  take(spv::ImageOperandsMakeTexelAvailableMask, available);
  take(spv::ImageOperandsMakeTexelVisibleMask, visible);
  take(spv::ImageOperandsOffsetsMask, extras.offsets);
  if (!complete) return r.fail("expected an operand for each bit of the image operands");
  // Widths of integers are those of registers, and what is private needs nothing.
  constexpr uint32_t kNothing = uint32_t{spv::ImageOperandsNonPrivateTexelMask} |
                                uint32_t{spv::ImageOperandsSignExtendMask} | uint32_t{spv::ImageOperandsZeroExtendMask};
  constexpr uint32_t kRead = 0x3ff | uint32_t{spv::ImageOperandsOffsetsMask};  // with an operand each
  constexpr uint32_t kKnown =
      kNothing | kRead | uint32_t{spv::ImageOperandsVolatileTexelMask} | uint32_t{spv::ImageOperandsNontemporalMask};
  if ((mask & ~kKnown) != 0) return r.unsupported(concat("the image operand ", mask & ~kKnown));
  if ((mask & spv::ImageOperandsVolatileTexelMask) != 0) extras.access.flags |= ir::kVolatile;
  if ((mask & spv::ImageOperandsNontemporalMask) != 0) extras.access.flags |= ir::kNonTemporal;
  const auto add_scope = [&](uint32_t id, uint8_t flag) {
    ir::Scope scope{};
    if (!read_scope(r, id, scope)) return false;
    extras.access.flags |= flag;
    extras.access.scope = std::max(extras.access.scope, scope);
    return true;
  };
  if (available != 0 && !add_scope(available, ir::kMakeAvailable)) return false;
  return visible == 0 || add_scope(visible, ir::kMakeVisible);
}

bool integer_operand(Reader& r, uint32_t id, ImageValues& values) {
  ir::Value value;
  if (!r.index_value(id, value)) return false;
  values.push_back(value);
  return true;
}

bool level_operand(Reader& r, uint32_t id, ImageValues& values, ir::ImageAccess& access) {
  if (!integer_operand(r, id, values)) return false;
  if (r.function().is_constant(values.back(), 0)) {
    values.pop_back();
  } else {
    access.parts |= ir::kImageLod;
  }
  return true;
}

bool texel_coordinates(Reader& r, uint32_t id, uint32_t count, uint32_t axes, const ImageExtras& extras,
                       ImageValues& values) {
  Leaves coordinates, offset;
  if (!r.vector_value(id, kAnyInteger, 0, coordinates)) return false;
  if (coordinates.count < count) return r.fail(concat("expected ", count, " coordinates, found ", coordinates.count));
  const uint32_t offset_id = extras.const_offset != 0 ? extras.const_offset : extras.offset;
  if (offset_id != 0 && !r.vector_value(offset_id, ir::Scalar::i32, axes, offset)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    ir::Value coordinate = r.b.resize(ir::kI32, r.leaf(coordinates, i), true);
    if (offset_id != 0 && i < axes) coordinate = r.b.iadd(coordinate, r.leaf(offset, i));
    values.push_back(coordinate);
  }
  return true;
}

void set_texel_access(const ImageHandle& image, const ImageExtras& extras, ir::ImageAccess& access) {
  access.flags = image.access | extras.access.flags;
  access.scope = extras.access.scope;
  if ((access.flags & ir::kCoherent) != 0) access.scope = ir::Scope::device;
}

}  // namespace spalt::spirv
