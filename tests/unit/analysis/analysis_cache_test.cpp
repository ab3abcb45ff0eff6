// SPDX-License-Identifier: MIT
#include "analysis/analysis_cache.h"

#include "ir/cfg_edit.h"
#include "parsed.h"

namespace spalt::analysis {
namespace {

using ir::BlockId;
using test::Parsed;

constexpr const char* kLoop = R"(
func @f(%c: i1) {
b0:
  branch b1
b1: loop merge b3, continue b2
  branch_if %c, b2, b3
b2:
  branch b1
b3:
  ret
}
)";

TEST(AnalysisCache, KeepsWhatHoldsAndFollowsEdits) {
  Parsed p(kLoop);
  ir::Function& f = p.module.functions[0];
  AnalysisCache cache(f);
  const Loops& loops = cache.loops();
  const Dominance& dominance = cache.dominance();
  EXPECT_EQ(loops.size(), 1u);
  EXPECT_TRUE(dominance.reachable(p.b(2)));
  EXPECT_EQ(&cache.loops(), &loops);

  // Instructions are no part of the graph.
  const uint64_t epoch = f.flow_epoch();
  f.insert_before(f.terminator(p.b(3)), f.create(ir::Op::inot, ir::kBool, f.params));
  EXPECT_EQ(f.flow_epoch(), epoch);

  // Without the edge to b2 nothing loops, and b2 cannot be reached.
  const BlockId header = p.b(1), body = p.b(2);
  ir::make_jump(f, header, 1);
  EXPECT_NE(f.flow_epoch(), epoch);
  EXPECT_EQ(loops.size(), 1u) << "nobody has asked yet";
  EXPECT_FALSE(cache.dominance().reachable(body));
  ir::remove_unreachable_blocks(f, p.context.scratch);
  EXPECT_TRUE(cache.loops().empty());
  EXPECT_TRUE(cache.verify().ok());
}

TEST(AnalysisCache, IsComputedAgainForBlocksEdgesAndLayout) {
  Parsed p(kLoop);
  ir::Function& f = p.module.functions[0];
  uint64_t epoch = f.flow_epoch();
  const auto raised = [&] { return std::exchange(epoch, f.flow_epoch()) != f.flow_epoch(); };
  const BlockId block = f.create_block();
  EXPECT_TRUE(raised());
  f.add_edge(block, p.b(3));
  EXPECT_TRUE(raised());
  f.edit_block(block);
  EXPECT_TRUE(raised());
  f.edit_layout();
  EXPECT_TRUE(raised());
  EXPECT_EQ(f.block(block).succs.size(), 1u);
  EXPECT_FALSE(raised());
}

TEST(AnalysisCache, VerifyFindsAnEditBehindItsBack) {
  Parsed p(kLoop);
  ir::Function& f = p.module.functions[0];
  AnalysisCache cache(f);
  const BlockId header = p.b(1);
  ir::Block& kept = f.edit_block(p.b(2));  // the only way: a reference from before
  cache.loops();
  EXPECT_TRUE(cache.verify().ok());
  kept.succs[0] = p.b(3);
  std::swap(f.edit_block(header).preds[1], f.edit_block(header).preds[0]);
  EXPECT_TRUE(cache.verify().ok()) << "out of date, and not kept for that reason";
  cache.loops();
  kept.succs[0] = header;
  const Result<void> verdict = cache.verify();
  ASSERT_FALSE(verdict.ok());
  EXPECT_NE(verdict.error().message.find("loops of @f"), std::string::npos) << verdict.error().message;
}

}  // namespace
}  // namespace spalt::analysis
