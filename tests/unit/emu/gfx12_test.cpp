// SPDX-License-Identifier: MIT
// What gfx12 added or does otherwise: expectations from the RDNA 4 ISA guide, in plain C++ or by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

float f(U bits) {
  return std::bit_cast<float>(bits);
}
U u(float value) {
  return std::bit_cast<U>(value);
}

/// Lane i gets dword i of each input in v4, v5, ...; the dword that it leaves in v16 comes back.
std::vector<U> lanes(const std::string& body, std::vector<std::vector<U>> inputs, unsigned wave = 32) {
  std::vector<U> out(wave, 0);
  std::vector<std::vector<U>*> buffers = {&out};
  std::string text = "v_lshlrev_b32 v1, 2, v0\n";
  for (size_t i = 0; i < inputs.size(); ++i) {
    buffers.push_back(&inputs[i]);
    text += "buffer_load_b32 v" + std::to_string(4 + i) + ", v1, s[" + std::to_string(12 + 4 * i) + ":" +
            std::to_string(15 + 4 * i) + "], null offen\n";
  }
  EXPECT_EQ(run_snippet(text + "s_wait_loadcnt 0x0\n" + body + "\nbuffer_store_b32 v16, v1, s[8:11], null offen\n",
                        buffers, wave, 4096, 0, "gfx1200"),
            "")
      << body;
  return out;
}
U scalar(const std::string& body) {
  return lanes(body + "\nv_mov_b32 v16, s20\n", {})[0];
}
std::string fault_of(const std::string& body) {
  std::vector<U> in(64, 0);
  return run_snippet(body, {&in}, 32, 4096, 0, "gfx1200");
}

// ---- minimum and maximum ----

bool nan32(U bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
U minimum(U a, U b, bool max) {
  for (const U x : {a, b}) {
    if (nan32(x) && (x & 0x400000u) == 0) return x | 0x400000u;
  }
  for (const U x : {a, b}) {
    if (nan32(x)) return x;
  }
  const bool a_below = f(a) < f(b) || (f(a) == f(b) && std::signbit(f(a)) && !std::signbit(f(b)));
  return a_below != max ? a : b;
}

TEST(Gfx12, MinimumAndMaximumLetNansThrough) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    std::vector<U> a = interesting_f32(32, seed), b = interesting_f32(32, seed + 10),
                   c = interesting_f32(32, seed + 20);
    a[0] = 0x7f800001u, a[1] = b[2] = 0xffa00000u, b[3] = 0x7fc12345u, a[4] = 0, b[4] = 0x80000000u;
    const auto check = [&](const std::string& text, auto reference) {
      const std::vector<U> got = lanes(text, {a, b, c});
      for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(got[i], reference(a[i], b[i], c[i])) << text << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
      }
    };
    check("v_minimum_f32 v16, v4, v5", [](U x, U y, U) { return minimum(x, y, false); });
    check("v_maximum_f32 v16, v4, v5", [](U x, U y, U) { return minimum(x, y, true); });
    check("v_minimum3_f32 v16, v4, v5, v6", [](U x, U y, U z) { return minimum(minimum(x, y, false), z, false); });
    check("v_maximum3_f32 v16, v4, v5, v6", [](U x, U y, U z) { return minimum(minimum(x, y, true), z, true); });
    check("v_minimummaximum_f32 v16, v4, v5, v6", [](U x, U y, U z) { return minimum(minimum(x, y, false), z, true); });
    check("v_maximumminimum_f32 v16, v4, v5, v6", [](U x, U y, U z) { return minimum(minimum(x, y, true), z, false); });
    check("v_minimum_f32 v16, -v4, |v5|", [](U x, U y, U) { return minimum(x ^ 0x80000000u, y & 0x7fffffffu, false); });
  }
}

