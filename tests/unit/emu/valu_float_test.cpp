// SPDX-License-Identifier: MIT
// Float vector instructions against plain C++ written from the RDNA 2 ISA guide.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

float f(U bits) {
  return std::bit_cast<float>(bits);
}
U b(float value) {
  return std::bit_cast<U>(value);
}
U flush(U bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

struct Case {
  const char* text;
  std::function<float(float, float, float)> expected;
  double ulps = 0;       ///< allowed error
  bool flushes = false;  ///< gives and takes no denormals in any mode
};

/// Same value: NaNs are alike, zeros have signs.
bool matches(U got, U want, double ulps) {
  if (std::isnan(f(want))) return std::isnan(f(got));
  if (got == want) return true;
  if (ulps == 0 || std::isnan(f(got)) || std::isinf(f(want)) || std::isinf(f(got))) return false;
  if (std::signbit(f(got)) != std::signbit(f(want))) return false;
  return std::fabs(static_cast<double>(got) - static_cast<double>(want)) <= ulps;
}

enum class Denormals { flushed, kept };

void check(unsigned wave_size, Denormals denormals, const std::vector<Case>& cases) {
  constexpr size_t kElements = 512;
  const std::vector<U> x = interesting_f32(kElements, 11), y = interesting_f32(kElements, 12),
                       z = interesting_f32(kElements, 13);
  std::vector<U> inputs;
  for (size_t i = 0; i < kElements; ++i) inputs.insert(inputs.end(), {x[i], i % 16 == 0 ? x[i] : y[i], z[i]});
  LaneProgram program;
  program.wave_size = wave_size;
  program.input_dwords = 3;
  program.output_dwords = static_cast<unsigned>(cases.size());
  program.float_mode = denormals == Denormals::kept ? 0xf0 : 0xc0;
  for (size_t k = 0; k < cases.size(); ++k) {
    std::string line = cases[k].text;
    program.body += line.replace(line.find('D'), 1, "v" + std::to_string(16 + k)) + "\n";
  }
  const std::vector<U> out = program.run(inputs);
  ASSERT_EQ(out.size(), kElements * cases.size());
  for (size_t i = 0; i < kElements; ++i) {
    for (size_t k = 0; k < cases.size(); ++k) {
      const bool flushes = denormals == Denormals::flushed || cases[k].flushes;
      const auto in = [&](size_t n) { return flushes ? f(flush(inputs[3 * i + n])) : f(inputs[3 * i + n]); };
      U want = b(cases[k].expected(in(0), in(1), in(2)));
      if (flushes) want = flush(want);
      const U got = out[i * cases.size() + k];
      EXPECT_TRUE(matches(got, want, cases[k].ulps))
          << cases[k].text << " of " << std::hexfloat << in(0) << " " << in(1) << " " << in(2) << ": got " << f(got)
          << ", want " << f(want);
    }
  }
}

float min_number(float a, float c) {
  if (std::isnan(a)) return c;
  if (std::isnan(c)) return a;
  if (a == 0 && c == 0) return std::signbit(a) ? a : c;
  return a < c ? a : c;
}
float max_number(float a, float c) {
  if (std::isnan(a)) return c;
  if (std::isnan(c)) return a;
  if (a == 0 && c == 0) return std::signbit(a) ? c : a;
  return a > c ? a : c;
}
float clamp01(float a) {
  if (std::isnan(a)) return 0;
  return a <= 0 ? 0 : a >= 1 ? 1 : a;
}

struct Param {
  unsigned wave_size;
  Denormals denormals;
};
class ValuFloat : public testing::TestWithParam<Param> {
 protected:
  void expect(const std::vector<Case>& cases) { check(GetParam().wave_size, GetParam().denormals, cases); }
};
INSTANTIATE_TEST_SUITE_P(Modes, ValuFloat,
                         testing::Values(Param{32, Denormals::flushed}, Param{32, Denormals::kept},
                                         Param{64, Denormals::flushed}, Param{64, Denormals::kept}));

TEST_P(ValuFloat, Arithmetic) {
  expect({
      {"v_add_f32 D, v4, v5", [](float a, float c, float) { return a + c; }},
      {"v_sub_f32 D, v4, v5", [](float a, float c, float) { return a - c; }},
      {"v_subrev_f32 D, v4, v5", [](float a, float c, float) { return c - a; }},
      {"v_mul_f32 D, v4, v5", [](float a, float c, float) { return a * c; }},
      {"v_mul_legacy_f32 D, v4, v5", [](float a, float c, float) { return a == 0 || c == 0 ? 0 : a * c; }},
      {"v_fma_f32 D, v4, v5, v6", [](float a, float c, float d) { return std::fma(a, c, d); }},
      {"v_fma_f32 D, -v4, |v5|, -|v6|",
       [](float a, float c, float d) { return std::fma(-a, std::fabs(c), -std::fabs(d)); }},
      {"v_fmaak_f32 D, v4, v5, 0x40490fdb", [](float a, float c, float) { return std::fma(a, c, f(0x40490fdb)); }},
      {"v_fmamk_f32 D, v4, 0x40490fdb, v5", [](float a, float c, float) { return std::fma(a, f(0x40490fdb), c); }},
      {"v_add_f32 D, v4, 1.0", [](float a, float, float) { return a + 1.0f; }},
      {"v_mul_f32 D, 0.15915494, v4", [](float a, float, float) { return f(0x3e22f983) * a; }},
  });
}

// They are for flushed denormals only.
TEST(ValuFloatOutput, Modifiers) {
  // Output modifiers make no negative zeros.
  const std::vector<Case> cases = {
      {"v_add_f32 D, v4, v5 mul:2", [](float a, float c, float) { return f(flush(b(a + c))) * 2 + 0.0f; }},
      {"v_mul_f32 D, v4, v5 mul:4", [](float a, float c, float) { return a * c * 4 + 0.0f; }},
      {"v_add_f32 D, v4, v5 div:2", [](float a, float c, float) { return (a + c) / 2 + 0.0f; }},
      {"v_add_f32 D, v4, v5 clamp", [](float a, float c, float) { return clamp01(a + c); }},
      {"v_fma_f32 D, v4, v5, v6 clamp", [](float a, float c, float d) { return clamp01(std::fma(a, c, d)); }},
  };
  for (const unsigned wave_size : {32u, 64u}) check(wave_size, Denormals::flushed, cases);
}

TEST_P(ValuFloat, MinMaxMedian) {
  expect({
      {"v_min_f32 D, v4, v5", [](float a, float c, float) { return min_number(a, c); }},
      {"v_max_f32 D, v4, v5", [](float a, float c, float) { return max_number(a, c); }},
      {"v_min3_f32 D, v4, v5, v6", [](float a, float c, float d) { return min_number(min_number(a, c), d); }},
      {"v_max3_f32 D, v4, v5, v6", [](float a, float c, float d) { return max_number(max_number(a, c), d); }},
      {"v_med3_f32 D, v4, v5, v6",
       [](float a, float c, float d) {
         if (std::isnan(a) || std::isnan(c) || std::isnan(d)) return min_number(min_number(a, c), d);
         float v[3] = {a, c, d};
         std::sort(v, v + 3, [](float p, float q) { return p < q || (p == q && std::signbit(p) && !std::signbit(q)); });
         return v[1];
       }},
  });
}

TEST_P(ValuFloat, Rounding) {
  expect({
      {"v_trunc_f32 D, v4", [](float a, float, float) { return std::trunc(a); }},
      {"v_ceil_f32 D, v4", [](float a, float, float) { return std::ceil(a); }},
      {"v_floor_f32 D, v4", [](float a, float, float) { return std::floor(a); }},
      {"v_rndne_f32 D, v4", [](float a, float, float) { return std::nearbyint(a); }},
      {"v_fract_f32 D, v4",
       [](float a, float, float) {
         if (!std::isfinite(a)) return std::nanf("");
         return std::min(a - std::floor(a), f(0x3f7fffff));
       }},
      {"v_frexp_mant_f32 D, v4",
       [](float a, float, float) {
         int e;
         return std::isfinite(a) ? std::frexp(a, &e) : a;
       }},
      {"v_ldexp_f32 D, v4, 5", [](float a, float, float) { return std::ldexp(a, 5); }},
      {"v_ldexp_f32 D, v4, -7", [](float a, float, float) { return std::ldexp(a, -7); }},
  });
}

/// Of whole turns; multiples of a quarter are exact, and zeros of other arguments than -0 are positive.
float sine(float turns) {
  if (std::isinf(turns) || turns == 0) return turns == 0 ? turns : std::nanf("");
  const long double turn = std::remainder(static_cast<long double>(turns), 1.0L);
  if (std::fabs(turn) == 0 || std::fabs(turn) == 0.5L) return 0;
  if (std::fabs(turn) == 0.25L) return turn < 0 ? -1 : 1;
  return static_cast<float>(std::sin(turn * 6.283185307179586476925286766559L));
}
float cosine(float turns) {
  if (std::isinf(turns)) return std::nanf("");
  const long double turn = std::remainder(static_cast<long double>(turns), 1.0L);
  if (std::fabs(turn) == 0.25L) return 0;
  return static_cast<float>(std::cos(turn * 6.283185307179586476925286766559L));
}

TEST_P(ValuFloat, Transcendental) {
  expect({
      {"v_exp_f32 D, v4", [](float a, float, float) { return std::exp2(a); }, 1, true},
      {"v_log_f32 D, v4", [](float a, float, float) { return std::log2(a); }, 1, true},
      {"v_rcp_f32 D, v4", [](float a, float, float) { return 1.0f / a; }, 1, true},
      {"v_rsq_f32 D, v4",
       [](float a, float, float) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }, 1, true},
      {"v_sqrt_f32 D, v4", [](float a, float, float) { return std::sqrt(a); }, 1, true},
      {"v_sin_f32 D, v4", [](float a, float, float) { return sine(a); }, 2, true},
      {"v_cos_f32 D, v4", [](float a, float, float) { return cosine(a); }, 2, true},
  });
}

