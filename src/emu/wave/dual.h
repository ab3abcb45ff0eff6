// SPDX-License-Identifier: MIT
#pragma once
#include "emu/wave/step.h"

namespace spalt::emu {

/// One of the two operations of a VOPD instruction (`which` is 0 or 1) as an instruction of its own. The vcc that
/// v_dual_cndmask reads becomes an operand, as in VOP2.
isa::Inst operation_of(const isa::Inst& dual, unsigned which, isa::Generation generation);

/// Executes both operations of a VOPD step. Both read their sources before either writes (RDNA 3 ISA guide, section
/// 7.6 "Dual issue VALU").
void execute_dual(Wave& wave, const Step& step);

}  // namespace spalt::emu
