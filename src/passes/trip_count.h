// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>

#include "analysis/dominance.h"
#include "analysis/loops.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::passes {

/// How often a loop runs, as far as its constants say.
struct TripCount {
  uint32_t full = 0;      ///< iterations that reach the back edge
  ir::BlockId exit;       ///< block that leaves the loop for sure in the iteration after those
  bool all_known = true;  ///< the `interesting` values are constant in each iteration as well
};

/// Finds the trip count of a loop if an exit that every iteration passes is decided by values which start constant, the
/// same one from wherever the loop is entered, and change by constants: these are evaluated iteration by iteration, at
/// most `max_trips` times. Other exits may leave earlier. O(loop size + max_trips * instructions that the exits depend
/// on).
std::optional<TripCount> find_trip_count(const ir::Function& function, const analysis::Dominance& dominance,
                                         const analysis::Loops& loops, uint32_t loop, uint32_t max_trips,
                                         std::span<const ir::Value> interesting, ir::FloatControls float_controls,
                                         Arena& scratch);

/// The block with the only edge back to the header, or none if there are several.
ir::BlockId single_latch(const ir::Function& function, const analysis::Loops& loops, uint32_t loop);

}  // namespace spalt::passes