/// Bits in, bits out.
struct Example {
  const char* text;
  U in, out;
};

/// Runs each on its own on v4, on a target.
void expect_examples(const char* target, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    std::string line = example.text;
    line.replace(line.find('D'), 1, "v5");
    std::vector<U> buffer = {example.in, 0};
    const std::string fault =
        run_snippet("buffer_load_dword v4, off, s[8:11], 0\ns_waitcnt vmcnt(0)\nv_mov_b32 v5, 0\n" + line +
                        "\nbuffer_store_dword v5, off, s[8:11], 0 offset:4\ns_endpgm\n",
                    {&buffer}, 64, 0, 1, target);
    EXPECT_EQ(fault, "") << example.text;
    EXPECT_EQ(buffer[1], example.out) << target << " " << example.text << " of " << std::hex << example.in;
  }
}

TEST(ValuSpecial, ExamplesOfTheGuides) {
  // RDNA 2, 3 and 4 ISA guides, "Functional examples".
  expect_examples("gfx1030", {{"v_sin_f32 D, v4", 0xff800000, 0xffc00000},
                              {"v_sin_f32 D, v4", 0xff7fffff, 0},
                              {"v_sin_f32 D, v4", 0x80000000, 0x80000000},
                              {"v_sin_f32 D, v4", 0x3e800000, 0x3f800000},
                              {"v_sin_f32 D, v4", 0x7f800000, 0xffc00000},
                              {"v_cos_f32 D, v4", 0xff800000, 0xffc00000},
                              {"v_cos_f32 D, v4", 0xff7fffff, 0x3f800000},
                              {"v_cos_f32 D, v4", 0x80000000, 0x3f800000},
                              {"v_cos_f32 D, v4", 0x3e800000, 0},
                              {"v_cos_f32 D, v4", 0x7f800000, 0xffc00000},
                              {"v_sqrt_f32 D, v4", 0xff800000, 0xffc00000},
                              {"v_sqrt_f32 D, v4", 0x80000000, 0x80000000},
                              {"v_log_f32 D, v4", 0xff800000, 0xffc00000},
                              {"v_log_f32 D, v4", 0xbf800000, 0xffc00000},
                              {"v_log_f32 D, v4", 0x80000000, 0xff800000},
                              {"v_rsq_f32 D, v4", 0xff800000, 0xffc00000},
                              {"v_sqrt_f16 D, v4", 0xfc00, 0xfe00},
                              {"v_rsq_f16 D, v4", 0xbc00, 0xfe00},
                              {"v_log_f16 D, v4", 0xbc00, 0xfe00},
                              {"v_sin_f16 D, v4", 0x7c00, 0xfe00},
                              {"v_sin_f16 D, v4", 0xfbff, 0},
                              {"v_cos_f16 D, v4", 0x7bff, 0x3c00}});
}

