// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "amdgpu/hazard/insert_waits.h"
#include "amdgpu/hazard/wait_state.h"
#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"

namespace spalt::hazard {
namespace {

const isa::Target& target() {
  return *isa::find_target("gfx1030");
}

Outstanding load(unsigned vgpr) {
  return {isa::vgpr(vgpr), 1, Counter::vm, false, 0};
}
Outstanding scalar_load(unsigned sgpr) {
  return {isa::sgpr(sgpr), 2, Counter::lgkm, true, 0};
}
Outstanding lds_read(unsigned vgpr) {
  return {isa::vgpr(vgpr), 1, Counter::lgkm, false, 0};
}

uint8_t needed(const WaitState& state, isa::Reg reg, Counter counter) {
  Waits waits;
  state.require_read(reg, 1, waits);
  return waits[counter];
}

TEST(WaitState, LoadsReturnInOrder) {
  WaitState state;
  for (unsigned i = 0; i < 4; ++i) state.issue(load(i), target());
  EXPECT_EQ(needed(state, isa::vgpr(0), Counter::vm), 3);
  EXPECT_EQ(needed(state, isa::vgpr(3), Counter::vm), 0);
  EXPECT_EQ(needed(state, isa::vgpr(4), Counter::vm), Waits::kNone);
  Waits waits;
  waits.require(Counter::vm, 2);
  state.apply(waits);
  EXPECT_EQ(needed(state, isa::vgpr(1), Counter::vm), Waits::kNone);
  EXPECT_EQ(needed(state, isa::vgpr(2), Counter::vm), 1);
}

TEST(WaitState, ScalarLoadsReturnInAnyOrder) {
  WaitState state;
  state.issue(scalar_load(0), target());
  state.issue(scalar_load(4), target());
  EXPECT_EQ(needed(state, isa::sgpr(0), Counter::lgkm), 0);
  // An LDS result after a scalar load cannot be told apart by the shared counter.
  state.issue(lds_read(1), target());
  state.issue(lds_read(2), target());
  EXPECT_EQ(needed(state, isa::vgpr(1), Counter::lgkm), 0);
}

TEST(WaitState, LdsAloneIsInOrder) {
  WaitState state;
  state.issue(lds_read(1), target());
  state.issue(lds_read(2), target());
  EXPECT_EQ(needed(state, isa::vgpr(1), Counter::lgkm), 1);
}

TEST(WaitState, MoreLoadsThanTheCounterHoldsStillWait) {
  WaitState state;
  state.issue(load(200), target());
  for (unsigned i = 0; i < 2u * target().vmcnt_max; ++i) state.issue(load(i), target());
  EXPECT_EQ(needed(state, isa::vgpr(200), Counter::vm), target().vmcnt_max - 1);
  EXPECT_EQ(needed(state, isa::vgpr(2u * target().vmcnt_max - 1), Counter::vm), 0);
}

TEST(WaitState, JoinKeepsTheStricterDistance) {
  WaitState a, b;
  a.issue(load(0), target());
  a.issue(load(1), target());
  b.issue(load(0), target());
  EXPECT_TRUE(b.join(a));
  EXPECT_EQ(needed(b, isa::vgpr(0), Counter::vm), 0);
  EXPECT_EQ(needed(b, isa::vgpr(1), Counter::vm), 0);
  EXPECT_FALSE(b.join(a));
}

/// Runs the pass over a body of one block and returns its lines.
std::string waits_in(const std::string& body) {
  auto function = mir::parse("machine gfx1030 wave32 final\nb0:\n" + body);
  EXPECT_TRUE(function.ok()) << (function.ok() ? "" : function.error().message);
  if (!function.ok()) return "";
  CompileContext context;
  insert_waits(*function, context);
  const std::string text = mir::print(*function);
  return text.substr(text.find("b0:"));
}

TEST(InsertWaits, BeforeTheFirstUseOnly) {
  const std::string text = waits_in(
      "  v0 = buffer_load_dword v1, s[0:3], 0x0 offen\n"
      "  v2 = v_mov_b32 v3\n"
      "  v4 = v_mov_b32 v0\n"
      "  v5 = v_mov_b32 v0\n"
      "  s_endpgm\n");
  const size_t wait = text.find("s_waitcnt");
  ASSERT_NE(wait, std::string::npos) << text;
  EXPECT_GT(wait, text.find("v2 = v_mov_b32"));
  EXPECT_LT(wait, text.find("v4 = v_mov_b32"));
  EXPECT_EQ(text.find("s_waitcnt", wait + 1), std::string::npos) << text;
}

TEST(InsertWaits, OverwritingALoadTargetWaits) {
  EXPECT_NE(
      waits_in("  v0 = buffer_load_dword v1, s[0:3], 0x0 offen\n  v0 = v_mov_b32 v3\n  s_endpgm\n").find("s_waitcnt"),
      std::string::npos);
}

TEST(InsertWaits, AStoreNeedsNoWaitBeforeItsDataChanges) {
  EXPECT_EQ(
      waits_in("  buffer_store_dword v0, v1, s[0:3], 0x0 offen\n  v0 = v_mov_b32 v3\n  s_endpgm\n").find("s_waitcnt"),
      std::string::npos);
}

TEST(InsertWaits, ExplicitWaitsVanishWhenNothingIsOutstanding) {
  EXPECT_EQ(waits_in("  p_wait simm=7\n  s_endpgm\n").find("wait"), std::string::npos);
  EXPECT_NE(waits_in("  buffer_store_dword v0, v1, s[0:3], 0x0 offen\n  p_wait simm=2\n  s_barrier\n  s_endpgm\n")
                .find("s_waitcnt_vscnt"),
            std::string::npos);
}

TEST(InsertWaits, ALoadBeforeTheLoopIsAwaitedInsideOnce) {
  auto function = mir::parse(
      "machine gfx1030 wave32 final\n"
      "b0: linear(-> b1)\n"
      "  v0 = buffer_load_dword v1, s[0:3], 0x0 offen\n"
      "b1: linear(b0, b1 -> b1, b2)\n"
      "  v2 = v_mov_b32 v0\n"
      "  v0 = buffer_load_dword v1, s[0:3], 0x0 offen\n"
      "  s_cbranch_scc1 b1, scc\n"
      "b2: linear(b1 ->)\n"
      "  s_endpgm\n");
  ASSERT_TRUE(function.ok()) << function.error().message;
  CompileContext context;
  insert_waits(*function, context);
  const std::string text = mir::print(*function);
  EXPECT_GT(text.find("s_waitcnt"), text.find("b1:")) << text;
  EXPECT_LT(text.find("s_waitcnt"), text.find("v2 = v_mov_b32")) << text;
}

}  // namespace
}  // namespace spalt::hazard
