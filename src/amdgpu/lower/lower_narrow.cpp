// SPDX-License-Identifier: MIT
// Arithmetic in 32 bits is right for narrow integers once their operands are extended: with their sign where the
// operation is signed, with zeros else, and the lower bits of the result are the result. The f32 result of an operation
// on halves has 13 bits more than a half, so rounding it again moves it by no more than a part in 8192 of a half's last
// place beyond the precision that Vulkan asks for; conversions of integers are exact in f32 below 2^24, and above that
// they overflow a half.
//
// Quotients of integers of 16 bits are those of floats: (x + 1/2) / y lies at least 1/2 / y away from the next whole
// number, which is 2^-17 of it or more, while reciprocal, product and conversions are off by less than 2^-22.
#include "amdgpu/lower/lower_narrow.h"

#include "amdgpu/lower/inserter.h"
#include "amdgpu/lower/lower_misaligned_memory.h"
#include "amdgpu/lower/lower_narrow_memory.h"

namespace spalt::lower {

using ir::Op;
using ir::OpGroup;
using ir::Type;
using ir::Value;

namespace {

bool is_narrow_integer(Type type) {
  return type.scalar == ir::Scalar::i8 || type.scalar == ir::Scalar::i16;
}

/// Operations whose 32-bit form needs the signs of its operands.
constexpr ir::OpSet kSigned = {Op::sdiv,  Op::srem,    Op::smod, Op::smin,       Op::smax, Op::sshr,
                               Op::bfe_s, Op::smul_hi, Op::slt,  Op::find_msb_s, Op::sle};
constexpr ir::OpSet kDivisions = {Op::udiv, Op::umod, Op::sdiv, Op::srem, Op::smod};
/// What instructions compute on i16.
constexpr ir::OpSet kShorts = {Op::iadd, Op::isub, Op::imul, Op::iand, Op::ior,  Op::ixor, Op::inot,
                               Op::ishl, Op::ushr, Op::sshr, Op::smin, Op::smax, Op::umin, Op::umax};
/// What they do not compute on f16.
constexpr ir::OpSet kNotOnHalves = {Op::fdiv, Op::frem, Op::fmod, Op::fsin, Op::fcos, Op::fldexp, Op::frexp_exponent};

class Narrow {
 public:
  Narrow(Inserter& insert) : insert_(insert), f_(insert.function()) {}

  /// The value that replaces `value`, or none if it stays.
  Value lower(Value value);

 private:
  Value operand(unsigned index) { return insert_.current(f_.operand(value_, index)); }
  Type operand_type(unsigned index) const { return f_.type(f_.operand(value_, index)); }
  Value resized(Type type, Value value, bool is_signed);
  Value cut(Value wide) { return resized(inst_.type, wide, false); }
  Value to_single(Value half) { return insert_.op(Op::f_to_f, ir::kF32, {half}); }
  Value to_half(Value single) { return insert_.op(Op::f_to_f, ir::kF16, {single}); }

  Value integer();
  Value quotient(Value x, Value y);
  Value division();
  Value carry();
  Value compare();
  Value floating();
  Value resize();
  Value to_integer();
  Value from_integer();
  Value whole_bytes();
  Value bytes();

