// SPDX-License-Identifier: MIT
// Programs of one-word instructions with branches that reach only a few words. Every branch must still arrive: the
// words are decoded and walked as the hardware would.
#include "amdgpu/encode/branches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "amdgpu/isa/codec/codec.h"

namespace spalt::encode {
namespace {

using isa::Opcode;

constexpr isa::Reg kPair = isa::sgpr(104);
constexpr Opcode kBranches[] = {Opcode::s_branch, Opcode::s_cbranch_scc0, Opcode::s_cbranch_scc1,
                                Opcode::s_cbranch_execz, Opcode::s_cbranch_execnz};

const isa::Target& target() {
  return *isa::find_target("gfx1030");
}

uint32_t one_word(Opcode opcode, int32_t simm16) {
  isa::Inst inst;
  inst.opcode = opcode;
  inst.simm16 = simm16;
  const auto encoded = isa::encode(inst, target());
  EXPECT_TRUE(encoded.ok() && encoded->count == 1);
  return encoded->words[0];
}

/// An instruction that tells its original position modulo 2^16.
uint32_t payload(uint32_t at) {
  return one_word(Opcode::s_sleep, static_cast<int32_t>(at & 0xffffu));
}

isa::Inst at(const Vector<uint32_t>& words, size_t where) {
  const auto inst = isa::decode(std::span(words).subspan(where), target(), 64);
  EXPECT_TRUE(inst.ok()) << "word " << where;
  return inst.ok() ? *inst : isa::Inst();
}

/// Where the jump leads whose s_getpc_b64 stands at `where`. 64-bit addition with carry, as in the ISA guide.
size_t landing(const Vector<uint32_t>& words, size_t where) {
  const uint64_t base = 0x12fffff00ull;  // the code crosses a multiple of 2^32
  const isa::Inst getpc = at(words, where), low = at(words, where + 1), high = at(words, where + 3),
                  setpc = at(words, where + 4);
  EXPECT_EQ(getpc.opcode, Opcode::s_getpc_b64);
  EXPECT_EQ(low.opcode, Opcode::s_add_u32);
  EXPECT_EQ(high.opcode, Opcode::s_addc_u32);
  EXPECT_EQ(setpc.opcode, Opcode::s_setpc_b64);
  EXPECT_TRUE(getpc.dst[0].reg == kPair && low.dst[0].reg == kPair && low.src[0].reg == kPair);
  EXPECT_TRUE(high.dst[0].reg == kPair.offset(1) && high.src[0].reg == kPair.offset(1) && setpc.src[0].reg == kPair);
  const uint64_t pc = base + (where + 1) * 4;
  const uint64_t sum = (pc & 0xffffffffu) + low.src[1].imm;
  const uint64_t upper = (pc >> 32) + high.src[1].imm + (sum >> 32);
  return static_cast<size_t>((((upper << 32) | (sum & 0xffffffffu)) - base) / 4);
}

struct Shape {
  Vector<uint32_t> words;
  std::vector<Branch> branches;

