// SPDX-License-Identifier: MIT
#include "spirv/module/types.h"

#include <algorithm>

#include "base/bits.h"

namespace spalt::spirv {
namespace {

uint32_t saturate(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, kNone));
}

}  // namespace

uint32_t TypeTable::add(const TypeInfo& type) {
  types_.push_back(type);
  measure(types_.back());
  return types_.size() - 1;
}

void TypeTable::measure(TypeInfo& type) {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::floating:
      type.dense_bytes = leaf_bytes(type.scalar);
      type.dense_align = static_cast<uint8_t>(type.dense_bytes);
      return;
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::runtime_array:
      type.dense_bytes = saturate(uint64_t{types_[type.element].dense_bytes} * type.count);
      type.dense_align = types_[type.element].dense_align;
      return;
    case TypeKind::structure: {
      uint64_t bytes = 0;
      for (uint32_t i = 0; i < type.count; ++i) {
        Member& member = members_[type.first + i];
        const TypeInfo& inner = types_[member.type];
        bytes = align_up(bytes, inner.dense_align);
        member.dense_offset = saturate(bytes);
        bytes += inner.dense_bytes;
        type.dense_align = std::max(type.dense_align, inner.dense_align);
      }
      type.dense_bytes = saturate(align_up(bytes, type.dense_align));
      return;
    }
    case TypeKind::pointer:
      if (type.leaves == 0) return;
      type.dense_bytes = type.leaves * leaf_bytes(type.scalar);
      type.dense_align = static_cast<uint8_t>(leaf_bytes(type.scalar));
      return;
    default:
      return;
  }
}

uint32_t TypeTable::find_leaf_offset(uint32_t type, uint32_t index) const {
  uint32_t offset = 0;
  while (types_[type].scalar == ir::Scalar::none) {
    const TypeInfo& info = types_[type];
    if (info.kind == TypeKind::structure) {
      const Member& inner = member(info, member_of_leaf(info, index));
      offset += inner.dense_offset;
      index -= inner.leaf;
      type = inner.type;
    } else {
      const TypeInfo& element = types_[info.element];
      offset += index / element.leaves * element.dense_bytes;
      index %= element.leaves;
      type = info.element;
    }
  }
  return offset + index * leaf_bytes(types_[type].scalar);
}

ir::Type TypeTable::find_leaf_type(uint32_t type, uint32_t index) const {
  while (types_[type].scalar == ir::Scalar::none) {
    const TypeInfo& info = types_[type];
    if (info.kind == TypeKind::structure) {
      const Member& inner = member(info, member_of_leaf(info, index));
      index -= inner.leaf;
      type = inner.type;
    } else {
      type = info.element;
      index %= types_[type].leaves;
    }
  }
  return ir::Type{types_[type].scalar};
}

uint32_t TypeTable::member_of_leaf(const TypeInfo& type, uint32_t index) const {
  const auto begin = members_.begin() + type.first;
  const auto after = std::upper_bound(begin, begin + type.count, index,
                                      [](uint32_t leaf, const Member& candidate) { return leaf < candidate.leaf; });
  return static_cast<uint32_t>(after - begin) - 1;
}

bool TypeTable::logically_match(uint32_t a, uint32_t b, Arena& scratch) const {
  // Pairs still to compare. A pair of structs may be reached many times, so the work is bounded by giving up.
  constexpr size_t kMaxSteps = 4096;
  struct Pair {
    uint32_t left, right;
  };
  const ArenaScope scope(scratch);
  Vector<Pair> pending(scratch);
  pending.push_back({a, b});
  for (size_t step = 0; step < kMaxSteps && !pending.empty(); ++step) {
    const auto [left, right] = pending.back();
    pending.pop_back();
    if (left == right) continue;
    const TypeInfo& x = types_[left];
    const TypeInfo& y = types_[right];
    if (x.kind != y.kind || x.count != y.count) return false;
    if (x.kind == TypeKind::array) {
      pending.push_back({x.element, y.element});
    } else if (x.kind == TypeKind::structure) {
      for (uint32_t i = 0; i < x.count; ++i) pending.push_back({member(x, i).type, member(y, i).type});
    } else {
      return false;
    }
  }
  return pending.empty();
}

}  // namespace spalt::spirv
