// SPDX-License-Identifier: MIT
// Dominators and edge slots of random graphs against their definitions.
#include "amdgpu/mir/dominance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "amdgpu/mir/edges.h"

namespace spalt::mir {
namespace {

/// Any graph, irreducible and partly unreachable ones too; edges are listed once.
Function random_graph(unsigned blocks, unsigned edges, std::mt19937& random) {
  Function function(*isa::find_target("gfx1030"), 64);
  for (unsigned i = 0; i < blocks; ++i) function.layout.push_back(function.create_block());
  for (unsigned i = 0; i < edges; ++i) {
    const BlockId from(static_cast<uint32_t>(random() % blocks)), to(static_cast<uint32_t>(random() % blocks));
    const auto& known = function.blocks[from].linear_succs;
    if (std::find(known.begin(), known.end(), to) == known.end()) function.add_linear_edge(from, to);
  }
  return function;
}

/// Blocks that the entry reaches without passing `without`.
std::vector<bool> reached(const Function& function, BlockId without) {
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<BlockId> work;
  const auto visit = [&](BlockId id) {
    if (id == without || seen[id.index]) return;
    seen[id.index] = true;
    work.push_back(id);
  };
  visit(function.layout[0]);
  while (!work.empty()) {
    const BlockId id = work.back();
    work.pop_back();
    for (BlockId succ : function.blocks[id].linear_succs) visit(succ);
  }
  return seen;
}

TEST(Dominance, OfRandomGraphs) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned blocks = 1 + static_cast<unsigned>(random() % 14);
    const Function function = random_graph(blocks, static_cast<unsigned>(random() % (3 * blocks)), random);
    const Dominance dominance(function, Graph::linear);
    const std::vector<bool> reachable = reached(function, BlockId());
    for (BlockId a : function.layout) {
      ASSERT_EQ(dominance.reachable(a), reachable[a.index]);
      const std::vector<bool> around = reached(function, a);
      for (BlockId b : function.layout) {
        const bool expected = !reachable[b.index] || (reachable[a.index] && !around[b.index]);
        ASSERT_EQ(dominance.dominates(a, b), expected) << "round " << round << " b" << a.index << " b" << b.index;
        // The immediate dominator is the one that all others dominate.
        if (!reachable[b.index] || a == b || !expected) continue;
        ASSERT_TRUE(dominance.dominates(a, dominance.idom(b)));
      }
      if (reachable[a.index] && a != function.layout[0]) {
        ASSERT_NE(dominance.idom(a), a);
        ASSERT_TRUE(dominance.dominates(dominance.idom(a), a));
      }
    }
  }
}

TEST(EdgeSlots, NameTheEdgeAtItsTarget) {
  std::mt19937 random(8);
  for (unsigned round = 0; round < 100; ++round) {
    const unsigned blocks = 1 + static_cast<unsigned>(random() % 14);
    const Function function = random_graph(blocks, static_cast<unsigned>(random() % (3 * blocks)), random);
    const EdgeSlots slots = edge_slots(function, Graph::linear);
    for (BlockId from : function.layout) {
      const auto& succs = function.blocks[from].linear_succs;
      for (uint32_t i = 0; i < succs.size(); ++i) {
        ASSERT_EQ(function.blocks[succs[i]].linear_preds[slots(from, i)], from);
      }
    }
  }
}

TEST(EdgeSlots, ParallelEdgesAreMatchedInOrder) {
  const std::vector<BlockId> layout{BlockId(0), BlockId(1)};
  const std::vector<BlockId> preds{BlockId(0), BlockId(0), BlockId(0)}, succs{BlockId(1), BlockId(1), BlockId(1)};
  const EdgeSlots slots(
      2, layout, [&](BlockId id) { return std::span<const BlockId>(preds).first(id.index == 1 ? 3 : 0); },
      [&](BlockId id) { return std::span<const BlockId>(succs).first(id.index == 0 ? 3 : 0); });
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(slots(BlockId(0), i), i);
}

}  // namespace
}  // namespace spalt::mir
