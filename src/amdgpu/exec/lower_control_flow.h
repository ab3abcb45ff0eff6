// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/mir/function.h"
#include "base/compile_context.h"
#include "base/result.h"

namespace spalt::exec {

/// Most lane masks that may live, summed over all blocks (Plan::live_masks). At this number a switch of 4,000 cases
/// takes about a second and 800 MB, all stages together; nests of branches take less memory.
constexpr uint64_t kMaxLiveMasks = uint64_t{1} << 24;

/// Which blocks on critical edges stay, so that copies have a place there.
struct Config {
  bool fold_edges = true;                        ///< false: all
  std::span<const mir::LogicalEdge> kept_edges;  ///< from the branch to the block after the edge's own
};

/// Makes lane masks explicit and builds the linear graph; the mechanism is that of docs/divergence.md.
///
/// Requires Stage::selected: SSA, logical graph, layout invariant of ir::Function, one back edge per loop, critical
/// logical edges split, and SGPR phis only where all lanes of the wave arrive together (divergence analysis guarantees
/// that). Guarantees Stage::masked: every block has its linear edges and ends in p_jump, p_jump_scc1, p_jump_execz,
/// p_jump_execnz or s_endpgm; exec is what the logical graph says between p_logical_start and p_logical_end; SGPR
/// values are in strict SSA on the linear graph; no linear critical edge leads to a block with SGPR phis.
///
/// 0. fold_empty_edges, as far as the configuration allows.
/// 1. make_plan decides which edges are walked and which park their lanes.
/// 2. Blocks are rewritten in layout order. The pending mask of a block is an SSA value that flows along the linear
/// graph; it is
///    the constant 0 until somebody parks, so most masks never need a phi.
/// 3. SGPR phis change from logical to linear predecessors.
/// 4. repair_linear_ssa inserts phis where the linear graph has paths that the logical graph has not.
/// 5. split_linear_edges.
/// Linear in the size of the function times loop depth. Fails with Status::limit_exceeded, before anything quadratic,
/// where more lane masks would live than kMaxLiveMasks.
Result<void> lower_control_flow(mir::Function& function, CompileContext& context, const Config& config = {});

/// Removes blocks that only stand on a critical edge, where no phi needs them and the edge is not to be kept. Requires
/// and keeps Stage::selected but for critical edges to blocks without phis.
void fold_empty_edges(mir::Function& function, CompileContext& context,
                      std::span<const mir::LogicalEdge> kept_edges = {});

/// Gives every SGPR value a definition on every linear path to its uses: phis with undefined operands on the paths that
/// lanes do not take. Requires a linear graph; values whose definition dominates their uses on it stay as they are.
void repair_linear_ssa(mir::Function& function, CompileContext& context);

/// Splits linear edges from a block with several successors to a block with several predecessors and SGPR phis.
void split_linear_edges(mir::Function& function, CompileContext& context);

}  // namespace spalt::exec
