// SPDX-License-Identifier: MIT
// Scalar instructions against plain C++ written from the RDNA 2 ISA guide. Each wave handles one element: a workgroup
// of one wave reads two 64-bit operands, runs the instruction once and stores its result and scc.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;
using W = uint64_t;

struct Result4 {
  W value;
  bool scc;
};
/// a, b: 64-bit operands (s[20:21], s[22:23]); scc: its value before.
struct Case {
  const char* text;  ///< result to s[24:25]
  std::function<Result4(W, W, bool)> expected;
  bool wide = false;  ///< 64-bit result
};

void check(const std::vector<Case>& cases) {
  constexpr size_t kElements = 96;
  const std::vector<U> a = interesting_u32(kElements * 2, 51), b = interesting_u32(kElements * 2, 52);
  std::vector<U> in(kElements * 4), out(kElements * cases.size() * 4, 0);
  for (size_t i = 0; i < kElements; ++i) {
    in[4 * i] = a[2 * i];
    in[4 * i + 1] = i % 3 == 0 ? 0 : a[2 * i + 1];
    in[4 * i + 2] = i % 5 == 0 ? a[2 * i] : b[2 * i];
    in[4 * i + 3] = i % 5 == 0 ? in[4 * i + 1] : b[2 * i + 1];
  }
  std::string text = load_descriptors(2) + "s_lshl_b32 s3, s2, 4\ns_buffer_load_dwordx4 s[20:23], s[8:11], s3\n";
  text +=
      "s_mul_i32 s3, s2, " + std::to_string(cases.size() * 16) + "\nv_lshlrev_b32 v1, 4, v0\ns_waitcnt lgkmcnt(0)\n";
  for (size_t k = 0; k < cases.size(); ++k) {
    // scc starts as bit 0 of the element number.
    text += "s_mov_b64 s[24:25], 0\ns_bitcmp1_b32 s2, 0\n" + std::string(cases[k].text) +
            "\ns_cselect_b32 s26, 1, 0\nv_mov_b32 v4, s24\nv_mov_b32 v5, s25\nv_mov_b32 v6, s26\n"
            "v_add_nc_u32 v2, s3, v1\nbuffer_store_dwordx3 v[4:6], v2, s[12:15], 0 offen offset:" +
            std::to_string(16 * k) + "\n";
  }
  object::StageObject shader = make_shader(text + "s_endpgm\n", 32, 1);
  ASSERT_FALSE(shader.code.empty());
  DispatchInfo info = make_dispatch({&in, &out});
  info.grid = {kElements, 1, 1};
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  ASSERT_EQ(outcome->fault, "");
  for (size_t i = 0; i < kElements; ++i) {
    const W x = in[4 * i] | static_cast<W>(in[4 * i + 1]) << 32, y = in[4 * i + 2] | static_cast<W>(in[4 * i + 3])
                                                                                         << 32;
    for (size_t k = 0; k < cases.size(); ++k) {
      const U* o = &out[(i * cases.size() + k) * 4];
      const Result4 want = cases[k].expected(x, y, (i & 1) != 0);
      const W got = cases[k].wide ? o[0] | static_cast<W>(o[1]) << 32 : o[0];
      EXPECT_EQ(got, cases[k].wide ? want.value : want.value & 0xffffffff)
          << cases[k].text << " of " << std::hex << x << " " << y;
      EXPECT_EQ(o[2] != 0, want.scc) << "scc of " << cases[k].text << " of " << std::hex << x << " " << y;
    }
  }
}

U lo(W v) {
  return static_cast<U>(v);
}
int32_t si(W v) {
  return static_cast<int32_t>(v);
}
Result4 bits(W v) {
  return {v, v != 0};
}
Result4 bits32(U v) {
  return {v, v != 0};
}
Result4 overflow(int64_t v) {
  return {static_cast<U>(v), v != static_cast<int32_t>(v)};
}

