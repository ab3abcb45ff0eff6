// SPDX-License-Identifier: MIT
// The counters of GFX12 and its barriers in two halves: each rule with a program that breaks it and a near miss that
// keeps it. Rules from the RDNA 4 ISA guide, sections 5.6 and 5.7, and from what LLVM inserts (docs/isa-errata.md).
#include <gtest/gtest.h>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

class SplitWaits : public testing::Test {
 protected:
  SplitWaits() : in_(256), out_(256, 0) {
    for (uint32_t i = 0; i < in_.size(); ++i) in_[i] = 1000 + i;
  }
  std::string run(const std::string& body, unsigned threads = 32) {
    return run_snippet("v_lshlrev_b32 v1, 2, v0\n" + body, {&in_, &out_}, 32, 4096, threads, "gfx1200");
  }
  void expect_fault(const std::string& body, const std::string& part, unsigned threads = 32) {
    const std::string fault = run(body, threads);
    EXPECT_NE(fault.find(part), std::string::npos) << "got \"" << fault << "\" for\n" << body;
  }
  void expect_clean(const std::string& body, unsigned threads = 32) { EXPECT_EQ(run(body, threads), "") << body; }

  std::vector<uint32_t> in_, out_;
};

const std::string kLoad = "buffer_load_b32 v2, v1, s[8:11], null offen\n";
const std::string kStore = "buffer_store_b32 v2, v1, s[12:15], null offen\n";
// The address of the input in v[4:5].
const std::string kAddress =
    "s_and_b32 s20, s9, 0xffff\nv_add_co_u32 v4, vcc_lo, s8, v1\nv_mov_b32 v5, s20\n"
    "v_add_co_ci_u32 v5, vcc_lo, 0, v5, vcc_lo\n";

TEST_F(SplitWaits, VectorLoadsNeedLoadcnt) {
  for (const char* other : {"s_wait_storecnt 0x0", "s_wait_dscnt 0x0", "s_wait_kmcnt 0x0", "s_wait_samplecnt 0x0",
                            "s_wait_bvhcnt 0x0", "s_wait_expcnt 0x0", "s_wait_storecnt_dscnt 0x0"}) {
    expect_fault(kLoad + other + "\nv_add_nc_u32 v3, v2, v2",
                 "reads v2 while a load into it is in flight (no s_wait_loadcnt)");
  }
  for (const char* wait : {"s_wait_loadcnt 0x0", "s_wait_loadcnt_dscnt 0x0", "s_wait_loadcnt_dscnt 0x3f", "s_wait_idle",
                           "s_waitcnt 0xffff"}) {
    expect_clean(kLoad + wait + "\n" + kStore);
    EXPECT_EQ(out_[5], in_[5]) << wait;
  }
}

TEST_F(SplitWaits, LoadcntCountsInOrder) {
  const std::string two = kLoad + "buffer_load_b32 v3, v1, s[8:11], null offen offset:4\n";
  expect_clean(two + "s_wait_loadcnt 0x1\nv_mov_b32 v4, v2");
  expect_clean(two + "s_wait_loadcnt_dscnt 0x13f\nv_mov_b32 v4, v2");
  expect_fault(two + "s_wait_loadcnt 0x1\nv_mov_b32 v4, v3", "reads v3");
  // Only six bits of the immediate count.
  expect_clean(two + "s_wait_loadcnt 0x40\nv_mov_b32 v4, v3");
}

TEST_F(SplitWaits, LoadsIntoOneRegisterMayArriveInAnyOrder) {
  expect_fault(kLoad + "buffer_load_b32 v2, v1, s[8:11], null offen offset:4", "overwrites v2");
  expect_fault("buffer_load_d16_b16 v2, v1, s[8:11], null offen\nbuffer_load_d16_hi_b16 v2, v1, s[8:11], null offen",
               "overwrites v2");
  expect_clean(kLoad + "s_wait_loadcnt 0x0\nbuffer_load_b32 v2, v1, s[8:11], null offen offset:4");
  // Two lanes of one register are not the same place.
  expect_clean("s_mov_b32 exec_lo, 0xffff\n" + kLoad + "s_mov_b32 exec_lo, 0xffff0000\n" + kLoad);
}

TEST_F(SplitWaits, StoresCountApart) {
  expect_clean(kLoad + "v_mov_b32 v5, 0\nbuffer_store_b32 v5, v1, s[12:15], null offen\ns_wait_loadcnt 0x0\n" + kStore);
  // Data of a store may be overwritten at once: the hardware holds the vector instruction back.
  expect_clean("v_mov_b32 v2, 7\n" + kStore + "v_mov_b32 v2, 8\n");
  EXPECT_EQ(out_[3], 7u);
}

