// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "ir/function.h"

namespace spalt::passes {

/// Where the blocks of decision trees go in the layout of a function.
///
/// Blocks of a tree do not stand together: each one comes right before the first block that can be reached through it,
/// so that lanes with a case near the end are not told apart before the cases near the start have run. Of the lanes of
/// a divergent switch few sets wait at a time then: as many as the tree is deep, where cases stand in the order of
/// their values. With the whole tree in front there would be one for each case.
///
/// That first block may be the merge block of a construct, as where a case falls into the next one after a selection.
/// Between its header and its merge block nothing else may stand, so the block of the tree comes before the construct.
class TreeLayout {
 public:
  /// O(blocks * log blocks).
  TreeLayout(const ir::Function& function, Arena& scratch);

  /// Places the blocks of the tree that replaces the switch of `header`; they were created after this object, edges
  /// lead forward in their order.
  void place(const ir::Function& function, ir::BlockId header, std::span<const ir::BlockId> tree);
  /// The layout with all that was placed.
  ir::BlockList finish(const ir::Function& function);

 private:
  struct Placed {
    ir::BlockId block;
    uint32_t position;  ///< of the block of the old layout that it stands before
    uint32_t order;     ///< of placing
  };
  uint32_t end_of_switch(const ir::Function& function, ir::BlockId header) const;

  IdMap<ir::BlockId, uint32_t> positions_;            ///< in the old layout; of a tree's block see Placed
  Vector<std::pair<uint32_t, uint32_t>> constructs_;  ///< positions of merge block and header, sorted
  /// By position: of the first header of the constructs that end there, of those that end at that header, and so on.
  Vector<uint32_t> first_header_;
  Vector<Placed> placed_;
};

}  // namespace spalt::passes
