// SPDX-License-Identifier: MIT
#include <bit>
#include <utility>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// Wrap facts of a sum of two constants hold only for the unsigned side: c1 + c2 may itself leave the signed range.
uint16_t combined_add_flags(const Simplifier& s, Value outer, Value inner) {
  return s.flags(outer) & s.flags(inner) & ir::kNoUnsignedWrap;
}

/// (x + c1) * n + c2 = x * n + (c1 * n + c2), the same with a shift. Costs nothing even where x + c1 has other uses,
/// and often the constants cancel.
Value add_constant_to_scaled(Simplifier& s, Value v, Value scaled, uint64_t c2) {
  const Op op = s.op(scaled);
  if ((op != Op::ishl && op != Op::imul) || !s.is_constant(s.operand(scaled, 1))) return Value();
  const Value sum = s.operand(scaled, 0), factor = s.operand(scaled, 1);
  if (!s.has_constant_rhs(sum, Op::iadd)) return Value();
  const Type type = s.type(v);
  const uint64_t c1 = s.bits(s.operand(sum, 1)), n = s.bits(factor);
  const uint64_t c = op == Op::ishl ? c1 << (n & (type.scalar_bits() - 1)) : c1 * n;
  const uint16_t flags = s.flags(scaled) & s.flags(sum) & ir::kNoUnsignedWrap;
  const Value rest = s.emit(op, type, {s.operand(sum, 0), factor}, flags);
  return s.change(v, Op::iadd, {rest, s.constant(type, c + c2)});
}

/// dot(x, y, 0) + z = dot(x, y, z)
Value add_to_dot(Simplifier& s, Value v, Value a, Value b) {
  for (unsigned i = 0; i < 2; ++i, std::swap(a, b)) {
    const Op op = s.op(a);
    const bool dot = op == Op::dot4_s || op == Op::dot4_u || op == Op::dot4_su;
    if (!dot || !s.is_constant(s.operand(a, 2), 0) || !s.single_use(a)) continue;
    return s.change(v, op, {s.operand(a, 0), s.operand(a, 1), b});
  }
  return Value();
}

Value add_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  if (s.is_constant(b, 0)) return a;
  if (type == ir::kI32) {
    if (const Value dot = add_to_dot(s, v, a, b); dot.valid()) return dot;
  }
  if (s.is_constant(b)) {
    if (s.has_constant_rhs(a, Op::iadd)) {  // (x + c1) + c2
      const uint64_t c1 = s.bits(s.operand(a, 1)), sum = (c1 + s.bits(b)) & type_mask(type);
      const uint16_t flags = sum >= c1 ? combined_add_flags(s, v, a) : uint16_t{0};
      return s.change(v, Op::iadd, {s.operand(a, 0), s.constant(type, sum)}, flags);
    }
    if (s.op(a) == Op::isub && s.is_constant(s.operand(a, 0))) {  // (c1 - x) + c2
      const Value sum = s.constant(type, s.bits(s.operand(a, 0)) + s.bits(b));
      return s.change(v, Op::isub, {sum, s.operand(a, 1)});
    }
    return add_constant_to_scaled(s, v, a, s.bits(b));
  }
  // x + (0 - y), x + (y - x)
  for (unsigned i = 0; i < 2; ++i) {
    const Value x = i == 0 ? a : b, y = i == 0 ? b : a;
    if (s.op(y) != Op::isub) continue;
    if (s.is_constant(s.operand(y, 0), 0)) return s.change(v, Op::isub, {x, s.operand(y, 1)});
    if (s.operand(y, 1) == x) return s.operand(y, 0);
  }
  // Constants move outward, where addresses can take them: (x + c) + y
  if (s.has_constant_rhs(a, Op::iadd)) {
    const uint16_t flags = combined_add_flags(s, v, a);
    const Value rest = s.emit(Op::iadd, type, {s.operand(a, 0), b}, flags);
    return s.change(v, Op::iadd, {rest, s.operand(a, 1)}, flags);
  }
  if (s.has_constant_rhs(b, Op::iadd)) {
    const uint16_t flags = combined_add_flags(s, v, b);
    const Value rest = s.emit(Op::iadd, type, {a, s.operand(b, 0)}, flags);
    return s.change(v, Op::iadd, {rest, s.operand(b, 1)}, flags);
  }
  return Value();
}

