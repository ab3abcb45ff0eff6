// SPDX-License-Identifier: MIT
//
// What a program costs on hardware that nobody needs to have: cycles of one wave, and of the SIMD for each wave when
// many run. docs/cycles.md is the model.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "amdgpu/estimate/code.h"
#include "amdgpu/estimate/pressure.h"
#include "amdgpu/estimate/wave_timer.h"
#include "amdgpu/estimate/weights.h"
#include "amdgpu/isa/occupancy.h"

namespace spalt::estimate {

struct BlockEstimate {
  double times = 0;        ///< that a wave executes the block
  double times_taken = 0;  ///< and leaves it with a jump
  uint32_t loop_depth = 0;
  BlockTime once;  ///< one execution; in a loop, one after the first
};

/// Cycles of the shader clock. Sums over blocks are weighted by how often a wave comes to them.
struct Estimate {
  uint32_t vgprs = 0, sgprs = 0;  ///< highest register that the code names + 1; SGPRs without vcc
  uint32_t waves = 1;             ///< that a SIMD holds at once
  double instructions = 0;        ///< executed by a wave
  double issuing = 0;             ///< cycles in which a wave issues
  double latency = 0;             ///< cycles from the first instruction of a wave to its end, alone on its SIMD
  std::array<double, kStallCount> stalls{};
  std::array<double, isa::kUnitCount> busy{};  ///< cycles of each unit, for a shared one times the SIMDs that share it
  /// Cycles between the ends of two waves on a SIMD that is full of them: the most that a unit, or the latency of a
  /// wave divided by their number, asks for.
  double throughput = 0;
  /// The unit that decides throughput; isa::Unit::sequencer: latency does.
  isa::Unit bound = isa::Unit::sequencer;
  uint32_t loops = 0, counted_loops = 0;  ///< of the latter the code says how often they go round
  std::vector<BlockEstimate> blocks;      ///< of Code::blocks
  std::vector<Issue> issues;              ///< of Code::insts
  std::vector<Pressure> pressure;         ///< of Code::insts
};

/// Registers of `resources` that are 0 are counted in the code. With `count_loops` false all loops go round
/// kAssumedIterations times: fairer between two codes where only one shows how often its loops do.
Estimate estimate(const Code& code, isa::WaveResources resources, bool count_loops = true);

}  // namespace spalt::estimate
