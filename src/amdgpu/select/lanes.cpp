// SPDX-License-Identifier: MIT
// What lanes tell each other. A condition per lane is a mask already; its bits mean something for running lanes only,
// so every use of the whole mask begins with exec.
#include "amdgpu/select/selector.h"
#include "ir/ballot.h"
#include "ir/scan.h"

namespace spalt::select {

void Selector::select_read_first_lane(Value value) {
  const Value a = input(value, 0);
  const Operand in = source(a);
  if (in.is_imm() || !in.cls().is_vgpr()) {
    emit(M::s_mov_b32, {define(value)}, {in});
  } else {
    emit(M::v_readfirstlane_b32, {define(value)}, {in});
  }
}

/// The mask of running lanes where the condition holds; scc says whether there are any.
Operand Selector::running_lanes(Value condition) {
  bool inverted = false;
  while (inst(condition).op == Op::inot) {
    inverted = !inverted;
    condition = input(condition, 0);
  }
  const Operand bits =
      is_constant(condition, 1) ? Operand::immediate(0xffffffffu) : mask(condition);  // no literal: sign extended
  const Operand result = temp(out_.lane_mask_class());
  if (inverted) {
    salu(mask_op(M::s_andn2_b32, M::s_andn2_b64), result, {exec(), bits});
  } else {
    salu(mask_op(M::s_and_b32, M::s_and_b64), result, {bits, exec()});
  }
  return result;
}

/// In the block of the value, where exec is what it was.
void Selector::any_lane_into_scc(Value value) {
  running_lanes(input(value, 0));
}

void Selector::select_any_lane(Value value) {
  any_lane_into_scc(value);
  salu(M::s_cselect_b32, define(value), {Operand::immediate(1), Operand::immediate(0)});
}

void Selector::select_ballot(Value value) {
  const auto dword = static_cast<uint32_t>(inst(value).imm & ir::kBallotDword);
  const uint32_t dwords = out_.wave_size / 32;
  if (dword >= dwords) {
    emit(M::s_mov_b32, {define(value)}, {Operand::immediate(0)});
    return;
  }
  if (is_constant(input(value, 0), 1)) {
    emit(M::s_mov_b32, {define(value)}, {Operand::physical(dword == 0 ? isa::kExec : isa::kExecHi)});
    return;
  }
  const Operand lanes = running_lanes(input(value, 0));
  if (dwords == 1) {
    emit(M::p_copy, {define(value)}, {lanes});
  } else {
    emit(M::p_extract, {define(value)}, {lanes, Operand::immediate(dword)});
  }
}

void Selector::select_read_lane(Value value) {
  const Value a = input(value, 0), lane = input(value, 1);
  if (is_constant(a) || is_scalar(a)) {
    emit(M::s_mov_b32, {define(value)}, {scalar(a)});
    return;
  }
  const Operand from = vector(a);
  // Bits above the number of a lane are ignored; an inline constant has none.
  const Operand index =
      is_constant(lane) ? Operand::immediate(constant(lane) & (out_.wave_size - 1)) : scalar_reg(lane);
  emit(M::v_readlane_b32, {define(value)}, {from, index});
}

/// Where lanes disagree about both operands, the LDS hardware moves the values: within 32 lanes on some targets, where
/// lower_shuffles has left no wider ones. Only running lanes are read.
void Selector::select_shuffle(Value value) {
  const Value a = input(value, 0);
  if (is_scalar(value)) {
    if (!facts_.divergent(a)) return static_cast<void>(emit(M::s_mov_b32, {define(value)}, {scalar(a)}));
    return select_read_lane(value);
  }
  if (inst(value).imm > 32 && out_.wave_size > 32 && !target_.permutes_whole_wave) {
    SPALT_ICE("a shuffle of 64 lanes was not lowered");
  }
  const Operand from = vector(a), lane = vector(input(value, 1));
  const Operand address = temp(mir::kV1);
  valu(M::v_lshlrev_b32, address, {Operand::immediate(2), lane});
  emit(M::ds_bpermute_b32, {define(value)}, {address, from});
}

/// One of the two registers in which all lanes of all scans work.
Operand Selector::whole_wave_room(unsigned which) {
  mir::VReg& room = whole_wave_[which];
  if (!room.valid()) room = out_.create_vreg(mir::linear_vgpr_class());
  return out_.use(room);
}

/// At the start of the block, once for all scans of it.
void Selector::copy_exec_for_scans() {
  if (exec_copy_.is_vreg()) emit(mask_op(M::s_mov_b32, M::s_mov_b64), {exec_copy_}, {exec()});
  exec_copy_ = Operand();
}

/// In whole waves, with a copy of exec that brings it back. lower_scans has left values of one register.
void Selector::select_scan(Value value) {
  const ir::ScanForm form = ir::ScanForm::unpack(inst(value).imm);
  const ir::Type type = inst(value).type;
  const M combine = row_of(form.combine).vector(type);
  SPALT_ASSERT(type.bits() <= 32 && combine != M::invalid);
  if (!exec_copy_.is_vreg()) exec_copy_ = temp(out_.lane_mask_class());
  const Value member = input(value, 1);
  const Operand members = is_constant(member, 1) ? exec_copy_ : running_lanes(member);
  const Operand nothing = Operand::immediate(static_cast<uint32_t>(ir::scan_identity(form.combine, type)));
  SmallVector<Operand, 8> uses;
  const Operand data = vector(input(value, 0));
  for (const Operand& use : {data, members, exec_copy_, whole_wave_room(0), whole_wave_room(1), nothing}) {
    uses.push_back(use);
  }
  if (form.kind == ir::ScanKind::cluster) uses.push_back(Operand::immediate(form.cluster));
  constexpr M kOpcodes[] = {M::p_scan_reduce, M::p_scan_inclusive, M::p_scan_exclusive, M::p_scan_cluster};
  const Operand defs[] = {define(value), Operand::physical(isa::kM0)};
  mir::Inst& scan = emit(kOpcodes[static_cast<unsigned>(form.kind)], defs, uses.span());
  scan.simm16 = static_cast<int32_t>(combine);
}

void Selector::select_bits_below(Value value) {
  const auto dword = static_cast<uint32_t>(inst(value).imm);
  const Value bits = input(value, 0), base = input(value, 1);
  if (dword >= out_.wave_size / 32) {
    emit(M::p_copy, {define(value)}, {source(base)});
    return;
  }
  const Operand in = source(bits);
  valu(dword == 0 ? M::v_mbcnt_lo_u32_b32 : M::v_mbcnt_hi_u32_b32, define(value), {in, source(base)});
}

}  // namespace spalt::select
