// SPDX-License-Identifier: MIT
// What gfx11 and gfx11.5 added: expectations from the RDNA 3 ISA guide, by hand and by plain C++.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

/// What each lane stores from v16; v1 is the lane's byte offset, v4 = 100 + lane, v5 the lane, v16 = 0x55555555.
struct Outcome {
  std::vector<U> lanes;
  std::string fault;
};
Outcome run(const std::string& body, unsigned wave_size, const char* target = "gfx1100") {
  Outcome outcome{std::vector<U>(wave_size, 0), {}};
  const std::string text =
      "v_lshlrev_b32 v1, 2, v0\nv_add_nc_u32 v4, 100, v0\nv_mov_b32 v5, v0\nv_mov_b32 v16, 0x55555555\n" + body +
      "\ns_mov_b64 exec, -1\nbuffer_store_b32 v16, v1, s[8:11], 0 offen\n";
  outcome.fault = run_snippet(text, {&outcome.lanes}, wave_size, 4096, 0, target);
  return outcome;
}
void expect_lanes(const std::string& body, unsigned wave_size, const std::function<U(unsigned)>& want,
                  const char* target = "gfx1100") {
  const Outcome outcome = run(body, wave_size, target);
  ASSERT_EQ(outcome.fault, "") << body;
  for (unsigned i = 0; i < wave_size; ++i) EXPECT_EQ(outcome.lanes[i], want(i)) << body << "\nlane " << i;
}
/// The same in every lane.
void expect_value(const std::string& body, U want, unsigned wave_size = 32) {
  expect_lanes(body, wave_size, [want](unsigned) { return want; });
}
void expect_fault(const std::string& body, const std::string& part, unsigned wave_size = 32) {
  const Outcome outcome = run(body, wave_size);
  EXPECT_NE(outcome.fault.find(part), std::string::npos) << outcome.fault << "\n" << body;
}
std::string mov(unsigned reg, U value) {
  return "v_mov_b32 v" + std::to_string(reg) + ", " + std::to_string(value) + "\n";
}
U bits(float value) {
  return std::bit_cast<U>(value);
}

// ---- dual issue ----

TEST(Gfx11, DualOperationsReadBeforeEitherWrites) {
  // Both exchange their registers.
  expect_lanes("v_mov_b32 v16, v4\nv_dual_mov_b32 v16, v5 :: v_dual_mov_b32 v5, v16\nv_lshl_or_b32 v16, v16, 16, v5",
               32, [](unsigned i) { return i << 16 | (100 + i); });
  expect_lanes("v_dual_mov_b32 v5, v4 :: v_dual_lshlrev_b32 v16, 4, v5", 32, [](unsigned i) { return i * 16; });
}

TEST(Gfx11, DualOperationsWithAccumulatorsAndLiterals) {
  const std::string values = mov(2, bits(3.0f)) + mov(3, bits(5.0f)) + mov(16, bits(7.0f)) + mov(17, bits(11.0f));
  expect_value(values + "v_dual_fmac_f32 v16, v2, v3 :: v_dual_mov_b32 v17, v16\n", bits(22.0f));
  expect_value(values + "v_dual_fmac_f32 v16, v2, v3 :: v_dual_mov_b32 v17, v16\nv_mov_b32 v16, v17", bits(7.0f));
  expect_value(values + "v_dual_fmaak_f32 v17, v2, v3, 0x42000000 :: v_dual_fmamk_f32 v16, v3, 0x42000000, v2\n",
               bits(163.0f));
  expect_value(values +
                   "v_dual_fmaak_f32 v17, v2, v3, 0x42000000 :: v_dual_fmamk_f32 v16, v3, 0x42000000, v2\n"
                   "v_mov_b32 v16, v17",
               bits(47.0f));
  // (1, 2) * (3, 4) + 7.
  expect_value(values + mov(14, 0x40003c00) + mov(15, 0x44004200) +
                   "v_dual_dot2acc_f32_f16 v16, v14, v15 :: v_dual_mov_b32 v17, v3\n",
               bits(18.0f));
}

TEST(Gfx11, DualCndmaskReadsVcc) {
  expect_lanes("s_mov_b32 vcc_lo, 0x0000ffff\nv_dual_cndmask_b32 v16, v4, v5 :: v_dual_mov_b32 v3, v5\n", 32,
               [](unsigned i) { return i < 16 ? i : 100 + i; });
}

