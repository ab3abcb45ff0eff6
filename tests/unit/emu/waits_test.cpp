// SPDX-License-Identifier: MIT
// The emulator is adversarial about waits: each rule with a program that breaks it and a near miss that keeps it.
#include <gtest/gtest.h>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

constexpr const char* kReadsEarly = "while a load into it is in flight";

class Waits : public testing::Test {
 protected:
  Waits() : in_(256), out_(256, 0) {
    for (uint32_t i = 0; i < in_.size(); ++i) in_[i] = 1000 + i;
  }
  std::string run(const std::string& body) { return run_snippet("v_lshlrev_b32 v1, 2, v0\n" + body, {&in_, &out_}); }
  void expect_fault(const std::string& body, const std::string& part) {
    const std::string fault = run(body);
    EXPECT_NE(fault.find(part), std::string::npos) << "got \"" << fault << "\" for\n" << body;
  }
  void expect_clean(const std::string& body) { EXPECT_EQ(run(body), "") << body; }

  std::vector<uint32_t> in_, out_;
};

const std::string kLoad = "buffer_load_dword v2, v1, s[8:11], 0 offen\n";
const std::string kStore = "buffer_store_dword v2, v1, s[12:15], 0 offen\n";

TEST_F(Waits, VectorLoadNeedsVmcnt) {
  expect_fault(kLoad + "v_add_nc_u32 v3, v2, v2", "reads v2");
  expect_fault(kLoad + kStore, "reads v2");
  expect_fault(kLoad + "v_mov_b32 v2, 0", "overwrites v2");
  expect_fault(kLoad + "s_waitcnt lgkmcnt(0)\nv_add_nc_u32 v3, v2, v2", kReadsEarly);
  expect_fault(kLoad + "s_waitcnt_vscnt null, 0x0\nv_add_nc_u32 v3, v2, v2", kReadsEarly);
  expect_clean(kLoad + "s_waitcnt vmcnt(0)\nv_add_nc_u32 v2, 1, v2\n" + kStore);
  EXPECT_EQ(out_[5], in_[5] + 1);
}

TEST_F(Waits, AnUntouchedRegisterNeedsNoWait) {
  expect_clean(kLoad + "v_add_nc_u32 v3, v0, v0");
  expect_clean(kLoad);
}

TEST_F(Waits, VmcntCountsInOrder) {
  const std::string two = kLoad + "buffer_load_dword v3, v1, s[8:11], 0 offen offset:4\n";
  expect_clean(two + "s_waitcnt vmcnt(1)\nv_mov_b32 v4, v2");
  expect_fault(two + "s_waitcnt vmcnt(1)\nv_mov_b32 v4, v3", "reads v3");
  expect_fault(two + "s_waitcnt vmcnt(2)\nv_mov_b32 v4, v2", "reads v2");
  // A store in between does not count in vmcnt.
  expect_clean(kLoad +
               "v_mov_b32 v5, 0\nbuffer_store_dword v5, v1, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v2");
}

TEST_F(Waits, LoadsIntoOneRegisterArriveInOrder) {
  expect_clean(kLoad + "buffer_load_dword v2, v1, s[8:11], 0 offen offset:4\ns_waitcnt vmcnt(0)\n" + kStore);
  EXPECT_EQ(out_[3], in_[4]);
  expect_fault(kLoad + "ds_read_b32 v2, v1", "overwrites v2");
}

TEST_F(Waits, RegistersFoundAtRunTimeAreWaitedForToo) {
  const std::string load = "s_load_dwordx2 s[22:23], s[4:5], 0\ns_mov_b32 m0, 2\n", wait = "s_waitcnt lgkmcnt(0)\n";
  expect_fault(load + "s_movrels_b32 s26, s21", "reads scalar register 23");
  expect_fault(load + "s_movreld_b32 s20, s26", "overwrites scalar register 22");
  expect_fault(load + "s_movrels_b64 s[26:27], s[20:21]", "reads scalar register 22");
  expect_clean(load + wait + "s_movrels_b32 s26, s21\ns_movreld_b32 s20, s26\ns_movrels_b64 s[26:27], s[20:21]");
  expect_clean(load + "s_movrels_b32 s26, s24");
}

TEST_F(Waits, LoadsIntoHalvesMergeInOrder) {
  // LLVM puts no wait between the two (docs/isa-errata.md, "Semantics").
  const std::string low = "buffer_load_short_d16 v2, v1, s[8:11], 0 offen\n",
                    high = "buffer_load_short_d16_hi v2, v1, s[8:11], 0 offen offset:4\n";
  expect_clean("v_mov_b32 v2, 0x99999999\n" + low + high + "s_waitcnt vmcnt(0)\n" + kStore);
  EXPECT_EQ(out_[3], in_[3] | in_[4] << 16);
  expect_fault(low + high + "s_waitcnt vmcnt(1)\n" + kStore, "reads v2");
  expect_fault("ds_read_u16_d16 v2, v1\n" + high, "overwrites v2");
}

