// SPDX-License-Identifier: MIT
#include "base/bits.h"
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

Value logical_not(Simplifier& s, Value v, Value condition) {
  return s.change(v, Op::inot, {condition});
}

/// An integer that is one of two constants, chosen by a condition: select and zero or sign extension of a bool.
struct ChosenConstant {
  Value condition;
  uint64_t if_true, if_false;
};

bool match_chosen(const Simplifier& s, Value value, ChosenConstant& chosen) {
  const Op op = s.op(value);
  if (op == Op::select && s.is_constant(s.operand(value, 1)) && s.is_constant(s.operand(value, 2))) {
    chosen = {s.operand(value, 0), s.bits(s.operand(value, 1)), s.bits(s.operand(value, 2))};
    return true;
  }
  if ((op != Op::zext && op != Op::sext) || !s.type(s.operand(value, 0)).is_bool()) return false;
  chosen = {s.operand(value, 0), op == Op::zext ? 1 : type_mask(s.type(value)), 0};
  return true;
}

bool compare(Op op, uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = sign_extend(a, width), y = sign_extend(b, width);
  switch (op) {
    case Op::ieq:
      return a == b;
    case Op::ine:
      return a != b;
    case Op::slt:
      return x < y;
    case Op::sle:
      return x <= y;
    case Op::ult:
      return a < b;
    default:
      return a <= b;
  }
}

/// Comparison of a chosen constant with a constant: the condition, its inverse, or a constant.
Value compare_chosen(Simplifier& s, Value v, const ChosenConstant& chosen, uint64_t other, bool chosen_left) {
  const unsigned width = s.type(s.operand(v, 0)).scalar_bits();
  const auto result = [&](uint64_t c) {
    return chosen_left ? compare(s.op(v), c, other, width) : compare(s.op(v), other, c, width);
  };
  const bool if_true = result(chosen.if_true), if_false = result(chosen.if_false);
  if (if_true == if_false) return s.constant_bool(if_true);
  return if_true ? chosen.condition : logical_not(s, v, chosen.condition);
}

Value bool_equality(Simplifier& s, Value v, Value a, Value b) {
  const bool equal = s.op(v) == Op::ieq;
  if (s.is_constant(b)) return (s.bits(b) != 0) == equal ? a : logical_not(s, v, a);
  if (!equal) return s.change(v, Op::ixor, {a, b});
  return Value();
}

Value equality_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(a);
  const bool equal = s.op(v) == Op::ieq;
  if (a == b) return s.constant_bool(equal);
  if (type.is_bool()) return bool_equality(s, v, a, b);
  if (!s.is_constant(b)) return Value();
  const uint64_t c = s.bits(b);
  const BitFacts known = s.facts(a);
  if ((c & ~known.ones) != 0 || c > known.max) return s.constant_bool(!equal);
  switch (s.op(a)) {
    case Op::iadd:  // x + c1 == c
      if (!s.is_constant(s.operand(a, 1))) return Value();
      return s.change(v, s.op(v), {s.operand(a, 0), s.constant(type, c - s.bits(s.operand(a, 1)))});
    case Op::ixor:  // x ^ c1 == c, x ^ y == 0
      if (s.is_constant(s.operand(a, 1))) {
        return s.change(v, s.op(v), {s.operand(a, 0), s.constant(type, c ^ s.bits(s.operand(a, 1)))});
      }
      return c == 0 ? s.change(v, s.op(v), {s.operand(a, 0), s.operand(a, 1)}) : Value();
    case Op::isub:
      return c == 0 ? s.change(v, s.op(v), {s.operand(a, 0), s.operand(a, 1)}) : Value();
    case Op::zext:  // No instruction compares bytes: they would be extended again.
      if (s.type(s.operand(a, 0)).bits() <= 8) return Value();
      return s.change(v, s.op(v), {s.operand(a, 0), s.constant(s.type(s.operand(a, 0)), c)});
    default:
      return Value();
  }
}

Value unsigned_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(a);
  const bool strict = s.op(v) == Op::ult;
  if (a == b) return s.constant_bool(!strict);
  if (s.is_constant(b)) {
    const uint64_t c = s.bits(b), max = s.facts(a).max;
    if (strict ? max < c : max <= c) return s.constant_bool(true);
    if (strict && c == 0) return s.constant_bool(false);
    if (c == (strict ? 1u : 0u)) return s.change(v, Op::ieq, {a, s.constant(type, 0)});
  }
  if (s.is_constant(a)) {
    const uint64_t c = s.bits(a), max = s.facts(b).max;
    if (strict ? max <= c : max < c) return s.constant_bool(false);
    if (!strict && c == 0) return s.constant_bool(true);
    if (c == (strict ? 0u : 1u)) return s.change(v, Op::ine, {b, s.constant(type, 0)});
  }
  return Value();
}

Value signed_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const bool strict = s.op(v) == Op::slt;
  if (a == b) return s.constant_bool(!strict);
  const uint64_t mask = type_mask(s.type(a)), largest = mask >> 1, smallest = largest + 1;
  if (s.is_constant(b)) {
    if (s.bits(b) == (strict ? smallest : largest)) return s.constant_bool(!strict);
  }
  if (s.is_constant(a)) {
    if (s.bits(a) == (strict ? largest : smallest)) return s.constant_bool(!strict);
  }
  // With both signs clear the order is the unsigned one, for which more is known.
  if (s.type(a).is_bool() || !s.non_negative(a) || !s.non_negative(b)) return Value();
  return s.change(v, strict ? Op::ult : Op::ule, {a, b});
}

}  // namespace

Value simplify_compare(Simplifier& s, Value value) {
  const Value a = s.operand(value, 0), b = s.operand(value, 1);
  ChosenConstant chosen;
  if (s.is_constant(b) && match_chosen(s, a, chosen)) return compare_chosen(s, value, chosen, s.bits(b), true);
  if (s.is_constant(a) && match_chosen(s, b, chosen)) return compare_chosen(s, value, chosen, s.bits(a), false);
  switch (s.op(value)) {
    case Op::ieq:
    case Op::ine:
      return equality_rules(s, value);
    case Op::ult:
    case Op::ule:
      return unsigned_rules(s, value);
    default:
      return signed_rules(s, value);
  }
}

}  // namespace spalt::passes