TEST(Gfx11, DualOperationsWaitForBothSources) {
  const std::string load = "buffer_load_b32 v7, v1, s[8:11], 0 offen\n",
                    dual = "v_dual_mov_b32 v16, v4 :: v_dual_add_nc_u32 v9, v5, v7\n";
  expect_fault(load + dual, "reads v7");
  expect_lanes(load + "s_waitcnt vmcnt(0)\n" + dual, 32, [](unsigned i) { return 100 + i; });
}

TEST(Gfx11, DualOperationsKeepInactiveLanes) {
  expect_lanes("v_mov_b32 v7, v16\ns_mov_b32 exec_lo, 0xff\nv_dual_mov_b32 v16, v4 :: v_dual_mov_b32 v5, v7\n", 32,
               [](unsigned i) { return i < 8 ? 100 + i : 0x55555555; });
}

// ---- DPP in VOP3, VOP3P and VOPC ----

TEST(Gfx11, DppInVop3) {
  expect_lanes("v_add3_u32_e64_dpp v16, v4, v5, v5 row_xmask:1", 32, [](unsigned i) { return 100 + (i ^ 1) + 2 * i; });
  expect_lanes("v_add3_u32_e64_dpp v16, v4, v5, v5 dpp8:[7,6,5,4,3,2,1,0]", 64,
               [](unsigned i) { return 100 + (i ^ 7) + 2 * i; });
  expect_lanes(
      "v_cvt_f32_u32 v4, v4\nv_cvt_f32_u32 v5, v5\n"
      "v_sub_f32_e64_dpp v16, -v4, |v5| row_shr:1 row_mask:0x1 bank_mask:0xf",
      32, [](unsigned i) { return i % 16 == 0 || i > 15 ? 0x55555555 : bits(-(99.0f + i) - i); });
}

TEST(Gfx11, DppInVop3p) {
  // (1, 2) of the neighbour times (3, 4) + 0.5: the signs are those of the halves.
  const std::string values =
      "v_mov_b32 v2, 0x40003c00\nv_mov_b32 v3, 0x44004200\nv_mov_b32 v6, 0.5\n"
      "s_mov_b32 exec_lo, 0xaaaaaaaa\nv_mov_b32 v2, 0\ns_mov_b32 exec_lo, 0x55555555\n";
  const auto even = [](float value) { return [value](unsigned i) { return i % 2 == 0 ? bits(value) : 0x55555555; }; };
  expect_lanes(values + "v_dot2_f32_f16_e64_dpp v16, v2, v3, v6 quad_perm:[2,2,0,0]", 32, even(11.5f));
  expect_lanes(values + "v_dot2_f32_f16_e64_dpp v16, v2, v3, v6 neg_lo:[1,0,0] quad_perm:[2,2,0,0]", 32, even(5.5f));
  expect_lanes(values + "v_dot2_f32_f16_e64_dpp v16, v2, v3, v6 neg_hi:[1,0,0] quad_perm:[2,2,0,0]", 32, even(-4.5f));
  expect_lanes(values + "v_fma_mix_f32_e64_dpp v16, v2, v6, v6 op_sel:[1,0,0] op_sel_hi:[1,0,0] quad_perm:[2,2,0,0]",
               32, even(1.5f));
  expect_lanes(values + "v_dot2_f32_f16_e64_dpp v16, v2, v3, v6 quad_perm:[1,1,1,1] fi:1", 32, even(0.5f));
}

TEST(Gfx11, DppInComparisons) {
  const std::string get = "v_mov_b32 v16, s20";
  // A lane that writes nothing counts like an inactive one.
  expect_value("v_cmp_le_u32_e64_dpp s20, v4, v4 row_shl:3\n" + get, 0);
  expect_value("v_cmp_le_u32_e64_dpp s20, v4, v4 row_shr:3\n" + get, 0xfff8fff8);
  expect_value("v_cmp_le_u32_e64_dpp s20, v4, v4 row_shr:3 bound_ctrl:1\n" + get, 0xffffffff);
  expect_value("v_cmp_le_u32_e64_dpp s20, v4, v4 row_shr:3 row_mask:0x2 bank_mask:0xf\n" + get, 0xfff80000);
  expect_lanes("v_cmpx_eq_u32_e64_dpp v4, v4 row_mirror row_mask:0x1\nv_mov_b32 v16, 1", 32,
               [](unsigned) { return 0x55555555; });
  expect_value("v_cmp_eq_u32_e64_dpp s20, v4, v4 quad_perm:[0,0,0,0]\n" + get, 0x11111111);
  expect_value("v_cmp_gt_u32 v4, v4 dpp8:[1,1,1,1,1,1,1,1]\nv_mov_b32 v16, vcc_lo", 0x01010101);
}

