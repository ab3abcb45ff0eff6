// SPDX-License-Identifier: MIT
#include "base/edge_slots.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/ids.h"

namespace spalt {
namespace {

using Block = Id<struct BlockTag>;

/// Edges are entered in any order; the lists of both ends have them.
struct Graph {
  std::vector<std::vector<Block>> preds, succs;
  std::vector<Block> layout;

  explicit Graph(uint32_t blocks) : preds(blocks), succs(blocks) {
    for (uint32_t i = 0; i < blocks; ++i) layout.push_back(Block(blocks - 1 - i));
  }
  void edge(uint32_t from, uint32_t to) {
    succs[from].push_back(Block(to));
    preds[to].push_back(Block(from));
  }
  EdgeSlots<Block> slots(Arena* arena) const {
    return EdgeSlots<Block>(
        preds.size(), layout, [&](Block id) { return std::span<const Block>(preds[id.index]); },
        [&](Block id) { return std::span<const Block>(succs[id.index]); }, arena);
  }
};

/// The definition, by searching: the n-th edge from one block to another is the n-th place of the source among the
/// predecessors of the target.
uint32_t searched(const Graph& graph, Block from, size_t succ) {
  const auto& succs = graph.succs[from.index];
  size_t parallel = 0;
  for (size_t i = 0; i < succ; ++i) parallel += succs[i] == succs[succ] ? 1 : 0;
  const auto& preds = graph.preds[succs[succ].index];
  for (uint32_t slot = 0; slot < preds.size(); ++slot) {
    if (preds[slot] == from && parallel-- == 0) return slot;
  }
  return ~0u;
}

void expect_right(const Graph& graph) {
  Arena arena;
  for (Arena* memory : {static_cast<Arena*>(nullptr), &arena}) {
    const EdgeSlots<Block> slots = graph.slots(memory);
    for (const Block from : graph.layout) {
      for (size_t i = 0; i < graph.succs[from.index].size(); ++i) {
        EXPECT_EQ(slots(from, i), searched(graph, from, i)) << from.index << " edge " << i;
      }
    }
  }
}

TEST(EdgeSlots, Diamond) {
  Graph graph(4);
  graph.edge(0, 1);
  graph.edge(0, 2);
  graph.edge(2, 3);
  graph.edge(1, 3);
  expect_right(graph);
}

TEST(EdgeSlots, ParallelEdgesAreMatchedInOrder) {
  Graph graph(3);
  graph.edge(0, 2);
  graph.edge(1, 2);
  graph.edge(0, 1);
  graph.edge(0, 2);
  graph.edge(2, 2);
  graph.edge(2, 2);
  expect_right(graph);
}

TEST(EdgeSlots, RandomGraphs) {
  uint32_t random = 3;
  const auto next = [&](uint32_t bound) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % bound;
  };
  for (unsigned round = 0; round < 200; ++round) {
    const uint32_t blocks = 1 + next(12);
    Graph graph(blocks);
    for (uint32_t i = next(40); i > 0; --i) graph.edge(next(blocks), next(blocks));
    expect_right(graph);
  }
}

TEST(EdgeSlots, RefusesListsThatDisagree) {
  Graph graph(2);
  graph.edge(0, 1);
  graph.preds[1].push_back(Block(0));
  EXPECT_THROW(graph.slots(nullptr), InternalError);
}

}  // namespace
}  // namespace spalt
