// SPDX-License-Identifier: MIT
#include <bit>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// True for 0...01...1, with at least one 1.
bool is_low_mask(uint64_t value) {
  return value != 0 && (value & (value + 1)) == 0;
}

/// The comparison that is true where this one is false, with the operands swapped for orders; Op::count if there is
/// none.
Op inverse_comparison(Op op) {
  switch (op) {
    case Op::ieq:
      return Op::ine;
    case Op::ine:
      return Op::ieq;
    case Op::slt:
      return Op::sle;
    case Op::sle:
      return Op::slt;
    case Op::ult:
      return Op::ule;
    case Op::ule:
      return Op::ult;
    case Op::foeq:
      return Op::fune;
    case Op::fune:
      return Op::foeq;
    case Op::fone:
      return Op::fueq;
    case Op::fueq:
      return Op::fone;
    case Op::folt:
      return Op::fule;
    case Op::fule:
      return Op::folt;
    case Op::fole:
      return Op::fult;
    case Op::fult:
      return Op::fole;
    case Op::fordered:
      return Op::funordered;
    case Op::funordered:
      return Op::fordered;
    default:
      return Op::count;
  }
}

bool is_complement(const Simplifier& s, Value a, Value b) {
  if ((s.op(a) == Op::inot && s.operand(a, 0) == b) || (s.op(b) == Op::inot && s.operand(b, 0) == a)) return true;
  if (!s.type(a).is_bool() || s.op(b) != inverse_comparison(s.op(a))) return false;
  const Value x = s.operand(a, 0), y = s.operand(a, 1), first = s.operand(b, 0), second = s.operand(b, 1);
  return ir::info(s.op(a)).has(ir::kCommutes) ? x == first && y == second : x == second && y == first;
}

bool contains(const Simplifier& s, Value value, Op op, Value part) {
  return s.op(value) == op && (s.operand(value, 0) == part || s.operand(value, 1) == part);
}

Value bit_field(Simplifier& s, Value v, Op op, Value base, uint64_t offset, uint64_t count) {
  const Type type = s.type(v);
  return s.change(v, op, {base, s.constant(type, offset), s.constant(type, count)});
}

/// The shift amount that takes effect.
uint64_t amount_of(const Simplifier& s, Value shift) {
  return s.bits(s.operand(shift, 1)) & (s.type(shift).scalar_bits() - 1);
}

Value and_constant(Simplifier& s, Value v, Value a, uint64_t c) {
  const Type type = s.type(v);
  const uint64_t ones = s.facts(a).ones;
  if ((ones & c) == 0) return s.constant(type, 0);
  if ((ones & ~c) == 0) return a;
  if (s.has_constant_rhs(a, Op::iand)) {
    return s.change(v, Op::iand, {s.operand(a, 0), s.constant(type, s.bits(s.operand(a, 1)) & c)});
  }
  // Bits that an inner ior sets for sure, or that the mask cuts off.
  if (s.has_constant_rhs(a, Op::ior) && (s.bits(s.operand(a, 1)) & c) == 0) {
    return s.change(v, Op::iand, {s.operand(a, 0), s.constant(type, c)});
  }
  if (type == ir::kI32 && is_low_mask(c) && s.has_constant_rhs(a, Op::ushr)) {
    const uint64_t by = amount_of(s, a), count = static_cast<uint64_t>(std::popcount(c));
    if (by + count <= 32) return bit_field(s, v, Op::bfe_u, s.operand(a, 0), by, count);
  }
  return Value();
}

Value and_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (a == b) return a;
  if (s.is_constant(b)) return and_constant(s, v, a, s.bits(b));
  if (is_complement(s, a, b)) return s.constant(s.type(v), 0);
  if (contains(s, a, Op::iand, b) || contains(s, b, Op::ior, a)) return a;
  if (contains(s, b, Op::iand, a) || contains(s, a, Op::ior, b)) return b;
  if ((s.facts(a).ones & s.facts(b).ones) == 0) return s.constant(s.type(v), 0);
  return s.type(v).is_bool() ? simplify_joined_orders(s, v) : Value();
}

