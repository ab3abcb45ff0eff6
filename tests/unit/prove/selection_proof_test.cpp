// SPDX-License-Identifier: MIT
// Wrong selections are found, right ones are proved. Both are written by hand: nothing here selects.
#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"
#include "ir/parser.h"
#include "prove/prove_select.h"

namespace spalt::prove {
namespace {

constexpr const char* kArgs =
    "arg \"v\", vgpr 0\narg \"w\", vgpr 1\narg \"s\", sgpr 2\narg \"t\", sgpr 3\narg \"d\", sgpr 4, dwords 4\n"
    "arg \"q\", sgpr 8, dwords 2\n";
constexpr const char* kEntry =
    "  %v: i32 = arg 0\n  %w: i32 = arg 1\n  %s: i32 = arg 2\n  %t: i32 = arg 3\n  %d: i32x4 = arg 4\n"
    "  %q: i64 = arg 5\n  %x: f32 = bitcast %v\n  %y: f32 = bitcast %w\n  %z: f32 = bitcast %s\n";
constexpr const char* kStart = "  %0:v1@v0, %1:v1@v1, %2:s1@s2, %3:s1@s3, %4:s4@s[4:7], %5:s2@s[8:9] = p_start\n";

Proof compare(const std::string& target, const std::string& source, const std::string& code) {
  const Result<ir::Module> module = ir::parse(source);
  const Result<mir::Function> selected = mir::parse("machine " + target + " wave32 selected\n" + code);
  EXPECT_TRUE(module) << module.error().message;
  EXPECT_TRUE(selected) << selected.error().message;
  if (!module || !selected) return {};
  return prove_select(*module, std::vector<bool>(module->functions[0].value_capacity(), true), *selected, {20000});
}

Proof compare_block(const std::string& target, const std::string& source, const std::string& code) {
  return compare(target,
                 std::string("stage lowered\nworkgroup_size 128, 1, 1\nshared_bytes 1024\n") + kArgs +
                     "func @main() {\nb0:\n" + kEntry + source + "  ret\n}\n",
                 "b0:\n" + std::string(kStart) + code + "  p_return\n");
}

struct Selection {
  const char *name, *source, *right, *wrong;
  const char* target = "gfx1030";
};

/// %9 is stored at the end.
constexpr Selection kValues[] = {
    {"difference", "%r: i32 = isub %v, %w\n", "%9:v1 = v_subrev_nc_u32 %1:v1, %0:v1\n",
     "%9:v1 = v_sub_nc_u32 %1:v1, %0:v1\n"},
    {"immediate", "%r: i32 = iadd %v, 70000\n", "%9:v1 = v_add_nc_u32 0x11170, %0:v1\n",
     "%9:v1 = v_add_nc_u32 0x1117, %0:v1\n"},
    {"comparison", "%c: i1 = ult %v, %w\n%r: i32 = select %c, %v, %s\n",
     "%8:s1 = v_cmp_gt_u32 %1:v1, %0:v1\n%9:v1 = v_cndmask_b32 %2:s1, %0:v1, %8:s1\n",
     "%8:s1 = v_cmp_gt_i32 %1:v1, %0:v1\n%9:v1 = v_cndmask_b32 %2:s1, %0:v1, %8:s1\n"},
    {"order of a selection", "%c: i1 = slt %v, %w\n%r: i32 = select %c, %v, %s\n",
     "%8:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 %2:s1, %0:v1, %8:s1\n",
     "%8:s1 = v_cmp_lt_i32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 %0:v1, %2:s1, %8:s1\n"},
    {"uniform comparison", "%c: i1 = sle %s, %t\n%r: i32 = select %c, %s, 7\n",
     "scc = s_cmp_le_i32 %2:s1, %3:s1\n%8:s1 = s_cselect_b32 %2:s1, 0x7, scc\n%9:v1 = v_mov_b32 %8:s1\n",
     "scc = s_cmp_lt_i32 %2:s1, %3:s1\n%8:s1 = s_cselect_b32 %2:s1, 0x7, scc\n%9:v1 = v_mov_b32 %8:s1\n"},
    {"carry", "%c: i1 = uadd_carry %v, %w\n%r: i32 = zext %c\n",
     "%7:v1, %8:s1 = v_add_co_u32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 0x0, 0x1, %8:s1\n",
     "%7:v1, %8:s1 = v_sub_co_u32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 0x0, 0x1, %8:s1\n"},
    {"wide shift", "%q2: i64 = ushr %q, i32 5\n%r: i32 = trunc %q2\n",
     "%7:s2, scc = s_lshr_b64 %5:s2, 0x5\n%8:s1 = p_extract %7:s2, 0x0\n%9:v1 = v_mov_b32 %8:s1\n",
     "%7:s2, scc = s_lshr_b64 %5:s2, 0x5\n%8:s1 = p_extract %7:s2, 0x1\n%9:v1 = v_mov_b32 %8:s1\n"},
    {"field", "%r: i32 = bfe_s %v, 3, 8\n", "%9:v1 = v_bfe_i32 %0:v1, 0x3, 0x8\n",
     "%9:v1 = v_bfe_u32 %0:v1, 0x3, 0x8\n"},
    {"leading zeros", "%f: i32 = find_msb_u %v\n%r: i32 = umax %f, 0\n",
     "%6:v1 = v_ffbh_u32 %0:v1\n%7:v1 = v_sub_nc_u32 0x1f, %6:v1\n%8:s1 = v_cmp_ne_u32 0x0, %0:v1\n"
     "%9:v1 = v_cndmask_b32 0xffffffff, %7:v1, %8:s1\n",
     "%6:v1 = v_ffbh_u32 %0:v1\n%9:v1 = v_sub_nc_u32 0x1f, %6:v1\n"},
    {"product of 24 bits", "%r: i32 = imul %v, %w {fits_24}\n", "%9:v1 = v_mul_u32_u24 %1:v1, %0:v1\n",
     "%9:v1 = v_mul_i32_i24 %1:v1, %0:v1\n"},
    {"product of any bits", "%r: i32 = imul %v, %w\n", "%9:v1 = v_mul_lo_u32 %1:v1, %0:v1\n",
     "%9:v1 = v_mul_u32_u24 %1:v1, %0:v1\n"},
    {"half", "%h: i16 = trunc %v\n%k: i16 = ushr %h, 3\n%r: i32 = zext %k\n",
     "%8:v1 = v_and_b32 0xffff, %0:v1\n%9:v1 = v_lshrrev_b32 0x3, %8:v1\n", "%9:v1 = v_lshrrev_b16 0x3, %0:v1\n"},
    {"sign of a half", "%h: i16 = trunc %s\n%r: i32 = sext %h\n",
     "%8:s1 = s_sext_i32_i16 %2:s1\n%9:v1 = v_mov_b32 %8:s1\n", "%9:v1 = v_and_b32 0xffff, %2:s1\n"},
    {"halves", "%a: f16x2 = bitcast %v\n%b: f16x2 = bitcast %w\n%k: f16x2 = fsub %a, %b\n%r: i32 = bitcast %k\n",
     "%9:v1 = v_pk_add_f16 %0:v1, %1:v1 neg=2 abs=2 op_sel_hi=3\n",
     "%9:v1 = v_pk_add_f16 %0:v1, %1:v1 neg=2 abs=1 op_sel_hi=3\n"},
    {"low and high halves", "%a: i16x2 = bitcast %v\n%k: i16x2 = iadd %a, %a\n%r: i32 = bitcast %k\n",
     "%9:v1 = v_pk_add_u16 %0:v1, %0:v1 op_sel_hi=3\n", "%9:v1 = v_pk_add_u16 %0:v1, %0:v1 op_sel_hi=1\n"},
    {"float difference", "%f: f32 = fsub %x, %y\n%r: i32 = bitcast %f\n", "%9:v1 = v_subrev_f32 %1:v1, %0:v1\n",
     "%9:v1 = v_subrev_f32 %0:v1, %1:v1\n"},
    {"sign of a float", "%n: f32 = fneg %x\n%f: f32 = fmul %n, %y\n%r: i32 = bitcast %f\n",
     "%9:v1 = v_mul_f32 %0:v1, %1:v1 neg=1\n", "%9:v1 = v_mul_f32 %0:v1, %1:v1 abs=1\n"},
    {"limits", "%l: f32 = fmax %x, 0.0\n%f: f32 = fmin %l, 1.0\n%r: i32 = bitcast %f\n",
     "%9:v1 = v_max_f32 %0:v1, %0:v1 clamp\n", "%9:v1 = v_med3_f32 %0:v1, 0x3f800000, %2:s1\n"},
    {"limits of NaN", "%l: f32 = fmin %x, 1.0 {no_nan}\n%f: f32 = fmax %l, 0.0\n%r: i32 = bitcast %f\n",
     "%9:v1 = v_max_f32 %0:v1, %0:v1 clamp\n", "%9:v1 = v_min_f32 0x3f800000, %0:v1\n"},
    {"multiply-add", "%p: f32 = fmul %x, %y\n%f: f32 = fadd %p, %z\n%r: i32 = bitcast %f\n",
     "%9:v1 = v_fma_f32 %0:v1, %1:v1, %2:s1\n", "%9:v1 = v_fma_f32 %0:v1, %2:s1, %1:v1\n"},
    {"unordered", "%c: i1 = fult %x, %y\n%r: i32 = zext %c\n",
     "%8:s1 = v_cmp_nge_f32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 0x0, 0x1, %8:s1\n",
     "%8:s1 = v_cmp_lt_f32 %0:v1, %1:v1\n%9:v1 = v_cndmask_b32 0x0, 0x1, %8:s1\n"},
    {"conversion", "%r0: f32 = u_to_f %v\n%r: i32 = bitcast %r0\n", "%9:v1 = v_cvt_f32_u32 %0:v1\n",
     "%9:v1 = v_cvt_f32_i32 %0:v1\n"},
    {"first lane", "%r: i32 = read_first_lane %v\n", "%8:s1 = v_readfirstlane_b32 %0:v1\n%9:v1 = v_mov_b32 %8:s1\n",
     "%9:v1 = v_mov_b32 %0:v1\n"},
    {"any lane", "%c: i1 = ult %v, %w\n%a: i1 = any_lane %c\n%r: i32 = zext %a\n",
     "%6:s1 = v_cmp_lt_u32 %0:v1, %1:v1\n%7:s1, scc = s_and_b32 %6:s1, exec_lo\n"
     "%8:s1 = s_cselect_b32 0x1, 0x0, scc\n%9:v1 = v_mov_b32 %8:s1\n",
     "%6:s1 = v_cmp_lt_u32 %0:v1, %1:v1\n%7:s1, scc = s_andn2_b32 exec_lo, %6:s1\n"
     "%8:s1 = s_cselect_b32 0x1, 0x0, scc\n%9:v1 = v_mov_b32 %8:s1\n"},
    // Loads
    {"sum that may wrap", "%o: i32 = iadd %v, 16\n%r: i32 = load.storage %d, %o\n",
     "%8:v1 = v_add_nc_u32 0x10, %0:v1\n%9:v1 = buffer_load_dword %8:v1, %4:s4, 0x0 offen mem(reads_buffer)\n",
     "%9:v1 = buffer_load_dword %0:v1, %4:s4, 0x0 offen offset=16 mem(reads_buffer)\n"},
    {"sum that does not wrap", "%o: i32 = iadd %v, 16 {no_unsigned_wrap}\n%r: i32 = load.storage %d, %o\n",
     "%9:v1 = buffer_load_dword %0:v1, %4:s4, 0x0 offen offset=16 mem(reads_buffer)\n",
     "%9:v1 = buffer_load_dword %0:v1, %4:s4, 0x0 offen offset=12 mem(reads_buffer)\n"},
    {"sum in LDS that may wrap", "%o: i32 = iadd %v, 4\n%r: i32 = load.shared %o\n",
     "%8:v1 = v_add_nc_u32 0x4, %0:v1\n%9:v1 = ds_read_b32 %8:v1 mem(reads_shared)\n",
     "%9:v1 = ds_read_b32 %0:v1 offset=4 mem(reads_shared)\n"},
    {"offset of an address", "%r: i32 = load.global %q, %v, offset 8\n",
     "%9:v1 = global_load_dword %0:v1, %5:s2 offset=8 mem(reads_buffer)\n",
     "%9:v1 = global_load_dword %0:v1, %5:s2 offset=-8 mem(reads_buffer)\n"},
    {"scalar offset", "%r: i32 = load.uniform %d, %s, offset 12\n",
     "%8:s1 = s_buffer_load_dword %4:s4, %2:s1 offset=12 mem(reads_constant)\n%9:v1 = v_mov_b32 %8:s1\n",
     "%8:s1 = s_buffer_load_dword %4:s4, %3:s1 offset=12 mem(reads_constant)\n%9:v1 = v_mov_b32 %8:s1\n"},
    {"memory that somebody writes", "%r: i32 = load.storage %d, %v\n",
     "%9:v1 = buffer_load_dword %0:v1, %4:s4, 0x0 offen mem(reads_buffer)\n",
     "%9:v1 = buffer_load_dword %0:v1, %4:s4, 0x0 offen mem(reads_constant)\n"},
    {"part of a load", "%p: i32x3 = load.storage %d, %v\n%r: i32 = extract %p, 2\n",
     "%7:v3 = buffer_load_dwordx3 %0:v1, %4:s4, 0x0 offen mem(reads_buffer)\n%9:v1 = p_extract %7:v3, 0x2\n",
     "%7:v3 = buffer_load_dwordx3 %0:v1, %4:s4, 0x0 offen mem(reads_buffer)\n%9:v1 = p_extract %7:v3, 0x1\n"},
    {"sign of a short", "%h: i16 = load.storage %d, %v, align 2\n%r: i32 = sext %h\n",
     "%9:v1 = buffer_load_sshort %0:v1, %4:s4, 0x0 offen mem(reads_buffer)\n",
     "%9:v1 = buffer_load_ushort %0:v1, %4:s4, 0x0 offen mem(reads_buffer)\n"},
    {"atomic operation", "%r: i32 = atomic_umin.storage %d, %w, %v, scope device, order relaxed\n",
     "%9:v1 = buffer_atomic_umin tied %0:v1, %1:v1, %4:s4, 0x0 glc offen mem(reads_buffer, writes_buffer)\n",
     "%9:v1 = buffer_atomic_smin tied %0:v1, %1:v1, %4:s4, 0x0 glc offen mem(reads_buffer, writes_buffer)\n"},
    {"comparator", "%r: i32 = atomic_compare_exchange.shared 0, %v, %w, scope workgroup, order relaxed\n",
     "%8:v1 = v_mov_b32 0x0\n%9:v1 = ds_cmpst_rtn_b32 %8:v1, %1:v1, %0:v1 mem(reads_shared, writes_shared)\n",
     "%8:v1 = v_mov_b32 0x0\n%9:v1 = ds_cmpst_rtn_b32 %8:v1, %0:v1, %1:v1 mem(reads_shared, writes_shared)\n"},
};

TEST(ProveSelect, FindsWrongValuesAndProvesRightOnes) {
  const std::string source = "store.storage %d, 0, %r\n";
  const std::string code = "buffer_store_dword %9:v1, none, %4:s4, 0x0 mem(writes_buffer)\n";
  for (const Selection& s : kValues) {
    const Proof right = compare_block(s.target, s.source + source, s.right + code);
    const Proof wrong = compare_block(s.target, s.source + source, s.wrong + code);
    EXPECT_EQ(right.verdict, Verdict::equal) << s.name << "\n" << right.text;
    EXPECT_EQ(wrong.verdict, Verdict::different) << s.name << "\n" << wrong.text;
  }
}

constexpr Selection kEffects[] = {
    {"order of stores", "store.storage %d, 0, %v\nstore.storage %d, 4, %w\n",
     "buffer_store_dword %0:v1, none, %4:s4, 0x0 mem(writes_buffer)\n"
     "buffer_store_dword %1:v1, none, %4:s4, 0x0 offset=4 mem(writes_buffer)\n",
     "buffer_store_dword %1:v1, none, %4:s4, 0x0 offset=4 mem(writes_buffer)\n"
     "buffer_store_dword %0:v1, none, %4:s4, 0x0 mem(writes_buffer)\n"},
    {"missing store", "store.shared %v, %w\n", "ds_write_b32 %0:v1, %1:v1 mem(writes_shared)\n", ""},
    {"order of parts", "%p: i32x2 = vec %v, %w\nstore.shared 0, %p, align 8\n",
     "%7:v1 = v_mov_b32 0x0\n%8:v2 = p_vec %0:v1, %1:v1\nds_write_b64 %7:v1, %8:v2 mem(writes_shared)\n",
     "%7:v1 = v_mov_b32 0x0\n%8:v2 = p_vec %1:v1, %0:v1\nds_write_b64 %7:v1, %8:v2 mem(writes_shared)\n"},
    {"size of a store", "%h: i16 = trunc %v\nstore.storage %d, 0, %h, align 2\n",
     "buffer_store_short %0:v1, none, %4:s4, 0x0 mem(writes_buffer)\n",
     "buffer_store_dword %0:v1, none, %4:s4, 0x0 mem(writes_buffer)\n"},
    {"store beyond a load", "%a: i32 = load.shared %v\nstore.shared %v, %w\nstore.shared %w, %a\n",
     "%7:v1 = ds_read_b32 %0:v1 mem(reads_shared)\nds_write_b32 %0:v1, %1:v1 mem(writes_shared)\n"
     "ds_write_b32 %1:v1, %7:v1 mem(writes_shared)\n",
     "ds_write_b32 %0:v1, %1:v1 mem(writes_shared)\n%7:v1 = ds_read_b32 %0:v1 mem(reads_shared)\n"
     "ds_write_b32 %1:v1, %7:v1 mem(writes_shared)\n"},
    {"barrier", "store.shared %v, %w\ncontrol_barrier shared, scope workgroup, order acq_rel\n",
     "ds_write_b32 %0:v1, %1:v1 mem(writes_shared)\ns_barrier mem(orders_memory)\n",
     "s_barrier mem(orders_memory)\nds_write_b32 %0:v1, %1:v1 mem(writes_shared)\n"},
    {"precise product", "%p: f32 = fmul %x, %y {precise}\n%f: f32 = fadd %p, %z\nstore.storage %d, 0, %f\n",
     "%8:v1 = v_mul_f32 %0:v1, %1:v1\n%9:v1 = v_add_f32 %2:s1, %8:v1\n"
     "buffer_store_dword %9:v1, none, %4:s4, 0x0 mem(writes_buffer)\n",
     "%9:v1 = v_fma_f32 %0:v1, %1:v1, %2:s1\nbuffer_store_dword %9:v1, none, %4:s4, 0x0 mem(writes_buffer)\n"},
    {"undef may be anything, its neighbour not", "%p: i32x2 = vec %v, undef\nstore.storage %d, 0, %p, align 8\n",
     "%8:v2 = p_vec %0:v1, 0x7\nbuffer_store_dwordx2 %8:v2, none, %4:s4, 0x0 mem(writes_buffer)\n",
     "%8:v2 = p_vec 0x7, %0:v1\nbuffer_store_dwordx2 %8:v2, none, %4:s4, 0x0 mem(writes_buffer)\n"},
};

TEST(ProveSelect, FindsWrongEffectsAndProvesRightOnes) {
  for (const Selection& s : kEffects) {
    const Proof right = compare_block(s.target, s.source, s.right), wrong = compare_block(s.target, s.source, s.wrong);
    EXPECT_EQ(right.verdict, Verdict::equal) << s.name << "\n" << right.text;
    EXPECT_EQ(wrong.verdict, Verdict::different) << s.name << "\n" << wrong.text;
  }
}

/// A loop that adds up from the second argument on; what may be wrong is written into the text.
struct LoopParts {
  std::string first = "%9:v1", next = "%7:v1", branch = "b2, b1";
};

std::string loop_code(const LoopParts& parts) {
  return "b0: logical(-> b1)\n" + std::string(kStart) +
         "  %6:v1 = v_mov_b32 0x0\n  %9:v1 = v_mov_b32 %2:s1\n  p_branch b1\n"
         "b1: loop_header depth=1 logical(b0, b1 -> b2, b1)\n  %10:v1 = p_phi %6:v1, %8:v1\n  %11:v1 = p_phi " +
         parts.first + ", " + parts.next +
         "\n  %7:v1 = v_add_nc_u32 %11:v1, %0:v1\n  %8:v1 = v_add_nc_u32 0x1, %10:v1\n"
         "  %12:s1 = v_cmp_lt_u32 %1:v1, %8:v1\n  p_branch_mask %12:s1, " +
         parts.branch +
         "\nb2: logical(b1 ->)\n  buffer_store_dword %7:v1, none, %4:s4, 0x0 mem(writes_buffer)\n  p_return\n";
}

TEST(ProveSelect, FindsWrongLoopsAndProvesRightOnes) {
  const std::string source =
      std::string("stage lowered\n") + kArgs + "func @main() {\nb0:\n" + kEntry +
      "  branch b1\nb1: loop merge b2, continue b1\n  %i: i32 = phi [b0 0], [b1 %n]\n"
      "  %a: i32 = phi [b0 %s], [b1 %b]\n  %b: i32 = iadd %a, %v\n  %n: i32 = iadd %i, 1\n"
      "  %c: i1 = ult %w, %n\n  branch_if %c, b2, b1\nb2:\n  store.storage %d, 0, %b\n  ret\n}\n";
  const Proof right = compare("gfx1030", source, loop_code({}));
  EXPECT_EQ(right.verdict, Verdict::equal) << right.text;
  LoopParts wrong;
  wrong.first = "%6:v1";
  EXPECT_EQ(compare("gfx1030", source, loop_code(wrong)).verdict, Verdict::different);
  wrong = {};
  wrong.next = "%8:v1";
  EXPECT_EQ(compare("gfx1030", source, loop_code(wrong)).verdict, Verdict::different);
  wrong = {};
  wrong.branch = "b1, b2";
  EXPECT_EQ(compare("gfx1030", source, loop_code(wrong)).verdict, Verdict::different);
}

TEST(ProveSelect, NamesWhatHasNoFormula) {
  const Proof proof = compare_block("gfx1030", "store.storage %d, 0, %v\n",
                                    "%9:v1 = v_movrels_b32 %0:v1, m0\nbuffer_store_dword %0:v1, none, %4:s4, 0x0\n");
  EXPECT_EQ(proof.verdict, Verdict::refused);
  EXPECT_NE(proof.text.find("v_movrels_b32"), std::string::npos) << proof.text;
}

}  // namespace
}  // namespace spalt::prove
