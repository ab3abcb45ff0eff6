// SPDX-License-Identifier: MIT
#include "amdgpu/lower/image_query.h"

namespace spalt::lower {

using ir::ImageDim;
using ir::Op;
using ir::Value;

ImageQuery::ImageQuery(Inserter& insert, const isa::Target& target, Value descriptor, const ir::ImageAccess& access)
    : insert_(insert), target_(target), fields_(abi::image_fields(target)), descriptor_(descriptor), access_(access) {}

Value ImageQuery::answer(Op op, Value level) {
  switch (op) {
    case Op::image_levels:
      return unless_null(levels());
    case Op::image_samples:
      return unless_null(samples());
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
  if (access_.arrayed()) parts.push_back(unless_null(layers()));
  return parts.size() == 1 ? parts[0] : insert_.op(Op::vec, ir::kI32.vector(parts.size()), parts);
}

/// Of an axis at a level, which has at least one texel.
Value ImageQuery::extent(const abi::DescriptorField& less_one, Value level) {
  Value texels = insert_.i(Op::iadd, {field(less_one), insert_.constant(1)});
  if (level.valid()) {
    const Value shifted = insert_.i(Op::ushr, {texels, level});
    texels = insert_.i(Op::umax, {shifted, insert_.constant(1)});
  }
  return unless_null(texels);
}

Value ImageQuery::layers() {
  const Value last = field(fields_.depth);
  const Value count = difference_plus_one(last, field(fields_.base_array));
  if (access_.dim != ImageDim::cube) return count;
  return insert_.i(Op::udiv, {count, insert_.constant(6)});
}

Value ImageQuery::levels() {
  const Value last = field(fields_.last_level);
  return difference_plus_one(last, field(fields_.base_level));
}

Value ImageQuery::samples() {
  return insert_.i(Op::ishl, {insert_.constant(1), field(fields_.last_level)});
}

Value ImageQuery::difference_plus_one(Value a, Value b) {
  const Value difference = insert_.i(Op::isub, {a, b});
  return insert_.i(Op::iadd, {difference, insert_.constant(1)});
}

/// No image has type 0, so that the word with the type is 0 in the null descriptor only.
Value ImageQuery::unless_null(Value value) {
  const Value word = insert_.op(Op::extract, ir::kI32, {descriptor_}, fields_.type.word());
  const Value null = insert_.compare(Op::ieq, word, insert_.constant(0));
  return insert_.op(Op::select, ir::kI32, {null, insert_.constant(0), value});
}

}  // namespace spalt::lower
