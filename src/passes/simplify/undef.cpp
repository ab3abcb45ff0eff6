// SPDX-License-Identifier: MIT
// What an operation on undefined operands gives. Its result is one value wherever it is read, other than that of an
// undef: so a value is chosen for the operand, and the result is what follows from it. Moves only hand bits on and
// become undef themselves.
#include <algorithm>

#include "ir/evaluate.h"
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

bool is_undef(const Simplifier& s, Value value) {
  return s.op(value) == Op::undef;
}

uint64_t quiet_nan(Type type) {
  return type == ir::kF16 ? 0x7e00 : type == ir::kF32 ? 0x7fc00000 : 0x7ff8000000000000;
}

bool is_nan(const Simplifier& s, Value constant) {
  const Type type = s.type(constant), types[] = {type, type};
  const uint64_t twice[] = {s.bits(constant), s.bits(constant)};
  return ir::evaluate(Op::fordered, ir::kBool, types, twice) != uint64_t{1};
}

/// Zero for integers; a NaN for floats, as it alone makes most results known whatever the other operands are.
uint64_t choice(Type type) {
  return type.is_float() ? quiet_nan(type) : 0;
}

/// The result where every operand is a constant or undefined.
Value fold_undef(Simplifier& s, Value v) {
  const auto operands = s.function().operands(v);
  Type types[4];
  uint64_t values[4];
  if (operands.empty() || operands.size() > 4) return Value();
  for (size_t i = 0; i < operands.size(); ++i) {
    types[i] = s.type(operands[i]);
    if (types[i].is_vector() || (!is_undef(s, operands[i]) && !s.is_constant(operands[i]))) return Value();
    values[i] = is_undef(s, operands[i]) ? choice(types[i]) : s.bits(operands[i]);
  }
  const auto result =
      ir::evaluate(s.op(v), s.type(v), {types, operands.size()}, {values, operands.size()}, s.config().float_controls);
  return result ? s.constant(s.type(v), *result) : Value();
}

/// Comparisons are false where they can be: more loops run while something holds than until it does.
Value compare_undef(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Value other = is_undef(s, a) ? b : a;
  switch (s.op(v)) {
    case Op::sle:
    case Op::ule:  // whatever the other one is, it may be the same
    case Op::fueq:
    case Op::fule:
      return s.constant_bool(true);
    case Op::fune:
    case Op::fult:  // false next to the same number, if it is one
      return s.constant_bool(!is_undef(s, other) && (!s.is_constant(other) || is_nan(s, other)));
    case Op::funordered:
      return s.constant_bool(true);
    default:
      return s.constant_bool(false);
  }
}

/// Minus or plus infinity of the type, or its least or greatest integer.
Value limit(Simplifier& s, Value v) {
  const Type type = s.type(v);
  const uint64_t sign = uint64_t{1} << (type.scalar_bits() - 1);
  const uint64_t infinity = type == ir::kF16 ? 0x7c00 : type == ir::kF32 ? 0x7f800000 : 0x7ff0000000000000;
  switch (s.op(v)) {
    case Op::smin:
      return s.constant(type, sign);
    case Op::smax:
      return s.constant(type, sign - 1);
    case Op::umin:
      return s.constant(type, 0);
    case Op::umax:
      return s.constant(type, type_mask(type));
    case Op::fmin:
      return s.constant(type, infinity | sign);
    default:
      return s.constant(type, infinity);
  }
}

bool all_undef(const Simplifier& s, Value v) {
  const auto operands = s.function().operands(v);
  return std::all_of(operands.begin(), operands.end(), [&](Value operand) { return is_undef(s, operand); });
}

}  // namespace

Value simplify_undef(Simplifier& s, Value v) {
  const Type type = s.type(v);
  switch (s.op(v)) {
    case Op::vec:
    case Op::extract:
    case Op::bitcast:
    case Op::pack64:
      return all_undef(s, v) ? s.function().undef(type) : Value();
    case Op::phi:
    case Op::read_first_lane:
    case Op::quad_permute:
      return Value();
    case Op::select:  // between constants one of them, so that it is one
      if (!is_undef(s, s.operand(v, 0))) return Value();
      return s.is_constant(s.operand(v, 1)) ? s.operand(v, 1) : s.operand(v, 2);
    default:
      break;
  }
  if (type.is_vector() || s.type(s.operand(v, 0)).is_vector()) return Value();
  switch (s.op(v)) {
    case Op::iadd:
    case Op::isub:
    case Op::imul:
    case Op::umul_hi:
    case Op::smul_hi:
    case Op::iand:
    case Op::ixor:
      return s.constant(type, 0);
    case Op::ior:
      return s.constant(type, type_mask(type));
    case Op::uadd_carry:
    case Op::usub_borrow:
      return s.constant_bool(false);
    case Op::ishl:
    case Op::ushr:
    case Op::sshr:  // by zero
      return is_undef(s, s.operand(v, 0)) ? s.constant(type, 0) : s.operand(v, 0);
    case Op::udiv:
    case Op::sdiv:  // by one
      return is_undef(s, s.operand(v, 0)) ? s.constant(type, 0) : s.operand(v, 0);
    case Op::umod:
    case Op::srem:
    case Op::smod:
      return s.constant(type, 0);
    case Op::smin:
    case Op::smax:
    case Op::umin:
    case Op::umax:
    case Op::fmin:
    case Op::fmax:
      return limit(s, v);
    case Op::fadd:
    case Op::fsub:
    case Op::fmul:
    case Op::fdiv:
    case Op::frem:
    case Op::fmod:
    case Op::ffma:
      return s.constant(type, quiet_nan(type));
    default:
      break;
  }
  const ir::OpGroup group = ir::group(s.op(v));
  if (group == ir::OpGroup::integer_compare || group == ir::OpGroup::float_compare) return compare_undef(s, v);
  return fold_undef(s, v);
}

}  // namespace spalt::passes