TEST(Salu, Arithmetic) {
  check({
      {"s_add_u32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{lo(a) + W{lo(b)}, (W{lo(a)} + lo(b)) >> 32 != 0};
       }},
      {"s_sub_u32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{W{lo(a)} - lo(b), lo(b) > lo(a)};
       }},
      {"s_addc_u32 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{W{lo(a)} + lo(b) + c, (W{lo(a)} + lo(b) + c) >> 32 != 0};
       }},
      {"s_subb_u32 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{W{lo(a)} - lo(b) - c, W{lo(b)} + c > lo(a)};
       }},
      {"s_add_i32 s24, s20, s22", [](W a, W b, bool) { return overflow(int64_t{si(a)} + si(b)); }},
      {"s_sub_i32 s24, s20, s22", [](W a, W b, bool) { return overflow(int64_t{si(a)} - si(b)); }},
      {"s_mul_i32 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{lo(a) * lo(b), c};
       }},
      {"s_mul_hi_u32 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{W{lo(a)} * lo(b) >> 32, c};
       }},
      {"s_mul_hi_i32 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{static_cast<W>(int64_t{si(a)} * si(b) >> 32), c};
       }},
      {"s_min_i32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{U(std::min(si(a), si(b))), si(a) < si(b)};
       }},
      {"s_max_i32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{U(std::max(si(a), si(b))), si(a) > si(b)};
       }},
      {"s_min_u32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{std::min(lo(a), lo(b)), lo(a) < lo(b)};
       }},
      {"s_max_u32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{std::max(lo(a), lo(b)), lo(a) > lo(b)};
       }},
      {"s_absdiff_i32 s24, s20, s22",
       [](W a, W b, bool) {
         const U d = lo(a) - lo(b);
         return bits32(d >> 31 ? 0u - d : d);
       }},
      {"s_lshl2_add_u32 s24, s20, s22",
       [](W a, W b, bool) {
         return Result4{(W{lo(a)} << 2) + lo(b), ((W{lo(a)} << 2) + lo(b)) >> 32 != 0};
       }},
      {"s_abs_i32 s24, s20", [](W a, W, bool) { return bits32(si(a) < 0 ? 0u - lo(a) : lo(a)); }},
      {"s_mov_b32 s24, 5\ns_addk_i32 s24, 0x8000",
       [](W, W, bool) {
         return Result4{U(5 - 32768), false};
       }},
      {"s_mov_b32 s24, s20\ns_mulk_i32 s24, 0x7fff",
       [](W a, W, bool c) {
         return Result4{lo(a) * 0x7fff, c};
       }},
      {"s_movk_i32 s24, 0xfffe",
       [](W, W, bool c) {
         return Result4{0xfffffffe, c};
       }},
  });
}

