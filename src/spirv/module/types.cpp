// SPDX-License-Identifier: MIT
#include "spirv/module/types.h"

#include <algorithm>
#include <utility>

namespace spalt::spirv {

ir::Type TypeTable::leaf_type(uint32_t type, uint32_t index) const {
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

bool TypeTable::logically_match(uint32_t a, uint32_t b) const {
  // Pairs still to compare. A pair of structs may be reached many times, so the work is bounded by giving up.
  constexpr size_t kMaxSteps = 4096;
  std::vector<std::pair<uint32_t, uint32_t>> pending{{a, b}};
  for (size_t step = 0; step < kMaxSteps && !pending.empty(); ++step) {
    const auto [left, right] = pending.back();
    pending.pop_back();
    if (left == right) continue;
    const TypeInfo& x = types_[left];
    const TypeInfo& y = types_[right];
    if (x.kind != y.kind || x.count != y.count) return false;
    if (x.kind == TypeKind::array) {
      pending.emplace_back(x.element, y.element);
    } else if (x.kind == TypeKind::structure) {
      for (uint32_t i = 0; i < x.count; ++i) pending.emplace_back(member(x, i).type, member(y, i).type);
    } else {
      return false;
    }
  }
  return pending.empty();
}

}  // namespace spalt::spirv
