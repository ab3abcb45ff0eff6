// SPDX-License-Identifier: MIT
// Bit counting, searching and fields.
#include "amdgpu/select/selector.h"

namespace spalt::select {

namespace {

uint32_t field_mask(uint32_t offset, uint32_t count) {
  return ((1u << (count & 31)) - 1) << (offset & 31);
}

}  // namespace

void Selector::select_bit_count(Value value) {
  const Value a = input(value, 0);
  if (is_scalar(value)) {
    salu(M::s_bcnt1_i32_b32, define(value), {scalar(a)});
  } else {
    valu(M::v_bcnt_u32_b32, define(value), {source(a), Operand::immediate(0)});
  }
}

/// The hardware counts from the top and gives -1 when there is no such bit. n ^ 31 is 31 - n for n in 0..31, and for -1
/// it is -32, which the maximum turns back into -1.
void Selector::select_find_msb(Value value, M scalar_op, M vector_op) {
  const Value a = input(value, 0);
  const Operand all = Operand::immediate(0xffffffffu), top = Operand::immediate(31);
  if (is_scalar(value)) {
    const Operand count = temp(mir::kS1), index = temp(mir::kS1);
    salu(scalar_op, count, {scalar(a)});
    salu(M::s_xor_b32, index, {count, top});
    salu(M::s_max_i32, define(value), {index, all});
    return;
  }
  const Operand count = temp(mir::kV1), index = temp(mir::kV1);
  valu(vector_op, count, {source(a)});
  valu(M::v_xor_b32, index, {top, count});
  valu(M::v_max_i32, define(value), {all, index});
}

/// The scalar form takes offset and width packed: offset in bits 4:0, width in 22:16.
void Selector::select_bfe(Value value, M scalar_op, M vector_op) {
  const Value base = input(value, 0), offset = input(value, 1), count = input(value, 2);
  if (place(value) == Place::vector) {
    valu(vector_op, define(value), {source(base), source(offset), source(count)});
    return;
  }
  const Operand in = scalar(base);
  if (is_constant(offset) && is_constant(count)) {
    const uint32_t field = (constant(offset) & 31) | (constant(count) & 31) << 16;
    salu(scalar_op, define(value), {in, Operand::immediate(field)});
    return;
  }
  const Operand low = temp(mir::kS1), field = temp(mir::kS1);
  Operand high = Operand::immediate(is_constant(count) ? (constant(count) & 31) << 16 : 0);
  if (!is_constant(count)) {
    high = temp(mir::kS1);
    salu(M::s_lshl_b32, high, {scalar(count), Operand::immediate(16)});
  }
  salu(M::s_and_b32, low, {scalar(offset), Operand::immediate(31)});
  salu(M::s_or_b32, field, {low, high});
  salu(scalar_op, define(value), {in, field});
}

void Selector::select_bfi_scalar(Value value) {
  const Operand base = scalar(input(value, 0)), bits = scalar(input(value, 1));
  const Operand offset = scalar(input(value, 2)), count = scalar(input(value, 3));
  const Operand moved = temp(mir::kS1), inserted = temp(mir::kS1), kept = temp(mir::kS1);
  Operand field = temp(mir::kS1);
  if (count.is_imm() && offset.is_imm()) {
    field = Operand::immediate(field_mask(offset.value, count.value));
  } else {
    salu(M::s_bfm_b32, field, {count, offset});
  }
  salu(M::s_lshl_b32, moved, {bits, offset});
  salu(M::s_and_b32, inserted, {moved, field});
  salu(M::s_andn2_b32, kept, {base, field});
  salu(M::s_or_b32, define(value), {kept, inserted});
}

void Selector::select_bfi(Value value) {
  if (is_scalar(value)) return select_bfi_scalar(value);
  const Value base = input(value, 0), bits = input(value, 1), offset = input(value, 2), count = input(value, 3);
  const bool known = is_constant(offset) && is_constant(count);
  Operand field = Operand::immediate(0);
  if (known) {
    field = Operand::immediate(field_mask(constant(offset), constant(count)));
  } else {
    field = temp(mir::kV1);
    valu(M::v_bfm_b32, field, {source(count), source(offset)});
  }
  Operand moved = source(bits);
  if (is_constant(bits) && known) {
    moved = Operand::immediate(constant(bits) << (constant(offset) & 31));
  } else if (!is_constant(offset, 0)) {
    moved = temp(mir::kV1);
    valu(M::v_lshlrev_b32, moved, {source(offset), source(bits)});
  }
  valu(M::v_bfi_b32, define(value), {field, moved, source(base)});
}

/// Lowering leaves what the target has. Of v_dot4_i32_iu8 the neg bits say which sources are signed.
void Selector::select_dot4(Value value) {
  const Op op = inst(value).op;
  const bool plain = op == Op::dot4_s && exists(M::v_dot4_i32_i8);
  const M opcode = op == Op::dot4_u ? M::v_dot4_u32_u8 : plain ? M::v_dot4_i32_i8 : M::v_dot4_i32_iu8;
  Operand in[] = {source(input(value, 0)), source(input(value, 1)), source(input(value, 2))};
  limit_scalar_sources(opcode, in, target_.vop3_literal);
  const Operand def = define(value);
  mir::Inst& dot = emit(opcode, std::span<const Operand>(&def, 1), in);
  isa::Modifiers mods;
  mods.op_sel_hi = 7;
  if (opcode == M::v_dot4_i32_iu8) mods.neg = op == Op::dot4_s ? 3 : 1;
  out_.set_modifiers(dot, mods);
}

}  // namespace spalt::select
