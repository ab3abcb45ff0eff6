// SPDX-License-Identifier: MIT
#include "analysis/dominance.h"

#include "parsed.h"

namespace spalt::analysis {
namespace {

using test::Parsed;

// b0 -> b1 -> (b2 | b3) -> b4, loop b1..b5, early exit b3 -> b6
constexpr std::string_view kGraph = R"(
func @f(%c: i1) {
b0:
  branch b1
b1: loop merge b6, continue b5
  branch b2x
b2x: merge b4
  branch_if %c, b2, b3
b2:
  branch b4
b3: 
  branch_if %c, b4, b6
b4:
  branch b5
b5:
  branch_if %c, b1, b6
b6:
  ret
b7:
  branch b8
b8:
  ret
}
)";

TEST(Dominance, LoopWithEarlyExit) {
  const Parsed p(kGraph);
  const Dominance d(p.function());
  // positions: 0 b0, 1 b1, 2 b2x, 3 b2, 4 b3, 5 b4, 6 b5, 7 b6, 8 and 9 unreachable
  EXPECT_FALSE(d.idom(p.b(0)).valid());
  EXPECT_EQ(d.idom(p.b(1)), p.b(0));
  EXPECT_EQ(d.idom(p.b(3)), p.b(2));
  EXPECT_EQ(d.idom(p.b(4)), p.b(2));
  EXPECT_EQ(d.idom(p.b(5)), p.b(2));  // join of both sides
  EXPECT_EQ(d.idom(p.b(6)), p.b(5));
  EXPECT_EQ(d.idom(p.b(7)), p.b(2));  // from b3 and b5
  EXPECT_EQ(d.depth(p.b(6)), 4u);
  EXPECT_TRUE(d.dominates(p.b(1), p.b(7)));
  EXPECT_TRUE(d.dominates(p.b(5), p.b(5)));
  EXPECT_FALSE(d.dominates(p.b(5), p.b(7)));
  EXPECT_FALSE(d.dominates(p.b(3), p.b(5)));
  EXPECT_EQ(d.common(p.b(4), p.b(6)), p.b(2));
}

TEST(Dominance, UnreachableBlocks) {
  const Parsed p(kGraph);
  const Dominance d(p.function());
  EXPECT_FALSE(d.reachable(p.b(8)));
  EXPECT_FALSE(d.reachable(p.b(9)));
  EXPECT_FALSE(d.dominates(p.b(0), p.b(8)));
  EXPECT_FALSE(d.dominates(p.b(8), p.b(9)));
  EXPECT_TRUE(d.dominates(p.b(8), p.b(8)));
}

TEST(Dominance, DeepChainsFindCommonAncestors) {
  // A comb: each b(i) branches to the next, and from b(7) on also to a join at the end, whose parent is b(7).
  ir::Function f;
  constexpr unsigned kLength = 5000;
  std::vector<ir::BlockId> blocks;
  for (unsigned i = 0; i <= kLength; ++i) {
    blocks.push_back(f.create_block());
    f.edit_layout().push_back(blocks.back());
  }
  for (unsigned i = 0; i + 1 < kLength; ++i) {
    f.add_edge(blocks[i], blocks[i + 1]);
    if (i >= 7) f.add_edge(blocks[i], blocks[kLength]);
  }
  f.add_edge(blocks[kLength - 1], blocks[kLength]);
  const Dominance d(f);
  EXPECT_EQ(d.idom(blocks[kLength]), blocks[7]);
  EXPECT_EQ(d.depth(blocks[kLength - 1]), kLength - 1);
  EXPECT_EQ(d.common(blocks[kLength], blocks[4999]), blocks[7]);
  EXPECT_EQ(d.common(blocks[123], blocks[4567]), blocks[123]);
}

}  // namespace
}  // namespace spalt::analysis
