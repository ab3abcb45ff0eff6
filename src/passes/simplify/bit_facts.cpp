// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::BuiltIn;
using ir::Op;
using ir::Value;

namespace {

/// All bits up to the highest one of `value`.
uint64_t fill(uint64_t value) {
  return value == 0 ? 0 : ~uint64_t{0} >> std::countl_zero(value);
}

BitFacts from_max(uint64_t max, uint64_t mask) {
  return max > mask ? BitFacts{mask, mask} : BitFacts{fill(max), max};
}

BitFacts from_ones(uint64_t ones) {
  return {ones, ones};
}

BitFacts builtin_facts(const Simplifier& s, uint64_t imm, uint64_t mask) {
  const auto& size = s.config().workgroup_size;
  const auto& groups = s.config().max_workgroups;
  const uint64_t component = ir::builtin_component(imm);
  switch (ir::builtin_of(imm)) {
    case BuiltIn::local_invocation_id:
      return component < 3 && size[component] != 0 ? from_max(size[component] - 1, mask) : from_ones(mask);
    case BuiltIn::local_invocation_index: {
      const uint64_t all = uint64_t{size[0]} * size[1] * size[2];
      return all != 0 ? from_max(all - 1, mask) : from_ones(mask);
    }
    case BuiltIn::workgroup_id:
      return component < 3 ? from_max(groups[component] - 1, mask) : from_ones(mask);
    case BuiltIn::num_workgroups:
      return component < 3 ? from_max(groups[component], mask) : from_ones(mask);
    case BuiltIn::global_invocation_id:
      if (component >= 3 || size[component] == 0) return from_ones(mask);
      return from_max(uint64_t{size[component]} * groups[component] - 1, mask);
    case BuiltIn::subgroup_size:
    case BuiltIn::num_subgroups:
      return from_max(2048, mask);
    case BuiltIn::subgroup_invocation_id:
      return from_max(127, mask);
    case BuiltIn::subgroup_id:
      return from_max(2047, mask);
    default:
      return from_ones(mask);
  }
}

/// Low bits that are certainly zero.
unsigned low_zeros(const BitFacts& facts) {
  return facts.ones == 0 ? 64 : static_cast<unsigned>(std::countr_zero(facts.ones));
}

BitFacts sum(const BitFacts& a, const BitFacts& b, uint64_t mask) {
  const unsigned zeros = std::min(low_zeros(a), low_zeros(b));
  const uint64_t low = zeros >= 64 ? 0 : ~uint64_t{0} << zeros;
  const uint64_t max = a.max + b.max;
  if (max < a.max || max > mask) return from_ones(mask & low);
  return {fill(max) & low, std::min(max, fill(max) & low)};
}

BitFacts product(const BitFacts& a, const BitFacts& b, uint64_t mask) {
  if (a.ones == 0 || b.ones == 0) return from_ones(0);
  const unsigned zeros = low_zeros(a) + low_zeros(b);
  const uint64_t low = zeros >= 64 ? 0 : ~uint64_t{0} << zeros;
  if (a.max > mask / b.max) return from_ones(mask & low);
  const uint64_t max = a.max * b.max;
  return {fill(max) & low, std::min(max, fill(max) & low)};
}

BitFacts shift_facts(const Simplifier& s, Value value, const BitFacts& a, uint64_t mask) {
  const Value amount = s.operand(value, 1);
  if (!s.is_constant(amount)) return s.op(value) == Op::ushr ? from_max(a.max, mask) : from_ones(mask);
  const uint64_t by = s.bits(amount) & (s.type(value).scalar_bits() - 1);
  if (s.op(value) == Op::ushr) return {a.ones >> by, a.max >> by};
  const uint64_t ones = (a.ones << by) & mask;
  return a.max <= mask >> by ? BitFacts{ones, a.max << by} : from_ones(ones);
}

/// Places in a framebuffer have 16 bits, those of helpers, which complete its quads, included.
BitFacts conversion_facts(const Simplifier& s, Value from, uint64_t mask) {
  if (s.op(from) != Op::builtin || ir::builtin_of(s.bits(from)) != BuiltIn::frag_coord) return from_ones(mask);
  return ir::builtin_component(s.bits(from)) < 2 ? from_max(0xffff, mask) : from_ones(mask);
}

}  // namespace

BitFacts compute_facts(const Simplifier& s, Value value) {
  const uint64_t mask = type_mask(s.type(value));
  const auto operand = [&](unsigned index) { return s.facts(s.operand(value, index)); };
  const auto either = [](const BitFacts& a, const BitFacts& b) {
    return BitFacts{a.ones | b.ones, std::max(a.max, b.max)};
  };
  switch (s.op(value)) {
    case Op::builtin:
      return builtin_facts(s, s.bits(value), mask);
    case Op::f_to_s:
    case Op::f_to_u:
      return conversion_facts(s, s.operand(value, 0), mask);
    case Op::arg:
      return s.bits(value) < s.config().args.size() && mask <= 0xffffffff
                 ? from_max(s.config().args[s.bits(value)].max, mask)
                 : from_ones(mask);
    case Op::iand: {
      const BitFacts a = operand(0), b = operand(1);
      return {a.ones & b.ones, std::min({a.max, b.max, a.ones & b.ones})};
    }
    case Op::ior:
    case Op::ixor:
      return from_ones(operand(0).ones | operand(1).ones);
    case Op::iadd:
      return sum(operand(0), operand(1), mask);
    case Op::imul:
      return product(operand(0), operand(1), mask);
    case Op::ishl:
    case Op::ushr:
      return shift_facts(s, value, operand(0), mask);
    case Op::umin:
      return from_max(std::min(operand(0).max, operand(1).max), mask);
    case Op::umax:
      return either(operand(0), operand(1));
    case Op::select:
      return either(operand(1), operand(2));
    case Op::zext:
      return s.type(s.operand(value, 0)).is_vector() ? from_ones(mask) : operand(0);
    case Op::trunc:
      return from_ones(operand(0).ones & mask);
    case Op::udiv: {
      const Value by = s.operand(value, 1);
      return s.is_constant(by) && s.bits(by) != 0 ? from_max(operand(0).max / s.bits(by), mask) : from_ones(mask);
    }
    case Op::umod: {
      const Value by = s.operand(value, 1);
      return s.is_constant(by) && s.bits(by) != 0 ? from_max(s.bits(by) - 1, mask) : from_ones(mask);
    }
    case Op::bfe_u: {
      const Value count = s.operand(value, 2);
      if (!s.is_constant(count) || s.bits(count) >= s.type(value).scalar_bits()) return from_ones(mask);
      return from_ones((uint64_t{1} << s.bits(count)) - 1);
    }
    case Op::bit_count:
      return from_max(s.type(s.operand(value, 0)).scalar_bits(), mask);
    default:
      return from_ones(mask);
  }
}

}  // namespace spalt::passes
