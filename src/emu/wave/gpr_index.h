// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/wave/step.h"

namespace spalt::emu {

/// The vector instruction `step` while VGPR indexing is on: its VGPR operands moved by m0[7:0] where bits 12 to 15 of
/// m0 (source 0, 1, 2, destination) say so (Vega ISA guide, section 3.2 "Indexing"). With `reason` set when a register
/// does not exist.
Step with_gpr_index(const Step& step, uint32_t m0, unsigned vgpr_count);

}  // namespace spalt::emu
