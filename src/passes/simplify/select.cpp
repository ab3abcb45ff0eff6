// SPDX-License-Identifier: MIT
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// Selects between booleans are logic.
Value bool_select(Simplifier& s, Value v, Value condition, Value a, Value b) {
  const Type type = ir::kBool;
  if (s.is_constant(a) && s.is_constant(b)) return s.bits(a) != 0 ? condition : s.change(v, Op::inot, {condition});
  if (s.is_constant(a, 1) || a == condition) return s.change(v, Op::ior, {condition, b});
  if (s.is_constant(b, 0) || b == condition) return s.change(v, Op::iand, {condition, a});
  if (s.is_constant(a, 0)) {
    const Value inverse = s.emit(Op::inot, type, {condition});
    return s.change(v, Op::iand, {inverse, b});
  }
  if (s.is_constant(b, 1)) {
    const Value inverse = s.emit(Op::inot, type, {condition});
    return s.change(v, Op::ior, {inverse, a});
  }
  return Value();
}

/// a < b ? a : b and relatives, integers only: fmin differs from a select for NaN and for zeros of different sign.
Value min_max_select(Simplifier& s, Value v, Value condition, Value a, Value b) {
  const Op op = s.op(condition);
  // No unit has those of 64 bits, and lowering has made selects of them.
  if (s.type(v).scalar_bits() == 64) return Value();
  const bool is_signed = op == Op::slt || op == Op::sle;
  if (!is_signed && op != Op::ult && op != Op::ule) return Value();
  const Value x = s.operand(condition, 0), y = s.operand(condition, 1);
  if (x == a && y == b) return s.change(v, is_signed ? Op::smin : Op::umin, {a, b});
  if (x == b && y == a) return s.change(v, is_signed ? Op::smax : Op::umax, {a, b});
  return Value();
}

}  // namespace

Value simplify_select(Simplifier& s, Value v) {
  const Value condition = s.operand(v, 0), a = s.operand(v, 1), b = s.operand(v, 2);
  if (a == b) return a;
  if (s.is_constant(condition)) return s.bits(condition) != 0 ? a : b;
  if (s.op(a) == Op::undef) return b;
  if (s.op(b) == Op::undef) return a;
  if (s.op(condition) == Op::inot) return s.change(v, Op::select, {s.operand(condition, 0), b, a}, s.flags(v));
  if (s.type(v) == ir::kBool) {
    const Value result = bool_select(s, v, condition, a, b);
    if (result.valid()) return result;
  }
  // The same condition once more inside an arm.
  if (s.op(a) == Op::select && s.operand(a, 0) == condition) {
    return s.change(v, Op::select, {condition, s.operand(a, 1), b}, s.flags(v));
  }
  if (s.op(b) == Op::select && s.operand(b, 0) == condition) {
    return s.change(v, Op::select, {condition, a, s.operand(b, 2)}, s.flags(v));
  }
  if (!s.type(v).is_integer() || s.type(v).is_vector() || s.type(v).is_bool()) return Value();
  if (s.op(condition) == Op::ieq || s.op(condition) == Op::ine) {  // x == y ? x : y is y
    const Value x = s.operand(condition, 0), y = s.operand(condition, 1);
    const bool same = (x == a && y == b) || (x == b && y == a);
    if (same) return s.op(condition) == Op::ieq ? b : a;
    return Value();
  }
  return min_max_select(s, v, condition, a, b);
}

Value simplify_phi(Simplifier& s, Value v) {
  Value same, undefined;
  for (Value operand : s.function().operands(v)) {
    if (operand == v || operand == same) continue;
    if (s.op(operand) == Op::undef) {
      undefined = operand;
      continue;
    }
    if (same.valid()) return Value();
    same = operand;
  }
  // Next to undefined operands the only other value does, if it exists where the phi is: not after it in a loop header.
  if (!same.valid()) return undefined;
  const ir::BlockId home = s.function().inst(same).block;
  const bool comes_after = home.valid() && home == s.function().inst(v).block;
  return s.available(same) && !comes_after ? same : Value();
}

}  // namespace spalt::passes
