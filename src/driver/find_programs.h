// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "amdgpu/isa/occupancy.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::driver {

/// Code that is started by itself, and what the file tells about it.
struct FoundProgram {
  std::string name;  ///< of the symbol at its start
  const isa::Target* target = nullptr;
  std::vector<uint32_t> words;   ///< from its first instruction to the end of the section
  isa::WaveResources resources;  ///< registers that the file says nothing about are 0
};

/// The stages of a PAL code object, or the functions in the code of any other AMDGPU ELF, by their addresses. A wave
/// size of 0 is what the file says, else the target's default.
Result<std::vector<FoundProgram>> find_programs(std::span<const uint8_t> elf, uint32_t wave_size);

}  // namespace spalt::driver
