// SPDX-License-Identifier: MIT
#include "ir/module.h"
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// A number made of components that are all constant.
Value joined_constant(Simplifier& s, Value v, Value vector) {
  if (s.type(v).is_vector() || s.type(v).bits() > 64) return Value();
  uint64_t bits = 0;
  unsigned at = 0;
  for (const Value component : s.function().operands(vector)) {
    if (!s.is_constant(component)) return Value();
    bits |= s.bits(component) << at;
    at += s.type(component).bits();
  }
  return s.constant(s.type(v), bits);
}

Value bitcast_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (s.type(a) == s.type(v)) return a;
  if (s.op(a) == Op::vec) return joined_constant(s, v, a);
  return s.op(a) == Op::bitcast ? s.change(v, Op::bitcast, {s.operand(a, 0)}) : Value();
}

Value trunc_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  const Type type = s.type(v);
  if (s.type(a) == type) return a;
  switch (s.op(a)) {
    case Op::trunc:
      return s.change(v, Op::trunc, {s.operand(a, 0)});
    case Op::zext:
    case Op::sext: {
      const Value x = s.operand(a, 0);
      if (s.type(x) == type) return x;
      const bool wider = s.type(x).scalar_bits() > type.scalar_bits();
      return s.change(v, wider ? Op::trunc : s.op(a), {x});
    }
    case Op::pack64:
      if (type == ir::kI32) return s.operand(a, 0);
      return s.change(v, Op::trunc, {s.operand(a, 0)});
    case Op::ushr:
      if (type != ir::kI32 || s.op(s.operand(a, 0)) != Op::pack64 || !s.is_constant(s.operand(a, 1), 32))
        return Value();
      return s.operand(s.operand(a, 0), 1);
    default:
      return Value();
  }
}

/// A byte of a word, extended to a word: what bit field instructions give.
Value extended_byte(Simplifier& s, Value v, Value byte) {
  const Value bytes = s.operand(byte, 0);
  if (s.type(v) != ir::kI32 || s.type(byte) != ir::kI8 || s.op(bytes) != Op::bitcast) return Value();
  const Value word = s.operand(bytes, 0);
  if (s.type(word) != ir::kI32) return Value();
  const uint64_t first = 8 * s.bits(byte);
  const bool is_signed = s.op(v) == Op::sext;
  if (first == 24) return s.change(v, is_signed ? Op::sshr : Op::ushr, {word, s.constant(ir::kI32, first)});
  if (first == 0 && !is_signed) return s.change(v, Op::iand, {word, s.constant(ir::kI32, 0xff)});
  const Value offset = s.constant(ir::kI32, first), count = s.constant(ir::kI32, 8);
  return s.change(v, is_signed ? Op::bfe_s : Op::bfe_u, {word, offset, count});
}

Value extend_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (s.type(a) == s.type(v)) return a;
  if (s.op(a) == s.op(v)) return s.change(v, s.op(v), {s.operand(a, 0)});
  if (s.type(a).is_vector() || s.type(a).is_bool()) return Value();
  if (s.op(a) == Op::extract) return extended_byte(s, v, a);
  // Cut off and put back.
  if (s.op(v) == Op::zext && s.op(a) == Op::trunc && s.type(s.operand(a, 0)) == s.type(v)) {
    return s.facts(s.operand(a, 0)).ones <= type_mask(s.type(a)) ? s.operand(a, 0) : Value();
  }
  // A known sign bit of 0, such as that of every strictly wider zext.
  if (s.op(v) == Op::sext && s.non_negative(a)) return s.change(v, Op::zext, {a});
  return Value();
}

Value vec_rules(Simplifier& s, Value v) {
  // All components of one vector, in order.
  const auto operands = s.function().operands(v);
  if (s.op(operands[0]) != Op::extract) return Value();
  const Value whole = s.operand(operands[0], 0);
  if (s.type(whole) != s.type(v)) return Value();
  for (unsigned i = 0; i < operands.size(); ++i) {
    const Value part = operands[i];
    if (s.op(part) != Op::extract || s.operand(part, 0) != whole || s.bits(part) != i) return Value();
  }
  return whole;
}

/// Both words of one value, in order.
Value pack_rules(Simplifier& s, Value v) {
  const Value low = s.operand(v, 0), high = s.operand(v, 1);
  if (s.op(low) != Op::extract || s.op(high) != Op::extract || s.bits(low) != 0 || s.bits(high) != 1) return Value();
  const Value words = s.operand(low, 0);
  if (words != s.operand(high, 0) || s.type(words).components != 2) return Value();
  return s.change(v, Op::bitcast, {words});
}

Value extract_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  const uint64_t index = s.bits(v);
  if (!s.type(a).is_vector()) return index == 0 ? a : Value();
  if (s.op(a) == Op::vec)
    return index < s.function().operands(a).size() ? s.operand(a, static_cast<unsigned>(index)) : Value();
  if (s.op(a) != Op::bitcast) return Value();
  const Value x = s.operand(a, 0);
  if (s.op(x) == Op::pack64 && s.type(v) == ir::kI32) return s.operand(x, static_cast<unsigned>(index));
  if (s.is_constant(x)) {
    return s.constant(s.type(v), s.bits(x) >> (index * s.type(v).bits()));
  }
  if (s.type(x).components != s.type(a).components) return Value();
  const Value part = s.emit(Op::extract, s.type(x).element(), {x}, 0, index);
  return s.emit(Op::bitcast, s.type(v), {part});
}

Value float_width_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (s.type(a) == s.type(v)) return a;
  // Widening is exact, so narrowing back to the original type gives the original. It may flush.
  if (s.config().float_controls.of(s.type(v)).flush) return Value();
  const bool back = s.op(a) == Op::f_to_f && s.type(s.operand(a, 0)) == s.type(v);
  return back && s.type(a).scalar_bits() > s.type(v).scalar_bits() ? s.operand(a, 0) : Value();
}

Value builtin_rules(Simplifier& s, Value v) {
  const uint64_t component = s.bits(v) >> 8;
  const auto& size = s.config().workgroup_size;
  const auto builtin = static_cast<ir::BuiltIn>(s.bits(v) & 0xff);
  const bool local = builtin == ir::BuiltIn::local_invocation_id && component < 3 && size[component] == 1;
  return local ? s.constant(s.type(v), 0) : Value();
}

}  // namespace

Value simplify_conversion(Simplifier& s, Value value) {
  switch (s.op(value)) {
    case Op::bitcast:
      return bitcast_rules(s, value);
    case Op::trunc:
      return trunc_rules(s, value);
    case Op::zext:
    case Op::sext:
      return extend_rules(s, value);
    case Op::vec:
      return vec_rules(s, value);
    case Op::pack64:
      return pack_rules(s, value);
    case Op::extract:
      return extract_rules(s, value);
    case Op::f_to_f:
      return float_width_rules(s, value);
    case Op::builtin:
      return builtin_rules(s, value);
    default:
      return Value();
  }
}

}  // namespace spalt::passes
