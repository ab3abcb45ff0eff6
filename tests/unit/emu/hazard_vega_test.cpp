// SPDX-License-Identifier: MIT
// Expectations by hand from the table in the Vega ISA guide, section 4.5.
#include <gtest/gtest.h>

#include "hazard_case.h"

namespace spalt::emu::test {
namespace {

#define DPP " quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf"
constexpr const char* kUnsupported = "not executed by the emulator";

constexpr HazardCase kCases[] = {
    {"VALUWriteSGPRVMEMRead", "gfx900", 64, "v_readfirstlane_b32 s20, v0\ns_nop 3\nglobal_load_dword v1, v2, s[20:21]",
     "v_readfirstlane_b32 s20, v0\ns_nop 4\nglobal_load_dword v1, v2, s[20:21]"},
    {"VALUWriteSGPRVMEMRead", "gfx906", 64, "v_cmp_eq_u32 vcc, v0, v1\nbuffer_load_dword v1, v2, s[8:11], vcc_lo offen",
     "v_cmp_eq_u32 vcc, v0, v1\nbuffer_load_dword v1, v2, s[8:11], 0 offen", "gfx1030"},
    {"VALUWriteSGPRVMEMRead", "gfx90c", 64,
     "v_readlane_b32 s21, v0, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\ns_nop 1\nglobal_store_dword v2, v1, s[20:21]",
     "v_readlane_b32 s22, v0, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\ns_nop 1\nglobal_store_dword v2, v1, s[20:21]",
     "gfx1030"},
    {"VALUWriteSGPRVMEMRead", "gfx900", 64,
     "v_readfirstlane_b32 s15, v0\ns_nop 3\nimage_load v1, v2, s[8:15] dmask:0x1",
     "v_readfirstlane_b32 s15, v0\ns_nop 4\nimage_load v1, v2, s[8:15] dmask:0x1"},
    {"VALUWriteSGPRVMEMRead", "gfx900", 64,
     "v_readfirstlane_b32 s18, v0\nimage_sample v1, v2, s[8:15], s[16:19] dmask:0x1",
     "v_readfirstlane_b32 s20, v0\nimage_sample v1, v2, s[8:15], s[16:19] dmask:0x1"},
    {"VALUWriteSGPRLaneSelect", "gfx900", 64, "v_readfirstlane_b32 s20, v0\ns_nop 2\nv_readlane_b32 s21, v1, s20",
     "v_readfirstlane_b32 s20, v0\ns_nop 3\nv_readlane_b32 s21, v1, s20", "gfx1010"},
    {"VALUWriteSGPRLaneSelect", "gfx900", 64, "v_cmp_eq_u32 vcc, v0, v1\nv_writelane_b32 v2, 5, vcc_lo",
     "v_cmp_eq_u32 s[20:21], v0, v1\nv_writelane_b32 v2, 5, s22", "gfx1010"},
    {"VALUWriteVCCDivFmas", "gfx900", 64, "v_cmp_eq_u32 vcc, v0, v1\ns_nop 2\nv_div_fmas_f32 v2, v3, v4, v5",
     "v_cmp_eq_u32 vcc, v0, v1\ns_nop 3\nv_div_fmas_f32 v2, v3, v4, v5", "gfx1010"},
    {"VALUWriteVCCDivFmas", "gfx900", 64,
     "v_div_scale_f64 v[2:3], vcc, v[4:5], v[4:5], v[6:7]\n"
     "v_div_fmas_f64 v[8:9], v[4:5], v[4:5], v[6:7]",
     "s_mov_b64 vcc, 0\nv_div_fmas_f64 v[8:9], v[4:5], v[4:5], v[6:7]", "gfx1030"},
    {"VALUWriteVCCReadVCCZ", "gfx900", 64, "v_cmp_eq_u32 vcc, v0, v1\ns_nop 3\nv_mov_b32 v2, src_vccz",
     "v_cmp_eq_u32 vcc, v0, v1\ns_nop 4\nv_mov_b32 v2, src_vccz", "gfx1010"},
    {"VALUWriteEXECReadEXECZ", "gfx900", 64, "v_cmpx_eq_u32 s[20:21], v0, v1\ns_nop 3\nv_mov_b32 v2, src_execz",
     "v_cmpx_eq_u32 s[20:21], v0, v1\ns_nop 4\nv_mov_b32 v2, src_execz"},
    {"VALUWriteEXECDPP", "gfx900", 64, "v_cmpx_eq_u32 vcc, v0, v1\ns_nop 3\nv_mov_b32_dpp v2, v3" DPP,
     "v_cmpx_eq_u32 vcc, v0, v1\ns_nop 4\nv_mov_b32_dpp v2, v3" DPP},
    {"VALUWriteEXECDPP", "gfx906", 64, "v_cmpx_eq_u32 vcc, v0, v1\nv_mov_b32_dpp v2, v3" DPP,
     "s_mov_b64 exec, 0\nv_mov_b32_dpp v2, v3" DPP},
    {"VALUWriteVGPRDPPRead", "gfx900", 64, "v_mov_b32 v3, v4\ns_nop 0\nv_mov_b32_dpp v2, v3" DPP,
     "v_mov_b32 v3, v4\ns_nop 1\nv_mov_b32_dpp v2, v3" DPP, "gfx1010"},
    {"VALUWriteVGPRDPPRead", "gfx900", 64, "v_mov_b32 v4, v5\nv_add_f32_dpp v2, v3, v4" DPP,
     "v_mov_b32 v2, v5\nv_add_f32_dpp v2, v3, v4" DPP, "gfx1030"},
    {"SetRegGetReg", "gfx900", 64,
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_nop 0\ns_getreg_b32 s20, hwreg(HW_REG_MODE)",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_nop 1\ns_getreg_b32 s20, hwreg(HW_REG_MODE)", "gfx1010"},
    {"SetRegGetReg", "gfx900", 64,
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_getreg_b32 s20, hwreg(HW_REG_STATUS)", "gfx1010"},
    {"SetRegVskipVector", "gfx900", 64, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\ns_nop 0\nv_mov_b32 v1, v2",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\ns_nop 1\nv_mov_b32 v1, v2"},
    {"SetRegVskipVector", "gfx900", 64, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 2), 0\nds_read_b32 v1, v2",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 26, 2), 0\nds_read_b32 v1, v2"},
    {"SetVskipGetreg", "gfx900", 64, "s_setvskip 0, 0\ns_nop 0\ns_getreg_b32 s20, hwreg(HW_REG_MODE)",
     "s_setvskip 0, 0\ns_nop 1\ns_getreg_b32 s20, hwreg(HW_REG_MODE)"},
    {"SetVskipGetreg", "gfx900", 64, "s_setvskip 0, 0\ns_getreg_b32 s20, hwreg(HW_REG_MODE)",
     "s_setvskip 0, 0\ns_getreg_b32 s20, hwreg(HW_REG_STATUS)"},
    {"SetRegTrapStatusRfe", "gfx900", 64, "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0\ns_rfe_b64 s[20:21]",
     "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0\ns_nop 0\ns_rfe_b64 s[20:21]", nullptr, kUnsupported},
    {"SALUWriteM0Message", "gfx900", 64, "s_mov_b32 m0, 0\ns_sendmsg sendmsg(MSG_INTERRUPT)",
     "s_mov_b32 m0, 0\ns_nop 0\ns_sendmsg sendmsg(MSG_INTERRUPT)", "gfx1010"},
    {"SALUWriteM0Message", "gfx900", 64, "s_add_u32 m0, s20, s21\nds_add_u32 v0, v1 gds",
     "v_readfirstlane_b32 m0, v0\nds_add_u32 v0, v1 gds", nullptr, "accesses GDS, which no dispatch has"},
    {"SALUWriteM0LDS", "gfx900", 64, "s_mov_b32 m0, 0\nds_read_addtid_b32 v1",
     "s_mov_b32 m0, 0\ns_nop 0\nds_read_addtid_b32 v1"},
    {"SALUWriteM0MovRel", "gfx900", 64, "s_mov_b32 m0, 0\ns_movrels_b32 s20, s21",
     "s_mov_b32 m0, 0\ns_nop 0\ns_movrels_b32 s20, s21", "gfx1010"},
    {"VMEMStoreData", "gfx900", 64, "global_store_dwordx3 v[2:3], v[4:6], off\nv_mov_b32 v6, 0",
     "global_store_dwordx3 v[2:3], v[4:6], off\ns_nop 0\nv_mov_b32 v6, 0", "gfx1010"},
    {"VMEMStoreData", "gfx900", 64, "buffer_store_dwordx4 v[4:7], v2, s[8:11], 0 offen\nv_mov_b32 v4, 0",
     "buffer_store_dwordx4 v[4:7], v2, s[8:11], s20 offen\nv_mov_b32 v4, 0", "gfx1010"},
    {"VMEMStoreData", "gfx900", 64, "global_atomic_cmpswap_x2 v[2:3], v[4:7], off\nv_mov_b32 v4, 0",
     "global_store_dwordx2 v[2:3], v[4:5], off\nv_mov_b32 v4, 0", "gfx1030"},
};

TEST(Hazards, Vega) {
  check_cases(kCases);
}

TEST(Hazards, AreFoundAlongTheWayOfTheWave) {
  // The branch itself is one wait state, wherever it goes.
  const std::string write = "v_readfirstlane_b32 s20, v0\n", read = "v_readlane_b32 s21, v1, s20";
  EXPECT_NE(run_hazard_code(write + "s_nop 1\ns_branch 1\ns_nop 7\n" + read, "gfx900", 64).find("LaneSelect"),
            std::string::npos);
  EXPECT_EQ(run_hazard_code(write + "s_nop 2\ns_branch 1\ns_nop 7\n" + read, "gfx900", 64), "");
}

TEST(Hazards, SayWhereTheyBegan) {
  EXPECT_EQ(
      run_hazard_code("v_cmp_eq_u32 vcc, v0, v1\nv_div_fmas_f32 v2, v3, v4, v5", "gfx900", 64),
      "workgroup (0, 0, 0) wave 0: pc 0x000010: v_div_fmas_f32 v2, v3, v4, v5: hazard VALUWriteVCCDivFmas: reads the "
      "vcc that a vector instruction has just written (first: pc 0x00000c); needs 4 wait states (s_nop 3) between");
}

}  // namespace

std::span<const HazardCase> vega_cases() {
  return kCases;
}

}  // namespace spalt::emu::test
