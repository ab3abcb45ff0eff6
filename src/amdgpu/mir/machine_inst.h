// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/inst.h"
#include "amdgpu/mir/function.h"

namespace spalt::mir {

/// The instruction as the codec takes it; branch targets stay 0. After allocation, and no pseudo operation.
isa::Inst machine_inst(const Function& function, InstId id);

/// Two vector instructions as one VOPD instruction. Whether that can be encoded is for the codec to say.
isa::Inst dual_machine_inst(const Function& function, InstId first, InstId second);

/// Operands with address registers of an image instruction after the first, which follow the operands of its text.
std::span<const Operand> further_addresses(const Function& function, InstId id);

}  // namespace spalt::mir
