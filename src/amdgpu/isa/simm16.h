// SPDX-License-Identifier: MIT
// Fields of Inst::simm16, the same on all generations that have the instruction. waitcnt.h has those of wait counters.
#pragma once
#include "amdgpu/isa/bit_field.h"

namespace spalt::isa {

/// s_nop: wait states after the first one (ISA guides, S_NOP).
constexpr BitField kNopStates{0, 4};
/// s_getreg and s_setreg: hardware register, its first bit, the number of bits less one.
constexpr BitField kHwregId{0, 6}, kHwregFirst{6, 5}, kHwregWidth{11, 5};
/// s_delay_alu: a dependence, how many instructions later another one counts, and that one (RDNA 3 ISA guide,
/// S_DELAY_ALU).
constexpr BitField kDelayFirst{0, 4}, kDelaySkip{4, 3}, kDelaySecond{7, 4};

}  // namespace spalt::isa