/// The majority of three bits, (a & b) ^ (a & c) ^ (b & c) or the same with or: where b and c differ it is a, else b.
/// As a choice by the bits of b ^ c it is one instruction of the vector unit.
Value majority_rule(Simplifier& s, Value v) {
  const Op op = s.op(v);
  const Type type = s.type(v);
  if (type != ir::kI32) return Value();
  for (unsigned side = 0; side < 2; ++side) {
    const Value pair = s.operand(v, side), third = s.operand(v, 1 - side);
    if (s.op(pair) != op || s.op(third) != Op::iand || !s.single_use(pair)) continue;
    const Value first = s.operand(pair, 0), second = s.operand(pair, 1);
    if (s.op(first) != Op::iand || s.op(second) != Op::iand) continue;
    const Value b = s.operand(third, 0), c = s.operand(third, 1);
    // The operand that is in neither b nor c.
    const Value a = s.operand(first, 0) == b || s.operand(first, 0) == c ? s.operand(first, 1) : s.operand(first, 0);
    const bool matches = contains(s, first, Op::iand, a) && contains(s, second, Op::iand, a) && a != b && a != c &&
                         ((contains(s, first, Op::iand, b) && contains(s, second, Op::iand, c)) ||
                          (contains(s, first, Op::iand, c) && contains(s, second, Op::iand, b)));
    if (!matches) continue;
    const Value differ = s.emit(Op::ixor, type, {b, c});
    const Value same = s.emit(Op::inot, type, {differ});
    const Value if_differ = s.emit(Op::iand, type, {differ, a});
    const Value if_same = s.emit(Op::iand, type, {same, b});
    return s.change(v, Op::ior, {if_differ, if_same});
  }
  return Value();
}

Value or_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  const uint64_t mask = type_mask(type);
  if (a == b) return a;
  if (s.is_constant(b)) {
    const uint64_t c = s.bits(b);
    if (c == 0) return a;
    if (c == mask || (s.facts(a).ones & ~c) == 0) return b;
    if (s.has_constant_rhs(a, Op::ior)) {
      return s.change(v, Op::ior, {s.operand(a, 0), s.constant(type, s.bits(s.operand(a, 1)) | c)});
    }
    return Value();
  }
  if (is_complement(s, a, b)) return s.constant(type, mask);
  if (contains(s, a, Op::ior, b) || contains(s, b, Op::iand, a)) return a;
  if (contains(s, b, Op::ior, a) || contains(s, a, Op::iand, b)) return b;
  return type.is_bool() ? simplify_joined_orders(s, v) : majority_rule(s, v);
}

Value xor_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  if (a == b) return s.constant(type, 0);
  if (s.is_constant(b)) {
    if (s.bits(b) == 0) return a;
    if (s.bits(b) == type_mask(type)) return s.change(v, Op::inot, {a});
    if (s.has_constant_rhs(a, Op::ixor)) {
      return s.change(v, Op::ixor, {s.operand(a, 0), s.constant(type, s.bits(s.operand(a, 1)) ^ s.bits(b))});
    }
    return Value();
  }
  if (is_complement(s, a, b)) return s.constant(type, type_mask(type));
  // (x ^ y) ^ y
  for (unsigned i = 0; i < 2; ++i) {
    const Value x = i == 0 ? a : b, y = i == 0 ? b : a;
    if (s.op(x) != Op::ixor) continue;
    if (s.operand(x, 0) == y) return s.operand(x, 1);
    if (s.operand(x, 1) == y) return s.operand(x, 0);
  }
  return majority_rule(s, v);
}

Value not_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (s.op(a) == Op::inot) return s.operand(a, 0);
  const Op inverse = s.type(v).is_bool() ? inverse_comparison(s.op(a)) : Op::count;
  if (inverse == Op::count) return Value();
  const bool order = !ir::info(inverse).has(ir::kCommutes);
  const Value x = s.operand(a, order ? 1 : 0), y = s.operand(a, order ? 0 : 1);
  return s.change(v, inverse, {x, y}, s.flags(a));
}

/// shift(shift(x, inner), outer) with constant amounts.
Value shift_of_shift(Simplifier& s, Value v, Value a, uint64_t outer) {
  const Type type = s.type(v);
  const unsigned width = type.scalar_bits();
  const Op op = s.op(v);
  const Value x = s.operand(a, 0);
  const uint64_t inner = amount_of(s, a);
  if (s.op(a) == op) {
    const uint64_t both = inner + outer;
    if (both < width) return s.change(v, op, {x, s.constant(type, both)});
    if (op == Op::sshr) return s.change(v, op, {x, s.constant(type, width - 1)});
    return s.constant(type, 0);
  }
  const uint64_t mask = type_mask(type);
  if (op == Op::ishl && inner == outer) {  // either right shift: the low bits are cleared
    return s.change(v, Op::iand, {x, s.constant(type, mask << outer)});
  }
  if (s.op(a) != Op::ishl || type != ir::kI32 || inner > outer) return Value();
  return bit_field(s, v, op == Op::ushr ? Op::bfe_u : Op::bfe_s, x, outer - inner, width - outer);
}

