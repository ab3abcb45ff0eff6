// SPDX-License-Identifier: MIT
// Floating-point identities. They give the same bits as the original for every operand, NaN payloads and the flushing
// of denormals apart, which SPIR-V leaves open. Where the module does not (FloatControls::Width::flush), an identity
// gives an operand itself only if that is no denormal; an operation on it flushes it as well as the original.
// Identities that change the sign of a zero, or have no NaN where the original has one, are for operations with that
// freedom.
#include <bit>
#include <cmath>
#include <optional>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// The bits of 1.0 and of -0.0.
uint64_t one(Type type) {
  return type == ir::kF16 ? 0x3c00 : type == ir::kF32 ? 0x3f800000 : 0x3ff0000000000000;
}
uint64_t sign(Type type) {
  return uint64_t{1} << (type.scalar_bits() - 1);
}

bool is_neg(const Simplifier& s, Value value) {
  return s.op(value) == Op::fneg;
}

/// The operand of x + 0, which differs from x only in the sign of a zero; none for other values.
Value without_zero(const Simplifier& s, Value value) {
  return s.op(value) == Op::fadd && s.is_constant(s.operand(value, 1), 0) ? s.operand(value, 0) : Value();
}

bool is_zero(const Simplifier& s, Value value) {
  return s.is_constant(value) && (s.bits(value) & ~sign(s.type(value))) == 0;
}

/// Whether the value may stand for the result of an operation that gives its operand.
bool passes(const Simplifier& s, Value value) {
  return !s.config().float_controls.of(s.type(value)).flush || ir::is_flushed(s.function(), value);
}
Value passed(const Simplifier& s, Value value) {
  return passes(s, value) ? value : Value();
}

/// Whether the operation has all of these freedoms.
bool may(const Simplifier& s, Value value, uint16_t freedoms) {
  const uint16_t has = ir::fast_math(s.config().float_controls, s.type(value), s.flags(value));
  return (has & freedoms) == freedoms;
}
/// Whether zero times whatever is in this operation may be taken to be zero.
bool zero_wins(const Simplifier& s, Value value) {
  return may(s, value, ir::kValueFreedoms);
}

Value add_constant(Simplifier& s, Value v, Value a, Value b) {
  if (is_zero(s, b) && may(s, v, ir::kNoSignedZeros) && passes(s, a)) return a;
  if (s.bits(b) == sign(s.type(v)) && passes(s, a)) return a;  // x + -0; x + 0 differs for -0
  // (x + 0) + c: either zero gives c.
  if (!is_zero(s, b) && without_zero(s, a).valid()) return s.change(v, Op::fadd, {without_zero(s, a), b}, s.flags(v));
  return is_neg(s, a) ? s.change(v, Op::fsub, {b, s.operand(a, 0)}, s.flags(v)) : Value();
}

Value add_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (s.is_constant(b)) return add_constant(s, v, a, b);
  if (is_neg(s, b)) return s.change(v, Op::fsub, {a, s.operand(b, 0)}, s.flags(v));
  if (is_neg(s, a)) return s.change(v, Op::fsub, {b, s.operand(a, 0)}, s.flags(v));
  return simplify_common_factor(s, v);
}

Value sub_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (s.is_constant(b, 0) && passes(s, a)) return a;
  if (a == b && may(s, v, ir::kNoNaN | ir::kNoInf)) return s.constant(s.type(v), 0);
  if (is_neg(s, b)) return s.change(v, Op::fadd, {a, s.operand(b, 0)}, s.flags(v));
  const bool minus = s.is_constant(a, sign(s.type(v))) || (is_zero(s, a) && may(s, v, ir::kNoSignedZeros));  // -0 - x
  if (minus && passes(s, b)) return s.change(v, Op::fneg, {b}, s.flags(v));
  if (s.is_constant(b)) {
    return s.change(v, Op::fadd, {a, s.constant(s.type(v), s.bits(b) ^ sign(s.type(v)))}, s.flags(v));
  }
  return simplify_common_factor(s, v);
}

/// Neither zero nor a denormal, nor infinite or NaN.
bool is_normal(Type type, uint64_t bits) {
  const uint64_t magnitude = bits & ~sign(type), infinity = type == ir::kF16   ? 0x7c00
                                                            : type == ir::kF32 ? 0x7f800000
                                                                               : 0x7ff0000000000000;
  const uint64_t least = infinity & (~infinity + 1);  // the lowest bit of the exponent
  return magnitude >= least && magnitude < infinity;
}

