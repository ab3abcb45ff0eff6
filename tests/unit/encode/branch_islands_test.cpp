// SPDX-License-Identifier: MIT
// Programs of one-word instructions with branches that reach only a few words: every branch must still arrive, walking
// the encoded words as the hardware would.
#include "amdgpu/encode/branch_islands.h"

#include <gtest/gtest.h>

#include <random>

namespace spalt::encode {
namespace {

constexpr uint32_t kBranchWord = 0xbf820000u;   // s_branch
constexpr uint32_t kConditional = 0xbf840000u;  // s_cbranch_scc0
constexpr uint32_t kPayload = 0x7e000000u;      // v_mov-like word with its original position in the low bits

int32_t offset_of(uint32_t word) {
  return static_cast<int16_t>(word & 0xffffu);
}

/// Follows s_branch words from `at` until something else stands there.
size_t land(const std::vector<uint32_t>& words, size_t at) {
  for (int steps = 0; steps < 10000; ++steps) {
    if ((words.at(at) & 0xffff0000u) != kBranchWord) return at;
    at = at + 1 + static_cast<size_t>(static_cast<int64_t>(offset_of(words[at])));
  }
  ADD_FAILURE() << "branches lead in a circle";
  return 0;
}

void check(unsigned size, unsigned reach, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words, boundaries;
  std::vector<Branch> branches;
  for (uint32_t i = 0; i < size; ++i) {
    boundaries.push_back(i);
    if (i % 7 == 3) {
      words.push_back(kConditional);
      uint32_t target = static_cast<uint32_t>(random() % size);
      while (target % 7 == 3) target = static_cast<uint32_t>(random() % size);
      branches.push_back({i, target});
    } else {
      words.push_back(kPayload | i);
    }
  }
  const size_t before = words.size();
  const uint32_t inserted = resolve_branches(words, boundaries, branches, *isa::find_target("gfx1030"), reach);
  ASSERT_EQ(words.size(), before + inserted);
  // Walking straight on visits the original instructions in order.
  std::vector<size_t> where;
  for (size_t at = 0; where.size() < size; ++at) {
    at = land(words, at);
    where.push_back(at);
  }
  for (const Branch& branch : branches) {
    const uint32_t word = words[where[branch.at]];
    ASSERT_EQ(word & 0xffff0000u, kConditional);
    ASSERT_LE(std::abs(offset_of(word)), static_cast<int>(reach));
    const size_t landing =
        land(words, where[branch.at] + 1 + static_cast<size_t>(static_cast<int64_t>(offset_of(word))));
    ASSERT_EQ(words[landing], kPayload | branch.target);
  }
}

TEST(BranchIslands, NearBranchesNeedNone) {
  std::vector<uint32_t> words{kConditional, kPayload, kPayload | 2};
  EXPECT_EQ(resolve_branches(words, {0, 1, 2}, {{0, 2}}, *isa::find_target("gfx1030")), 0u);
  EXPECT_EQ(words[0], kConditional | 1);
}

TEST(BranchIslands, EveryBranchArrives) {
  for (uint32_t seed = 0; seed < 60; ++seed) check(200 + seed * 5, 90, seed);
}

/// Words that `count` conditional branches to one far word take beside themselves, with `spread` words between them.
uint32_t inserted_for(uint32_t count, uint32_t spread, bool forward) {
  std::vector<uint32_t> words, boundaries;
  std::vector<Branch> branches;
  for (uint32_t i = 0; i < count * spread; ++i) {
    boundaries.push_back(i);
    words.push_back(i % spread == 1 ? kConditional : kPayload);
    if (i % spread == 1) branches.push_back({i, forward ? count * spread - 1 : 0});
  }
  return resolve_branches(words, boundaries, branches, *isa::find_target("gfx1030"), 1000);
}

/// A loop with many breaks. Hops that are not shared would be quadratic in number, and reach nothing any more.
TEST(BranchIslands, BranchesToOneTargetShareTheirHops) {
  for (const bool forward : {true, false}) {
    const uint32_t few = inserted_for(2000, 6, forward), many = inserted_for(32000, 6, forward);
    EXPECT_LE(few, 2u * 6 * 2000 / 125);  // an island of two words each eighth of the reach
    EXPECT_LE(many, few * 20);
  }
}

TEST(BranchIslands, BackwardOffsetIsNegative) {
  std::vector<uint32_t> words{kPayload, kConditional};
  resolve_branches(words, {0, 1}, {{1, 0}}, *isa::find_target("gfx1030"));
  EXPECT_EQ(offset_of(words[1]), -2);
}

}  // namespace
}  // namespace spalt::encode