TEST_F(SplitWaits, ScalarLoadsNeedKmcntZero) {
  const std::string one = "s_buffer_load_b32 s20, s[8:11], 0x8\n";
  const std::string missing = "reads scalar register 20 while a scalar load into it is in flight (no s_wait_kmcnt 0x0)";
  expect_fault(one + "s_wait_dscnt 0x0\ns_mov_b32 s21, s20", missing);
  expect_fault(one + "s_wait_loadcnt_dscnt 0x0\ns_mov_b32 s21, s20", missing);
  expect_fault(one + "s_buffer_load_b32 s22, s[8:11], 0xc\ns_wait_kmcnt 0x1\ns_mov_b32 s21, s20", missing);
  expect_fault(one + "s_mov_b32 s20, 0", "overwrites scalar register 20");
  expect_clean(one + "s_wait_kmcnt 0x0\nv_mov_b32 v2, s20\n" + kStore);
  EXPECT_EQ(out_[0], in_[2]);
  // Five bits.
  expect_clean(one + "s_wait_kmcnt 0x20\nv_mov_b32 v2, s20");
}

TEST_F(SplitWaits, LdsIsInOrderWhateverScalarLoadsDo) {
  const std::string write = "v_mov_b32 v4, 42\nds_store_b32 v1, v4\n";
  expect_fault(write + "ds_load_b32 v2, v1\ns_wait_kmcnt 0x0\nv_mov_b32 v3, v2", "(no s_wait_dscnt)");
  expect_clean(write + "ds_load_b32 v2, v1\ns_wait_dscnt 0x0\n" + kStore);
  EXPECT_EQ(out_[9], 42u);
  // A count above zero says something although a scalar load is outstanding, unlike that of lgkmcnt.
  const std::string two =
      write + "s_buffer_load_b32 s20, s[8:11], 0x8\nds_load_b32 v2, v1\nds_load_b32 v3, v1\ns_wait_dscnt 0x1\n";
  expect_clean(two + "v_mov_b32 v5, v2");
  expect_fault(two + "v_mov_b32 v5, v3", "reads v3");
}

TEST_F(SplitWaits, FlatCountsTwice) {
  const std::string flat = kAddress + "flat_load_b32 v2, v[4:5]\n";
  expect_fault(flat + "s_wait_loadcnt 0x0\nv_mov_b32 v3, v2", "(no s_wait_dscnt)");
  expect_fault(flat + "s_wait_dscnt 0x0\nv_mov_b32 v3, v2", "(no s_wait_loadcnt)");
  expect_clean(flat + "s_wait_loadcnt_dscnt 0x0\n" + kStore);
  EXPECT_EQ(out_[6], in_[6]);
  // In order with the others of both counters.
  const std::string more = flat + "ds_load_b32 v3, v1\nbuffer_load_b32 v6, v1, s[8:11], null offen\n";
  expect_clean(more + "s_wait_loadcnt_dscnt 0x101\n" + kStore);
  expect_fault(more + "s_wait_loadcnt_dscnt 0x101\nv_mov_b32 v7, v3", "reads v3");
}

TEST_F(SplitWaits, StoresAreSeenByOthersOnlyAfterStorecnt) {
  const auto pair = [this](const std::string& wait) {
    std::fill(out_.begin(), out_.end(), 0);
    expect_clean(
        "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccz reader\nv_mov_b32 v2, 77\n" + kStore + wait +
            "s_barrier_signal -1\ns_barrier_wait -1\ns_branch end\nreader:\ns_barrier_signal -1\ns_barrier_wait -1\n"
            "v_subrev_nc_u32 v3, 0x80, v1\nbuffer_load_b32 v2, v3, s[12:15], null offen\ns_wait_loadcnt 0x0\n"
            "buffer_store_b32 v2, v1, s[12:15], null offen offset:256\nend:\n",
        64);
    return out_[64 + 32 + 3];
  };
  EXPECT_EQ(pair("s_wait_storecnt 0x0\n"), 77u);
  EXPECT_EQ(pair("s_wait_storecnt_dscnt 0x0\n"), 77u);
  EXPECT_EQ(pair("s_wait_loadcnt 0x0\n"), 0u) << "without the wait, the other wave must read the old value";
}

// ---- flat accesses on the generations before ----