TEST(Gfx12, MinimumAndMaximumOfOtherWidths) {
  const auto half = [](const std::string& op, U a, U b) {
    return lanes(op + " v16, v4, v5", {std::vector<U>(32, a), std::vector<U>(32, b)})[0];
  };
  EXPECT_EQ(half("v_mov_b32 v16, 0\nv_minimum_f16", 0x3c00, 0xc000), 0xc000u);
  EXPECT_EQ(half("v_mov_b32 v16, 0\nv_maximum_f16", 0x8000, 0), 0u);
  EXPECT_EQ(half("v_mov_b32 v16, 0\nv_minimum_f16", 0x3c00, 0x7d00), 0x7f00u);
  EXPECT_EQ(half("v_pk_minimum_f16", 0x3c00c000u, 0x7e003c00u), 0x7e00c000u);
  EXPECT_EQ(half("v_pk_maximum_f16", 0x3c00c000u, 0x40003c00u), 0x40003c00u);
  const auto three = [](const std::string& op, U a, U b, U c) {
    return lanes("v_mov_b32 v16, 0\n" + op + " v16, v4, v5, v6",
                 {std::vector<U>(32, a), std::vector<U>(32, b), std::vector<U>(32, c)})[0];
  };
  EXPECT_EQ(three("v_minimum3_f16", 0x4000, 0x3c00, 0x4200), 0x3c00u);
  EXPECT_EQ(three("v_maximum3_f16", 0x4000, 0x3c00, 0x7e00), 0x7e00u);
  EXPECT_EQ(three("v_minimummaximum_f16", 0x4000, 0x3c00, 0x3800), 0x3c00u);
  EXPECT_EQ(three("v_maximumminimum_f16", 0x4000, 0x3c00, 0x3800), 0x3800u);
  const auto wide = [](const std::string& op, double a, double b) {
    const auto bits_a = std::bit_cast<uint64_t>(a), bits_b = std::bit_cast<uint64_t>(b);
    return lanes(op + " v[16:17], v[4:5], v[6:7]\nv_mov_b32 v16, v17",
                 {std::vector<U>(32, static_cast<U>(bits_a)), std::vector<U>(32, static_cast<U>(bits_a >> 32)),
                  std::vector<U>(32, static_cast<U>(bits_b)), std::vector<U>(32, static_cast<U>(bits_b >> 32))})[0];
  };
  EXPECT_EQ(wide("v_minimum_f64", 1.0, -2.0), 0xc0000000u);
  EXPECT_EQ(wide("v_maximum_f64", -0.0, 0.0), 0u);
  EXPECT_EQ(wide("v_maximum_f64", 5.0, NAN), 0x7ff80000u);
}

TEST(Gfx12, NumbersWinWithoutIeeeMode) {
  const std::vector<U> number(32, 0x40000000u), signaling(32, 0x7f800001u);
  EXPECT_EQ(lanes("v_min_num_f32 v16, v4, v5", {signaling, number})[0], 0x40000000u);
  EXPECT_EQ(lanes("v_max_num_f32 v16, v4, v5", {number, signaling})[0], 0x40000000u);
  // Clamping makes a NaN zero; there is no mode for it.
  EXPECT_EQ(lanes("v_add_f32 v16, v4, v5 clamp", {signaling, number})[0], 0u);
}

// ---- 8-bit floats ----

float fp8(U code) {
  const U exponent = code >> 3 & 15, mantissa = code & 7;
  if ((code & 0x7f) == 0x7f) return NAN;
  const double value =
      exponent == 0 ? mantissa / 8.0 * std::pow(2, -6) : (1 + mantissa / 8.0) * std::pow(2, exponent - 7.0);
  return static_cast<float>((code & 0x80) != 0 ? -value : value);
}
float bf8(U code) {
  const U exponent = code >> 2 & 31, mantissa = code & 3;
  if (exponent == 31 && mantissa != 0) return NAN;
  const double value = exponent == 31  ? INFINITY
                       : exponent == 0 ? mantissa / 4.0 * std::pow(2, -14)
                                       : (1 + mantissa / 4.0) * std::pow(2, exponent - 15.0);
  return static_cast<float>((code & 0x80) != 0 ? -value : value);
}
void expect_float(U got, float want, const std::string& what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(nan32(got)) << what;
  } else {
    EXPECT_EQ(got, u(want)) << what;
  }
}