TEST_F(Waits, InactiveLanesDoNotConflict) {
  expect_clean("s_mov_b32 exec_lo, 0xffff\n" + kLoad +
               "s_mov_b32 exec_lo, 0xffff0000\nv_mov_b32 v2, 7\ns_mov_b32 exec_lo, -1\ns_waitcnt vmcnt(0)\n" + kStore);
  EXPECT_EQ(out_[3], in_[3]);
  EXPECT_EQ(out_[20], 7u);
  expect_fault("s_mov_b32 exec_lo, 0xffff\n" + kLoad + "s_mov_b32 exec_lo, 0xffff8000\nv_mov_b32 v2, 7",
               "overwrites v2");
  // Lane crossing looks beyond exec.
  expect_fault("s_mov_b32 exec_lo, 0xffff\n" + kLoad + "s_mov_b32 exec_lo, 0xffff0000\nv_readlane_b32 s20, v2, 3",
               "reads v2");
}

TEST_F(Waits, ScalarLoadsNeedZero) {
  const std::string one = "s_buffer_load_dword s20, s[8:11], 0x8\n";
  expect_fault(one + "s_add_u32 s21, s20, s20", "reads scalar register 20");
  expect_fault(one + "s_mov_b32 s20, 0", "overwrites scalar register 20");
  expect_fault(one + "v_mov_b32 v2, s20", "reads scalar register 20");
  expect_fault(one + "s_waitcnt vmcnt(0)\ns_mov_b32 s21, s20", "reads scalar register 20");
  // Out of order: a count above zero says nothing.
  expect_fault(one + "s_buffer_load_dword s22, s[8:11], 0xc\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s21, s20", "reads scalar");
  expect_fault(one + "ds_read_b32 v2, v1\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v3, v2", "reads v2");
  expect_clean(one + "s_waitcnt lgkmcnt(0)\nv_mov_b32 v2, s20\n" + kStore);
  EXPECT_EQ(out_[0], in_[2]);
}

TEST_F(Waits, LdsNeedsLgkmcntAndIsInOrder) {
  const std::string write = "v_mov_b32 v4, 42\nds_write_b32 v1, v4\n";
  expect_fault(write + "ds_read_b32 v2, v1\nv_mov_b32 v3, v2", "reads v2");
  expect_clean(write + "ds_read_b32 v2, v1\ns_waitcnt lgkmcnt(0)\n" + kStore);
  EXPECT_EQ(out_[9], 42u);
  const std::string two = write + "ds_read_b32 v2, v1\nds_read_b32 v3, v1\ns_waitcnt lgkmcnt(1)\n";
  expect_clean(two + "v_mov_b32 v5, v2");
  expect_fault(two + "v_mov_b32 v5, v3", "reads v3");
  expect_fault("ds_bpermute_b32 v2, v1, v0\nv_mov_b32 v3, v2", "reads v2");
}

TEST_F(Waits, AtomicsWithReturnCountInVmcntOthersInVscnt) {
  expect_fault("v_mov_b32 v2, 1\nbuffer_atomic_add v2, v1, s[12:15], 0 offen glc\nv_mov_b32 v3, v2", "reads v2");
  expect_clean(
      "v_mov_b32 v2, 1\nbuffer_atomic_add v2, v1, s[12:15], 0 offen glc\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2");
  expect_clean("v_mov_b32 v2, 1\nbuffer_atomic_add v2, v1, s[12:15], 0 offen\nv_mov_b32 v2, 5");
}

TEST_F(Waits, FlatLoadsNeedBothCounters) {
  const std::string flat =
      "s_and_b32 s20, s9, 0xffff\nv_add_co_u32 v4, vcc_lo, s8, v1\nv_mov_b32 v5, s20\n"
      "v_add_co_ci_u32 v5, vcc_lo, 0, v5, vcc_lo\nflat_load_dword v2, v[4:5]\n";
  expect_fault(flat + "s_waitcnt vmcnt(0)\nv_mov_b32 v3, v2", "reads v2");
  expect_fault(flat + "s_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v2", "reads v2");
  expect_clean(flat + "s_waitcnt vmcnt(0) lgkmcnt(0)\n" + kStore);
  EXPECT_EQ(out_[6], in_[6]);
  expect_clean(flat + "s_waitcnt lgkmcnt(0)\ns_waitcnt vmcnt(0)\n" + kStore);
}

TEST_F(Waits, OneWaveSeesItsOwnStores) {
  std::fill(out_.begin(), out_.end(), 0);
  expect_clean("v_add_nc_u32 v2, 100, v0\n" + kStore +
               "buffer_load_dword v3, v1, s[12:15], 0 offen\nv_mov_b32 v2, 7\n" + kStore +
               "s_waitcnt vmcnt(0)\nv_add_nc_u32 v2, 1, v3\nbuffer_store_dword v2, v1, s[12:15], 0 offen offset:512\n");
  EXPECT_EQ(out_[4], 7u) << "the second store";
  EXPECT_EQ(out_[128 + 4], 105u) << "the load between the stores";
}

