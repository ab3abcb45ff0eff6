// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/mir/function.h"

namespace spalt::opt {

/// Whether the VOP3 form of `opcode` can read these sources at once: at most Target::constant_bus_limit different
/// scalar values, of them one literal, and that only where VOP3 takes literals (RDNA 2 ISA guide, section 6.2).
bool fits_vop3(const mir::Function& function, mir::Opcode opcode, std::span<const mir::Operand> sources);

}  // namespace spalt::opt
