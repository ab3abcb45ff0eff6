// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "analysis/layout.h"
#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

constexpr uint32_t kNoLoop = 0xffffffffu;

struct Edge {
  ir::BlockId from, to;
  bool operator==(const Edge&) const = default;
};

/// A loop is the range of the layout from its header to the last block with an edge back to the header. That includes
/// blocks inside the range from which no path leads back, such as the body of `if (c) { ...; break; }`: a wave walks
/// them while other lanes still iterate, so for lanes they are part of the loop.
struct Loop {
  ir::BlockId header;
  uint32_t first = 0, last = 0;  ///< layout positions, inclusive
  uint32_t parent = kNoLoop;     ///< index of the innermost loop around this one
  uint32_t depth = 1;            ///< 1 for a loop in no other loop
  bool operator==(const Loop&) const = default;
};

/// All loops of a function, outer before inner, ordered by header. Requires the layout invariant. O(blocks + edges *
/// depth).
class Loops {
 public:
  /// `arena` (the heap if null) has the tables. Of no function yet.
  explicit Loops(Arena* arena = nullptr)
      : positions_(arena), innermost_(arena), loops_(arena), exits_(arena), exit_begin_(arena) {}
  explicit Loops(const ir::Function& function, Arena* arena = nullptr) : Loops(arena) { compute(function); }
  /// Forgets what was known before. Tables that are large enough stay.
  void compute(const ir::Function& function);

  bool operator==(const Loops& other) const = default;

  std::span<const Loop> all() const { return loops_; }
  const Loop& operator[](uint32_t loop) const { return loops_[loop]; }
  bool empty() const { return loops_.empty(); }
  uint32_t size() const { return static_cast<uint32_t>(loops_.size()); }

  /// The innermost loop around the block, or kNoLoop.
  uint32_t loop_of(ir::BlockId block) const { return loops_.empty() ? kNoLoop : innermost_[block]; }
  uint32_t depth(ir::BlockId block) const {
    const uint32_t loop = loop_of(block);
    return loop == kNoLoop ? 0 : loops_[loop].depth;
  }
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
  void find_innermost(const ir::Function& function);
  void find_exits(const ir::Function& function);

  IdMap<ir::BlockId, uint32_t> positions_;
  IdMap<ir::BlockId, uint32_t> innermost_;  ///< empty without loops
  Vector<Loop> loops_;
  Vector<Edge> exits_;           ///< by loop
  Vector<uint32_t> exit_begin_;  ///< by loop, and the end; empty without loops
};

}  // namespace spalt::analysis