TEST(Gfx12, EightBitFloats) {
  for (U base = 0; base < 256; base += 32) {
    std::vector<U> codes(32), shifted(32), pairs(32);
    for (U i = 0; i < 32; ++i) {
      codes[i] = base + i;
      shifted[i] = 0x5a00005au | codes[i] << 16;
      pairs[i] = 0x77770000u | codes[i] << 8 | 0x38u;
    }
    const std::vector<U> plain = lanes("v_cvt_f32_fp8 v16, v4", {codes}),
                         wide = lanes("v_cvt_f32_bf8 v16, v4", {codes}),
                         third = lanes("v_cvt_f32_fp8 v16, v4 byte_sel:2", {shifted}),
                         second = lanes("v_cvt_f32_bf8 v16, v4 byte_sel:1", {pairs}),
                         high = lanes("v_cvt_pk_f32_fp8 v[16:17], v4\nv_mov_b32 v16, v17", {pairs}),
                         low = lanes("v_cvt_pk_f32_bf8 v[16:17], v4", {pairs}),
                         upper = lanes("v_cvt_pk_f32_fp8 v[16:17], v4 op_sel:[1,0]", {pairs});
    for (U i = 0; i < 32; ++i) {
      const std::string what = "code " + std::to_string(codes[i]);
      expect_float(plain[i], fp8(codes[i]), what);
      expect_float(wide[i], bf8(codes[i]), what);
      expect_float(third[i], fp8(codes[i]), what);
      expect_float(second[i], bf8(codes[i]), what);
      expect_float(high[i], fp8(codes[i]), what);
      expect_float(low[i], bf8(0x38), what);
      expect_float(upper[i], fp8(0x77), what);
    }
  }
}

TEST(Gfx12, DotProductsOfEightBitFloats) {
  const std::vector<U> a = interesting_u32(32, 3), b = interesting_u32(32, 4), c = interesting_f32(32, 5);
  const auto check = [&](const std::string& name, float (*first)(U), float (*second)(U)) {
    const std::vector<U> got = lanes(name + " v16, v4, v5, v6", {a, b, c});
    for (unsigned i = 0; i < 32; ++i) {
      float sum = f(c[i]);
      for (unsigned shift = 0; shift < 32; shift += 8) sum += first(a[i] >> shift & 255) * second(b[i] >> shift & 255);
      expect_float(got[i], sum, name + " lane " + std::to_string(i));
    }
  };
  check("v_dot4_f32_fp8_fp8", fp8, fp8);
  check("v_dot4_f32_fp8_bf8", fp8, bf8);
  check("v_dot4_f32_bf8_fp8", bf8, fp8);
  check("v_dot4_f32_bf8_bf8", bf8, bf8);
}

/// Both bytes, of `a` and of `b`.
U pair8(const std::string& op, float a, float b, const std::string& before = "") {
  return lanes("v_mov_b32 v16, 0\n" + before + op + " v16, v4, v5",
               {std::vector<U>(32, u(a)), std::vector<U>(32, u(b))})[0];
}

TEST(Gfx12, EdgesOfFloatsOf8Bits) {
  // 464 lies halfway between 448 and what would be 480; 2^-10 between zero and the smallest number.
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", 448.0f, 464.0f), 0x7e7eu);
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", 465.0f, -465.0f), 0xff7fu);
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", INFINITY, NAN), 0x7f7fu);
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", 0x1p-10f, -0x1.8p-10f), 0x8100u);
  // 61440 between the largest number and what would be 65536.
  EXPECT_EQ(pair8("v_cvt_pk_bf8_f32", 57344.0f, 61440.0f), 0x7c7bu);
  EXPECT_EQ(pair8("v_cvt_pk_bf8_f32", -INFINITY, 61439.0f), 0x7bfcu);
  EXPECT_EQ(pair8("v_cvt_pk_bf8_f32", NAN, std::copysign(NAN, -1.0f)), 0xff7fu);
  const std::string saturate = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n";
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", INFINITY, -1e30f, saturate), 0xfe7eu);
  EXPECT_EQ(pair8("v_cvt_pk_bf8_f32", INFINITY, -1e30f, saturate), 0xfb7bu);
  EXPECT_EQ(pair8("v_cvt_pk_fp8_f32", NAN, 1.0f, saturate), 0x387fu);
}

TEST(Gfx12, RandomRoundingOfFloatsOf8Bits) {
  const auto fp8 = [](float value, U random) {
    return lanes("v_mov_b32 v16, 0xaaaaaaaa\nv_cvt_sr_fp8_f32 v16, v4, v5 byte_sel:2",
                 {std::vector<U>(32, u(value)), std::vector<U>(32, random)})[0];
  };
  // A carry goes on into the exponent.
  EXPECT_EQ(fp8(1.99f, 0), 0xaa3faaaau);
  EXPECT_EQ(fp8(1.99f, 0xffffffffu), 0xaa40aaaau);
  // Half of the smallest number becomes it in half of all cases.
  EXPECT_EQ(fp8(0x1p-10f, 0x7fffffffu), 0xaa00aaaau);
  EXPECT_EQ(fp8(-0x1p-10f, 0x80000000u), 0xaa81aaaau);
  EXPECT_EQ(fp8(460.0f, 0), 0xaa7eaaaau);
  EXPECT_EQ(fp8(460.0f, 0xf0000000u), 0xaa7faaaau);
}

