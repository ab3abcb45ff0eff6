// SPDX-License-Identifier: MIT
// Wrong rewrites of machine code are found, right ones are proved.
#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"
#include "prove/prove_machine.h"

namespace spalt::prove {
namespace {

constexpr const char* kHead = "b0:\n  %0:v1@v0, %1:v1@v1, %2:v1@v2, %3:s1@s2, %4:s1@s3 = p_start\n";

Proof compare(const std::string& head, const std::string& before, const std::string& after) {
  const auto text = [&](const std::string& body) {
    return "machine " + head + " wave32 selected\n" + kHead + body + "  ds_write_b32 %0:v1, %9:v1\n  p_return\n";
  };
  Result<mir::Function> a = mir::parse(text(before)), b = mir::parse(text(after));
  EXPECT_TRUE(a) << a.error().message;
  EXPECT_TRUE(b) << b.error().message;
  if (!a || !b) return {};
  return prove_machine(*a, *b, {20000});
}

struct Rewrite {
  const char *name, *target, *before, *right, *wrong;
};

constexpr Rewrite kRewrites[] = {
    {"sum", "gfx1030", "%8:v1 = v_add_nc_u32 %0:v1, %1:v1\n%9:v1 = v_add_nc_u32 %8:v1, %2:v1\n",
     "%9:v1 = v_add3_u32 %2:v1, %1:v1, %0:v1\n", "%9:v1 = v_add3_u32 %2:v1, %1:v1, %1:v1\n"},
    {"difference", "gfx1030", "%9:v1 = v_sub_nc_u32 %0:v1, %1:v1\n", "%9:v1 = v_subrev_nc_u32 %1:v1, %0:v1\n",
     "%9:v1 = v_subrev_nc_u32 %0:v1, %1:v1\n"},
    {"shift", "gfx1030", "%8:v1 = v_lshlrev_b32 0x3, %0:v1\n%9:v1 = v_add_nc_u32 %8:v1, %1:v1\n",
     "%9:v1 = v_lshl_add_u32 %0:v1, 0x3, %1:v1\n", "%9:v1 = v_lshl_add_u32 0x3, %0:v1, %1:v1\n"},
    {"field", "gfx1030", "%8:v1 = v_lshrrev_b32 0x4, %0:v1\n%9:v1 = v_and_b32 0xff, %8:v1\n",
     "%9:v1 = v_bfe_u32 %0:v1, 0x4, 0x8\n", "%9:v1 = v_bfe_i32 %0:v1, 0x4, 0x8\n"},
    {"carry", "gfx1030",
     "%7:s1 = v_cmp_lt_u32 %0:v1, %1:v1\n%8:v1 = v_cndmask_b32 0x0, 0x1, %7:s1\n%9:v1 = v_add_nc_u32 %8:v1, %2:v1\n",
     "%7:s1 = v_cmp_lt_u32 %0:v1, %1:v1\n%9:v1, %8:s1 = v_add_co_ci_u32 %2:v1, 0x0, %7:s1\n",
     "%7:s1 = v_cmp_lt_u32 %0:v1, %1:v1\n%9:v1, %8:s1 = v_sub_co_ci_u32 %2:v1, 0x0, %7:s1\n"},
    {"lane mask", "gfx1030", "%7:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 %1:v1, %2:v1, %7:s1\n",
     "%7:s1 = v_cmp_ge_i32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 %2:v1, %1:v1, %7:s1\n",
     "%7:s1 = v_cmp_gt_i32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 %2:v1, %1:v1, %7:s1\n"},
    {"scalar mask", "gfx1030",
     "%5:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%6:s1 = v_cmp_lt_i32 %1:v1, %2:v1\n%7:s1, scc = s_and_b32 %5:s1, %6:s1\n"
     "%9:v1 = v_cndmask_b32 0x0, %2:v1, %7:s1\n",
     "%5:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%6:s1 = v_cmp_lt_i32 %1:v1, %2:v1\n%8:v1 = v_cndmask_b32 0x0, %2:v1, %5:s1\n"
     "%9:v1 = v_cndmask_b32 0x0, %8:v1, %6:s1\n",
     "%5:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%6:s1 = v_cmp_lt_i32 %1:v1, %2:v1\n%8:v1 = v_cndmask_b32 0x0, %2:v1, %5:s1\n"
     "%9:v1 = v_cndmask_b32 %2:v1, %8:v1, %6:s1\n"},
    {"sign", "gfx1030", "%8:v1 = v_xor_b32 0x80000000, %1:v1\n%9:v1 = v_cndmask_b32 %0:v1, %8:v1, %3:s1\n",
     "%9:v1 = v_cndmask_b32 %0:v1, %1:v1, %3:s1 neg=2\n", "%9:v1 = v_cndmask_b32 %0:v1, %1:v1, %3:s1 neg=1\n"},
    {"float difference", "gfx1030", "%9:v1 = v_sub_f32 %0:v1, %1:v1\n", "%9:v1 = v_add_f32 %1:v1, %0:v1 neg=1\n",
     "%9:v1 = v_add_f32 %1:v1, %0:v1 neg=2\n"},
    {"half", "gfx1030",
     "%7:v1 = v_lshrrev_b32 0x10, %0:v1\n%8:v1 = v_cvt_f32_f16 %7:v1\n%9:v1 = v_mul_f32 %8:v1, %1:v1\n",
     "%9:v1 = v_fma_mix_f32 %0:v1, %1:v1, 0x0 neg=4 op_sel=1 op_sel_hi=1\n",
     "%9:v1 = v_fma_mix_f32 %0:v1, %1:v1, 0x0 neg=4 op_sel_hi=1\n"},
    {"product without a negative zero", "gfx1030", "%8:v1 = v_cvt_f32_f16 %0:v1\n%9:v1 = v_mul_f32 %8:v1, %1:v1\n",
     "%9:v1 = v_fma_mix_f32 %0:v1, %1:v1, 0x0 neg=4 op_sel_hi=1\n",
     "%9:v1 = v_fma_mix_f32 %0:v1, %1:v1, 0x0 op_sel_hi=1\n"},
    {"byte", "gfx900", "%8:v1 = v_bfe_u32 %0:v1, 0x8, 0x8\n%9:v1 = v_add_nc_u32 %8:v1, %1:v1\n",
     "%9:v1 = v_add_nc_u32 %0:v1, %1:v1 src0_sel=1\n", "%9:v1 = v_add_nc_u32 %0:v1, %1:v1 src0_sel=1 sext=1\n"},
    {"word that is kept", "gfx900", "%8:v1 = v_and_b32 0xffff, %0:v1\n%9:v1 = v_lshl_or_b32 %1:v1, 0x10, %8:v1\n",
     "%9:v1 = v_mov_b32 %1:v1, tied %0:v1 dst_sel=5 dst_unused=2 src0_sel=4\n",
     "%9:v1 = v_mov_b32 %1:v1, tied %0:v1 dst_sel=4 dst_unused=2 src0_sel=4\n"},
    {"tuple", "gfx1030", "%8:v2 = p_vec %0:v1, %1:v1\n%9:v1 = p_extract %8:v2, 0x1\n", "%9:v1 = v_mov_b32 %1:v1\n",
     "%9:v1 = v_mov_b32 %0:v1\n"},
    {"order of effects", "gfx1030", "%9:v1 = v_mov_b32 %1:v1\nds_write_b32 %0:v1, %1:v1\nds_write_b32 %0:v1, %2:v1\n",
     "ds_write_b32 %0:v1, %1:v1\n%9:v1 = v_mov_b32 %1:v1\nds_write_b32 %0:v1, %2:v1\n",
     "ds_write_b32 %0:v1, %2:v1\n%9:v1 = v_mov_b32 %1:v1\nds_write_b32 %0:v1, %1:v1\n"},
    {"shuffle", "gfx1030", "%8:v1 = v_lshlrev_b32 0x2, %1:v1\n%9:v1 = ds_bpermute_b32 %8:v1, %2:v1\n",
     "%8:v1 = v_mul_lo_u32 0x4, %1:v1\n%9:v1 = ds_bpermute_b32 %8:v1, %2:v1\n",
     "%8:v1 = v_lshlrev_b32 0x2, %1:v1\n%9:v1 = ds_bpermute_b32 %8:v1, %1:v1\n"},
};

TEST(ProveMachine, FindsWrongRewritesAndProvesRightOnes) {
  for (const Rewrite& r : kRewrites) {
    const Proof right = compare(r.target, r.before, r.right), wrong = compare(r.target, r.before, r.wrong);
    EXPECT_EQ(right.verdict, Verdict::equal) << r.name << "\n" << right.text;
    EXPECT_EQ(wrong.verdict, Verdict::different) << r.name << "\n" << wrong.text;
  }
}

TEST(ProveMachine, WhatIsAboveAHalfIsAnyWordFromGfx10On) {
  const char* half = "%8:v1 = v_cvt_f16_f32 %0:v1\n%9:v1 = v_and_b32 0xffff, %8:v1\n";
  const char* word = "%9:v1 = v_cvt_f16_f32 %0:v1\n";
  EXPECT_EQ(compare("gfx900", half, word).verdict, Verdict::equal);
  EXPECT_EQ(compare("gfx1030", half, word).verdict, Verdict::different);
}

TEST(ProveMachine, RefusesLoops) {
  const std::string loop =
      "machine gfx1030 wave32 selected\nb0: logical(-> b1)\n  %0:v1@v0 = p_start\n  p_branch b1\n"
      "b1: loop_header depth=1 logical(b0, b1 -> b1, b2)\n  %1:v1 = p_phi %0:v1, %2:v1\n"
      "  %2:v1 = v_add_nc_u32 0x1, %1:v1\n  %3:s1 = v_cmp_gt_u32 0x9, %2:v1\n  p_branch_mask %3:s1, b1, b2\n"
      "b2: logical(b1 ->)\n  p_return\n";
  const Result<mir::Function> function = mir::parse(loop);
  ASSERT_TRUE(function) << function.error().message;
  EXPECT_EQ(prove_machine(*function, *function).verdict, Verdict::refused);
}

}  // namespace
}  // namespace spalt::prove
