// SPDX-License-Identifier: MIT
// Opcodes that have no proof here or that the emulator does not execute, with the reason. A new entry needs one that is
// true of the instruction, not of the time left for its proof.
#include "proof.h"

namespace spalt::semantics {

std::vector<Exempt> exempt_alu() {
  using Op = Opcode;
  constexpr const char* kNothing = "changes nothing that a program can see";
  constexpr const char* kWait = "waits: seen only with memory, tests/unit/emu/waits_test.cpp and split_waits_test.cpp";
  constexpr const char* kGroup = "needs other waves: tests/unit/emu/dispatch_test.cpp";
  constexpr const char* kEnds = "ends the wave, which every proof does";
  constexpr const char* kMessage = "speaks to hardware that the emulator does not have";
  constexpr const char* kGfx12 = "has a scalar result or selects in a VGPR: tests/unit/emu/gfx12_test.cpp";
  constexpr const char* kInterpolation = "interpolates attributes, which come with graphics";
  constexpr const char* kMatrix = "multiplies matrices: not executed";
  constexpr const char* kTrap = "belongs to trap handlers and the debugger";
  constexpr const char* kFork = "works on a stack of the scalar unit that no compiler uses";
  constexpr const char* kNamedBarrier = "is reserved: gfx12 has no named barriers, tests/unit/emu/gfx12_test.cpp";
  constexpr const char* kKernel = "proven by the OpenCL kernels: sines of large doubles";
  return {
      {Op::v_nop, kNothing},
      {Op::v_pipeflush, kNothing},
      {Op::v_clrexcp, kNothing},
      {Op::v_trig_preop_f64, kKernel},
      {Op::v_s_exp_f32, kGfx12},
      {Op::v_s_log_f32, kGfx12},
      {Op::v_s_rcp_f32, kGfx12},
      {Op::v_s_rsq_f32, kGfx12},
      {Op::v_s_sqrt_f32, kGfx12},
      {Op::v_s_exp_f16, kGfx12},
      {Op::v_s_log_f16, kGfx12},
      {Op::v_s_rcp_f16, kGfx12},
      {Op::v_s_rsq_f16, kGfx12},
      {Op::v_s_sqrt_f16, kGfx12},
      {Op::v_permlane16_var_b32, kGfx12},
      {Op::v_permlanex16_var_b32, kGfx12},
      {Op::s_nop, kNothing},
      {Op::s_version, kNothing},
      {Op::s_code_end, "is a fault: tests/unit/emu/fault_test.cpp"},
      {Op::s_endpgm_saved, kEnds},
      {Op::s_endpgm_ordered_ps_done, kEnds},
      {Op::s_trap, kEnds},
      {Op::s_sethalt, "is a fault: the wave would wait for ever"},
      {Op::s_cbranch_cdbgsys, "never taken: there is no debugger"},
      {Op::s_cbranch_cdbguser, "never taken: there is no debugger"},
      {Op::s_cbranch_cdbgsys_or_user, "never taken: there is no debugger"},
      {Op::s_cbranch_cdbgsys_and_user, "never taken: there is no debugger"},
      {Op::s_barrier, kGroup},
      {Op::s_barrier_signal, kGroup},
      {Op::s_barrier_signal_isfirst, kGroup},
      {Op::s_barrier_wait, kGroup},
      {Op::s_get_barrier_state, kGroup},
      {Op::s_wakeup, kNothing},
      {Op::s_sleep, "gives up the turn: tests/unit/emu/waits_test.cpp"},
      {Op::s_sleep_var, "gives up the turn: tests/unit/emu/waits_test.cpp"},
      {Op::s_setprio, kNothing},
      {Op::s_icache_inv, kNothing},
      {Op::s_incperflevel, kNothing},
      {Op::s_decperflevel, kNothing},
      {Op::s_ttracedata, kNothing},
      {Op::s_ttracedata_imm, kNothing},
      {Op::s_inst_prefetch, kNothing},
      {Op::s_clause, "a promise about what follows: tests/unit/emu/fault_test.cpp"},
      {Op::s_delay_alu, kNothing},
      {Op::s_singleuse_vdst, kNothing},
      {Op::s_sendmsg, kMessage},
      {Op::s_sendmsghalt, kMessage},
      {Op::s_sendmsg_rtn_b32, kMessage},
      {Op::s_sendmsg_rtn_b64, kMessage},
      {Op::s_waitcnt, kWait},
      {Op::s_waitcnt_vscnt, kWait},
      {Op::s_waitcnt_vmcnt, kWait},
      {Op::s_waitcnt_expcnt, kWait},
      {Op::s_waitcnt_lgkmcnt, kWait},
      {Op::s_waitcnt_depctr, kWait},
      {Op::s_wait_idle, kWait},
      {Op::s_wait_event, kWait},
      {Op::s_wait_loadcnt, kWait},
      {Op::s_wait_storecnt, kWait},
      {Op::s_wait_samplecnt, kWait},
      {Op::s_wait_bvhcnt, kWait},
      {Op::s_wait_expcnt, kWait},
      {Op::s_wait_dscnt, kWait},
      {Op::s_wait_kmcnt, kWait},
      {Op::s_wait_loadcnt_dscnt, kWait},
      {Op::s_wait_storecnt_dscnt, kWait},
      // Waves of draws execute these, with what tests/unit/emu/draw gives them.
      {Op::v_interp_p1_f32, kInterpolation},
      {Op::v_interp_p2_f32, kInterpolation},
      {Op::v_interp_mov_f32, kInterpolation},
      {Op::v_interp_p1ll_f16, kInterpolation},
      {Op::v_interp_p1lv_f16, kInterpolation},
      {Op::v_interp_p2_f16, kInterpolation},
      {Op::v_interp_p2_legacy_f16, kInterpolation},
      // Not executed.
      {Op::v_wmma_f32_16x16x16_f16, kMatrix},
      {Op::v_wmma_f32_16x16x16_bf16, kMatrix},
      {Op::v_wmma_f16_16x16x16_f16, kMatrix},
      {Op::v_wmma_bf16_16x16x16_bf16, kMatrix},
      {Op::v_wmma_i32_16x16x16_iu8, kMatrix},
      {Op::v_wmma_i32_16x16x16_iu4, kMatrix},
      {Op::v_wmma_f32_16x16x16_fp8_fp8, kMatrix},
      {Op::v_wmma_f32_16x16x16_fp8_bf8, kMatrix},
      {Op::v_wmma_f32_16x16x16_bf8_fp8, kMatrix},
      {Op::v_wmma_f32_16x16x16_bf8_bf8, kMatrix},
      {Op::v_wmma_i32_16x16x32_iu4, kMatrix},
      {Op::v_swmmac_f32_16x16x32_f16, kMatrix},
      {Op::v_swmmac_f32_16x16x32_bf16, kMatrix},
      {Op::v_swmmac_f16_16x16x32_f16, kMatrix},
      {Op::v_swmmac_bf16_16x16x32_bf16, kMatrix},
      {Op::v_swmmac_i32_16x16x32_iu8, kMatrix},
      {Op::v_swmmac_i32_16x16x32_iu4, kMatrix},
      {Op::v_swmmac_i32_16x16x64_iu4, kMatrix},
      {Op::v_swmmac_f32_16x16x32_fp8_fp8, kMatrix},
      {Op::v_swmmac_f32_16x16x32_fp8_bf8, kMatrix},
      {Op::v_swmmac_f32_16x16x32_bf8_fp8, kMatrix},
      {Op::v_swmmac_f32_16x16x32_bf8_bf8, kMatrix},
      {Op::s_rfe_b64, kTrap},
      {Op::s_rfe_restore_b64, kTrap},
      {Op::s_setkill, kTrap},
      {Op::s_cbranch_g_fork, kFork},
      {Op::s_cbranch_i_fork, kFork},
      {Op::s_cbranch_join, kFork},
      {Op::s_barrier_init, kNamedBarrier},
      {Op::s_barrier_join, kNamedBarrier},
      {Op::s_barrier_leave, kNamedBarrier},
      {Op::s_wakeup_barrier, kNamedBarrier},
  };
}

std::vector<Exempt> exempt_memory() {
  using Op = Opcode;
  constexpr const char* kGds = "works on GDS, which no dispatch here has";
  return {
      {Op::ds_gws_sema_release_all, kGds},
      {Op::ds_gws_init, kGds},
      {Op::ds_gws_sema_v, kGds},
      {Op::ds_gws_sema_br, kGds},
      {Op::ds_gws_sema_p, kGds},
      {Op::ds_gws_barrier, kGds},
      {Op::ds_ordered_count, kGds},
      {Op::ds_add_gs_reg_rtn, "works on registers of the geometry engine"},
      {Op::ds_sub_gs_reg_rtn, "works on registers of the geometry engine"},
      {Op::ds_bvh_stack_rtn_b32, "belongs to ray tracing, which is not executed"},
      {Op::global_atomic_ordered_add_b64, "orders waves by a counter that compute dispatches do not have"},
  };
}

}  // namespace spalt::semantics