TEST(ValuSpecial, QuartersOfTurns) {
  expect_examples("gfx1030", {{"v_sin_f32 D, v4", b(0.5f), 0},
                              {"v_sin_f32 D, v4", b(-0.5f), 0},
                              {"v_sin_f32 D, v4", b(-3.0f), 0},
                              {"v_sin_f32 D, v4", b(0.75f), b(-1.0f)},
                              {"v_cos_f32 D, v4", b(0.75f), 0},
                              {"v_cos_f32 D, v4", b(-0.25f), 0},
                              {"v_cos_f32 D, v4", b(2.5f), b(-1.0f)},
                              {"v_cos_f16 D, v4", 0x3400, 0},
                              {"v_cos_f16 D, v4", 0x3a00, 0}});
}

TEST(ValuSpecial, OnlyGfx9LimitsTheTurns) {
  for (const char* target : {"gfx1010", "gfx1030"}) {
    expect_examples(target, {{"v_sin_f32 D, v4", b(1000.25f), b(1.0f)}, {"v_cos_f32 D, v4", b(-1000.5f), b(-1.0f)}});
  }
  expect_examples("gfx900", {{"v_sin_f32 D, v4", b(1000.25f), 0},
                             {"v_cos_f32 D, v4", b(-1000.5f), b(1.0f)},
                             {"v_sin_f32 D, v4", b(255.25f), b(1.0f)}});
}