TEST(Salu, Bits) {
  check({
      {"s_and_b64 s[24:25], s[20:21], s[22:23]", [](W a, W b, bool) { return bits(a & b); }, true},
      {"s_or_b32 s24, s20, s22", [](W a, W b, bool) { return bits32(lo(a) | lo(b)); }},
      {"s_xor_b64 s[24:25], s[20:21], s[22:23]", [](W a, W b, bool) { return bits(a ^ b); }, true},
      {"s_andn2_b64 s[24:25], s[20:21], s[22:23]", [](W a, W b, bool) { return bits(a & ~b); }, true},
      {"s_orn2_b32 s24, s20, s22", [](W a, W b, bool) { return bits32(lo(a) | ~lo(b)); }},
      {"s_nand_b32 s24, s20, s22", [](W a, W b, bool) { return bits32(~(lo(a) & lo(b))); }},
      {"s_nor_b64 s[24:25], s[20:21], s[22:23]", [](W a, W b, bool) { return bits(~(a | b)); }, true},
      {"s_xnor_b32 s24, s20, s22", [](W a, W b, bool) { return bits32(~(lo(a) ^ lo(b))); }},
      {"s_not_b64 s[24:25], s[20:21]", [](W a, W, bool) { return bits(~a); }, true},
      {"s_lshl_b32 s24, s20, s22", [](W a, W b, bool) { return bits32(lo(a) << (b & 31)); }},
      {"s_lshr_b64 s[24:25], s[20:21], s22", [](W a, W b, bool) { return bits(a >> (b & 63)); }, true},
      {"s_lshl_b64 s[24:25], s[20:21], s22", [](W a, W b, bool) { return bits(a << (b & 63)); }, true},
      {"s_ashr_i32 s24, s20, s22", [](W a, W b, bool) { return bits32(U(si(a) >> (b & 31))); }},
      {"s_ashr_i64 s[24:25], s[20:21], s22",
       [](W a, W b, bool) { return bits(static_cast<W>(static_cast<int64_t>(a) >> (b & 63))); }, true},
      {"s_bfe_u32 s24, s20, 0x50003", [](W a, W, bool) { return bits32(lo(a) >> 3 & 31); }},
      {"s_bfe_i32 s24, s20, 0x50003", [](W a, W, bool) { return bits32(U(si(U(lo(a) << 24)) >> 27)); }},
      {"s_bfe_u64 s[24:25], s[20:21], 0x280010", [](W a, W, bool) { return bits(a >> 16 & 0xffffffffff); }, true},
      {"s_bfm_b32 s24, 7, 9",
       [](W, W, bool c) {
         return Result4{127u << 9, c};
       }},
      {"s_bfm_b64 s[24:25], 40, 9",
       [](W, W, bool c) {
         return Result4{((W{1} << 40) - 1) << 9, c};
       },
       true},
      {"s_brev_b32 s24, s20",
       [](W a, W, bool c) {
         U r = 0;
         for (int i = 0; i < 32; ++i) r = r << 1 | (lo(a) >> i & 1);
         return Result4{r, c};
       }},
      {"s_bcnt1_i32_b64 s24, s[20:21]", [](W a, W, bool) { return bits32(U(std::popcount(a))); }},
      {"s_bcnt0_i32_b32 s24, s20", [](W a, W, bool) { return bits32(32 - U(std::popcount(lo(a)))); }},
      {"s_ff1_i32_b64 s24, s[20:21]",
       [](W a, W, bool c) {
         return Result4{a == 0 ? ~U{0} : U(std::countr_zero(a)), c};
       }},
      {"s_ff0_i32_b32 s24, s20",
       [](W a, W, bool c) {
         return Result4{lo(a) == ~U{0} ? ~U{0} : U(std::countr_one(lo(a))), c};
       }},
      {"s_flbit_i32_b32 s24, s20",
       [](W a, W, bool c) {
         return Result4{lo(a) == 0 ? ~U{0} : U(std::countl_zero(lo(a))), c};
       }},
      {"s_flbit_i32 s24, s20",
       [](W a, W, bool c) {
         const U v = si(a) < 0 ? ~lo(a) : lo(a);
         return Result4{v == 0 ? ~U{0} : U(std::countl_zero(v)), c};
       }},
      {"s_sext_i32_i8 s24, s20",
       [](W a, W, bool c) {
         return Result4{U(int32_t(int8_t(a))), c};
       }},
      {"s_sext_i32_i16 s24, s20",
       [](W a, W, bool c) {
         return Result4{U(int32_t(int16_t(a))), c};
       }},
      {"s_pack_lh_b32_b16 s24, s20, s22",
       [](W a, W b, bool c) {
         return Result4{(lo(a) & 0xffff) | (lo(b) & 0xffff0000), c};
       }},
      {"s_bitreplicate_b64_b32 s[24:25], s20",
       [](W a, W, bool c) {
         W r = 0;
         for (int i = 0; i < 64; ++i) r |= W{lo(a) >> (i / 2) & 1} << i;
         return Result4{r, c};
       },
       true},
      {"s_quadmask_b32 s24, s20",
       [](W a, W, bool) {
         U r = 0;
         for (int i = 0; i < 8; ++i) r |= U{(lo(a) >> 4 * i & 15) != 0} << i;
         return bits32(r);
       }},
      {"s_mov_b32 s24, s20\ns_bitset1_b32 s24, 7",
       [](W a, W, bool c) {
         return Result4{lo(a) | 128, c};
       }},
      {"s_mov_b32 s24, s20\ns_bitset0_b32 s24, 7",
       [](W a, W, bool c) {
         return Result4{lo(a) & ~U{128}, c};
       }},
  });
}

