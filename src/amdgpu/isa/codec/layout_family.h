// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// Generations that share their field layouts.
enum class Family : uint8_t { gfx9, gfx10, gfx11, gfx12 };
constexpr unsigned kFamilyCount = 4;

constexpr Family family_of(Generation generation) {
  constexpr Family kFamilies[kGenerationCount] = {Family::gfx9,  Family::gfx10, Family::gfx10,
                                                  Family::gfx11, Family::gfx11, Family::gfx12};
  return kFamilies[static_cast<unsigned>(generation)];
}

}  // namespace spalt::isa
