// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/inst.h"

namespace spalt::isa {

/// Since GFX11 an instruction can name either half of a VGPR where a slot has 16 bits (kModHalves). Modifiers::op_sel
/// says which: bit i for source i, bit 3 for destination 0. VOP3 and VINTERP encode it as such; VOP1, VOP2, VOPC and
/// their DPP forms keep it in bit 7 of the register number and so reach v0 to v127 only (RDNA 3 ISA guide, section 7.2
/// "16-bit Math and VGPRs").
constexpr unsigned kDstHalfBit = 3;
/// One past the last VGPR whose halves the short forms can name.
constexpr unsigned kShortHalfReach = 128;

/// Whether a VGPR in this slot is half a register.
bool is_half_slot(const OpcodeInfo& info, const OperandSlot& slot);
/// The bits of op_sel that belong to such slots.
unsigned half_bits(const OpcodeInfo& info);
/// Of those, the ones where this instruction has a VGPR.
unsigned vgpr_half_bits(const OpcodeInfo& info, const Inst& inst);

/// The encoding's view of a short form: high halves are registers from v128 on, op_sel keeps what that cannot say.
/// Returns why it cannot be encoded, or nullptr.
const char* join_halves(const OpcodeInfo& info, Inst& inst);
/// The reverse.
void split_halves(const OpcodeInfo& info, Inst& inst);

}  // namespace spalt::isa
