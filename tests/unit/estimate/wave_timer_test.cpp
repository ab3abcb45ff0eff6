// SPDX-License-Identifier: MIT
//
// The cycles are worked out by hand from docs/cycles.md.
#include "amdgpu/estimate/wave_timer.h"

#include "assembled.h"

namespace spalt::estimate {
namespace {

struct Timed {
  BlockTime time;
  std::vector<Issue> issues;
  UnderWay under_way;
  std::vector<uint32_t> cycles() const {
    std::vector<uint32_t> result;
    for (const Issue& issue : issues) result.push_back(issue.cycle);
    return result;
  }
};

/// The first block of the text, with s_endpgm as a block of its own after it.
Timed run(const std::string& text, const char* target = "gfx1030", unsigned wave_size = 32) {
  const Code code = code_of(text + "\ns_branch end\nend:\ns_endpgm", target, wave_size);
  Timed timed;
  timed.issues.resize(code.insts.size());
  timed.time = WaveTimer(code).run(code.blocks[0], timed.under_way, &timed.issues);
  timed.issues.resize(code.blocks[0].count - 1);  // without s_branch
  return timed;
}

using Cycles = std::vector<uint32_t>;

TEST(WaveTimer, IndependentInstructionsIssueEachCycle) {
  EXPECT_EQ(run("v_mov_b32 v0, 1\nv_mov_b32 v1, 1\ns_mov_b32 s0, 1").cycles(), (Cycles{0, 1, 2}));
}

TEST(WaveTimer, ADependentInstructionWaitsForTheResult) {
  const Timed timed = run("v_add_f32 v0, v1, v2\nv_add_f32 v3, v0, v0\ns_add_u32 s0, s1, s2\ns_add_u32 s3, s0, s0");
  EXPECT_EQ(timed.cycles(), (Cycles{0, 5, 6, 8}));
  EXPECT_EQ(timed.issues[1].stalled, 4u);
  EXPECT_EQ(timed.issues[1].stall, Stall::result);
  EXPECT_EQ(timed.time.stalls[static_cast<size_t>(Stall::result)], 5u);
}

TEST(WaveTimer, AWaveOf64TakesTwoTurns) {
  EXPECT_EQ(run("v_mov_b32 v0, 1\nv_mov_b32 v1, 1\nv_mov_b32 v2, 1", "gfx1030", 64).cycles(), (Cycles{0, 2, 4}));
}

TEST(WaveTimer, Gfx9IssuesEachFourthCycleAndNeverWaits) {
  EXPECT_EQ(run("v_add_f32 v0, v1, v2\nv_add_f32 v3, v0, v0\ns_mov_b32 s0, 1", "gfx900", 64).cycles(),
            (Cycles{0, 4, 8}));
  EXPECT_EQ(run("v_rcp_f32 v0, v1\nv_mov_b32 v2, 0", "gfx900", 64).cycles(), (Cycles{0, 16}));
}

TEST(WaveTimer, TranscendentalsOverlapOthersButNotEachOther) {
  EXPECT_EQ(run("v_rcp_f32 v0, v1\nv_mov_b32 v2, 0\nv_rcp_f32 v3, v4\nv_add_f32 v5, v0, v0").cycles(),
            (Cycles{0, 1, 4, 10}));
}

TEST(WaveTimer, DoublesKeepTheUnit) {
  EXPECT_EQ(run("v_add_f64 v[0:1], v[2:3], v[4:5]\nv_mov_b32 v6, 0").cycles(), (Cycles{0, 16}));
}

TEST(WaveTimer, ImplicitRegistersAreRead) {
  EXPECT_EQ(run("v_cmp_eq_u32 vcc_lo, v0, v1\ns_cbranch_vccz end").cycles(), (Cycles{0}));
  EXPECT_EQ(run("s_cmp_eq_u32 s0, 0\ns_cselect_b32 s1, 1, 0").cycles(), (Cycles{0, 2}));
  EXPECT_EQ(run("s_mov_b32 exec_lo, s0\nv_mov_b32 v0, 0").cycles(), (Cycles{0, 2}));
  EXPECT_EQ(run("v_mov_b32 v0, 0\nv_fmac_f32 v0, v1, v2").cycles(), (Cycles{0, 5}));
}

TEST(WaveTimer, WaitsEndWhenTheCounterIsLowEnough) {
  const std::string loads = "buffer_load_dword v0, off, s[0:3], 0\nbuffer_load_dword v1, off, s[0:3], 0\n";
  EXPECT_EQ(run(loads + "s_waitcnt vmcnt(1)\nv_mov_b32 v2, v0\ns_waitcnt vmcnt(0)").cycles(),
            (Cycles{0, 1, 320, 321, 322}));
  const Timed timed = run(loads + "s_waitcnt vmcnt(0)");
  EXPECT_EQ(timed.issues[2].stall, Stall::memory);
  EXPECT_EQ(timed.issues[2].cycle, 321u);
}

TEST(WaveTimer, CountersAreApart) {
  EXPECT_EQ(
      run("buffer_store_dword v0, off, s[0:3], 0\nds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\ns_waitcnt_vscnt null, 0")
          .cycles(),
      (Cycles{0, 1, 65, 320}));
  // On GFX9 stores count among the loads.
  EXPECT_EQ(run("buffer_store_dword v0, off, s[0:3], 0\ns_waitcnt vmcnt(0)", "gfx900", 64).cycles(), (Cycles{0, 320}));
}

TEST(WaveTimer, Gfx12HasAnInstructionForEachCounter) {
  EXPECT_EQ(
      run("s_load_b64 s[0:1], s[2:3], 0x0\nds_load_b32 v1, v2\ns_wait_kmcnt 0x0\ns_wait_dscnt 0x0", "gfx1200").cycles(),
      (Cycles{0, 1, 30, 65}));
  EXPECT_EQ(
      run("buffer_load_b32 v0, off, s[0:3], null\nds_load_b32 v1, v2\ns_wait_loadcnt_dscnt 0x100", "gfx1200").cycles(),
      (Cycles{0, 1, 65}));
}

TEST(WaveTimer, WhatDoesNothingTakesItsTime) {
  EXPECT_EQ(run("s_nop 3\nv_mov_b32 v0, 0").cycles(), (Cycles{0, 4}));
  EXPECT_EQ(run("s_sleep 2\nv_mov_b32 v0, 0").cycles(), (Cycles{0, 128}));
}

TEST(WaveTimer, WideAccessesKeepTheirUnitLonger) {
  EXPECT_EQ(run("ds_read_b128 v[0:3], v4\nds_read_b32 v5, v6", "gfx1030", 64).cycles(), (Cycles{0, 8}));
  EXPECT_EQ(run("image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
                "image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D")
                .cycles(),
            (Cycles{0, 8}));
}

TEST(WaveTimer, APairIssuesAtOnce) {
  EXPECT_EQ(run("v_dual_mov_b32 v0, v2 :: v_dual_mov_b32 v1, v3\nv_mov_b32 v4, v1", "gfx1100").cycles(),
            (Cycles{0, 5}));
}

TEST(WaveTimer, WhatIsUnderWayGoesIntoTheNextBlock) {
  const Timed timed = run("buffer_load_dword v0, off, s[0:3], 0\nv_add_f32 v1, v2, v3");
  ASSERT_EQ(timed.time.cycles, 3u);
  ASSERT_EQ(timed.under_way.results.size(), 1u);
  EXPECT_EQ(timed.under_way.results[0].ready, 3u);
  const auto& loads = timed.under_way.operations[static_cast<size_t>(Counter::load)];
  EXPECT_EQ(loads, std::vector<uint32_t>{317});
}

TEST(WaveTimer, JoiningTakesTheLater) {
  UnderWay a, b;
  a.results = {{1, 4}, {300, 7}};
  b.results = {{1, 6}, {2, 1}};
  a.operations[0] = {100};
  b.operations[0] = {50, 60};
  a.join(b);
  ASSERT_EQ(a.results.size(), 3u);
  EXPECT_EQ(a.results[0].ready, 6u);
  EXPECT_EQ(a.results[1].reg, 2u);
  EXPECT_EQ(a.operations[0], (std::vector<uint32_t>{50, 100}));
}

}  // namespace
}  // namespace spalt::estimate