TEST(Salu, CompareAndSelect) {
  const auto scc = [](bool value) { return Result4{0, value}; };
  check({
      {"s_cmp_eq_i32 s20, s22", [=](W a, W b, bool) { return scc(lo(a) == lo(b)); }},
      {"s_cmp_lg_u32 s20, s22", [=](W a, W b, bool) { return scc(lo(a) != lo(b)); }},
      {"s_cmp_gt_i32 s20, s22", [=](W a, W b, bool) { return scc(si(a) > si(b)); }},
      {"s_cmp_ge_u32 s20, s22", [=](W a, W b, bool) { return scc(lo(a) >= lo(b)); }},
      {"s_cmp_lt_i32 s20, s22", [=](W a, W b, bool) { return scc(si(a) < si(b)); }},
      {"s_cmp_le_u32 s20, s22", [=](W a, W b, bool) { return scc(lo(a) <= lo(b)); }},
      {"s_cmp_eq_u64 s[20:21], s[22:23]", [=](W a, W b, bool) { return scc(a == b); }},
      {"s_cmp_lg_u64 s[20:21], s[22:23]", [=](W a, W b, bool) { return scc(a != b); }},
      {"s_bitcmp1_b64 s[20:21], s22", [=](W a, W b, bool) { return scc((a >> (b & 63) & 1) == 1); }},
      {"s_bitcmp0_b32 s20, s22", [=](W a, W b, bool) { return scc((lo(a) >> (b & 31) & 1) == 0); }},
      {"s_cmpk_lt_i32 s20, 0x8000", [=](W a, W, bool) { return scc(si(a) < -32768); }},
      {"s_cmpk_gt_u32 s20, 0x8000", [=](W a, W, bool) { return scc(lo(a) > 0x8000); }},
      {"s_cselect_b64 s[24:25], s[20:21], s[22:23]",
       [](W a, W b, bool c) {
         return Result4{c ? a : b, c};
       },
       true},
      {"s_cmov_b32 s24, s20",
       [](W a, W, bool c) {
         return Result4{c ? lo(a) : 0, c};
       }},
      {"s_cmovk_i32 s24, 0x1234",
       [](W, W, bool c) {
         return Result4{c ? 0x1234u : 0, c};
       }},
  });
}

TEST(Salu, ExecutionMask) {
  // s27 keeps exec while it changes.
  const std::string restore = "\ns_mov_b32 s25, exec_lo\ns_mov_b32 exec_lo, s27";
  const auto check_exec = [&](const std::string& name, auto function) {
    const std::string text = "s_mov_b32 s27, exec_lo\ns_mov_b32 exec_lo, s22\n" + name + " s24, s20" + restore;
    check({{text.c_str(),
            [function](W a, W b, bool) {
              const U next = function(lo(a), lo(b));
              return Result4{lo(b) | static_cast<W>(next) << 32, next != 0};
            },
            true}});
  };
  check_exec("s_and_saveexec_b32", [](U s, U exec) { return s & exec; });
  check_exec("s_or_saveexec_b32", [](U s, U exec) { return s | exec; });
  check_exec("s_xor_saveexec_b32", [](U s, U exec) { return s ^ exec; });
  check_exec("s_andn2_saveexec_b32", [](U s, U exec) { return s & ~exec; });
  check_exec("s_andn1_saveexec_b32", [](U s, U exec) { return ~s & exec; });
  check_exec("s_orn1_saveexec_b32", [](U s, U exec) { return ~s | exec; });
  check_exec("s_nand_saveexec_b32", [](U s, U exec) { return ~(s & exec); });
}

TEST(Salu, IndexedByM0) {
  check({
      {"s_mov_b32 m0, 2\ns_movrels_b32 s24, s20",
       [](W, W b, bool c) {
         return Result4{lo(b), c};
       }},
      {"s_mov_b32 m0, 4\ns_movreld_b32 s20, s22",
       [](W, W b, bool c) {
         return Result4{lo(b), c};
       }},
      {"s_mov_b32 m0, 2\ns_movrels_b64 s[24:25], s[20:21]",
       [](W, W b, bool c) {
         return Result4{b, c};
       },
       true},
  });
}

TEST(Salu, CallsAndReturns) {
  check({
      {"s_getpc_b64 s[28:29]\ns_add_u32 s28, s28, 16\ns_addc_u32 s29, s29, 0\ns_swappc_b64 s[30:31], s[28:29]\n"
       "s_branch over\nfunction:\ns_add_u32 s24, s20, s22\ns_setpc_b64 s[30:31]\nover:\ns_cmp_eq_u32 s20, s20",
       [](W a, W b, bool) {
         return Result4{lo(a) + lo(b), true};
       }},
  });
}

}  // namespace
}  // namespace spalt::emu::test
