// SPDX-License-Identifier: MIT
//
// The loops of machine code, whoever made it: the blocks need not be in any order.
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/estimate/code.h"

namespace spalt::estimate {

/// Loops nested deeper are not told apart from those around them.
constexpr unsigned kMaxLoopDepth = 64;

constexpr uint32_t kNoLoop = 0xffffffffu;

struct Loop {
  uint32_t header = kNoBlock;
  uint32_t parent = kNoLoop;
  unsigned depth = 1;
};

struct Loops {
  std::vector<uint32_t> order;    ///< blocks that can be reached, predecessors first but for edges back
  std::vector<uint32_t> number;   ///< of each block in `order`, or kNoBlock
  std::vector<Loop> loops;        ///< outer ones after what they contain
  std::vector<uint32_t> loop_of;  ///< the innermost loop of each block, or kNoLoop
  std::vector<uint32_t> first_predecessor, predecessors;  ///< of block b: from first_predecessor[b] to that of b + 1

  /// Whether an edge leads back to the header of a loop around it.
  bool is_back_edge(uint32_t from, uint32_t to) const { return number[to] <= number[from]; }
  bool contains(uint32_t loop, uint32_t block) const {
    for (uint32_t l = loop_of[block]; l != kNoLoop; l = loops[l].parent) {
      if (l == loop) return true;
    }
    return false;
  }
  /// The outermost loop that an edge leaves, or kNoLoop.
  uint32_t left_by(uint32_t from, uint32_t to) const {
    uint32_t left = kNoLoop;
    for (uint32_t l = loop_of[from]; l != kNoLoop && !contains(l, to); l = loops[l].parent) left = l;
    return left;
  }
  template <class Visit>
  void for_each_predecessor(uint32_t block, Visit&& visit) const {
    for (uint32_t i = first_predecessor[block]; i < first_predecessor[block + 1]; ++i) visit(predecessors[i]);
  }
};

/// One depth-first walk, then one against the edges.
Loops find_loops(const Code& code);

}  // namespace spalt::estimate