/// (x * c) * d, where nobody else wants x * c.
Value constant_factors(Simplifier& s, Value v) {
  constexpr uint16_t kFreedoms = ir::kAllowReassociation | ir::kNoNaN | ir::kNoInf;
  const Value inner = s.operand(v, 0), outer = s.operand(v, 1);
  if (!s.has_constant_rhs(inner, Op::fmul)) return Value();
  if (!may(s, v, kFreedoms) || !may(s, inner, kFreedoms) || !s.single_use(inner)) return Value();
  const Type type = s.type(v);
  const Value factor = s.emit(Op::fmul, type, {s.operand(inner, 1), outer});
  if (!s.is_constant(factor) || !is_normal(type, s.bits(factor))) return Value();
  return s.change(v, Op::fmul, {s.operand(inner, 0), factor}, Simplifier::merged_flags(s.flags(v), s.flags(inner)));
}

Value mul_constant(Simplifier& s, Value v, Value a, Value b) {
  const Type type = s.type(v);
  if (is_zero(s, b) && zero_wins(s, v)) return s.constant(type, 0);
  if (s.bits(b) == one(type) && passes(s, a)) return a;
  if (s.bits(b) == (one(type) | sign(type)) && passes(s, a)) return s.change(v, Op::fneg, {a}, s.flags(v));
  if (!is_neg(s, a)) return constant_factors(s, v);
  return s.change(v, Op::fmul, {s.operand(a, 0), s.constant(type, s.bits(b) ^ sign(type))}, s.flags(v));
}

Value mul_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (s.is_constant(b)) return mul_constant(s, v, a, b);
  const bool is_square = a == b && may(s, v, ir::kNoNaN | ir::kAllowTransformation);
  if (is_square && s.op(a) == Op::fsqrt && passes(s, s.operand(a, 0))) return s.operand(a, 0);
  const bool both = is_neg(s, a) && is_neg(s, b);
  return both ? s.change(v, Op::fmul, {s.operand(a, 0), s.operand(b, 0)}, s.flags(v)) : Value();
}

/// The reciprocal of a power of two whose reciprocal is a normal number, or 0.
uint32_t exact_reciprocal(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 0xff;
  const bool power = (bits & 0x7fffff) == 0 && exponent != 0 && exponent < 254;
  return power ? (bits & 0x80000000) | (254 - exponent) << 23 : 0;
}

Value div_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  const Type type = s.type(v);
  if (s.is_constant(b, one(type)) && passes(s, a)) return a;
  if (type == ir::kF32 && s.is_constant(b)) {
    const uint32_t reciprocal = exact_reciprocal(static_cast<uint32_t>(s.bits(b)));
    if (reciprocal != 0) return s.change(v, Op::fmul, {a, s.constant(type, reciprocal)}, s.flags(v));
  }
  if (is_neg(s, a) && is_neg(s, b)) return s.change(v, Op::fdiv, {s.operand(a, 0), s.operand(b, 0)}, s.flags(v));
  return Value();
}

/// As of the w that fragments have the reciprocal of.
Value rcp_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  const bool returns = s.op(a) == Op::frcp && may(s, v, ir::kNoInf | ir::kAllowTransformation);
  return returns && passes(s, s.operand(a, 0)) ? s.operand(a, 0) : Value();
}

Value neg_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  return is_neg(s, a) ? s.operand(a, 0) : Value();
}

/// If each of the four lanes reads itself by one of both permutations: the lane that it reads by the other one.
std::optional<uint64_t> other_lanes(uint64_t to, uint64_t from) {
  uint64_t others = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const uint64_t a = to >> 2 * lane & 3, b = from >> 2 * lane & 3;
    if (a != lane && b != lane) return std::nullopt;
    others |= (a == lane ? b : a) << 2 * lane;
  }
  return others;
}

/// |x[to] - x[from]| is |x[other] - x|: fine derivatives but for their signs, with one move between lanes.
Value abs_of_lanes(Simplifier& s, Value v) {
  const Value difference = s.operand(v, 0);
  if (s.op(difference) != Op::fsub) return Value();
  const Value to = s.operand(difference, 0), from = s.operand(difference, 1);
  if (s.op(to) != Op::quad_permute || s.op(from) != Op::quad_permute) return Value();
  const ir::Function& f = s.function();
  const Value value = s.operand(to, 0);
  // Elsewhere other lanes run.
  const ir::BlockId block = f.inst(v).block;
  if (value != s.operand(from, 0) || f.inst(to).block != block || f.inst(from).block != block) return Value();
  const auto others = other_lanes(f.inst(to).imm, f.inst(from).imm);
  if (!others || !s.single_use(difference)) return Value();
  const Value other = s.emit(Op::quad_permute, s.type(v), {value}, s.flags(to), *others);
  return s.change(v, Op::fabs, {s.emit(Op::fsub, s.type(v), {other, value}, s.flags(difference))}, s.flags(v));
}

