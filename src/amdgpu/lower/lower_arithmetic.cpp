// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_arithmetic.h"

#include <bit>
#include <cmath>

#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/lower/divide.h"
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr float kOneOverTwoPi = 0.15915494309189535f;

Value lower_unsigned_division(Inserter& insert, Value x, Value y, DivisionPart part) {
  const ir::Inst& divisor = insert.function().inst(y);
  if (divisor.op == Op::constant && divisor.imm != 0) {
    return divide_unsigned_by(insert, x, static_cast<uint32_t>(divisor.imm), part);
  }
  return divide_unsigned(insert, x, y, part);
}

Value lower_signed_division(Inserter& insert, Value x, Value y, DivisionPart part) {
  const ir::Inst& divisor = insert.function().inst(y);
  if (divisor.op == Op::constant && divisor.imm != 0) {
    return divide_signed_by(insert, x, static_cast<int32_t>(static_cast<uint32_t>(divisor.imm)), part);
  }
  return divide_signed(insert, x, y, part);
}

/// The remainder with the sign of y: srem, moved up by y where the signs differ.
Value lower_smod(Inserter& insert, Value x, Value y) {
  const ir::Inst& divisor = insert.function().inst(y);
  if (divisor.op == Op::constant && std::has_single_bit(static_cast<uint32_t>(divisor.imm)) &&
      divisor.imm != 0x80000000u) {
    return insert.i(Op::iand, {x, insert.constant(static_cast<uint32_t>(divisor.imm) - 1)});
  }
  const Value remainder = lower_signed_division(insert, x, y, DivisionPart::remainder);
  const Value mixed = insert.i(Op::ixor, {remainder, y});
  const Value signs_differ = insert.compare(Op::slt, mixed, insert.constant(0));
  const Value not_zero = insert.compare(Op::ine, remainder, insert.constant(0));
  const Value fix = insert.op(Op::iand, ir::kBool, {signs_differ, not_zero});
  const Value moved = insert.i(Op::iadd, {remainder, y});
  return insert.i(Op::select, {fix, moved, remainder});
}

/// a * (1 / b): v_rcp_f32 is within 1 ulp and the product adds half an ulp, inside the 2.5 ulp of Vulkan for |b| in
/// [2^-126, 2^126]. Beyond, the reciprocal is a denormal that the mode flushes, which Vulkan allows.
Value lower_fdiv(Inserter& insert, Value a, Value b) {
  const ir::Inst& divisor = insert.function().inst(b);
  if (divisor.op == Op::constant) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(divisor.imm));
    const float reciprocal = 1.0f / value;
    if (std::isnormal(value) && std::isnormal(reciprocal)) {
      return insert.f(Op::fmul, {a, insert.function().constant_f32(reciprocal)});
    }
  }
  const Value reciprocal = insert.f(Op::frcp, {b});
  return insert.f(Op::fmul, {a, reciprocal});
}

Value lower_float_remainder(Inserter& insert, Value x, Value y, Op rounding) {
  const Value ratio = lower_fdiv(insert, x, y);
  const Value whole = insert.f(rounding, {ratio});
  const Value minus = insert.f(Op::fneg, {whole});
  return insert.f(Op::ffma, {minus, y, x});
}

/// v_sin_f32 and v_cos_f32 take turns, in some generations only a few.
Value lower_trigonometric(Inserter& insert, Value x, Op turns_op, const isa::Target& target) {
  Value turns = insert.f(Op::fmul, {x, insert.function().constant_f32(kOneOverTwoPi)});
  if (target.limits_turns) turns = insert.f(Op::ffract, {turns});
  return insert.f(turns_op, {turns});
}

/// The field width operand of the hardware has five bits, so that 32 reads as 0; the whole word is selected instead.
Value lower_bit_field(Inserter& insert, Value field, Value whole, Value count) {
  const Value all = insert.compare(Op::ieq, count, insert.constant(32));
  return insert.i(Op::select, {all, whole, field});
}

bool needs_bit_field_care(const ir::Function& function, Value count) {
  return !function.is_constant(count) || function.inst(count).imm >= 32;
}

Value lower_bfe(Inserter& insert, Op op, std::span<const Value> operands) {
  const Value base = operands[0], offset = operands[1], count = operands[2];
  if (insert.function().is_constant(count)) return base;
  const Value field = insert.i(op, {base, offset, count});
  return lower_bit_field(insert, field, base, count);
}

