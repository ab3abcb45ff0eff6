// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "analysis/layout.h"
#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

constexpr uint32_t kNoLoop = 0xffffffffu;

struct Edge {
  ir::BlockId from, to;
};

/// A loop is the range of the layout from its header to the last block with an edge back to the header. That includes
/// blocks inside the range from which no path leads back, such as the body of `if (c) { ...; break; }`: a wave walks
/// them while other lanes still iterate, so for lanes they are part of the loop.
struct Loop {
  ir::BlockId header;
  uint32_t first = 0, last = 0;  ///< layout positions, inclusive
  uint32_t parent = kNoLoop;     ///< index of the innermost loop around this one
  uint32_t depth = 1;            ///< 1 for a loop in no other loop
};

/// All loops of a function, outer before inner, ordered by header. Requires the layout invariant. O(blocks + edges *
/// depth).
class Loops {
 public:
  explicit Loops(const ir::Function& function);

  std::span<const Loop> all() const { return loops_; }
  const Loop& operator[](uint32_t loop) const { return loops_[loop]; }
  bool empty() const { return loops_.empty(); }
  uint32_t size() const { return static_cast<uint32_t>(loops_.size()); }

  /// The innermost loop around the block, or kNoLoop.
  uint32_t loop_of(ir::BlockId block) const { return innermost_[block]; }
  uint32_t depth(ir::BlockId block) const { return innermost_[block] == kNoLoop ? 0 : loops_[innermost_[block]].depth; }
  uint32_t position(ir::BlockId block) const { return positions_[block]; }
  bool contains(uint32_t loop, ir::BlockId block) const {
    const uint32_t position = positions_[block];
    return position >= loops_[loop].first && position <= loops_[loop].last;
  }
  /// Edges from a block of the loop to a block outside it, in layout order of their sources.
  std::span<const Edge> exits(uint32_t loop) const {
    return std::span<const Edge>(exits_).subspan(exit_begin_[loop], exit_begin_[loop + 1] - exit_begin_[loop]);
  }

 private:
  void find_loops(const ir::Function& function);
  void find_exits(const ir::Function& function);

  IdMap<ir::BlockId, uint32_t> positions_;
  IdMap<ir::BlockId, uint32_t> innermost_;
  std::vector<Loop> loops_;
  std::vector<Edge> exits_;
  std::vector<uint32_t> exit_begin_;
};

}  // namespace spalt::analysis