TEST(ValuHalf, NansComeThroughWithTheirPayload) {
  expect_examples("gfx1030", {{"v_add_f16 D, 1.0, v4", 0x7c05, 0x7e05},
                              {"v_sub_f16 D, 1.0, v4", 0xfd05, 0xff05},
                              {"v_mul_f16 D, 1.0, v4", 0xfe07, 0xfe07},
                              {"v_fma_f16 D, v4, 1.0, 1.0", 0x7c01, 0x7e01},
                              {"v_pk_add_f16 D, v4, v4", 0xfc057e09, 0xfe057e09},
                              {"v_add_f32 D, 1.0, v4", 0x7f800005, 0x7fc00005},
                              {"v_ceil_f32 D, v4", 0xff800005, 0xffc00005},
                              {"v_cvt_f16_f32 D, v4", 0x7f8e0000, 0x7e70}});
}

// ---- conversions: integer bits in or out ----

struct BitCase {
  const char* text;
  std::function<U(U, U)> expected;
};

void check_bits(unsigned wave_size, const std::vector<U>& x, const std::vector<U>& y,
                const std::vector<BitCase>& cases) {
  std::vector<U> inputs;
  for (size_t i = 0; i < x.size(); ++i) inputs.insert(inputs.end(), {x[i], y[i]});
  LaneProgram program;
  program.wave_size = wave_size;
  program.input_dwords = 2;
  program.output_dwords = static_cast<unsigned>(cases.size());
  for (size_t k = 0; k < cases.size(); ++k) {
    std::string line = cases[k].text;
    program.body += line.replace(line.find('D'), 1, "v" + std::to_string(16 + k)) + "\n";
  }
  const std::vector<U> out = program.run(inputs);
  ASSERT_EQ(out.size(), x.size() * cases.size());
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t k = 0; k < cases.size(); ++k) {
      EXPECT_EQ(out[i * cases.size() + k], cases[k].expected(x[i], y[i]))
          << cases[k].text << " of " << std::hex << x[i] << " " << y[i];
    }
  }
}