// ---- lanes and scalars ----

TEST(Gfx12, PermuteBySelectsOfEachLane) {
  for (const unsigned wave : {32u, 64u}) {
    std::vector<U> data(wave), selects(wave);
    for (unsigned i = 0; i < wave; ++i) {
      data[i] = 100 + i;
      selects[i] = 0xfff0u + (i * 5 + 3) % 16;
    }
    const std::vector<U> own = lanes("v_permlane16_var_b32 v16, v4, v5", {data, selects}, wave),
                         other = lanes("v_permlanex16_var_b32 v16, v4, v5", {data, selects}, wave);
    for (unsigned i = 0; i < wave; ++i) {
      EXPECT_EQ(own[i], 100 + i / 16 * 16 + selects[i] % 16) << i;
      EXPECT_EQ(other[i], 100 + (i / 16 ^ 1) * 16 + selects[i] % 16) << i;
    }
  }
  // Inactive sources: kept, zero with the second bit, read with the first.
  const std::string all_from_3 = "v_mov_b32 v16, 7\nv_mov_b32 v5, 3\ns_mov_b32 exec_lo, 0xfffffff7\n",
                    end = "\ns_mov_b32 exec_lo, -1";
  const std::vector<U> data(32, 9);
  EXPECT_EQ(lanes(all_from_3 + "v_permlane16_var_b32 v16, v4, v5" + end, {data})[0], 7u);
  EXPECT_EQ(lanes(all_from_3 + "v_permlane16_var_b32 v16, v4, v5 op_sel:[0,1]" + end, {data})[0], 0u);
  EXPECT_EQ(lanes(all_from_3 + "v_permlane16_var_b32 v16, v4, v5 op_sel:[1,0]" + end, {data})[0], 9u);
}

TEST(Gfx12, TranscendentalsOfScalars) {
  const std::string idle = "s_mov_b32 exec_lo, 0\n", end = "\ns_mov_b32 exec_lo, -1";
  const auto one = [&](const std::string& op, const std::string& operand) {
    return scalar(idle + op + " s20, " + operand + end);
  };
  EXPECT_EQ(one("v_s_rcp_f32", "4.0"), u(0.25f));
  EXPECT_EQ(one("v_s_sqrt_f32", "2.0"), u(std::sqrt(2.0f)));
  EXPECT_EQ(one("v_s_exp_f32", "-4.0"), u(0.0625f));
  EXPECT_EQ(one("v_s_log_f32", "4.0"), u(2.0f));
  EXPECT_EQ(one("v_s_rsq_f32", "4.0"), u(0.5f));
  EXPECT_EQ(one("v_s_rcp_f32", "-4.0"), u(-0.25f));
  EXPECT_EQ(one("s_mov_b32 s21, 2.0\nv_s_rcp_f32", "-s21"), u(-0.5f));
  EXPECT_EQ(one("s_mov_b32 s21, 0xabcd4400\nv_s_rcp_f16", "s21"), 0x3400u);
  EXPECT_EQ(one("s_mov_b32 s21, 0xabcd4400\nv_s_sqrt_f16", "s21"), 0x4000u);
  EXPECT_EQ(one("s_mov_b32 s21, 0xabcd4400\nv_s_exp_f16", "s21"), 0x4c00u);
  EXPECT_EQ(one("s_mov_b32 s21, 0xabcd4400\nv_s_log_f16", "s21"), 0x4000u);
  EXPECT_EQ(one("s_mov_b32 s21, 0xabcd4400\nv_s_rsq_f16", "s21"), 0x3800u);
  for (const char* op : {"v_s_sqrt", "v_s_rsq", "v_s_log"}) {
    EXPECT_EQ(one(op + std::string("_f32"), "-4.0"), 0xffc00000u) << op;
    EXPECT_EQ(one(op + std::string("_f16"), "-4.0"), 0xfe00u) << op;
  }
  EXPECT_EQ(one("s_mov_b32 s21, 0x7f800123\nv_s_sqrt_f32", "s21"), 0x7fc00123u);
}

// ---- memory ----