// ---- lanes ----

TEST(Gfx11, Permlane64) {
  expect_lanes("s_mov_b64 exec, 0xf0\nv_permlane64_b32 v16, v4", 64,
               [](unsigned i) { return i >= 4 && i < 8 ? 100 + (i ^ 32) : 0x55555555; });
  expect_value("v_permlane64_b32 v16, v4", 0x55555555);
  expect_fault("buffer_load_b32 v7, v1, s[8:11], 0 offen\ns_mov_b64 exec, 1\nv_permlane64_b32 v16, v7", "reads v7", 64);
}

TEST(Gfx11, WorkItemIdsArePacked) {
  std::vector<U> out(32, 0);
  object::StageObject shader =
      make_shader(load_descriptors(1, "gfx1100") +
                      "v_bfe_u32 v2, v0, 10, 10\nv_and_b32 v1, 0x3ff, v0\nv_lshl_add_u32 v1, v2, 3, v1\n"
                      "v_lshlrev_b32 v1, 2, v1\nbuffer_store_b32 v0, v1, s[8:11], 0 offen\ns_endpgm",
                  32, 32, "gfx1100");
  shader.threadgroup_dims = {8, 4, 1};
  shader.tidig_comp_cnt = 1;
  const auto outcome = run_dispatch(shader, make_dispatch({&out}));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->fault, "");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 8 | i / 8 << 10) << i;
}

// ---- scalar ----

TEST(Gfx11, ScalarAdditions) {
  expect_value(
      "s_mov_b32 s20, 0x12345678\ns_mov_b32 s21, 0x9abcdef0\ns_pack_hl_b32_b16 s20, s20, s21\n"
      "v_mov_b32 v16, s20",
      0xdef01234);
  expect_value("s_delay_alu instid0(VALU_DEP_1)\ns_wait_event 0x0\nv_mov_b32 v16, 7", 7);
  expect_value("s_atc_probe 7, s[20:21], 0x40\ns_atc_probe_buffer 7, s[8:11], 0x40\nv_mov_b32 v16, 8", 8);
  expect_lanes(
      "s_singleuse_vdst 0x1\nv_mov_b32 v16, 9", 32, [](unsigned) { return 9; }, "gfx1150");
  // Time passes; the answer needs a wait.
  const std::string ask = "s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)\n",
                    again = "s_sendmsg_rtn_b32 s22, sendmsg(MSG_RTN_GET_REALTIME)\n";
  expect_value(ask + "s_waitcnt lgkmcnt(0)\n" + again +
                   "s_waitcnt lgkmcnt(0)\ns_cmp_gt_u32 s22, s20\ns_cselect_b32 s20, 1, s21\nv_mov_b32 v16, s20",
               1);
  expect_fault(ask + "s_mov_b32 s22, s20", "reads scalar register 20");
  expect_fault("s_sendmsg_rtn_b32 s20, sendmsg(MSG_RTN_GET_TBA)", "does not answer");
}

TEST(Gfx11, SubvectorLoops) {
  // The piece runs for the halves that have lanes, low half first; s21 counts, v16 takes the count.
  const auto loop = [](const std::string& exec) {
    return "s_mov_b32 s21, 0\n" + exec +
           "s_subvector_loop_begin s20, 0x3\ns_add_u32 s21, s21, 1\nv_mov_b32 v16, s21\n"
           "s_subvector_loop_end s20, 0xfffd\nv_lshl_or_b32 v16, v16, 8, v5\n";
  };
  expect_lanes(loop(""), 64, [](unsigned i) { return (i < 32 ? 1u : 2u) << 8 | i; });
  expect_lanes(loop("s_mov_b64 exec, 3\n"), 64, [](unsigned i) { return i < 2 ? 1u << 8 | i : 0x55555555; });
  expect_lanes(loop("s_mov_b32 exec_lo, 0\n"), 64, [](unsigned i) { return i < 32 ? 0x55555555 : 1u << 8 | i; });
  expect_lanes(loop("s_mov_b64 exec, 0\n"), 64, [](unsigned) { return 0x55555555; });
  expect_fault(loop(""), "no halves");
}

