// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// Adds to a step what only image instructions have: the registers of an address list, and results that are wider than
/// the instruction says, or a reason why it cannot be executed. Nothing to do for other instructions.
void complete_image_step(Step& step, const isa::Target& target, unsigned vgpr_count);

}  // namespace spalt::emu