TEST(Gfx12, NarrowScalarLoads) {
  std::vector<U> in = {0x80ff7f01u, 0x8001fffeu, 3, 4};
  const auto load = [&in](const std::string& text) {
    std::vector<U> out(32, 0);
    EXPECT_EQ(run_snippet(text + "\ns_wait_kmcnt 0x0\nv_mov_b32 v2, s20\nv_lshlrev_b32 v1, 2, v0\n"
                                 "buffer_store_b32 v2, v1, s[12:15], null offen\n",
                          {&in, &out}, 32, 0, 0, "gfx1200"),
              "")
        << text;
    return out[0];
  };
  const std::string base = "s_mov_b32 s16, s8\ns_and_b32 s17, s9, 0xffff\n";
  EXPECT_EQ(load(base + "s_load_u8 s20, s[16:17], 0x1"), 0x7fu);
  EXPECT_EQ(load(base + "s_load_u8 s20, s[16:17], 0x2"), 0xffu);
  EXPECT_EQ(load(base + "s_load_i8 s20, s[16:17], 0x2"), 0xffffffffu);
  EXPECT_EQ(load(base + "s_load_u16 s20, s[16:17], 0x4"), 0xfffeu);
  EXPECT_EQ(load(base + "s_load_i16 s20, s[16:17], 0x4"), 0xfffffffeu);
  EXPECT_EQ(load(base + "s_load_i16 s20, s[16:17], 0x6"), 0xffff8001u);
  const std::string third = "\ns_wait_kmcnt 0x0\ns_mov_b32 s20, s22";
  EXPECT_EQ(load(base + "s_load_b96 s[20:22], s[16:17], 0x4" + third), 4u);
  EXPECT_EQ(load("s_buffer_load_u8 s20, s[8:11], 0xf"), 0u);
  EXPECT_EQ(load("s_buffer_load_i8 s20, s[8:11], 0x3"), 0xffffff80u);
  EXPECT_EQ(load("s_buffer_load_u16 s20, s[8:11], 0xc"), 4u);
  EXPECT_EQ(load("s_buffer_load_i16 s20, s[8:11], 0x2"), 0xffff80ffu);
  EXPECT_EQ(load("s_buffer_load_u16 s20, s[8:11], 0x10"), 0u) << "out of range";
  EXPECT_EQ(load("s_buffer_load_b96 s[20:22], s[8:11], 0x8" + third), 0u) << "the third dword is out of range";
  EXPECT_EQ(load(base + "s_prefetch_data s[16:17], 0x10, s0, 3\ns_load_b32 s20, s[16:17], 0x8"), 3u);
  EXPECT_NE(fault_of("s_mov_b64 s[16:17], 0\ns_load_u8 s20, s[16:17], 0x1").find("loads 1 bytes at 0x1"),
            std::string::npos);
}

TEST(Gfx12, CacheControlCounts) {
  const std::string load = "v_lshlrev_b32 v1, 2, v0\nbuffer_load_b32 v2, v1, s[8:11], null offen\n";
  EXPECT_EQ(fault_of(load + "global_inv scope:SCOPE_SE\ns_wait_loadcnt 0x1\nv_mov_b32 v3, v2"), "");
  EXPECT_NE(fault_of(load + "global_wb scope:SCOPE_SYS\ns_wait_loadcnt 0x1\nv_mov_b32 v3, v2"), "");
  EXPECT_NE(fault_of(load + "global_wbinv scope:SCOPE_SYS\ns_wait_storecnt 0x0\nv_mov_b32 v3, v2"), "");
}

TEST(Gfx12, OffsetsOf24Bits) {
  const std::vector<U> in = interesting_u32(32, 8);
  const std::string address =
      "s_and_b32 s20, s13, 0xffff\nv_add_co_u32 v6, vcc_lo, s12, v1\nv_mov_b32 v7, s20\n"
      "v_add_co_ci_u32 v7, vcc_lo, 0, v7, vcc_lo\nv_add_co_u32 v6, vcc_lo, 0x800000, v6\n"
      "v_add_co_ci_u32 v7, vcc_lo, 0, v7, vcc_lo\n";
  for (const char* load : {"global_load_b32 v16, v[6:7], off offset:-8388608\ns_wait_loadcnt 0x0",
                           "flat_load_b32 v16, v[6:7] offset:-8388608\ns_wait_loadcnt_dscnt 0x0"}) {
    EXPECT_EQ(lanes(address + load, {in}), in) << load;
  }
}

