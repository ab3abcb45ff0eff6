// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_wide_integers.h"

#include <algorithm>

#include "amdgpu/lower/wide_parts.h"

namespace spalt::lower {

using ir::Op;
using ir::Type;
using ir::Value;

Halves halves_of(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  if (inst.op == Op::constant) {
    const Value low = insert.constant(static_cast<uint32_t>(inst.imm));
    return {low, insert.constant(static_cast<uint32_t>(inst.imm >> 32))};
  }
  if (inst.op == Op::pack64) {
    return {insert.current(function.operand(value, 0)), insert.current(function.operand(value, 1))};
  }
  const Value pair = insert.op(Op::bitcast, ir::kI32.vector(2), {value});
  const Value low = insert.op(Op::extract, ir::kI32, {pair}, 0);
  return {low, insert.op(Op::extract, ir::kI32, {pair}, 1)};
}

Value join(Inserter& insert, Halves halves) {
  return insert.op(Op::pack64, ir::kI64, {halves.low, halves.high});
}

Value wide_sign(Inserter& insert, Value value) {
  const Value word = insert.i(Op::sshr, {halves_of(insert, value).high, insert.constant(31)});
  return join(insert, {word, word});
}

Value negate_where(Inserter& insert, Value value, Value sign) {
  return wide(insert, Op::isub, {wide(insert, Op::ixor, {value, sign}), sign});
}

namespace {

/// An integer of 32 bits from one that is not wider.
Value to_word(Inserter& insert, Value value, Op extension) {
  return insert.function().type(value) == ir::kI32 ? value : insert.op(extension, ir::kI32, {value});
}

Value lower_extension(Inserter& insert, Value value, Op op) {
  const Value low = to_word(insert, value, op);
  if (op == Op::zext) return join(insert, {low, insert.constant(0)});
  const bool whole = insert.function().type(value).is_bool();  // all bits are the condition
  return join(insert, {low, whole ? low : insert.i(Op::sshr, {low, insert.constant(31)})});
}

Value lower_truncation(Inserter& insert, Value value, Type type) {
  const Value low = halves_of(insert, value).low;
  return type == ir::kI32 ? low : insert.op(Op::trunc, type, {low});
}

/// By a word and more: one half moves into the other.
Value lower_shift(Inserter& insert, Op op, Value value, Value amount) {
  const ir::Inst by = insert.function().inst(amount);
  if (by.op != Op::constant || (by.imm & 32) == 0) return Value();
  const Halves x = halves_of(insert, value);
  const Value rest = insert.constant(static_cast<uint32_t>(by.imm) & 31);
  if (op == Op::ishl) return join(insert, {insert.constant(0), insert.i(Op::ishl, {x.low, rest})});
  const Value low = insert.i(op, {x.high, rest});
  const Value high = op == Op::ushr ? insert.constant(0) : insert.i(Op::sshr, {x.high, insert.constant(31)});
  return join(insert, {low, high});
}

Value lower_min_max(Inserter& insert, Op op, Value a, Value b) {
  const bool is_signed = op == Op::smin || op == Op::smax, is_min = op == Op::smin || op == Op::umin;
  const Value below = insert.compare(is_signed ? Op::slt : Op::ult, a, b);
  return wide(insert, Op::select, {below, is_min ? a : b, is_min ? b : a});
}

Value lower_carry(Inserter& insert, Op op, Value a, Value b) {
  if (op == Op::usub_borrow) return insert.compare(Op::ult, a, b);
  return insert.compare(Op::ult, wide(insert, Op::iadd, {a, b}), a);
}

Value lower_lane_move(Inserter& insert, Op op, std::span<const Value> in) {
  const Halves x = halves_of(insert, in[0]);
  if (op == Op::read_first_lane) return join(insert, {insert.i(op, {x.low}), insert.i(op, {x.high})});
  const Value low = insert.i(op, {x.low, in[1]});
  return join(insert, {low, insert.i(op, {x.high, in[1]})});
}

Value lower_to_float(Inserter& insert, Value value, Type type, bool is_signed) {
  if (type == ir::kF64) return wide_to_double(insert, value, is_signed);
  const Value number = wide_to_float(insert, value, is_signed);
  // Integers that f32 cannot hold exactly are beyond f16, so that nothing is rounded twice.
  return type == ir::kF32 ? number : insert.op(Op::f_to_f, type, {number});
}

Value lower_from_float(Inserter& insert, Value value, bool is_signed) {
  const Type type = insert.function().type(value);
  if (type == ir::kF64) return double_to_wide(insert, value, is_signed);
  return float_to_wide(insert, type == ir::kF32 ? value : insert.op(Op::f_to_f, ir::kF32, {value}), is_signed);
}

Value load_word(Inserter& insert, std::span<const Value> in, ir::MemoryAccess access, uint32_t word) {
  access.offset += 4 * word;
  if (word % 2 != 0) access.align_log2 = std::min<uint8_t>(access.align_log2, 2);
  return insert.op(Op::load, ir::kI32, in, access.pack());
}

/// Words at a known place are user data. Elsewhere the components are loads of their own, so that none is wider than an
/// instruction.
Value lower_push_load(Inserter& insert, Value value, std::span<const Value> in) {
  const ir::Inst inst = insert.function().inst(value);
  const ir::MemoryAccess access = insert.function().access(value);
  const bool known = insert.function().is_constant(in[0]);
  if (!known && !inst.type.is_vector()) return Value();
  SmallVector<Value, 4> components;
  for (uint32_t i = 0; i < inst.type.components; ++i) {
    if (known) {
      const Value low = load_word(insert, in, access, 2 * i);
      components.push_back(join(insert, {low, load_word(insert, in, access, 2 * i + 1)}));
      continue;
    }
    ir::MemoryAccess part = access;
    part.offset += 8 * i;
    components.push_back(insert.op(Op::load, ir::kI64, in, part.pack()));
  }
  return components.size() == 1 ? components[0] : insert.op(Op::vec, inst.type, components);
}

/// The value that replaces one with a 64-bit result, or none if it stays.
Value lower_result(Inserter& insert, Value value, const ir::Inst& inst, std::span<const Value> in) {
  switch (inst.op) {
    case Op::zext:
    case Op::sext:
      return lower_extension(insert, in[0], inst.op);
    case Op::imul:
      return wide_product(insert, in[0], in[1]);
    case Op::umul_hi:
      return wide_product_high(insert, in[0], in[1]);
    case Op::smul_hi:
      return wide_signed_product_high(insert, in[0], in[1]);
    case Op::udiv:
      return divide_wide_unsigned(insert, in[0], in[1], DivisionPart::quotient);
    case Op::umod:
      return divide_wide_unsigned(insert, in[0], in[1], DivisionPart::remainder);
    case Op::sdiv:
      return divide_wide_signed(insert, in[0], in[1], DivisionPart::quotient);
    case Op::srem:
      return divide_wide_signed(insert, in[0], in[1], DivisionPart::remainder);
    case Op::smod:
      return wide_smod(insert, in[0], in[1]);
    case Op::ishl:
    case Op::ushr:
    case Op::sshr:
      return lower_shift(insert, inst.op, in[0], in[1]);
    case Op::smin:
    case Op::smax:
    case Op::umin:
    case Op::umax:
      return lower_min_max(insert, inst.op, in[0], in[1]);
    case Op::bit_count:
    case Op::bit_reverse:
    case Op::find_lsb:
    case Op::find_msb_u:
    case Op::find_msb_s:
    case Op::bfe_u:
    case Op::bfe_s:
    case Op::bfi:
      return lower_wide_bits(insert, inst.op, in);
    case Op::f_to_s:
    case Op::f_to_u:
      return lower_from_float(insert, in[0], inst.op == Op::f_to_s);
    case Op::read_first_lane:
    case Op::read_lane:
      return lower_lane_move(insert, inst.op, in);
    case Op::load:
      if (insert.function().access(value).storage != ir::StorageClass::push) return Value();
      return lower_push_load(insert, value, in);
    default:
      return Value();
  }
}

/// The same for a 64-bit operand and another result.
Value lower_operand(Inserter& insert, const ir::Inst& inst, std::span<const Value> in) {
  switch (inst.op) {
    case Op::trunc:
      return lower_truncation(insert, in[0], inst.type);
    case Op::s_to_f:
    case Op::u_to_f:
      return lower_to_float(insert, in[0], inst.type, inst.op == Op::s_to_f);
    case Op::uadd_carry:
    case Op::usub_borrow:
      return lower_carry(insert, inst.op, in[0], in[1]);
    default:
      return Value();
  }
}

Value lower_one(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const bool result = inst.type.scalar == ir::Scalar::i64;
  if (!result && (inst.operand_count == 0 || function.type(function.operand(value, 0)) != ir::kI64)) return Value();
  SmallVector<Value, 4> in;
  for (Value operand : function.operands(value)) in.push_back(insert.current(operand));
  // What says that a whole does not wrap around says nothing of its halves.
  insert.before(value, static_cast<uint16_t>(inst.flags & ~(ir::kNoSignedWrap | ir::kNoUnsignedWrap | ir::kFits24)));
  return result ? lower_result(insert, value, inst, in.span()) : lower_operand(insert, inst, in.span());
}

}  // namespace

bool lower_wide_integers(ir::Function& function, CompileContext& context, ir::FloatControls float_controls) {
  if (!function.has_results_of(ir::Scalar::i64)) return false;
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch, float_controls);
  return insert.replace_each([&](Value value) { return lower_one(insert, value); });
}

}  // namespace spalt::lower
