// SPDX-License-Identifier: MIT
// Bit counting, searching and fields.
#include "amdgpu/select/selector.h"
#include "ir/ballot.h"

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

/// Two words as one operand of 64 bits. Those of one ballot are so from the start.
Operand Selector::whole_mask(Value low, Value high, Value user) {
  const ir::Inst& first = inst(low);
  const ir::Inst& second = inst(high);
  const bool is_ballot = first.op == Op::ballot && second.op == Op::ballot && out_.wave_size == 64 &&
                         (first.imm & ir::kBallotDword) == 0 && second.imm == (first.imm | 1) &&
                         input(low, 0) == input(high, 0) && first.block == inst(user).block &&
                         second.block == inst(user).block;
  if (is_ballot) return is_constant(input(low, 0), 1) ? exec() : running_lanes(input(low, 0));
  const Operand pair = temp(mir::kS2);
  const Operand words[] = {scalar(low), scalar(high)};
  emit(M::p_vec, std::span<const Operand>(&pair, 1), words);
  return pair;
}

/// The bits of two words, counted at once.
bool Selector::fuse_bit_counts(Value value) {
  const Value low = input(value, 0), high = input(value, 1);
  if (inst(low).op != Op::bit_count || inst(high).op != Op::bit_count) return false;
  if (!fusable(low, value) || !fusable(high, value)) return false;
  salu(M::s_bcnt1_i32_b64, define(value), {whole_mask(input(low, 0), input(high, 0), value)});
  return true;
}

/// The first bit of two words is umin(find_lsb(low), find_lsb(high) | 32), the last one smax of the same with
/// find_msb_u: where a word has none, its index is -1 in both forms.
bool Selector::fuse_bit_searches(Value value) {
  const bool is_first = inst(value).op == Op::umin;
  if (!is_first && inst(value).op != Op::smax) return false;
  const Op find = is_first ? Op::find_lsb : Op::find_msb_u;
  Value low = input(value, 0), upper = input(value, 1);
  if (inst(low).op != find) std::swap(low, upper);
  if (inst(low).op != find || inst(upper).op != Op::ior || !is_constant(input(upper, 1), 32)) return false;
  const Value high = input(upper, 0);
  const bool are_used_here = fusable(low, value) && fusable(upper, value) && fusable(high, upper);
  if (inst(high).op != find || !are_used_here) return false;
  const Operand mask = whole_mask(input(low, 0), input(high, 0), value);
  if (is_first) {
    salu(M::s_ff1_i32_b64, define(value), {mask});
    return true;
  }
  const Operand count = temp(mir::kS1), index = temp(mir::kS1);
  salu(M::s_flbit_i32_b64, count, {mask});
  salu(M::s_xor_b32, index, {count, Operand::immediate(63)});
  salu(M::s_max_i32, define(value), {index, Operand::immediate(0xffffffffu)});
  return true;
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