  Inserter& insert_;
  ir::Function& f_;
  Value value_;
  ir::Inst inst_;
};

Value Narrow::resized(Type type, Value value, bool is_signed) {
  const unsigned from = f_.type(value).bits();
  if (from == type.bits()) return value;
  if (from == 64) {
    const Value words = insert_.op(Op::bitcast, ir::kI32.vector(2), {value});
    return resized(type, insert_.op(Op::extract, ir::kI32, {words}, 0), is_signed);
  }
  if (from > type.bits()) return insert_.op(Op::trunc, type, {value});
  return insert_.op(is_signed ? Op::sext : Op::zext, type, {value});
}

/// Of unsigned numbers below 2^16, rounded down; anything for y = 0.
Value Narrow::quotient(Value x, Value y) {
  const Value dividend = insert_.op(Op::u_to_f, ir::kF32, {x});
  const Value divisor = insert_.op(Op::u_to_f, ir::kF32, {y});
  const Value reciprocal = insert_.f(Op::frcp, {divisor});
  const Value moved = insert_.f(Op::fadd, {dividend, f_.constant_f32(0.5f)});
  return insert_.op(Op::f_to_u, ir::kI32, {insert_.f(Op::fmul, {moved, reciprocal})});
}

/// By what is not constant.
Value Narrow::division() {
  const Op op = inst_.op;
  const bool is_signed = kSigned.has(op);
  const Value x = resized(ir::kI32, operand(0), is_signed), y = resized(ir::kI32, operand(1), is_signed);
  if (!is_signed) {
    const Value whole = quotient(x, y);
    if (op == Op::udiv) return cut(whole);
    const Value product = insert_.i(Op::imul, {whole, y});
    return cut(insert_.i(Op::isub, {x, product}));
  }
  const Value minus_x = insert_.i(Op::isub, {insert_.constant(0), x});
  const Value minus_y = insert_.i(Op::isub, {insert_.constant(0), y});
  const Value magnitude_x = insert_.i(Op::smax, {x, minus_x}), magnitude_y = insert_.i(Op::smax, {y, minus_y});
  const Value magnitude = quotient(magnitude_x, magnitude_y);
  const Value mixed = insert_.i(Op::ixor, {x, y});
  const Value sign = insert_.i(Op::sshr, {mixed, insert_.constant(31)});
  const Value flipped = insert_.i(Op::ixor, {magnitude, sign});
  const Value whole = insert_.i(Op::isub, {flipped, sign});
  if (op == Op::sdiv) return cut(whole);
  const Value product = insert_.i(Op::imul, {whole, y});
  const Value remainder = insert_.i(Op::isub, {x, product});
  if (op == Op::srem) return cut(remainder);
  // smod: the remainder with the sign of y.
  const Value differ = insert_.compare(Op::slt, mixed, insert_.constant(0));
  const Value not_zero = insert_.compare(Op::ine, remainder, insert_.constant(0));
  const Value moves = insert_.op(Op::iand, ir::kBool, {differ, not_zero});
  const Value moved = insert_.i(Op::iadd, {remainder, y});
  return cut(insert_.i(Op::select, {moves, moved, remainder}));
}

Value Narrow::integer() {
  const Op op = inst_.op;
  const Type type = inst_.type;
  const bool is_shift = op == Op::ishl || op == Op::ushr || op == Op::sshr;
  const bool is_field = op == Op::bfe_u || op == Op::bfe_s || op == Op::bfi;
  if (type == ir::kI16 && kShorts.has(op)) return Value();
  if (kDivisions.has(op) && !f_.is_constant(operand(1))) return division();
  const unsigned data = is_field ? (op == Op::bfi ? 2u : 1u) : inst_.operand_count;
  SmallVector<Value, 4> in;
  for (unsigned i = 0; i < inst_.operand_count; ++i) {
    const bool amount = is_shift && i == 1;
    in.push_back(i < data || amount ? resized(ir::kI32, operand(i), kSigned.has(op) && !amount) : operand(i));
  }
  if (is_shift) in[1] = insert_.i(Op::iand, {in[1], insert_.constant(type.bits() - 1)});
  // A product of 16 bits each has no more than 32.
  const bool high = op == Op::umul_hi || op == Op::smul_hi;
  Value wide = insert_.op(high ? Op::imul : op, ir::kI32, in);
  if (high) wide = insert_.i(Op::ushr, {wide, insert_.constant(type.bits())});
  if (op == Op::bit_reverse) wide = insert_.i(Op::ushr, {wide, insert_.constant(32 - type.bits())});
  return cut(wide);
}

Value Narrow::carry() {
  const Type type = operand_type(0);
  if (!is_narrow_integer(type)) return Value();
  const Value a = resized(ir::kI32, operand(0), false);
  const Value b = resized(ir::kI32, operand(1), false);
  if (inst_.op == Op::usub_borrow) return insert_.compare(Op::ult, a, b);
  const Value sum = insert_.i(Op::iadd, {a, b});
  return insert_.compare(Op::ult, insert_.constant((1u << type.bits()) - 1), sum);
}

Value Narrow::compare() {
  if (operand_type(0) != ir::kI8) return Value();
  const Value a = resized(ir::kI32, operand(0), kSigned.has(inst_.op));
  const Value b = resized(ir::kI32, operand(1), kSigned.has(inst_.op));
  return insert_.compare(inst_.op, a, b);
}

Value Narrow::floating() {
  if (operand_type(0) != ir::kF16 || !kNotOnHalves.has(inst_.op)) return Value();
  SmallVector<Value, 4> in;
  for (unsigned i = 0; i < inst_.operand_count; ++i) {
    in.push_back(operand_type(i) == ir::kF16 ? to_single(operand(i)) : operand(i));
  }
  if (inst_.op == Op::frexp_exponent) return insert_.op(inst_.op, inst_.type, in);
  return to_half(insert_.op(inst_.op, ir::kF32, in));
}

/// Between integers of which one is narrow, in steps of which none passes 32 bits.
Value Narrow::resize() {
  const Type from = operand_type(0), to = inst_.type;
  if (from.bits() <= 32 && to.bits() <= 32) return Value();
  if (from.is_bool() || (!is_narrow_integer(from) && !is_narrow_integer(to))) return Value();
  const bool is_signed = inst_.op == Op::sext;
  return resized(to, resized(ir::kI32, operand(0), is_signed), is_signed);
}

Value Narrow::to_integer() {
  const Type from = operand_type(0), to = inst_.type;
  if (from == ir::kF16) {
    if (to == ir::kI16) return Value();
    if (to == ir::kI8) return cut(insert_.op(inst_.op, ir::kI16, {operand(0)}));
    return insert_.op(inst_.op, to, {to_single(operand(0))});
  }
  return is_narrow_integer(to) ? cut(insert_.op(inst_.op, ir::kI32, {operand(0)})) : Value();
}

Value Narrow::from_integer() {
  const Type from = operand_type(0), to = inst_.type;
  const bool is_signed = inst_.op == Op::s_to_f;
  if (to == ir::kF16) {
    if (from == ir::kI16) return Value();
    if (from == ir::kI8) return insert_.op(inst_.op, to, {resized(ir::kI16, operand(0), is_signed)});
    return to_half(insert_.op(inst_.op, ir::kF32, {operand(0)}));
  }
  if (!is_narrow_integer(from)) return Value();
  return insert_.op(inst_.op, to, {resized(ir::kI32, operand(0), is_signed)});
}

/// The vector whose bytes the operands are, all of them in order, or none.
Value Narrow::whole_bytes() {
  Value whole;
  for (unsigned i = 0; i < inst_.operand_count; ++i) {
    const Value byte = operand(i);
    if (f_.inst(byte).op != Op::extract || f_.inst(byte).imm != i) return Value();
    const Value from = insert_.current(f_.operand(byte, 0));
    if (f_.type(from) != inst_.type || (i != 0 && from != whole)) return Value();
    whole = from;
  }
  return whole;
}

/// A vector of bytes made of scalars: words are what holds them.
Value Narrow::bytes() {
  const unsigned count = inst_.type.components;
  if (inst_.type.scalar != ir::Scalar::i8 || (count != 2 && count != 4)) return Value();
  if (const Value whole = whole_bytes(); whole.valid()) return whole;
  Value word = resized(ir::kI32, operand(0), false);
  for (unsigned i = 1; i < count; ++i) {
    const Value byte = insert_.i(Op::ishl, {resized(ir::kI32, operand(i), false), insert_.constant(8 * i)});
    word = insert_.i(Op::ior, {word, byte});
  }
  return insert_.op(Op::bitcast, inst_.type, {resized(count == 2 ? ir::kI16 : ir::kI32, word, false)});
}

Value Narrow::lower(Value value) {
  value_ = value;
  inst_ = f_.inst(value);
  insert_.before(value, inst_.flags);
  switch (ir::group(inst_.op)) {
    case OpGroup::move:
      return inst_.op == Op::vec ? bytes() : Value();
    case OpGroup::integer:
      if (inst_.op == Op::uadd_carry || inst_.op == Op::usub_borrow) return carry();
      return is_narrow_integer(inst_.type) ? integer() : Value();
    case OpGroup::integer_compare:
      return compare();
    case OpGroup::floating:
      return floating();
    case OpGroup::integer_convert:
      return resize();
    case OpGroup::float_convert:
      if (inst_.op == Op::f_to_s || inst_.op == Op::f_to_u) return to_integer();
      return inst_.op == Op::s_to_f || inst_.op == Op::u_to_f ? from_integer() : Value();
    default:
      return Value();
  }
}

bool has_narrow_values(const ir::Function& function) {
  constexpr ir::Scalar kNarrow[] = {ir::Scalar::i8, ir::Scalar::i16, ir::Scalar::f16};
  for (ir::Scalar scalar : kNarrow) {
    // Constants may be stored.
    if (function.has_results_of(scalar) || function.has_constants_of(scalar)) return true;
  }
  return false;
}

}  // namespace

bool lower_narrow(ir::Function& function, CompileContext& context, ir::FloatControls float_controls) {
  const bool misaligned = lower_misaligned_memory(function, context);
  if (!has_narrow_values(function)) return misaligned;
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch, float_controls);
  const bool accesses = lower_narrow_memory(insert);
  Narrow narrow(insert);
  const bool values = insert.replace_each([&](Value value) { return narrow.lower(value); });
  return misaligned || accesses || values;
}

}  // namespace spalt::lower
