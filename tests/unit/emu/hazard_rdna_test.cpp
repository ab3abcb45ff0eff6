// SPDX-License-Identifier: MIT
// Expectations by hand from what LLVM 19 inserts on each generation (docs/isa-errata.md, "Hazards").
#include <gtest/gtest.h>

#include "hazard_case.h"

namespace spalt::emu::test {
namespace {

#define LOAD "global_load_dword v1, v2, s[20:21]\n"
#define STORE "global_store_dword v2, v1, s[20:21]\n"
#define MOVE "v_mov_b32 v10, v11\n"
#define LISTED "image_load v1, [v2, v5], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
#define UNLISTED "image_load v1, v[2:3], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
#define LONG_LIST "image_sample_d v1, [v2, v3, v4, v5, v6, v8], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"

constexpr HazardCase kCases[] = {
    {"FloatAtomicToDenormMode", "gfx1030", 32, "global_atomic_fmin v2, v1, s[20:21]\ns_nop 1\ns_denorm_mode 0",
     "global_atomic_fmin v2, v1, s[20:21]\ns_nop 2\ns_denorm_mode 0"},
    {"FloatAtomicToDenormMode", "gfx1010", 64, "global_atomic_fmin v2, v1, s[20:21]\ns_denorm_mode 0",
     "global_atomic_fmin v2, v1, s[20:21]\n" MOVE "s_denorm_mode 0"},
    {"VMEMtoScalarWrite", "gfx1010", 32, LOAD "s_mov_b32 s20, 0", LOAD "s_waitcnt_depctr 0xffe3\ns_mov_b32 s20, 0",
     "gfx1030"},
    {"VMEMtoScalarWrite", "gfx1011", 64, LOAD "s_waitcnt vmcnt(1)\ns_mov_b64 exec, 0",
     LOAD "s_waitcnt vmcnt(0)\ns_mov_b64 exec, 0", "gfx1030"},
    {"VMEMtoScalarWrite", "gfx1012", 32, LOAD "s_load_dword s21, s[4:5], 0", LOAD MOVE "s_load_dword s21, s[4:5], 0",
     "gfx1030"},
    {"VMEMtoScalarWrite", "gfx1010", 32, STORE "s_waitcnt vmcnt(0)\ns_mov_b32 s21, 0",
     STORE "s_waitcnt_vscnt null, 0\ns_mov_b32 s21, 0", "gfx1030"},
    {"VMEMtoScalarWrite", "gfx1010", 32, "ds_read_b32 v1, v2\ns_mov_b32 exec_lo, 0",
     "ds_read_b32 v1, v2\ns_waitcnt lgkmcnt(0)\ns_mov_b32 exec_lo, 0", "gfx1030"},
    {"VMEMtoScalarWrite", "gfx1010", 32, "ds_read_b32 v1, v2\ns_mov_b32 exec_lo, 0",
     "ds_read_b32 v1, v2\ns_mov_b32 s20, 0", "gfx1030"},
    {"SMEMtoVectorWrite", "gfx1010", 32, "s_load_dword s24, s[4:5], 0\nv_readfirstlane_b32 s4, v0",
     "s_load_dword s24, s[4:5], 0\ns_mov_b32 null, 0\nv_readfirstlane_b32 s4, v0", "gfx1030"},
    {"SMEMtoVectorWrite", "gfx1010", 32,
     "s_mov_b64 vcc, s[4:5]\ns_load_dword s24, vcc, 0\ns_nop 7\ns_waitcnt vmcnt(0)\nv_cmp_eq_u32 vcc_lo, v0, v1",
     "s_mov_b64 vcc, s[4:5]\ns_load_dword s24, vcc, 0\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32 vcc_lo, v0, v1", "gfx1030"},
    {"VcmpxExecWAR", "gfx1010", 32, "s_mov_b32 s20, exec_lo\nv_cmpx_eq_u32 v0, v1",
     "s_mov_b32 s20, exec_lo\ns_waitcnt_depctr 0xfffe\nv_cmpx_eq_u32 v0, v1", "gfx1030"},
    {"VcmpxExecWAR", "gfx1010", 64, "s_cbranch_execz 0\n" MOVE "v_cmpx_eq_u32 v0, v1",
     "s_cbranch_execz 0\nv_cmp_eq_u32 vcc, v0, v1\nv_cmpx_eq_u32 v0, v1", "gfx1030"},
    {"VcmpxExecWAR", "gfx1013", 32, "ds_read_b32 v4, v2\nv_cmpx_eq_u32 v0, v1",
     "s_mov_b32 s20, s21\nv_cmpx_eq_u32 v0, v1", "gfx1030"},
    {"LdsBranchVmemWAR", "gfx1010", 32, "ds_read_b32 v4, v3\ns_branch 0\n" LOAD,
     "ds_read_b32 v4, v3\ns_branch 0\ns_waitcnt_vscnt null, 0\n" LOAD, "gfx1030"},
    {"LdsBranchVmemWAR", "gfx1010", 32, "ds_read_b32 v4, v3\ns_cbranch_scc0 0\n" STORE,
     "ds_read_b32 v4, v3\n" LOAD "s_cbranch_scc0 0\n" STORE, "gfx1030"},
    {"LdsBranchVmemWAR", "gfx1010", 32, LOAD "s_branch 0\nds_read_b32 v4, v3", LOAD "ds_read_b32 v4, v3", "gfx1030"},
    {"LdsBranchVmemWAR", "gfx1010", 32, "buffer_gl0_inv\ns_branch 0\nds_read_b32 v4, v3",
     "ds_read_b32 v4, v3\nbuffer_gl0_inv\ns_branch 0\n" LOAD, "gfx1030"},
    {"LdsBranchVmemWAR", "gfx1010", 32, LOAD "s_branch 0\nds_read_b32 v4, v3",
     LOAD "s_waitcnt_vscnt null, 0\ns_branch 0\nds_read_b32 v4, v3", "gfx1030"},
    {"WritelaneToNSA", "gfx1010", 32, "v_writelane_b32 v9, s20, 1\n" LISTED,
     "v_writelane_b32 v9, s20, 1\ns_nop 0\n" LISTED, "gfx1030"},
    {"WritelaneToNSA", "gfx1012", 64, "v_writelane_b32 v9, s20, 1\n" LISTED, "v_writelane_b32 v9, s20, 1\n" UNLISTED},
    {"SALUWriteEXECToNSA", "gfx1030", 32, "s_mov_b32 exec_lo, 0\n" LONG_LIST,
     "s_mov_b32 exec_lo, 0\ns_nop 0\n" LONG_LIST},
    {"SALUWriteEXECToNSA", "gfx1031", 64, "s_mov_b64 exec, 0\n" LONG_LIST, "s_mov_b64 exec, 0\n" LISTED},
    {"SALUWriteEXECToNSA", "gfx1030", 32, "s_andn2_b32 exec_lo, s20, exec_lo\n" LONG_LIST,
     "s_mov_b32 s21, 0\n" LONG_LIST},
    {"VcmpxPermlane", "gfx1010", 32, "v_cmpx_eq_u32 v0, v1\nv_permlane16_b32 v2, v3, s20, s21",
     "v_cmpx_eq_u32 v0, v1\nv_mov_b32 v3, v3\nv_permlane16_b32 v2, v3, s20, s21", "gfx1030"},
    {"VcmpxPermlane", "gfx1100", 64, "v_cmpx_eq_u32 v0, v1\ns_nop 7\nv_permlanex16_b32 v2, v3, s20, s21",
     "v_cmp_eq_u32 vcc, v0, v1\ns_nop 7\nv_permlanex16_b32 v2, v3, s20, s21", "gfx1030"},
    {"VcmpxPermlane", "gfx1150", 32, "v_cmpx_eq_u32 v0, v1\nv_nop\nv_permlane16_b32 v2, v3, s20, s21",
     "v_cmpx_eq_u32 v0, v1\n" MOVE "v_permlane16_b32 v2, v3, s20, s21", "gfx1030"},
    {"LdsDirectVALU", "gfx1100", 32, "v_mov_b32 v1, v2\n" MOVE "lds_direct_load v1 wait_vdst:2",
     "v_mov_b32 v1, v2\n" MOVE "lds_direct_load v1 wait_vdst:1", nullptr, ""},
    {"LdsDirectVALU", "gfx1150", 32, "v_rcp_f32 v3, v1\n" MOVE MOVE "lds_direct_load v1 wait_vdst:1",
     "v_rcp_f32 v3, v1\n" MOVE MOVE "lds_direct_load v1 wait_vdst:0", nullptr, ""},
    {"LdsDirectVMEM", "gfx1100", 32, "global_load_b32 v1, v2, s[20:21]\nlds_direct_load v2 wait_vdst:0",
     "global_load_b32 v1, v2, s[20:21]\ns_waitcnt_depctr 0xffe3\nlds_direct_load v2 wait_vdst:0", nullptr, ""},
    {"VALUTransUse", "gfx1100", 32, "v_rcp_f32 v1, v2\n" MOVE MOVE MOVE MOVE MOVE "v_add_f32 v3, v1, v1",
     "v_rcp_f32 v1, v2\n" MOVE MOVE MOVE MOVE MOVE MOVE "v_add_f32 v3, v1, v1", "gfx1150"},
    {"VALUTransUse", "gfx1103", 64, "v_exp_f32 v1, v2\nv_rcp_f32 v4, v5\nv_add_f32 v3, v1, v2",
     "v_exp_f32 v1, v2\nv_rcp_f32 v4, v5\nv_rcp_f32 v6, v7\nv_add_f32 v3, v1, v2", "gfx1150"},
    {"VALUTransUse", "gfx1100", 32, "v_rcp_f32 v1, v2\ns_nop 15\nv_mov_b32 v3, v1",
     "v_rcp_f32 v1, v2\ns_waitcnt_depctr 0xfff\nv_mov_b32 v3, v1", "gfx1030"},
    {"RequiredExportPriority", "gfx1150", 32, "exp mrt0 v1, off, off, off done",
     "s_setprio 2\nexp mrt0 v1, off, off, off done", "gfx1100", "belongs to no draw", "belongs to no draw"},
    {"RequiredExportPriority", "gfx1152", 64, "s_setprio 2\ns_setprio 1\nexp mrt0 v1, off, off, off done",
     "s_setprio 2\ns_setprio 3\nexp mrt0 v1, off, off, off done", "gfx1103", "belongs to no draw",
     "belongs to no draw"},
    {"VALUMaskWrite", "gfx1100", 64, "v_cndmask_b32 v1, v2, v3, s[20:21]\ns_mov_b32 s20, 0\ns_mov_b32 s22, s20",
     "v_cndmask_b32 v1, v2, v3, s[20:21]\ns_mov_b32 s20, 0\ns_waitcnt_depctr 0xfffe\ns_mov_b32 s22, s20", "gfx1030"},
    {"VALUMaskWrite", "gfx1150", 64, "v_cndmask_b32 v1, v2, v3, vcc\ns_mov_b64 vcc, 0\nv_cndmask_b32 v1, v2, v3, vcc",
     "v_cndmask_b32 v1, v2, v3, vcc\nv_mov_b32 v4, s30\ns_mov_b64 vcc, 0\nv_cndmask_b32 v1, v2, v3, vcc", "gfx1030"},
    {"VALUPartialForwarding", "gfx1100", 64,
     "v_mov_b32 v1, 0\n" MOVE "s_mov_b64 exec, 0\n" MOVE "v_mov_b32 v2, 0\n" MOVE MOVE MOVE MOVE "v_add_f32 v3, v1, v2",
     "v_mov_b32 v1, 0\n" MOVE "s_mov_b64 exec, 0\n" MOVE MOVE "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", "gfx1200"},
    {"VALUPartialForwarding", "gfx1150", 64,
     "v_mov_b32 v1, 0\ns_mov_b64 exec, 0\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2",
     "v_mov_b32 v1, 0\ns_mov_b64 exec, 0\nv_mov_b32 v2, 0\ns_waitcnt_depctr 0xfff\nv_add_f32 v3, v1, v2", "gfx1030"},
    {"VALUPartialForwarding", "gfx1100", 64,
     "v_mov_b32 v1, 0\ns_mov_b64 exec, 0\nv_mov_b32 v2, 0\n" MOVE MOVE MOVE MOVE "v_add_f32 v3, v1, v2",
     "v_mov_b32 v1, 0\ns_mov_b64 exec, 0\nv_mov_b32 v2, 0\n" MOVE MOVE MOVE MOVE MOVE "v_add_f32 v3, v1, v2",
     "gfx1030"},
};

TEST(Hazards, Rdna) {
  check_cases(kCases);
}

TEST(Hazards, OfWave64DoNotExistInWave32) {
  EXPECT_EQ(run_hazard_code("v_cndmask_b32 v1, v2, v3, s20\ns_mov_b32 s20, 0\ns_mov_b32 s22, s20", "gfx1100", 32), "");
  EXPECT_EQ(
      run_hazard_code("v_mov_b32 v1, 0\ns_mov_b32 exec_lo, 0\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", "gfx1100", 32),
      "");
}

}  // namespace

std::span<const HazardCase> rdna_cases() {
  return kCases;
}

}  // namespace spalt::emu::test