TEST(Gfx12, BlocksCountOnce) {
  const std::vector<U> in = interesting_u32(64, 9);
  const std::string address =
      "s_and_b32 s20, s13, 0xffff\nv_add_co_u32 v6, vcc_lo, s12, v1\nv_mov_b32 v7, s20\n"
      "v_add_co_ci_u32 v7, vcc_lo, 0, v7, vcc_lo\nv_mov_b32 v16, 7\nv_mov_b32 v17, 8\nv_mov_b32 v18, 9\ns_mov_b32 m0, ";
  const std::string block = "\nglobal_load_block v[16:47], v[6:7], off\n", other = "global_load_b32 v20, v[6:7], off\n";
  EXPECT_EQ(lanes(address + "1" + block + "s_wait_loadcnt 0x0", {in}), std::vector<U>(in.begin(), in.begin() + 32));
  EXPECT_EQ(lanes(address + "1" + block + other + "s_wait_loadcnt 0x1", {in})[5], in[5]);
  EXPECT_EQ(lanes(address + "0" + block, {in})[5], 7u);
  EXPECT_EQ(lanes(address + "5" + block + "s_wait_loadcnt 0x0\nv_mov_b32 v16, v17", {in})[5], 8u);
  EXPECT_EQ(lanes(address + "4" + block + "s_wait_loadcnt 0x0\nv_mov_b32 v16, v18", {in})[5], in[7]);
  const std::string inside = "s_and_b32 s20, s9, 0xffff\nv_mov_b32 v6, s8\nv_mov_b32 v7, s20\ns_mov_b32 m0, 4" + block;
  EXPECT_EQ(fault_of(inside + "v_mov_b32 v16, v17"), "");
  EXPECT_NE(fault_of(inside + "v_mov_b32 v16, v18").find("in flight"), std::string::npos);
}

// ---- state ----

TEST(Gfx12, HardwareRegisters) {
  EXPECT_EQ(scalar("s_cmp_eq_u32 s0, s0\ns_getreg_b32 s20, hwreg(HW_REG_STATE_PRIV, 9, 1)"), 1u);
  EXPECT_EQ(scalar("s_cmp_lg_u32 s0, s0\ns_getreg_b32 s20, hwreg(HW_REG_STATE_PRIV, 9, 1)"), 0u);
  EXPECT_EQ(scalar("s_cmp_eq_u32 s0, s0\ns_getreg_b32 s20, hwreg(HW_REG_STATUS, 0, 1)"), 0u);
  EXPECT_EQ(scalar("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 5\ns_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 8)"),
            0x50u);
  EXPECT_GT(scalar("s_getreg_b32 s20, hwreg(HW_REG_SHADER_CYCLES_LO)"), 0u);
  EXPECT_EQ(scalar("s_getreg_b32 s20, hwreg(HW_REG_SHADER_CYCLES_HI)"), 0u);
  EXPECT_NE(fault_of("s_setreg_imm32_b32 hwreg(HW_REG_STATE_PRIV, 9, 1), 1").find("writes hardware register 4"),
            std::string::npos);
  EXPECT_NE(fault_of("s_getreg_b32 s20, hwreg(3, 0, 1)").find("reads hardware register 3"), std::string::npos);
}

TEST(Gfx12, WorkgroupIdsArriveInTrapRegisters) {
  std::vector<U> out(24, 0);
  object::StageObject shader = make_shader(
      load_descriptors(1, "gfx1200") +
          "s_and_b32 s20, ttmp7, 0xffff\ns_lshr_b32 s21, ttmp7, 16\ns_mul_i32 s22, s21, 2\ns_add_co_u32 s22, s22, s20\n"
          "s_mul_i32 s22, s22, 3\ns_add_co_u32 s22, s22, ttmp9\ns_lshl_b32 s23, s22, 2\nv_mov_b32 v1, s23\n"
          "v_mov_b32 v2, s22\nbuffer_store_b32 v2, v1, s[8:11], null offen\ns_endpgm\n",
      32, 1, "gfx1200");
  shader.tgid_y_en = shader.tgid_z_en = true;
  DispatchInfo info = make_dispatch({&out});
  info.grid = {3, 2, 4};
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->fault, "");
  for (U i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i);
}

TEST(Gfx12, WhatIsNotExecutedSaysSo) {
  for (const char* text : {"v_wmma_f32_16x16x16_f16 v[16:23], v[4:7], v[8:11], v[16:23]"}) {
    EXPECT_NE(fault_of(text).find("not executed"), std::string::npos) << text;
  }
  for (const char* text : {"s_barrier_init 1", "s_barrier_join m0", "s_wakeup_barrier 1", "s_barrier_leave"}) {
    EXPECT_NE(fault_of(text).find("is reserved: the processor has no named barriers"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace spalt::emu::test
