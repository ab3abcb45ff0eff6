// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::emu {

class Wave;

/// What s_getreg and s_setreg reach, by the number that the wave's generation gives it. False when the generation or
/// the emulator does not have the register, or when only trap handlers may write it.
bool read_hardware_register(const Wave& wave, unsigned id, uint32_t& value);
bool write_hardware_register(Wave& wave, unsigned id, uint32_t value);

}  // namespace spalt::emu
