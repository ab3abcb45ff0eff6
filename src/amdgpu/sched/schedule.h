// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::sched {

struct ScheduleConfig {
  /// Register dwords that values made in one block may occupy before the scheduler prefers to end values over hiding
  /// latency. A block whose given order needs more keeps that need as its budget. Where either order fills half of the
  /// VGPRs, the one with the smaller product of cycles and registers is taken, but no new one that needs more than
  /// seven eighths and than the given one.
  unsigned vgpr_budget = 40;
  unsigned sgpr_budget = 48;
  unsigned max_vgprs = 0;  ///< that the program may use; 0: what the target has
};

/// Reorders instructions between p_logical_start and p_logical_end of each block so that long latencies overlap.
///
/// Requires Stage::masked, keeps it. Forward list scheduling on the dependence graph of the block (values, physical
/// registers, memory classes; accesses stay on their side of waits and barriers): of the instructions whose operands
/// have arrived, the one with the longest path to the end of the block goes first; when the values in flight exceed the
/// budget, the one that ends most values does. Where there is dual issue, what can be half of a VOPD instruction takes
/// a partner along, one of the few that are ready (mir::may_pair). Ties keep the given order, so the result is
/// deterministic. O(n log n) in the size of a block.
void schedule(mir::Function& function, CompileContext& context, const ScheduleConfig& config = {});

}  // namespace spalt::sched