Value sub_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  if (a == b) return s.constant(type, 0);
  if (s.is_constant(b)) return s.change(v, Op::iadd, {a, s.constant(type, 0 - s.bits(b))});
  if (s.op(a) == Op::iadd) {  // (x + y) - y
    if (s.operand(a, 1) == b) return s.operand(a, 0);
    if (s.operand(a, 0) == b) return s.operand(a, 1);
  }
  if (s.op(b) == Op::isub) {
    if (s.is_constant(s.operand(b, 0), 0)) return s.change(v, Op::iadd, {a, s.operand(b, 1)});  // x - (0 - y)
    if (s.is_constant(a, 0)) return s.change(v, Op::isub, {s.operand(b, 1), s.operand(b, 0)});  // 0 - (x - y)
    if (s.operand(b, 0) == a) return s.operand(b, 1);                                           // x - (x - y)
  }
  if (s.op(b) == Op::iadd) {  // x - (x + y)
    const Value zero = s.constant(type, 0);
    if (s.operand(b, 0) == a) return s.change(v, Op::isub, {zero, s.operand(b, 1)});
    if (s.operand(b, 1) == a) return s.change(v, Op::isub, {zero, s.operand(b, 0)});
    if (s.is_constant(s.operand(b, 1)) && s.is_constant(a)) {  // c1 - (x + c2)
      const Value rest = s.constant(type, s.bits(a) - s.bits(s.operand(b, 1)));
      return s.change(v, Op::isub, {rest, s.operand(b, 0)});
    }
  }
  // Constants move outward: (x + c) - y, x - (y + c)
  if (!s.is_constant(a) && s.has_constant_rhs(a, Op::iadd)) {
    const Value rest = s.emit(Op::isub, type, {s.operand(a, 0), b});
    return s.change(v, Op::iadd, {rest, s.operand(a, 1)});
  }
  if (!s.is_constant(a) && s.has_constant_rhs(b, Op::iadd)) {
    const Value rest = s.emit(Op::isub, type, {a, s.operand(b, 0)});
    return s.change(v, Op::iadd, {rest, s.constant(type, 0 - s.bits(s.operand(b, 1)))});
  }
  return Value();
}

Value multiply_constant(Simplifier& s, Value v, Value a, uint64_t c) {
  const Type type = s.type(v);
  const uint64_t mask = type_mask(type);
  const uint16_t unsigned_wrap = s.flags(v) & ir::kNoUnsignedWrap;
  if (c == 0) return s.constant(type, 0);
  if (c == 1) return a;
  if (c == mask) return s.change(v, Op::isub, {s.constant(type, 0), a});
  if (std::has_single_bit(c)) {
    const Value amount = s.constant(type, static_cast<uint64_t>(std::countr_zero(c)));
    return s.change(v, Op::ishl, {a, amount}, unsigned_wrap);
  }
  if (s.has_constant_rhs(a, Op::imul)) {  // (x * c1) * c2
    return s.change(v, Op::imul, {s.operand(a, 0), s.constant(type, s.bits(s.operand(a, 1)) * c)});
  }
  if (s.has_constant_rhs(a, Op::ishl)) {  // (x << c1) * c2
    const uint64_t by = s.bits(s.operand(a, 1)) & (type.scalar_bits() - 1);
    return s.change(v, Op::imul, {s.operand(a, 0), s.constant(type, c << by)});
  }
  if (s.has_constant_rhs(a, Op::iadd) && s.single_use(a)) {  // (x + c1) * c2: see (x + c) << n in simplify_bits.cpp
    const uint16_t flags = unsigned_wrap & s.flags(a);
    const Value scaled = s.emit(Op::imul, type, {s.operand(a, 0), s.constant(type, c)}, flags);
    return s.change(v, Op::iadd, {scaled, s.constant(type, s.bits(s.operand(a, 1)) * c)}, flags);
  }
  return Value();
}

