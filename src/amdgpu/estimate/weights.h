// SPDX-License-Identifier: MIT
//
// How often a wave comes to each block of a program, as far as the code tells.
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/estimate/loops.h"

namespace spalt::estimate {

/// Iterations of a loop whose code does not say how many there are.
constexpr double kAssumedIterations = 8;

struct Weights {
  std::vector<double> times;        ///< that a wave executes each block
  std::vector<double> times_taken;  ///< and that it ends with a jump instead of falling through
};

/// One walk over the blocks. `trip_counts` are those of the loops, 0 where nothing is known.
Weights find_weights(const Code& code, const Loops& loops, const std::vector<uint32_t>& trip_counts);

}  // namespace spalt::estimate