// ---- memory ----

TEST(Gfx11, CompareAndStoreHasTheComparisonSecond) {
  // v4 is stored where memory holds v5.
  const std::string place = "v_mov_b32 v6, 7\nds_store_b32 v1, v5\n",
                    read = "ds_load_b32 v16, v1\ns_waitcnt lgkmcnt(0)";
  expect_lanes(place + "v_and_b32 v7, 15, v5\nds_cmpstore_b32 v1, v4, v7\n" + read, 32,
               [](unsigned i) { return i < 16 ? 100 + i : i; });
  expect_lanes(place + "ds_cmpstore_rtn_b32 v16, v1, v4, v6\ns_waitcnt lgkmcnt(0)", 32, [](unsigned i) { return i; });
  expect_value(
      "v_mov_b32 v2, 0x80000000\nds_store_b32 v1, v2\nv_mov_b32 v3, 0\nds_cmpstore_f32 v1, v4, v3\n"
      "ds_load_b32 v16, v1\ns_waitcnt lgkmcnt(0)\nv_sub_nc_u32 v16, v16, v5",
      100);
  expect_value(
      "v_mov_b32 v2, 1\nv_mov_b32 v3, 2\nv_lshlrev_b32 v7, 3, v0\nds_store_b64 v7, v[2:3]\n"
      "v_mov_b32 v8, 50\nv_mov_b32 v9, 60\nds_cmpstore_b64 v7, v[8:9], v[2:3]\nds_load_b64 v[16:17], v7\n"
      "s_waitcnt lgkmcnt(0)\nv_add_nc_u32 v16, v16, v17",
      110);
}

TEST(Gfx11, FloatAddInMemory) {
  expect_value(
      "v_mov_b32 v2, 1.5\nv_mov_b32 v3, 0x40200000\nbuffer_store_b32 v2, v1, s[8:11], 0 offen\n"
      "s_waitcnt_vscnt null, 0x0\nbuffer_atomic_add_f32 v3, v1, s[8:11], 0 offen glc\ns_waitcnt vmcnt(0)\n"
      "buffer_load_b32 v16, v1, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\nv_add_f32 v16, v16, v3",
      bits(5.5f));
  expect_value(
      "v_mov_b32 v2, 1.5\nglobal_store_b32 v1, v2, s[8:9]\ns_waitcnt_vscnt null, 0x0\n"
      "global_atomic_add_f32 v3, v1, v2, s[8:9] glc\ns_waitcnt vmcnt(0)\n"
      "global_load_b32 v16, v1, s[8:9]\ns_waitcnt vmcnt(0)\nv_sub_f32 v16, v16, v3",
      bits(1.5f));
}

TEST(Gfx11, DirectLoads) {
  const std::string store =
                        "v_mov_b32 v2, 0x8081f2f3\nv_lshlrev_b32 v3, 2, v0\nds_store_b32 v3, v2\n"
                        "s_waitcnt lgkmcnt(0)\n",
                    load = "lds_direct_load v16\n", wait = "s_waitcnt expcnt(0)\n";
  expect_value(store + "s_mov_b32 m0, 0x20004\n" + load + wait, 0x8081f2f3);
  expect_value(store + "s_mov_b32 m0, 0x00005\n" + load + wait, 0xf2);
  expect_value(store + "s_mov_b32 m0, 0x10006\n" + load + wait, 0x8081);
  expect_value(store + "s_mov_b32 m0, 0x40005\n" + load + wait, 0xfffffff2);
  expect_value(store + "s_mov_b32 m0, 0x50006\n" + load + "s_waitcnt_expcnt null, 0x0", 0xffff8081);
  expect_lanes(store + "s_mov_b32 m0, 0x20004\ns_mov_b32 exec_lo, 3\n" + load + wait, 32,
               [](unsigned i) { return i < 2 ? 0x8081f2f3 : 0x55555555; });
  expect_fault(store + "s_mov_b32 m0, 0x20004\n" + load + "v_mov_b32 v2, v16", "no expcnt wait");
  expect_fault("s_mov_b32 m0, 0x20006\n" + load, "unaligned");
  expect_fault("s_mov_b32 m0, 0x21000\n" + load, "accesses LDS bytes 4096");
  expect_fault("s_mov_b32 m0, 0x30000\n" + load, "no data type");
}

