// SPDX-License-Identifier: MIT
// Values of 8 and 16 bits. Each has a register to itself, of which it fills the low end; what lies above means nothing.
// Instructions for 16 bits read and count on no more than that. The places that do count on more make it so: extensions
// (select_extend), scalar operations, which have 32 bits (scalar_operand), and joins of halves (join_halves). A load of
// less than a dword clears what lies above, so that its zero extension is the load itself (ValueFacts::find_alias).
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

enum class Above : uint8_t { any, zero, sign };

/// What has to lie above 16-bit operands for the lower half of a 32-bit result, or a comparison, to be right.
Above needed_above(Op op) {
  switch (op) {
    case Op::ushr:
    case Op::umin:
    case Op::umax:
    case Op::ieq:
    case Op::ine:
    case Op::ult:
    case Op::ule:
      return Above::zero;
    case Op::sshr:
    case Op::smin:
    case Op::smax:
    case Op::slt:
    case Op::sle:
      return Above::sign;
    default:
      return Above::any;
  }
}

uint32_t extended(uint32_t bits, unsigned width, bool is_signed) {
  const uint32_t mask = (1u << width) - 1, sign = 1u << (width - 1);
  return is_signed ? ((bits & mask) ^ sign) - sign : bits & mask;
}

}  // namespace

/// An operand, of this type, of an operation of the scalar unit.
Operand Selector::scalar_operand(Op op, ir::Type type, Value value) {
  const Operand whole = scalar(value);
  const Above above = type.scalar_bits() == 16 && type.is_integer() ? needed_above(op) : Above::any;
  if (above == Above::any) return whole;
  if (whole.is_imm()) return Operand::immediate(extended(whole.value, 16, above == Above::sign));
  const Operand result = temp(mir::kS1);
  if (above == Above::sign) {
    salu(M::s_sext_i32_i16, result, {whole});
  } else {
    salu(M::s_and_b32, result, {whole, Operand::immediate(0xffff)});
  }
  return result;
}

/// Amounts count modulo the width.
Operand Selector::scalar_amount(ir::Type shifted, Value amount) {
  const Operand whole = dwords(amount) == 1 ? scalar(amount) : scalar_dword(amount, 0);
  if (shifted.scalar_bits() != 16) return whole;
  if (whole.is_imm()) return Operand::immediate(whole.value & 15);
  const Operand result = temp(mir::kS1);
  salu(M::s_and_b32, result, {whole, Operand::immediate(15)});
  return result;
}

bool Selector::fuse_narrow_multiply_add(Value value) {
  if (inst(value).op != Op::iadd || is_scalar(value)) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value product = input(value, side);
    if (inst(product).op != Op::imul || is_scalar(product) || !fusable(product, value)) continue;
    const Operand a = source(input(product, 0));
    const Operand b = source(input(product, 1));
    const Operand addend = source(input(value, 1 - side));
    valu(M::v_mad_u16, define(value), {a, b, addend});
    return true;
  }
  return false;
}

/// A narrow integer in a wider one of up to 32 bits.
void Selector::select_extend(Value value) {
  const unsigned width = operand_type(value).scalar_bits();
  if (width > 16 || function_.type(value).bits() > 32) SPALT_ICE("lowering left an extension to several dwords");
  const bool is_signed = inst(value).op == Op::sext;
  const Value a = input(value, 0);
  const Operand mask = Operand::immediate(extended(0xffffffffu, width, false));
  if (is_scalar(value)) {
    if (!is_signed) return salu(M::s_and_b32, define(value), {scalar(a), mask});
    return salu(width == 8 ? M::s_sext_i32_i8 : M::s_sext_i32_i16, define(value), {scalar(a)});
  }
  if (!is_signed) return valu(M::v_and_b32, define(value), {mask, source(a)});
  valu(M::v_bfe_i32, define(value), {source(a), Operand::immediate(0), Operand::immediate(width)});
}

}  // namespace spalt::select