Value shift_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  const Op op = s.op(v);
  const unsigned width = type.scalar_bits();
  if (type.is_bool()) return a;  // the amount has no bits
  if (s.is_constant(a, 0)) return a;
  if (!s.is_constant(b)) {
    // Amounts are cut to their low bits anyway.
    const bool cut = s.has_constant_rhs(b, Op::iand) && (~s.bits(s.operand(b, 1)) & (width - 1)) == 0;
    return cut ? s.change(v, op, {a, s.operand(b, 0)}, 0) : Value();
  }
  const uint64_t by = s.bits(b) & (width - 1);
  if (by != s.bits(b)) return s.change(v, op, {a, s.constant(s.type(b), by)}, s.flags(v));
  if (by == 0) return a;
  const BitFacts known = s.facts(a);
  if (op == Op::ushr && known.max >> by == 0) return s.constant(type, 0);
  if (op == Op::ishl && ((known.ones << by) & type_mask(type)) == 0) return s.constant(type, 0);
  if (op == Op::sshr && s.non_negative(a)) return s.change(v, Op::ushr, {a, b});
  const bool shift = s.op(a) == Op::ishl || s.op(a) == Op::ushr || s.op(a) == Op::sshr;
  if (shift && s.is_constant(s.operand(a, 1)) && s.type(b) == type) {
    const Value result = shift_of_shift(s, v, a, by);
    if (result.valid()) return result;
  }
  if (op == Op::ushr && s.has_constant_rhs(a, Op::iand) && type == ir::kI32) {
    const uint64_t field = s.bits(s.operand(a, 1)) >> by;
    const uint64_t count = static_cast<uint64_t>(std::popcount(field));
    if (is_low_mask(field)) return bit_field(s, v, Op::bfe_u, s.operand(a, 0), by, count);
  }
  // (x + c) << n: the constant becomes visible to additions around it. Where x + c is needed anyway, x << n would be
  // one more instruction and hide rotates, so only addresses take that sum apart.
  if (op == Op::ishl && s.has_constant_rhs(a, Op::iadd) && s.single_use(a)) {
    const uint16_t flags = s.flags(v) & s.flags(a) & ir::kNoUnsignedWrap;
    const Value shifted = s.emit(Op::ishl, type, {s.operand(a, 0), b}, flags);
    return s.change(v, Op::iadd, {shifted, s.constant(type, s.bits(s.operand(a, 1)) << by)}, flags);
  }
  return Value();
}

Value extract_rules(Simplifier& s, Value v) {
  const Value base = s.operand(v, 0), offset = s.operand(v, 1), count = s.operand(v, 2);
  const Type type = s.type(v);
  const unsigned width = type.scalar_bits();
  if (s.is_constant(count, 0)) return s.constant(type, 0);
  if (!s.is_constant(offset) || !s.is_constant(count)) return Value();
  const uint64_t first = s.bits(offset), bits = s.bits(count);
  if (first + bits > width) return Value();
  if (bits == width) return base;
  if (type != ir::kI32) return Value();
  if (s.op(v) == Op::bfe_u) {
    if (first == 0) return s.change(v, Op::iand, {base, s.constant(type, (uint64_t{1} << bits) - 1)});
    if (s.facts(base).max >> (first + bits) == 0) return s.change(v, Op::ushr, {base, s.constant(type, first)});
  }
  // A field of a field, or of a value shifted right.
  if (s.op(base) == Op::bfe_u && s.op(v) == Op::bfe_u && s.is_constant(s.operand(base, 1)) &&
      s.is_constant(s.operand(base, 2)) && first + bits <= s.bits(s.operand(base, 2))) {
    return bit_field(s, v, Op::bfe_u, s.operand(base, 0), s.bits(s.operand(base, 1)) + first, bits);
  }
  if (s.has_constant_rhs(base, Op::ushr) && amount_of(s, base) + first + bits <= width) {
    return bit_field(s, v, s.op(v), s.operand(base, 0), amount_of(s, base) + first, bits);
  }
  return Value();
}

Value insert_rules(Simplifier& s, Value v) {
  const Value count = s.operand(v, 3);
  if (s.is_constant(count, 0)) return s.operand(v, 0);
  const bool whole = s.is_constant(s.operand(v, 2), 0) && s.is_constant(count, s.type(v).scalar_bits());
  return whole ? s.operand(v, 1) : Value();
}

}  // namespace

Value simplify_bits(Simplifier& s, Value value) {
  switch (s.op(value)) {
    case Op::iand:
      return and_rules(s, value);
    case Op::ior:
      return or_rules(s, value);
    case Op::ixor:
      return xor_rules(s, value);
    case Op::inot:
      return not_rules(s, value);
    case Op::ishl:
    case Op::ushr:
    case Op::sshr:
      return shift_rules(s, value);
    case Op::bit_reverse:
      return s.op(s.operand(value, 0)) == Op::bit_reverse ? s.operand(s.operand(value, 0), 0) : Value();
    case Op::bfe_u:
    case Op::bfe_s:
      return extract_rules(s, value);
    case Op::bfi:
      return insert_rules(s, value);
    default:
      return Value();
  }
}

}  // namespace spalt::passes