TEST(FlatWaits, OvertakeOthersOnGfx9Alone) {
  std::vector<uint32_t> in(64, 5), out(64);
  const auto fault = [&](const char* target, const std::string& add, unsigned wave) {
    return run_snippet(
        "v_lshlrev_b32 v1, 2, v0\ns_and_b32 s20, s9, 0xffff\nv_mov_b32 v5, s20\n" + add +
            "flat_load_dword v2, v[4:5]\nds_read_b32 v3, v1\nbuffer_load_dword v6, v1, s[8:11], 0 offen\n"
            "s_waitcnt vmcnt(1) lgkmcnt(1)\nv_mov_b32 v7, v2\n",
        {&in, &out}, wave, 4096, 0, target);
  };
  EXPECT_EQ(fault("gfx1030", "v_add_nc_u32 v4, s8, v1\n", 32), "");
  EXPECT_NE(fault("gfx900", "v_add_u32 v4, s8, v1\n", 64).find("reads v2"), std::string::npos);
}

// ---- barriers ----

const std::string kSignal = "s_barrier_signal -1\n", kWait = "s_barrier_wait -1\n";
// v2 of every lane to its place; the second wave's half begins at 32.
const std::string kWaveNumber = "v_readfirstlane_b32 s24, v0\ns_lshr_b32 s24, s24, 5\n";

TEST_F(SplitWaits, WorkBetweenSignalAndWaitIsFree) {
  expect_clean("v_mov_b32 v2, 9\n" + kSignal + "v_add_nc_u32 v2, 1, v2\n" + kWait + kSignal + kWait + kStore, 96);
  EXPECT_EQ(out_[95], 10u);
}

TEST_F(SplitWaits, ABarrierCountsWavesThatHaveNotEnded) {
  expect_clean(kWaveNumber + "s_cmp_eq_u32 s24, 1\ns_cbranch_scc1 end\n" + kSignal + kWait + "end:\n", 96);
}

TEST_F(SplitWaits, OneSignalForEachWait) {
  expect_fault(kSignal + kSignal, "signals the barrier of the workgroup again", 64);
  expect_fault(kWait, "cannot complete without the wave's own signal", 64);
  expect_fault(kSignal + kWait + kWait, "cannot complete without the wave's own signal", 64);
  expect_clean(kSignal + kSignal + kWait + kWait, 32);  // alone
  expect_clean("s_barrier_signal 0\ns_barrier_signal -2\ns_barrier_wait -2\n", 64);
  expect_fault("s_barrier_signal 3\n", "names barrier 3", 64);
  expect_fault("s_mov_b32 m0, 5\ns_barrier_signal m0\n", "names barrier 5", 64);
  expect_fault("s_barrier_wait 1\n", "waits for barrier 1", 64);
}

TEST_F(SplitWaits, OneWaveIsFirst) {
  std::fill(out_.begin(), out_.end(), 0);
  const std::string count = "s_cselect_b32 s20, 1, 0\nv_mov_b32 v2, s20\n";
  expect_clean("s_barrier_signal_isfirst -1\n" + kWait + count + kStore, 128);
  EXPECT_EQ(out_[0] + out_[32] + out_[64] + out_[96], 1u);
  expect_clean("s_barrier_signal_isfirst -1\n" + kWait + "s_barrier_signal_isfirst -1\n" + kWait + count + kStore, 128);
  EXPECT_EQ(out_[0] + out_[32] + out_[64] + out_[96], 1u);
  expect_clean("s_barrier_signal_isfirst -1\ns_wait_kmcnt 0x0\n" + count + kStore + kWait, 64);
  expect_fault("s_barrier_signal_isfirst -1\n" + count, "uses scc while s_barrier_signal_isfirst", 64);
  expect_fault("s_barrier_signal_isfirst -1\ns_cmp_eq_u32 s0, s0\n", "uses scc", 64);
  // A wave alone is never the first.
  expect_clean("s_cmp_eq_u32 s0, s0\ns_barrier_signal_isfirst -1\ns_wait_kmcnt 0x0\n" + count + kStore, 32);
  EXPECT_EQ(out_[0], 0u);
}

TEST_F(SplitWaits, BarrierState) {
  const std::string read = "s_get_barrier_state s20, -1\n", use = "v_mov_b32 v2, s20\n";
  expect_fault(read + use, "(no s_wait_kmcnt 0x0)", 64);
  // Three members, this wave is the first to look and nobody has signalled.
  expect_clean(read + "s_wait_kmcnt 0x0\n" + use + kStore + kSignal + kWait, 96);
  EXPECT_EQ(out_[0], 0x31u);
  expect_clean(kSignal + read + "s_wait_kmcnt 0x0\n" + use + kStore + kWait, 96);
  EXPECT_EQ(std::min({out_[0], out_[32], out_[64]}), 0x10031u);
  EXPECT_EQ(std::max({out_[0], out_[32], out_[64]}), 0x30031u);
}

}  // namespace
}  // namespace spalt::emu::test