Value lower_bfi(Inserter& insert, std::span<const Value> operands) {
  const Value base = operands[0], bits = operands[1], offset = operands[2], count = operands[3];
  if (insert.function().is_constant(count)) return bits;
  const Value field = insert.i(Op::bfi, {base, bits, offset, count});
  return lower_bit_field(insert, field, bits, count);
}

bool is_native_dot4(const isa::Target& target, Op op) {
  if (op == Op::dot4_u) return isa::has_opcode(target, isa::Opcode::v_dot4_u32_u8);
  if (isa::has_opcode(target, isa::Opcode::v_dot4_i32_iu8)) return true;
  return op == Op::dot4_s && isa::has_opcode(target, isa::Opcode::v_dot4_i32_i8);
}

Value lower_dot4(Inserter& insert, Op op, std::span<const Value> operands) {
  const Op first = op == Op::dot4_u ? Op::bfe_u : Op::bfe_s, second = op == Op::dot4_s ? Op::bfe_s : Op::bfe_u;
  Value sum = operands[2];
  for (uint32_t at = 0; at < 32; at += 8) {
    const Value x = insert.i(first, {operands[0], insert.constant(at), insert.constant(8)});
    const Value y = insert.i(second, {operands[1], insert.constant(at), insert.constant(8)});
    const Value product = insert.i(Op::imul, {x, y});
    sum = insert.i(Op::iadd, {sum, product});
  }
  return sum;
}

/// Operations of which some instances are lowered here.
constexpr ir::OpSet kLowered = {Op::udiv, Op::umod,   Op::sdiv,   Op::srem,   Op::smod,  Op::fdiv,
                                Op::frem, Op::fmod,   Op::fsin,   Op::fcos,   Op::bfe_u, Op::bfe_s,
                                Op::bfi,  Op::dot4_s, Op::dot4_u, Op::dot4_su};

/// The value that replaces `value`, or none if it stays.
Value lower_one(Inserter& insert, Value value, const isa::Target& target) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  if (inst.type != ir::kI32 && inst.type != ir::kF32) return Value();
  SmallVector<Value, 4> in;
  for (Value operand : function.operands(value)) in.push_back(insert.current(operand));
  insert.before(value, inst.flags);
  switch (inst.op) {
    case Op::udiv:
      return lower_unsigned_division(insert, in[0], in[1], DivisionPart::quotient);
    case Op::umod:
      return lower_unsigned_division(insert, in[0], in[1], DivisionPart::remainder);
    case Op::sdiv:
      return lower_signed_division(insert, in[0], in[1], DivisionPart::quotient);
    case Op::srem:
      return lower_signed_division(insert, in[0], in[1], DivisionPart::remainder);
    case Op::smod:
      return lower_smod(insert, in[0], in[1]);
    case Op::fdiv:
      return lower_fdiv(insert, in[0], in[1]);
    case Op::frem:
      return lower_float_remainder(insert, in[0], in[1], Op::ftrunc);
    case Op::fmod:
      return lower_float_remainder(insert, in[0], in[1], Op::ffloor);
    case Op::fsin:
      return lower_trigonometric(insert, in[0], Op::fsin_turns, target);
    case Op::fcos:
      return lower_trigonometric(insert, in[0], Op::fcos_turns, target);
    case Op::dot4_s:
    case Op::dot4_u:
    case Op::dot4_su:
      return is_native_dot4(target, inst.op) ? Value() : lower_dot4(insert, inst.op, in);
    case Op::bfe_u:
    case Op::bfe_s:
      return needs_bit_field_care(function, in[2]) ? lower_bfe(insert, inst.op, in) : Value();
    case Op::bfi:
      return needs_bit_field_care(function, in[3]) ? lower_bfi(insert, in) : Value();
    default:
      return Value();
  }
}

}  // namespace

bool lower_arithmetic(ir::Function& function, CompileContext& context, const isa::Target& target,
                      ir::FloatControls float_controls) {
  if (!function.operations().meets(kLowered)) return false;
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch, float_controls);
  return insert.replace_each(
      [&](Value value) { return kLowered.has(function.inst(value).op) ? lower_one(insert, value, target) : Value(); });
}

}  // namespace spalt::lower
