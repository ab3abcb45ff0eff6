// SPDX-License-Identifier: MIT
//
// Where a wave reads the time.
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// A clock: one instruction that gives 64 bits, or two hardware registers.
struct Clock {
  Opcode opcode = Opcode::invalid;              ///< s_memtime, s_memrealtime, s_sendmsg_rtn_b64; invalid: registers
  uint8_t message = 0;                          ///< of s_sendmsg_rtn_b64
  uint8_t low_register = 0, high_register = 0;  ///< for s_getreg_b32
};

/// Counts cycles of the wave's compute unit, where the target has such a clock of 64 bits.
const Clock& wave_clock(const Target& target);
/// The same for the whole device; its frequency is constant.
const Clock& device_clock(const Target& target);

}  // namespace spalt::isa
