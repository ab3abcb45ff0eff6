// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// What limits how many waves of a program a SIMD holds.
struct WaveResources {
  unsigned wave_size = 64;
  bool wgp_mode = false;
  uint32_t sgprs = 0;  ///< of the program itself, without vcc and what else Target::extra_sgprs counts
  uint32_t vgprs = 0;
  uint32_t lds_bytes = 0;    ///< of a workgroup
  uint32_t invocations = 1;  ///< in a workgroup
};

/// Waves that a SIMD can hold at once, 1 at least: by registers, by LDS, and by how many workgroups of several waves a
/// compute unit takes, which must synchronize them. Partly filled SIMDs count as full ones, as in LLVM
/// (AMDGPUSubtarget, getOccupancyWithLocalMemSize).
uint32_t waves_per_simd(const Target& target, const WaveResources& resources);

}  // namespace spalt::isa