U saturated(double value, double low, double high) {
  if (std::isnan(value)) return 0;
  return static_cast<U>(static_cast<int64_t>(std::trunc(std::min(std::max(value, low), high))));
}

TEST(ValuConvert, FloatToInteger) {
  const std::vector<U> x = interesting_f32(512, 21), y = interesting_f32(512, 22);
  check_bits(
      32, x, y,
      {
          {"v_cvt_i32_f32 D, v4", [](U a, U) { return saturated(f(a), INT32_MIN, INT32_MAX); }},
          {"v_cvt_u32_f32 D, v4", [](U a, U) { return saturated(f(a), 0, 4294967295.0); }},
          {"v_cvt_flr_i32_f32 D, v4",
           [](U a, U) { return saturated(std::floor(static_cast<double>(f(a))), INT32_MIN, INT32_MAX); }},
          {"v_cvt_rpi_i32_f32 D, v4", [](U a, U) { return saturated(std::floor(f(a) + 0.5), INT32_MIN, INT32_MAX); }},
          {"v_frexp_exp_i32_f32 D, v4",
           [](U a, U) {
             int e = 0;
             if (std::isfinite(f(a))) std::frexp(f(a), &e);
             return static_cast<U>(e);
           }},
      });
}

TEST(ValuConvert, IntegerToFloat) {
  const std::vector<U> x = interesting_u32(512, 23), y = interesting_u32(512, 24);
  check_bits(64, x, y,
             {
                 {"v_cvt_f32_i32 D, v4", [](U a, U) { return b(static_cast<float>(static_cast<int32_t>(a))); }},
                 {"v_cvt_f32_u32 D, v4", [](U a, U) { return b(static_cast<float>(a)); }},
                 {"v_cvt_f32_ubyte0 D, v4", [](U a, U) { return b(static_cast<float>(a & 255)); }},
                 {"v_cvt_f32_ubyte1 D, v4", [](U a, U) { return b(static_cast<float>(a >> 8 & 255)); }},
                 {"v_cvt_f32_ubyte2 D, v4", [](U a, U) { return b(static_cast<float>(a >> 16 & 255)); }},
                 {"v_cvt_f32_ubyte3 D, v4", [](U a, U) { return b(static_cast<float>(a >> 24)); }},
             });
}

