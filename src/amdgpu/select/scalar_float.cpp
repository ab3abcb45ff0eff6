// SPDX-License-Identifier: MIT
// Float arithmetic of the scalar unit, which RDNA 3.5 and later have (Target::has_salu_float). It knows no source
// modifiers and no clamp, and multiplies and adds only into the addend's register.
#include <algorithm>

#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

M scalar_opcode(Op op) {
  const bool is_float = ir::group(op) == ir::OpGroup::floating || ir::group(op) == ir::OpGroup::float_convert;
  return is_float ? row_of(op).scalar32 : M::invalid;
}

}  // namespace

bool has_scalar_float(Op op, ir::Type type) {
  return type.bits() == 32 && !type.is_vector() &&
         (op == Op::ffma || op == Op::pack_half || scalar_opcode(op) != M::invalid);
}

/// a * b + c: with a constant beside two registers in one instruction, else onto a copy of c.
void Selector::scalar_multiply_add(Operand def, Value a, Value b, Value c) {
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(c)) {
    const Operand left = scalar(a);
    const Operand right = scalar(b);
    // Two literals do not fit; those that are inline constants do.
    if (!is_constant(b) || is_inline_constant(constant(b)) || constant(b) == constant(c)) {
      emit(M::s_fmaak_f32, {def}, {left, right, Operand::immediate(constant(c))});
      return;
    }
  } else if (is_constant(b) && !is_constant(a) && !is_inline_constant(constant(b))) {
    const Operand left = scalar(a);
    const Operand addend = scalar(c);
    emit(M::s_fmamk_f32, {def}, {left, Operand::immediate(constant(b)), addend});
    return;
  }
  // Nor do two literals as factors.
  const auto is_literal = [&](Value value) { return is_constant(value) && !is_inline_constant(constant(value)); };
  const bool has_two = is_literal(a) && is_literal(b) && constant(a) != constant(b);
  const Operand left = scalar(a);
  const Operand right = has_two ? scalar_reg(b) : scalar(b);
  Operand addend = scalar_reg(c);
  addend.tied = true;
  emit(M::s_fmac_f32, {def}, {left, right, addend});
}

/// A sum whose product is used only here, where SPIR-V allows to round once.
bool Selector::fuse_scalar_multiply_add(Value value) {
  const ir::Inst& sum = inst(value);
  if (sum.op != Op::fadd || !may_contract(sum)) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value product = input(value, side), other = input(value, 1 - side);
    const ir::Inst& multiply = inst(product);
    if (multiply.op != Op::fmul || !may_contract(multiply) || !fusable(product, value)) continue;
    scalar_multiply_add(define(value), input(product, 0), input(product, 1), other);
    return true;
  }
  return false;
}

void Selector::select_scalar_float(Value value) {
  const Op op = inst(value).op;
  if (op == Op::ffma) return scalar_multiply_add(define(value), input(value, 0), input(value, 1), input(value, 2));
  if (fuse_scalar_multiply_add(value)) return;
  if (op == Op::pack_half) {
    const Operand low = scalar(input(value, 0)), low_half = temp(mir::kS1);
    const Operand high = scalar(input(value, 1)), high_half = temp(mir::kS1);
    salu(M::s_cvt_f16_f32, low_half, {low});
    salu(M::s_cvt_f16_f32, high_half, {high});
    return salu(M::s_pack_ll_b32_b16, define(value), {low_half, high_half});
  }
  const M opcode = scalar_opcode(op);
  if (opcode == M::invalid) SPALT_ICE("the scalar unit lacks a float operation that was placed there");
  const Operand first = scalar(input(value, 0));
  if (inst(value).operand_count == 1) return salu(opcode, define(value), {first});
  const Operand second = scalar(input(value, 1));
  salu(opcode, define(value), {first, second});
}

}  // namespace spalt::select
