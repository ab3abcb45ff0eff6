// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// How the lanes of one logical edge travel.
enum class EdgeKind : uint8_t {
  none,
  direct,  ///< the wave walks the edge with its lanes in exec
  park     ///< the lanes wait in the pending mask of the target while the wave goes on elsewhere
};

constexpr uint32_t kNoPosition = 0xffffffffu;

/// What the exec stage does with one block. Positions are indices into the layout of the selected function.
struct BlockPlan {
  EdgeKind succ[2] = {EdgeKind::none, EdgeKind::none};  ///< in the order of logical_succs
  bool parks_all = false;                               ///< no lane is left in exec at the end of the block
  bool demoted = false;                                 ///< uniform branch that must be treated as divergent
  bool back_edge = false;    ///< one successor is the header of a loop that this block closes
  bool skip = false;         ///< divergent branch: jump ahead when no lane takes the near side
  bool pending = false;      ///< some edge parks lanes here
  bool direct_pred = false;  ///< some edge brings lanes here in exec
  bool maybe_empty = false;  ///< exec may be empty at the start of the block's code
  bool check_empty = false;  ///< test exec at the start and jump ahead when it is empty
  /// Divergent branch: every lane that takes the near side arrives at the far target, so that exec before the branch
  /// can be the pending mask there.
  bool closed = false;
  /// The same for if and else: `merge` is where both sides arrive. The first block of the else side has `else_side`,
  /// and the last block of the then side has `parked_ahead`: its lanes are in the merge's mask since the branch.
  uint32_t merge = kNoPosition;
  bool else_side = false, parked_ahead = false;
  /// Loop header: the only block after the loop that its lanes leave to; they are in its mask from the start.
  uint32_t closed_exit = kNoPosition;
  uint32_t next_pending = kNoPosition;  ///< first later block that can hold parked lanes when this block ends
  uint32_t loop_end = kNoPosition;      ///< loop headers: position of the block with the back edge
};

struct Plan {
  explicit Plan(Arena& arena) : position(arena), blocks(arena) {}
  Vector<uint32_t> position;  ///< by block id
  Vector<BlockPlan> blocks;   ///< by position
  bool parks = false;         ///< some edge parks its lanes
  /// The last block, if it only ends lanes: those that come there need not wait for each other.
  uint32_t bare_return = kNoPosition;
  /// The last block with exports that are owed.
  uint32_t last_owed = kNoPosition;
  /// Whether the wave never comes to them that goes to `to` in place of the block at `passed`.
  bool passes_owed(uint32_t passed, uint32_t to) const {
    return to == bare_return && last_owed != kNoPosition && passed <= last_owed;
  }
  /// Sum over all blocks of the pending masks that may be live there: what later stages pay for, quadratic in the
  /// depth of a nest.
  uint64_t live_masks = 0;
};

/// Decides for every logical edge whether it is walked or parked, and where the wave must test for an empty exec.
/// Requires Stage::selected and the layout invariant of ir::Function with one back edge per loop; changes nothing.
/// Linear.
Plan make_plan(const mir::Function& function, Arena& scratch);

}  // namespace spalt::exec