  void add(Opcode opcode, uint32_t to) {
    branches.push_back({static_cast<uint32_t>(words.size()), to, opcode});
    words.push_back(one_word(opcode, 0));
  }
  void add_payload() { words.push_back(payload(static_cast<uint32_t>(words.size()))); }
};

std::optional<uint32_t> resolve(Vector<uint32_t>& words, const Shape& shape, isa::Reg pair, const isa::Target& target,
                                uint32_t reach = kBranchReach, std::span<uint32_t> places = {}) {
  Arena scratch;
  return resolve_branches(words, shape.branches, pair, target, scratch, places, reach);
}

/// Walks the whole result beside the original. Returns the number of far jumps.
unsigned check(const Shape& shape, unsigned reach) {
  Vector<uint32_t> words = shape.words;
  std::vector<uint32_t> places(shape.words.size());
  std::iota(places.begin(), places.end(), 0);
  const auto inserted = resolve(words, shape, kPair, target(), reach, places);
  EXPECT_TRUE(inserted.has_value());
  // First where each original word went, then whether the branches lead there.
  std::vector<size_t> where, jumps;
  size_t next = 0, branch = 0;
  unsigned far = 0, added = 0;
  for (uint32_t i = 0; i < shape.words.size(); ++i) {
    where.push_back(next);
    if (branch == shape.branches.size() || shape.branches[branch].at != i) {
      EXPECT_EQ(words[next++], shape.words[i]);
      continue;
    }
    const Opcode wanted = shape.branches[branch++].opcode, found = at(words, next).opcode;
    const bool conditional = wanted != Opcode::s_branch, jump = found != wanted;
    jumps.push_back(jump ? next + (conditional ? 1 : 0) : SIZE_MAX);
    if (jump && conditional) {
      EXPECT_EQ(at(words, next).simm16, 5) << "the opposite branch leads over the jump";
    }
    far += jump ? 1 : 0;
    added += !jump ? 0 : conditional ? 4 : 3;
    next += !jump ? 1 : conditional ? 6 : 5;
  }
  EXPECT_EQ(next, words.size());
  EXPECT_TRUE(std::equal(places.begin(), places.end(), where.begin(), where.end()));
  EXPECT_EQ(inserted, added);
  for (size_t i = 0; i < shape.branches.size(); ++i) {
    const size_t from = where[shape.branches[i].at];
    if (jumps[i] != SIZE_MAX) {
      EXPECT_EQ(landing(words, jumps[i]), where[shape.branches[i].target]);
      continue;
    }
    const int32_t offset = static_cast<int16_t>(words[from] & 0xffffu);
    EXPECT_LE(std::abs(offset), static_cast<int>(reach));
    EXPECT_EQ(static_cast<int64_t>(from) + 1 + offset, static_cast<int64_t>(where[shape.branches[i].target]));
  }
  return far;
}

TEST(Branches, NearOnesStayAsTheyAre) {
  Shape shape;
  shape.add(Opcode::s_cbranch_scc0, 2);
  shape.add_payload();
  shape.add(Opcode::s_branch, 0);
  Vector<uint32_t> words = shape.words;
  EXPECT_EQ(resolve(words, shape, isa::kNoReg, target()), 0u);
  EXPECT_EQ(words[0], shape.words[0] | 1);
  EXPECT_EQ(words[2], shape.words[2] | 0xfffdu);
}

TEST(Branches, ReachEndsAtTheLastWord) {
  for (const uint32_t distance : {100u, 101u}) {
    for (const bool forward : {true, false}) {
      Shape shape;
      if (forward) shape.add(Opcode::s_branch, distance + 1);
      for (uint32_t i = 0; i < distance + (forward ? 1 : -1u); ++i) shape.add_payload();
      if (!forward) shape.add(Opcode::s_branch, 0);
      EXPECT_EQ(check(shape, 100), distance == 101 ? 1u : 0u);
    }
  }
}

TEST(Branches, AConditionalJumpGoesOverTheOpposite) {
  const std::pair<Opcode, Opcode> opposites[] = {{Opcode::s_cbranch_scc0, Opcode::s_cbranch_scc1},
                                                 {Opcode::s_cbranch_vccz, Opcode::s_cbranch_vccnz},
                                                 {Opcode::s_cbranch_execz, Opcode::s_cbranch_execnz}};
  for (const auto& [a, b] : opposites) {
    for (const bool swapped : {false, true}) {
      Shape shape;
      shape.add(swapped ? b : a, 60);
      for (int i = 0; i < 80; ++i) shape.add_payload();
      Vector<uint32_t> words = shape.words;
      EXPECT_EQ(resolve(words, shape, kPair, target(), 50), 4u);
      EXPECT_EQ(words[0], one_word(swapped ? a : b, 5));
    }
  }
}

TEST(Branches, EveryBranchArrives) {
  unsigned far = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const uint32_t size = 200 + seed * 5;
    Shape shape;
    for (uint32_t i = 0; i < size; ++i) {
      if (i % 7 == 3) {
        shape.add(kBranches[random() % std::size(kBranches)], static_cast<uint32_t>(random() % size));
      } else {
        shape.add_payload();
      }
    }
    far += check(shape, 90);
  }
  EXPECT_GT(far, 1000u);
}

/// Each branch is just in reach until the one after it grows: more rounds than the resolver tries one by one.
TEST(Branches, JumpsThatPushEachOtherOut) {
  Shape shape;
  constexpr uint32_t kCount = 100, kReach = 1000;
  for (uint32_t i = 0; i < kCount; ++i) {
    // Branch i lies i places before the last; there are 5 words of growth for each branch after it.
    shape.add(Opcode::s_cbranch_scc0, 2 * i + 1 + kReach - 5 * (kCount - 1 - i) + (i + 1 == kCount ? 1 : 4));
    shape.add_payload();
  }
  while (shape.words.size() < 2 * kCount + kReach + 10) shape.add_payload();
  EXPECT_EQ(check(shape, kReach), kCount);
}

TEST(Branches, WithoutAPairNothingChanges) {
  Shape shape;
  shape.add(Opcode::s_branch, 70);
  for (int i = 0; i < 80; ++i) shape.add_payload();
  Vector<uint32_t> words = shape.words;
  EXPECT_EQ(resolve(words, shape, isa::kNoReg, target(), 50), std::nullopt);
  EXPECT_EQ(words, shape.words);
}

/// The distances of the branches after resolving for that target; -1 for an s_nop.
std::vector<int32_t> distances(const Shape& shape, const char* name) {
  Vector<uint32_t> words = shape.words;
  const auto inserted = resolve(words, shape, isa::kNoReg, *isa::find_target(name));
  EXPECT_TRUE(inserted.has_value());
  EXPECT_EQ(words.size(), shape.words.size() + inserted.value_or(0));
  std::vector<int32_t> out;
  for (size_t i = 0; i < words.size(); ++i) {
    const isa::Inst inst = at(words, i);
    if (inst.opcode == Opcode::s_nop) out.push_back(-1);
    if (inst.opcode != Opcode::s_nop && inst.opcode != Opcode::s_sleep) out.push_back(inst.simm16);
  }
  return out;
}

/// A branch over so many words.
Shape forward(uint32_t count) {
  Shape shape;
  shape.add(Opcode::s_cbranch_scc0, count + 1);
  for (uint32_t i = 0; i <= count; ++i) shape.add_payload();
  return shape;
}

TEST(BranchOffset3f, GetsAnInstructionAfterTheBranch) {
  EXPECT_EQ(distances(forward(63), "gfx1010"), (std::vector<int32_t>{64, -1}));
  EXPECT_EQ(distances(forward(62), "gfx1010"), (std::vector<int32_t>{62}));
  EXPECT_EQ(distances(forward(64), "gfx1010"), (std::vector<int32_t>{64}));
  EXPECT_EQ(distances(forward(63), "gfx1030"), (std::vector<int32_t>{63}));
}

TEST(BranchOffset3f, MovesBranchesAroundItToTheBrokenDistance) {
  // Each skips the ones after it. The last has the broken distance; padding it brings the one before to it, and both
  // the first.
  const auto nest = [](uint32_t last) {
    Shape shape;
    shape.add(Opcode::s_branch, 62);
    shape.add(Opcode::s_cbranch_scc1, 64);
    shape.add(Opcode::s_cbranch_scc0, last);
    while (shape.words.size() < 70) shape.add_payload();
    return shape;
  };
  EXPECT_EQ(distances(nest(66), "gfx1010"), (std::vector<int32_t>{64, -1, 64, -1, 64, -1}));
  EXPECT_EQ(distances(nest(67), "gfx1010"), (std::vector<int32_t>{61, 62, 64}));
}

}  // namespace
}  // namespace spalt::encode
