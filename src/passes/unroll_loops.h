// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::passes {

struct UnrollLoopsConfig {
  unsigned max_trips = 32;
  /// Instructions after unrolling one loop: trips * size. Copies wait for memory together, turns one after another.
  unsigned max_instructions = 1024;
  /// The same for a loop with further exits: its copies keep their conditions, and where these differ between lanes
  /// each copy changes the mask of running lanes.
  unsigned max_exiting_instructions = 48;
  /// The same for a loop that accesses scratch memory at offsets which become constant: the memory may disappear.
  unsigned max_scratch_instructions = 4096;
  unsigned max_scratch_trips = 128;
  /// Instructions that one call may add to the function, so that nests and sequences of loops stay in bounds.
  unsigned max_growth = 8192;
  /// Module::float_controls
  ir::FloatControls float_controls{};
};

/// Replaces a loop with a known, small number of iterations by that many copies of its body.
///
/// Requires the layout invariant; keeps it and the stage. A loop qualifies when some exit is decided by values that
/// start constant and change by constants (found by evaluating the exit condition iteration by iteration), inner
/// loops first. Other exits stay. A loop around one that stays a loop is left alone, unless that frees scratch memory:
/// its copies would only repeat the inner loop. The copies follow each other in the layout, the back edge of each goes
/// to the next one's header, and that of the last one is unreachable by construction. Values used after the loop get
/// phis at its exits. Run simplify and simplify_control_flow afterwards: the copies still compute their constant
/// conditions. O(size of the result).
bool unroll_loops(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
                  const UnrollLoopsConfig& config = {});

}  // namespace spalt::passes