/// Nearest half of a float by search over all halves: slow, and nothing like the code under test.
U nearest_half(float value, bool toward_zero) {
  const U sign = std::signbit(value) ? 0x8000 : 0;
  const auto magnitude_of = [](U h) {
    const int e = static_cast<int>(h >> 10);
    return e == 0 ? std::ldexp(static_cast<double>(h), -24) : std::ldexp(1024.0 + (h & 1023), e - 25);
  };
  if (std::isnan(value)) return sign | 0x7e00 | (b(value) >> 13 & 0x3ff);
  if (std::isinf(value)) return sign | 0x7c00;
  const double magnitude = std::fabs(static_cast<double>(value));
  U low = 0, high = 0x7c00;  // magnitude_of(0x7c00) is 65536, the value that rounds to infinity
  while (high - low > 1) {
    const U middle = (low + high) / 2;
    (magnitude_of(middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude_of(low), above = magnitude_of(high);
  U result = low;
  if (!toward_zero &&
      (magnitude - below > above - magnitude || (magnitude - below == above - magnitude && (low & 1)))) {
    result = high;
  }
  return sign | (magnitude >= 65536 ? (toward_zero ? 0x7bff : 0x7c00) : result);
}

TEST(ValuConvert, Halves) {
  std::vector<U> x = interesting_f32(512, 25), y = interesting_f32(512, 26);
  for (size_t i = 0; i < x.size(); i += 2) x[i] = (x[i] & 0x807fffff) | (100 + x[i] % 48) << 23;  // around half's range
  check_bits(32, x, y,
             {
                 {"v_cvt_pkrtz_f16_f32 D, v4, v5",
                  [](U a, U c) { return nearest_half(f(a), true) | nearest_half(f(c), true) << 16; }},

             });
  LaneProgram program;
  program.body = "v_mov_b32 v16, 0x12345678\nv_cvt_f16_f32 v16, v4";
  const std::vector<U> out = program.run(x);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(out[i] >> 16, 0x1234u) << "the high half must stay";
    const U want = nearest_half(f(x[i]), false);
    if (std::isnan(f(x[i]))) {
      EXPECT_GT(out[i] & 0x7fff, 0x7c00u);
    } else {
      EXPECT_EQ(out[i] & 0xffff, want) << std::hexfloat << f(x[i]);
    }
  }
}

TEST(ValuDivide, ScaleFmasFixupGiveTheExactQuotient) {
  // The sequence of LLVM's fdiv lowering, with denormals on.
  LaneProgram program;
  program.input_dwords = 2;
  program.body =
      "v_div_scale_f32 v10, s20, v5, v5, v4\n"
      "v_div_scale_f32 v11, vcc_lo, v4, v5, v4\n"
      "v_rcp_f32 v12, v10\n"
      "v_fma_f32 v13, -v10, v12, 1.0\n"
      "v_fma_f32 v12, v13, v12, v12\n"
      "v_mul_f32 v13, v11, v12\n"
      "v_fma_f32 v14, -v10, v13, v11\n"
      "v_fma_f32 v13, v14, v12, v13\n"
      "v_fma_f32 v10, -v10, v13, v11\n"
      "v_div_fmas_f32 v10, v10, v12, v13\n"
      "v_div_fixup_f32 v16, v10, v5, v4\n";
  std::vector<U> x = interesting_f32(1024, 31), y = interesting_f32(1024, 32);
  // Denormal quotients, among them ones that two roundings get wrong: 0x007fffff / 1.5 is 0x555554 and two thirds.
  for (U k = 0; k < 256; ++k) {
    x.push_back(0x007fffffu - 977 * k);
    y.push_back(0x3fc00000u + 12345 * (k / 2));
  }
  std::vector<U> inputs;
  for (size_t i = 0; i < x.size(); ++i) inputs.insert(inputs.end(), {x[i], y[i]});
  const std::vector<U> out = program.run(inputs);
  ASSERT_EQ(out.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const float want = f(x[i]) / f(y[i]);
    EXPECT_TRUE(matches(out[i], b(want), 0)) << std::hexfloat << f(x[i]) << " / " << f(y[i]) << ": " << f(out[i]);
  }
}

/// vcc of v_div_scale as tests on hardware have it (docs/isa-errata.md).
TEST(ValuDivide, FlagOfTheScale) {
  struct Pair {
    U numerator, denominator, flag, float_mode;
  };
  constexpr U kTwoTo64 = 0x5f800000;
  const std::vector<Pair> pairs = {
      {b(1.0f), b(4.0f), 0, 0xf0},    {b(1.0f), 0, 1, 0xf0},          {0, b(1.0f), 1, 0xf0},
      {0x7f7fffff, b(1.0f), 1, 0xf0}, {b(1.0f), 1, 1, 0xc0},          {0x00800000, b(1.0f), 1, 0xf0},
      {kTwoTo64, b(1.0f), 0, 0xf0},   {0x6f800000, b(1.0f), 1, 0xf0}, {0x6f000000, b(1.0f), 0, 0xf0},
      {0x01000000, b(1.0f), 0, 0xf0},
  };
  for (const Pair& pair : pairs) {
    LaneProgram program;
    program.input_dwords = 2;
    program.float_mode = pair.float_mode;
    program.body = "v_div_scale_f32 v10, vcc_lo, v4, v5, v4\nv_cndmask_b32 v16, 0, 1, vcc_lo\n";
    EXPECT_EQ(program.run({pair.numerator, pair.denominator}), std::vector<U>{pair.flag})
        << std::hexfloat << f(pair.numerator) << " / " << f(pair.denominator);
  }
  LaneProgram program;
  program.input_dwords = 4;
  program.body = "v_div_scale_f64 v[10:11], vcc_lo, v[4:5], v[6:7], v[4:5]\nv_cndmask_b32 v16, 0, 1, vcc_lo\n";
  EXPECT_EQ(program.run({0, 0x3ff00000, 0, 0}), std::vector<U>{1});
  EXPECT_EQ(program.run({0, 0x3ff00000, 0, 0x40000000}), std::vector<U>{0});
}

// ---- 64-bit floats: operands in register pairs ----

double d(U low, U high) {
  return std::bit_cast<double>(low | static_cast<uint64_t>(high) << 32);
}

TEST(ValuDouble, Arithmetic) {
  constexpr size_t kElements = 512;
  const std::vector<U> words = interesting_u32(kElements * 6, 41);
  LaneProgram program;
  program.input_dwords = 6;
  program.output_dwords = 12;
  program.body =
      "v_add_f64 v[16:17], v[4:5], v[6:7]\n"
      "v_mul_f64 v[18:19], v[4:5], v[6:7]\n"
      "v_fma_f64 v[20:21], v[4:5], -v[6:7], v[8:9]\n"
      "v_max_f64 v[22:23], v[4:5], |v[6:7]|\n"
      "v_cvt_f32_f64 v24, v[4:5]\n"
      "v_cvt_f64_f32 v[26:27], v4\n"
      "v_cvt_i32_f64 v25, v[4:5]\n";
  const std::vector<U> out = program.run(words);
  ASSERT_EQ(out.size(), kElements * 12);
  const auto same = [](double got, double want) {
    return std::isnan(want) ? std::isnan(got) : std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(want);
  };
  for (size_t i = 0; i < kElements; ++i) {
    const U* in = &words[6 * i];
    const U* o = &out[12 * i];
    const double x = d(in[0], in[1]), y = d(in[2], in[3]), z = d(in[4], in[5]);
    EXPECT_TRUE(same(d(o[0], o[1]), x + y));
    EXPECT_TRUE(same(d(o[2], o[3]), x * y));
    EXPECT_TRUE(same(d(o[4], o[5]), std::fma(x, -y, z)));
    EXPECT_TRUE(same(d(o[6], o[7]), std::fmax(x, std::fabs(y))));
    if (!std::isnan(x)) {
      EXPECT_EQ(o[8], b(static_cast<float>(x)));
    }
    EXPECT_EQ(o[9], saturated(x, INT32_MIN, INT32_MAX));
    EXPECT_TRUE(same(d(o[10], o[11]), static_cast<double>(f(in[0]))));
  }
}

TEST(ValuDouble, InlineConstantsAreDoubles) {
  LaneProgram program;
  program.output_dwords = 4;
  program.body = "v_add_f64 v[16:17], 1.0, 0.5\nv_mul_f64 v[18:19], 2.0, -4.0\n";
  const std::vector<U> out = program.run({0});
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(d(out[0], out[1]), 1.5);
  EXPECT_EQ(d(out[2], out[3]), -8.0);
}

}  // namespace
}  // namespace spalt::emu::test
