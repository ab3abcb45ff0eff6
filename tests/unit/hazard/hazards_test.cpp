// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "amdgpu/hazard/hazard_rules.h"
#include "amdgpu/hazard/resolve_hazards.h"
#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"

namespace spalt::hazard {
namespace {

/// The lines of the function after the pass, from its first block on.
std::string nops_in(const std::string& blocks) {
  auto function = mir::parse("machine gfx1030 wave32 final\n" + blocks);
  EXPECT_TRUE(function.ok()) << (function.ok() ? "" : function.error().message);
  if (!function.ok()) return "";
  CompileContext context;
  resolve_hazards(*function, context);
  const auto verdict = mir::verify(*function);
  EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : verdict.error().message);
  const std::string text = mir::print(*function);
  return text.substr(text.find("b0:"));
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

constexpr const char* kAtomic = "  buffer_atomic_fmin v0, v1, s[0:3], 0x0 offen\n";
constexpr const char* kMode = "  s_denorm_mode simm=15\n";
constexpr const char* kScalar = "  s6 = s_mov_b32 0x1\n";

std::string block(const std::string& body) {
  return "b0:\n" + body + "  s_endpgm\n";
}

// Every expectation below is what the hazard recognizer of LLVM 19 inserts for gfx1030 into the same instructions.

TEST(FloatAtomicToDenormMode, NeedsThreeWaitStates) {
  const std::string text = nops_in(block(std::string(kAtomic) + kMode));
  EXPECT_NE(text.find("  s_nop simm=2\n  s_denorm_mode"), std::string::npos) << text;
  EXPECT_EQ(count(text, "s_nop"), 1u) << text;
}

TEST(FloatAtomicToDenormMode, CountsWhatStandsBetween) {
  const std::string text = nops_in(block(std::string(kAtomic) + kScalar + kMode));
  EXPECT_NE(text.find("  s_nop simm=1\n  s_denorm_mode"), std::string::npos) << text;
  // An s_nop of the program counts as many wait states as it says.
  const std::string with_nop = nops_in(block(std::string(kAtomic) + "  s_nop simm=1\n" + kMode));
  EXPECT_NE(with_nop.find("  s_nop simm=1\n  s_nop\n  s_denorm_mode"), std::string::npos) << with_nop;
}

TEST(FloatAtomicToDenormMode, IsOverAfterThreeInstructions) {
  EXPECT_EQ(count(nops_in(block(std::string(kAtomic) + kScalar + kScalar + kScalar + kMode)), "s_nop"), 0u);
}

TEST(FloatAtomicToDenormMode, NotNeededAfterAVectorInstructionOrAWait) {
  EXPECT_EQ(count(nops_in(block(std::string(kAtomic) + "  v6 = v_mov_b32 0x1\n" + kMode)), "s_nop"), 0u);
  EXPECT_EQ(count(nops_in(block(std::string(kAtomic) + "  s_waitcnt\n" + kMode)), "s_nop"), 0u);
}

TEST(FloatAtomicToDenormMode, NotNeededForIntegersAndLds) {
  EXPECT_EQ(count(nops_in(block(std::string("  buffer_atomic_add v0, v1, s[0:3], 0x0 offen\n") + kMode)), "s_nop"), 0u);
  EXPECT_EQ(count(nops_in(block(std::string("  ds_add_f32 v0, v1\n") + kMode)), "s_nop"), 0u);
}

TEST(FloatAtomicToDenormMode, NotNeededWithoutTheModeChange) {
  EXPECT_EQ(count(nops_in(block(std::string(kAtomic) + "  s_round_mode simm=0\n")), "s_nop"), 0u);
}

TEST(FloatAtomicToDenormMode, CompareAndSwapIsOneToo) {
  const std::string swap = "  buffer_atomic_fcmpswap v[2:3], v1, s[0:3], 0x0 offen\n";
  EXPECT_EQ(count(nops_in(block(swap + kMode)), "s_nop simm=2"), 1u);
}

TEST(ResolveHazards, ReachesOverEdgesAndAroundLoops) {
  // The atomic at the end of the loop body precedes the mode change at its top.
  const std::string text = nops_in("b0: linear(-> b1)\n" + std::string(kScalar) + "b1: linear(b0, b1 -> b1, b2)\n" +
                                   kMode + "  scc = s_cmp_eq_u32 s6, 0x0\n" + kAtomic +
                                   "  s_cbranch_scc1 b1, scc\n"
                                   "b2: linear(b1 ->)\n" +
                                   kMode + "  s_endpgm\n");
  // The branch itself takes one of the three wait states.
  EXPECT_EQ(count(text, "s_nop simm=1\n  s_denorm_mode"), 2u) << text;
  EXPECT_EQ(count(text, "s_nop"), 2u) << text;
}

TEST(ResolveHazards, BlockMarkersTakeNoTime) {
  const std::string text =
      nops_in("b0: linear(-> b1)\n" + std::string(kAtomic) + "b1: linear(b0 ->)\n" + kMode + "  s_endpgm\n");
  EXPECT_EQ(count(text, "s_nop simm=2"), 1u) << text;
}

TEST(HazardRules, HaveDistinctNamesAndASource) {
  for (const HazardRule& rule : hazard_rules()) {
    EXPECT_NE(std::string(rule.source), "");
    for (const HazardRule& other : hazard_rules()) {
      EXPECT_TRUE(&rule == &other || std::string(rule.name) != other.name) << rule.name;
    }
  }
}

}  // namespace
}  // namespace spalt::hazard
