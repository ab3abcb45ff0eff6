// SPDX-License-Identifier: MIT
#include "amdgpu/lower/image_query.h"

namespace spalt::lower {

using ir::ImageDim;
using ir::Op;
using ir::Value;

ImageQuery::ImageQuery(Inserter& insert, const isa::Target& target, Value descriptor, const ir::ImageAccess& access)
    : insert_(insert), target_(target), fields_(abi::image_fields(target)), descriptor_(descriptor), access_(access) {}

Value ImageQuery::levels() {
  const Value last = field(fields_.last_level);
  const Value base = field(fields_.base_level);
  return count(last, base);
}

Value ImageQuery::answer(Op op, Value level) {
  switch (op) {
    case Op::image_levels:
      return levels();
    case Op::image_samples:
      return insert_.i(Op::ishl, {present(), field(fields_.last_level)});
    default:
      return size(level);
  }
}

Value ImageQuery::size(Value level) {
  // The records of a typed buffer are its elements, since it has a stride.
  if (access_.dim == ImageDim::buffer) return field(abi::buffer_fields(target_).num_records);
  Value absolute;
  if (!access_.multisampled()) {
    absolute = field(fields_.base_level);
    if (level.valid()) absolute = insert_.i(Op::iadd, {absolute, level});
  }
  const Value height = access_.dim == ImageDim::d1 ? Value() : extent(fields_.height, absolute);
  SmallVector<Value, 4> parts;
  // The faces of a cube are squares.
  parts.push_back(access_.dim == ImageDim::cube ? height : extent(fields_.width, absolute));
  if (height.valid()) parts.push_back(height);
  if (access_.dim == ImageDim::d3) parts.push_back(extent(fields_.depth, absolute));
  if (access_.arrayed()) parts.push_back(layers());
  return parts.size() == 1 ? parts[0] : insert_.op(Op::vec, ir::kI32.vector(parts.size()), parts);
}

/// Of an axis at a level, where every image has at least one texel.
Value ImageQuery::extent(const abi::DescriptorField& less_one, Value level) {
  const Value texels = insert_.i(Op::iadd, {field(less_one), present()});
  if (!level.valid()) return texels;
  const Value shifted = insert_.i(Op::ushr, {texels, level});
  return insert_.i(Op::umax, {shifted, present()});
}

Value ImageQuery::layers() {
  const Value last = field(fields_.depth);
  const Value layers = count(last, field(fields_.base_array));
  if (access_.dim != ImageDim::cube) return layers;
  return insert_.i(Op::udiv, {layers, insert_.constant(6)});
}

Value ImageQuery::count(Value last, Value first) {
  const Value difference = insert_.i(Op::isub, {last, first});
  return insert_.i(Op::iadd, {difference, present()});
}

/// No image has type 0, so that the word with the type is 0 in the null descriptor only, as all its words are.
Value ImageQuery::present() {
  if (!present_.valid()) {
    const Value word = insert_.op(Op::extract, ir::kI32, {descriptor_}, fields_.type.word());
    present_ = insert_.i(Op::umin, {word, insert_.constant(1)});
  }
  return present_;
}

}  // namespace spalt::lower