TEST(Gfx11, UnalignedScratchCrossesDwords) {
  for (const unsigned wave_size : {32u, 64u}) {
    // Bytes 0 to 11 of each lane are 0 to 11 plus 16 times the low bits of the lane; bytes 3, 4, ... are loaded.
    const std::string body =
        "v_and_b32 v2, 7, v0\nv_mul_lo_u32 v2, 0x10101010, v2\nv_add_nc_u32 v4, 0x03020100, v2\n"
        "v_add_nc_u32 v5, 0x07060504, v2\nv_add_nc_u32 v6, 0x0b0a0908, v2\ns_mov_b32 s20, 0\n"
        "scratch_store_b96 off, v[4:6], s20\nv_mov_b32 v7, 1\n"
        "scratch_load_b64 v[8:9], off, s20 offset:3\nscratch_load_u16 v10, v7, off offset:6\n"
        "s_waitcnt vmcnt(0)\nscratch_store_b32 off, v10, s20 offset:5\nscratch_load_b32 v11, off, s20 offset:4\n"
        "s_waitcnt vmcnt(0)\nv_xor_b32 v8, v8, v2\nv_xor_b32 v9, v9, v2\nv_lshlrev_b32 v1, 4, v0\n"
        "buffer_store_b128 v[8:11], v1, s[8:11], 0 offen\ns_endpgm";
    object::StageObject shader = make_shader(load_descriptors(1, "gfx1100") + body, wave_size, wave_size, "gfx1100");
    shader.scratch_en = true;
    shader.scratch_bytes_per_lane = 12;
    std::vector<U> out(wave_size * 4, 0);
    const auto outcome = run_dispatch(shader, make_dispatch({&out}));
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->fault, "");
    for (unsigned i = 0; i < wave_size; ++i) {
      const U tag = (i & 7) * 0x10;
      EXPECT_EQ(out[4 * i], 0x06050403u) << i;
      EXPECT_EQ(out[4 * i + 1], 0x0a090807u) << i;
      EXPECT_EQ(out[4 * i + 2], (8 + tag) << 8 | (7 + tag)) << i;
      // Byte 4 stays, the stored halfword follows, then its zeros.
      EXPECT_EQ(out[4 * i + 3], (8 + tag) << 16 | (7 + tag) << 8 | (4 + tag)) << i;
    }
  }
}

// ---- vector arithmetic ----

TEST(Gfx11, MinimumOfMaximum) {
  const std::string values = mov(2, bits(5.0f)) + mov(3, bits(-2.0f)) + mov(6, bits(3.0f));
  expect_value(values + "v_maxmin_f32 v16, v2, v3, v6", bits(3.0f));
  expect_value(values + "v_minmax_f32 v16, v2, v3, -v6", bits(-2.0f));
  // The limits cross: the last one counts.
  expect_value(mov(2, 9) + mov(3, 5) + mov(6, 1) + "v_minmax_i32 v16, v2, v3, v6", 5);
  expect_value(mov(2, 0xfffffff7) + mov(3, 5) + "v_maxmin_i32 v16, v2, v3, -1", 0xffffffff);
  expect_value(mov(2, 0xfffffff7) + mov(3, 5) + mov(6, 6) + "v_maxmin_u32 v16, v2, v3, v6", 6);
  expect_value(mov(2, 0xfffffff7) + mov(3, 5) + mov(6, 6) + "v_minmax_u32 v16, v2, v3, v6", 6);
  const std::string halves = mov(2, 0x4500) + mov(3, 0xc000) + mov(6, 0x4200);  // 5, -2, 3
  expect_value(halves + "v_maxmin_f16 v16, v2, v3, v6", 0x55554200);
  expect_value(halves + "v_minmax_f16 v16, v2, v3, -v6", 0x5555c000);
}

