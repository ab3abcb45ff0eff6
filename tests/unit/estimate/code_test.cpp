// SPDX-License-Identifier: MIT
#include "amdgpu/estimate/code.h"

#include "assembled.h"

namespace spalt::estimate {
namespace {

std::string error_of(std::string_view text) {
  const auto code = read_text(text);
  return code ? "no error" : code.error().message;
}

TEST(EstimateCode, BlocksEndAtBranchesAndBeginAtTargets) {
  const Code code = code_of(R"(
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 last
    v_mov_b32 v0, 1
  last:
    s_endpgm)");
  ASSERT_EQ(code.blocks.size(), 3u);
  EXPECT_EQ(code.blocks[0].ending, Ending::branches);
  EXPECT_EQ(code.blocks[0].next, 1u);
  EXPECT_EQ(code.blocks[0].target, 2u);
  EXPECT_EQ(code.blocks[1].ending, Ending::falls_through);
  EXPECT_EQ(code.blocks[1].next, 2u);
  EXPECT_EQ(code.blocks[2].ending, Ending::leaves);
  EXPECT_EQ(code.blocks[2].next, kNoBlock);
}

TEST(EstimateCode, WhatNothingLeadsToIsNotRead) {
  const Code code = code_of(R"(
    s_branch over
    .long 0xffffffff
  over:
    s_endpgm
    .long 0xffffffff, 0xffffffff)");
  EXPECT_EQ(code.insts.size(), 2u);
}

TEST(EstimateCode, CodeThatOnlyLaterCodeLeadsToIsRead) {
  const Code code = code_of(R"(
    s_branch test
  body:
    v_mov_b32 v0, 1
  test:
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 body
    s_endpgm)");
  ASSERT_EQ(code.blocks.size(), 4u);
  EXPECT_EQ(code.blocks[2].target, 1u);
  EXPECT_EQ(code.blocks[1].next, 2u);
}

TEST(EstimateCode, MalformedCodeIsRefused) {
  EXPECT_EQ(error_of(""), "there is no code");
  EXPECT_EQ(error_of("v_mov_b32 v0, 1"), "control leaves the code at its end");
  EXPECT_EQ(error_of("s_nop 0\n.long 0xffffffff"), "control reaches a word that is no instruction at 0x4");
  EXPECT_EQ(error_of("s_branch 100"), "a branch leaves the code at 0x0");
  EXPECT_EQ(error_of("s_branch 0xfff0"), "a branch leaves the code at 0x0");
  EXPECT_EQ(error_of("s_mov_b32 s0, 0x12345678\ns_branch 0xfffe\ns_endpgm"),
            "control reaches the middle of an instruction at 0x4");
}

TEST(EstimateCode, AnInstructionThatBeginsInsideAnotherIsRefused) {
  // The literal of s_mov_b32 is s_endpgm, to which the branch before it leads.
  EXPECT_EQ(error_of("s_cbranch_scc0 1\ns_mov_b32 s0, 0xbf810000\ns_endpgm"),
            "control reaches the middle of an instruction at 0x8");
}

}  // namespace
}  // namespace spalt::estimate