Value mul_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  if (type.is_bool()) return s.change(v, Op::iand, {a, b});
  if (s.is_constant(b)) {
    const Value result = multiply_constant(s, v, a, s.bits(b));
    if (result.valid()) return result;
  }
  constexpr uint64_t kMax24 = 0xffffff;
  const bool fits = type == ir::kI32 && s.facts(a).max <= kMax24 && s.facts(b).max <= kMax24;
  if (fits && (s.flags(v) & ir::kFits24) == 0) {
    return s.change(v, Op::imul, {a, b}, static_cast<uint16_t>(s.flags(v) | ir::kFits24));
  }
  return Value();
}

/// Whether a sum or difference of what is known about the operands can leave the type at all.
Value carry_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const uint64_t mask = type_mask(s.type(a));
  if (s.op(v) == Op::usub_borrow) {
    if (a == b || s.is_constant(b, 0) || s.is_constant(a, mask)) return s.constant_bool(false);
    return s.is_constant(a) && s.facts(b).max <= s.bits(a) ? s.constant_bool(false) : Value();
  }
  return s.facts(a).max <= mask - s.facts(b).max ? s.constant_bool(false) : Value();
}

Value mul_high_rules(Simplifier& s, Value v) {
  const Value b = s.operand(v, 1);
  if (!s.is_constant(b)) return Value();
  const uint64_t c = s.bits(b);
  if (c <= 1) return s.constant(s.type(v), 0);
  if (!std::has_single_bit(c)) return Value();
  const unsigned by = s.type(v).scalar_bits() - static_cast<unsigned>(std::countr_zero(c));
  return s.change(v, Op::ushr, {s.operand(v, 0), s.constant(s.type(v), by)});
}

bool at_most(Op op, uint64_t a, uint64_t b, unsigned width) {
  const bool is_signed = op == Op::smin || op == Op::smax;
  if (!is_signed) return a <= b;
  const uint64_t sign = uint64_t{1} << (width - 1);
  return (a ^ sign) <= (b ^ sign);
}

Value min_max_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Op op = s.op(v);
  if (a == b) return a;
  const bool is_min = op == Op::smin || op == Op::umin;
  const unsigned width = s.type(v).scalar_bits();
  if (op == Op::umin || op == Op::umax) {
    const uint64_t a_max = s.facts(a).max;
    if (s.is_constant(b) && a_max <= s.bits(b)) return op == Op::umin ? a : b;
    if (s.is_constant(b, 0)) return op == Op::umin ? b : a;
  } else if (s.is_constant(b)) {
    const uint64_t c = s.bits(b), mask = type_mask(s.type(v)), largest = mask >> 1, smallest = largest + 1;
    if (c == (is_min ? largest : smallest)) return a;
    if (c == (is_min ? smallest : largest)) return b;
    if (c <= largest && s.facts(a).max <= c) return is_min ? a : b;
  }
  // Nested with constants on both levels, or with a shared operand.
  if (s.op(a) == op) {
    if (s.operand(a, 0) == b || s.operand(a, 1) == b) return a;
    const Value inner = s.operand(a, 1);
    if (s.is_constant(b) && s.is_constant(inner)) {
      const bool inner_low = at_most(op, s.bits(inner), s.bits(b), width);
      return s.change(v, op, {s.operand(a, 0), inner_low == is_min ? inner : b});
    }
  }
  return Value();
}

}  // namespace

Value simplify_integer(Simplifier& s, Value value) {
  switch (s.op(value)) {
    case Op::iadd:
      return add_rules(s, value);
    case Op::isub:
      return sub_rules(s, value);
    case Op::imul:
      return mul_rules(s, value);
    case Op::uadd_carry:
    case Op::usub_borrow:
      return carry_rules(s, value);
    case Op::umul_hi:
      return mul_high_rules(s, value);
    default:
      return min_max_rules(s, value);
  }
}

}  // namespace spalt::passes