// Another wave sees a store only after vscnt and a barrier.
std::string handover(const std::string& wait) {
  return "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccz reader\n"
         "v_mov_b32 v2, 77\nbuffer_store_dword v2, v1, s[12:15], 0 offen\n" +
         wait +
         "s_barrier\ns_branch end\n"
         "reader:\ns_barrier\nv_subrev_nc_u32 v3, 0x80, v1\n"
         "buffer_load_dword v2, v3, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\n"
         "buffer_store_dword v2, v1, s[12:15], 0 offen offset:256\nend:\n";
}

TEST_F(Waits, StoresAreSeenByOthersOnlyAfterVscnt) {
  const auto run_pair = [this](const std::string& wait) {
    std::fill(out_.begin(), out_.end(), 0);
    return run_snippet("v_lshlrev_b32 v1, 2, v0\n" + handover(wait), {&in_, &out_}, 32, 0, 64);
  };
  EXPECT_EQ(run_pair("s_waitcnt_vscnt null, 0x0\n"), "");
  EXPECT_EQ(out_[64 + 32 + 3], 77u);
  EXPECT_EQ(run_pair(""), "");
  EXPECT_EQ(out_[64 + 32 + 3], 0u) << "without the wait, the other wave must read the old value";
}

TEST_F(Waits, LdsWritesAreSeenByOthersOnlyAfterLgkmcnt) {
  const auto run_pair = [this](const std::string& wait) {
    std::fill(out_.begin(), out_.end(), 0);
    return run_snippet(
        "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 0\nds_write_b32 v1, v2\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
        "v_mov_b32 v2, 55\nds_write_b32 v1, v2\n" +
            wait +
            "s_barrier\nv_xor_b32 v3, 0x80, v1\nds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)\n"
            "buffer_store_dword v2, v1, s[12:15], 0 offen\n",
        {&in_, &out_}, 32, 4096, 64);
  };
  EXPECT_EQ(run_pair("s_waitcnt lgkmcnt(0)\n"), "");
  EXPECT_EQ(out_[3], 55u);
  EXPECT_EQ(out_[35], 55u);
  EXPECT_EQ(run_pair(""), "");
  EXPECT_EQ(out_[3], 0u) << "the second wave has not performed its write yet";
}

TEST_F(Waits, ManyOutstandingLoadsKeepTheirOrder) {
  std::string text;
  for (unsigned i = 0; i < 40; ++i) {
    text += "buffer_load_dword v" + std::to_string(16 + i) + ", v1, s[8:11], 0 offen offset:" + std::to_string(4 * i) +
            "\n";
  }
  text += "s_waitcnt vmcnt(20)\nv_mov_b32 v2, v35\n";
  expect_clean(text + kStore);
  EXPECT_EQ(out_[1], in_[1 + 19]);
  expect_fault(text + "v_mov_b32 v2, v36", "reads v36");
}

// ---- hazards ----

TEST_F(Waits, ClausesHoldOneKindOfMemoryInstruction) {
  const std::string other = "buffer_load_dword v3, v1, s[8:11], 0 offen offset:4\n";
  expect_clean("s_clause 0x1\n" + kLoad + other + "s_waitcnt vmcnt(0)");
  expect_fault("s_clause 0x1\n" + kLoad + "v_mov_b32 v9, 0\n" + other, "breaks a clause");
  expect_fault("s_clause 0x1\n" + kLoad + "ds_read_b32 v3, v1", "must be of one kind");
  expect_clean("s_clause 0x1\n" + kLoad + other + "v_mov_b32 v9, 0\nds_read_b32 v5, v1");
}

TEST_F(Waits, DenormModeAfterFloatAtomicNeedsThreeStates) {
  const std::string atomic = "v_mov_b32 v2, 1.0\nbuffer_atomic_fmax v2, v1, s[12:15], 0 offen\n";
  expect_fault(atomic + "s_denorm_mode 0xf", "FloatAtomicToDenormMode");
  expect_fault(atomic + "s_nop 1\ns_denorm_mode 0xf", "FloatAtomicToDenormMode");
  expect_clean(atomic + "s_nop 2\ns_denorm_mode 0xf");
  expect_clean(atomic + "v_mov_b32 v5, 0\ns_denorm_mode 0xf");
  expect_clean(atomic + "s_waitcnt_vscnt null, 0x0\ns_denorm_mode 0xf");
  expect_clean("v_mov_b32 v2, 1\nbuffer_atomic_umax v2, v1, s[12:15], 0 offen\ns_denorm_mode 0xf");
}

}  // namespace
}  // namespace spalt::emu::test
