// SPDX-License-Identifier: MIT
//
// The same shader, in which one lane of a subgroup runs after the other: a loop around main, in whose turn n only lane
// n takes part. No lane then runs beside one that takes another path, not even one that stands for no vertex or no
// pixel, so that a driver which is wrong about lanes of different paths computes what each invocation alone computes.
#pragma once

#include <optional>

#include "spirv_builder.h"

namespace spalt::random_programs {

/// Of any stage. Nothing when invocations need each other: for a barrier, or for a derivative, also one that chooses a
/// level; nor when the module lacks the types uint, bool and void.
std::optional<Words> one_lane_at_a_time(const Words& words);

}  // namespace spalt::random_programs