Value abs_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (const Value known = abs_of_lanes(s, v); known.valid()) return known;
  if (s.op(a) == Op::fabs) return a;
  if (without_zero(s, a).valid()) return s.change(v, Op::fabs, {without_zero(s, a)}, s.flags(v));
  return is_neg(s, a) ? s.change(v, Op::fabs, {s.operand(a, 0)}, s.flags(v)) : Value();
}

Value fma_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1), c = s.operand(v, 2);
  const Type type = s.type(v);
  if (s.is_constant(b, one(type))) return s.change(v, Op::fadd, {a, c}, s.flags(v));
  if (is_zero(s, b) && zero_wins(s, v) && passes(s, c)) return c;
  // a * b + -0
  if (s.is_constant(c, sign(type)) || (is_zero(s, c) && may(s, v, ir::kNoSignedZeros))) {
    return s.change(v, Op::fmul, {a, b}, s.flags(v));
  }
  if (is_neg(s, a) && is_neg(s, b)) return s.change(v, Op::ffma, {s.operand(a, 0), s.operand(b, 0), c}, s.flags(v));
  return Value();
}

Value min_max_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (a == b) return passed(s, a);
  // min(min(x, y), y)
  if (s.op(a) == s.op(v) && (s.operand(a, 0) == b || s.operand(a, 1) == b)) return a;
  if (s.op(b) == s.op(v) && (s.operand(b, 0) == a || s.operand(b, 1) == a)) return b;
  // max(max(x, 1), 2)
  if (s.is_constant(b) && s.has_constant_rhs(a, s.op(v))) {
    const Value bound = s.emit(s.op(v), s.type(v), {s.operand(a, 1), b});
    return s.change(v, s.op(v), {s.operand(a, 0), bound}, Simplifier::merged_flags(s.flags(v), s.flags(a)));
  }
  return Value();
}

bool gives_integer(Op op) {
  return op == Op::ffloor || op == Op::fceil || op == Op::ftrunc || op == Op::fround_even || op == Op::s_to_f ||
         op == Op::u_to_f;
}

Value round_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  return gives_integer(s.op(a)) ? a : Value();
}

/// Both operands negated: the order turns around.
Value order_rules(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0), b = s.operand(v, 1);
  if (!is_neg(s, a) || !is_neg(s, b)) return Value();
  return s.change(v, s.op(v), {s.operand(b, 0), s.operand(a, 0)}, s.flags(v));
}

Value self_compare(Simplifier& s, Value v) {
  const Value a = s.operand(v, 0);
  if (a != s.operand(v, 1)) return Value();
  switch (s.op(v)) {
    case Op::foeq:
    case Op::fole:
      return s.change(v, Op::fordered, {a, a}, s.flags(v));
    case Op::fune:
    case Op::fult:
      return s.change(v, Op::funordered, {a, a}, s.flags(v));
    case Op::fone:
    case Op::folt:
      return s.constant_bool(false);
    case Op::fueq:
    case Op::fule:
      return s.constant_bool(true);
    default:
      return Value();
  }
}

Value compare_rules(Simplifier& s, Value v) {
  const Value result = self_compare(s, v);
  if (result.valid()) return result;
  const Op op = s.op(v);
  const bool order = op == Op::folt || op == Op::fole || op == Op::fult || op == Op::fule;
  return order ? order_rules(s, v) : Value();
}

}  // namespace

Value simplify_float(Simplifier& s, Value value) {
  if (s.type(value).is_vector()) return Value();
  switch (s.op(value)) {
    case Op::fadd:
      return add_rules(s, value);
    case Op::fsub:
      return sub_rules(s, value);
    case Op::fmul:
      return mul_rules(s, value);
    case Op::fdiv:
      return div_rules(s, value);
    case Op::frcp:
      return rcp_rules(s, value);
    case Op::fneg:
      return neg_rules(s, value);
    case Op::fabs:
      return abs_rules(s, value);
    case Op::ffma:
      return fma_rules(s, value);
    case Op::fmin:
    case Op::fmax:
      return min_max_rules(s, value);
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc:
    case Op::fround_even:
      return round_rules(s, value);
    default:
      return ir::group(s.op(value)) == ir::OpGroup::float_compare ? compare_rules(s, value) : Value();
  }
}

}  // namespace spalt::passes
