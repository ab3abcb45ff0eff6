// SPDX-License-Identifier: MIT
//
// How often loops go round whose code says it.
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/estimate/loops.h"

namespace spalt::estimate {

/// Counts above this are not told apart.
constexpr uint32_t kMaxTripCount = 65536;

/// For each loop how often its header is executed each time that the loop is entered, if it leaves where a register
/// that steps by a constant, from a constant on, passes a constant, and nowhere else earlier; 0 where that is not seen.
std::vector<uint32_t> find_trip_counts(const Code& code, const Loops& loops);

}  // namespace spalt::estimate
