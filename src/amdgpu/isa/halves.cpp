// SPDX-License-Identifier: MIT
#include "amdgpu/isa/halves.h"

namespace spalt::isa {
namespace {

constexpr unsigned kHighHalf = kShortHalfReach;  ///< added to the register number

bool is_16bit(OperandType type) {
  return type == OperandType::b16 || type == OperandType::i16 || type == OperandType::u16 || type == OperandType::f16;
}

bool takes_vgpr(OperandRole role) {
  return role == OperandRole::vdst || role == OperandRole::vsrc || role == OperandRole::vgpr;
}

bool is_vgpr(const Operand& operand) {
  return operand.is_reg() && operand.reg.is_vgpr();
}

/// Calls visit(operand, bit of op_sel) for each half slot with a VGPR.
template <typename I, typename Visit>
void for_each_half(const OpcodeInfo& info, I& inst, Visit visit) {
  if (info.dst_count > 0 && is_half_slot(info, info.dst[0]) && is_vgpr(inst.dst[0])) visit(inst.dst[0], kDstHalfBit);
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (is_half_slot(info, info.src[i]) && is_vgpr(inst.src[i])) visit(inst.src[i], i);
  }
}

}  // namespace

bool is_half_slot(const OpcodeInfo& info, const OperandSlot& slot) {
  return (info.modifiers & kModHalves) != 0 && is_16bit(slot.type) && takes_vgpr(slot.role);
}

unsigned half_bits(const OpcodeInfo& info) {
  unsigned bits = info.dst_count > 0 && is_half_slot(info, info.dst[0]) ? 1u << kDstHalfBit : 0;
  for (unsigned i = 0; i < info.src_count; ++i) bits |= is_half_slot(info, info.src[i]) ? 1u << i : 0;
  return bits;
}

unsigned vgpr_half_bits(const OpcodeInfo& info, const Inst& inst) {
  unsigned bits = 0;
  for_each_half(info, inst, [&](const Operand&, unsigned bit) { bits |= 1u << bit; });
  return bits;
}

const char* join_halves(const OpcodeInfo& info, Inst& inst) {
  bool fits = true;
  for_each_half(info, inst, [&](Operand& operand, unsigned bit) {
    if (operand.reg.vgpr_index() >= kHighHalf) {
      fits = false;
    } else if (inst.mods.op_sel >> bit & 1) {
      operand.reg = operand.reg.offset(kHighHalf);
      inst.mods.op_sel = static_cast<uint8_t>(inst.mods.op_sel & ~(1u << bit));
    }
  });
  return fits ? nullptr : "needs one of v0 to v127";
}

void split_halves(const OpcodeInfo& info, Inst& inst) {
  for_each_half(info, inst, [&](Operand& operand, unsigned bit) {
    if (operand.reg.vgpr_index() < kHighHalf) return;
    operand.reg = operand.reg.offset(-static_cast<int>(kHighHalf));
    inst.mods.op_sel = static_cast<uint8_t>(inst.mods.op_sel | 1u << bit);
  });
}

}  // namespace spalt::isa