TEST(Gfx11, SixteenBitIntegers) {
  const std::string values = mov(2, 0xdead0ff0) + mov(3, 0xbeefff00);
  expect_value(values + "v_and_b16 v16, v2, v3", 0x55550f00);
  expect_value(values + "v_or_b16 v16, v2, v3", 0x5555fff0);
  expect_value(values + "v_xor_b16 v16, v2, v3", 0x5555f0f0);
  expect_value(values + "v_not_b16 v16, v2", 0x5555f00f);
  expect_value(values + "v_cvt_i32_i16 v16, v3", 0xffffff00);
  expect_value(values + "v_cvt_u32_u16 v16, v3", 0x0000ff00);
  expect_lanes("s_mov_b32 s20, 0xff\n" + values + "v_cndmask_b16 v16, v2, v3, s20", 32,
               [](unsigned i) { return i < 8 ? 0x5555ff00 : 0x55550ff0; });
  expect_value(values + "v_mov_b16 v16.l, v2.h", 0x5555dead);
  expect_value(values + "v_mov_b16 v16.h, v2.l", 0x0ff05555);
}

TEST(Gfx11, FloatsToPackedIntegers) {
  const std::string values = mov(2, bits(-3.9f)) + mov(3, bits(40000.5f)) + mov(6, 0x7fc00000);
  expect_value(values + "v_cvt_pk_i16_f32 v16, v2, v3", 0x7ffffffd);
  expect_value(values + "v_cvt_pk_u16_f32 v16, v2, v3", 0x9c400000);
  expect_value(values + "v_cvt_pk_i16_f32 v16, v6, -v3", 0x80000000);
}

// ---- dot products ----

TEST(Gfx11, DotProductsOfMixedSigns) {
  const std::string values = mov(2, 0xff02fe80) + mov(3, 0x01ff7f02) + mov(6, 1000);
  const auto sum = [](bool a_signed, bool b_signed) {
    const U a = 0xff02fe80, b = 0x01ff7f02;
    int total = 1000;
    for (unsigned i = 0; i < 32; i += 8) {
      const int x = a_signed ? int{static_cast<int8_t>(a >> i)} : int{static_cast<uint8_t>(a >> i)};
      const int y = b_signed ? int{static_cast<int8_t>(b >> i)} : int{static_cast<uint8_t>(b >> i)};
      total += x * y;
    }
    return static_cast<U>(total);
  };
  expect_value(values + "v_dot4_i32_iu8 v16, v2, v3, v6", sum(false, false));
  expect_value(values + "v_dot4_i32_iu8 v16, v2, v3, v6 neg_lo:[1,0,0]", sum(true, false));
  expect_value(values + "v_dot4_i32_iu8 v16, v2, v3, v6 neg_lo:[0,1,0]", sum(false, true));
  expect_value(values + "v_dot4_i32_iu8 v16, v2, v3, v6 neg_lo:[1,1,0]", sum(true, true));
  // 8 * 15 * -8 = -960 and 8 * 15 * 15 = 1800.
  const std::string nibbles = mov(2, 0xffffffff) + mov(3, 0x88888888) + mov(6, 5);
  expect_value(nibbles + "v_dot8_i32_iu4 v16, v2, v3, v6 neg_lo:[0,1,0]", static_cast<U>(-955));
  expect_value(nibbles + "v_dot8_i32_iu4 v16, v2, v2, v6", 1805);
  expect_value(mov(2, 0x7f7f7f7f) + mov(6, 0x7fffff00) + "v_dot4_i32_iu8 v16, v2, v2, v6 clamp", 0x7fffffff);
}

TEST(Gfx11, DotProductsOfFloats) {
  const std::string halves = mov(2, 0x40003c00) + mov(3, 0x44004200) + mov(6, 0x3800);  // (1, 2), (3, 4), 0.5
  expect_value(halves + "v_dot2_f16_f16 v16, v2, v3, v6", 0x555549c0);                  // 11.5
  expect_value(halves + "v_dot2_f16_f16 v16, -v2, v3, v6", 0x5555c940);                 // -10.5
  const std::string bfloats = mov(2, 0x40003f80) + mov(3, 0x40804040) + mov(6, 0x3f00);
  expect_value(bfloats + "v_dot2_bf16_bf16 v16, v2, v3, v6", 0x55554138);
  expect_value(bfloats + mov(6, bits(0.5f)) + "v_dot2_f32_bf16 v16, v2, v3, v6", bits(11.5f));
  expect_value(bfloats + mov(6, bits(0.5f)) + "v_dot2_f32_bf16 v16, v2, v3, v6 neg_lo:[1,0,0]", bits(5.5f));
  expect_value(bfloats + mov(6, bits(0.5f)) + "v_dot2_f32_bf16 v16, v2, v3, v6 neg_hi:[1,0,0]", bits(-4.5f));
}

}  // namespace
}  // namespace spalt::emu::test
