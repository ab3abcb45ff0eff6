// SPDX-License-Identifier: MIT
// Scalar floating point against plain C++: every opcode on corner values and random ones, in all rounding modes.
// Semantics from the RDNA 3.5 ISA guide, sections 16.1 to 16.4, and the RDNA 4 ISA guide.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
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
bool nan32(U bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
bool nan16(U bits) {
  return (bits & 0x7fffu) > 0x7c00u;
}

struct Case {
  U a, b, c;
};

/// Runs "OP s22, s20, s21" (or what `text` says) on every case; s22 starts as c, the result is s22.
std::vector<U> run(const std::string& text, const std::vector<Case>& cases, const char* target,
                   const std::string& modes = "") {
  std::vector<U> out(cases.size() + 1, 0);
  std::string body = modes + "v_mov_b32 v1, 0\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    body += "s_mov_b32 s20, " + std::to_string(cases[i].a) + "\ns_mov_b32 s21, " + std::to_string(cases[i].b) +
            "\ns_mov_b32 s22, " + std::to_string(cases[i].c) + "\n" + text + "\nv_mov_b32 v2, s22\n" +
            "v_mov_b32 v1, " + std::to_string(4 * i) + "\nbuffer_store_b32 v2, v1, s[8:11], " +
            (std::string(target) == "gfx1200" ? "null" : "0") + " offen\n";
  }
  EXPECT_EQ(run_snippet(body, {&out}, 32, 0, 0, target), "") << text;
  out.pop_back();
  return out;
}

std::vector<Case> cases32() {
  const std::vector<U> a = interesting_f32(60, 1), b = interesting_f32(60, 2), c = interesting_f32(60, 3);
  std::vector<Case> cases;
  for (size_t i = 0; i < a.size(); ++i) cases.push_back({a[i], b[i], c[i]});
  for (const U x : {0u, 0x80000000u, 0x7f800001u, 0xffc00000u, 0x3f800000u}) {
    for (const U y : {0u, 0x80000000u, 0x7fa00000u, 0x7fc00001u, 0xbf800000u}) cases.push_back({x, y, y});
  }
  return cases;
}
/// The same with half floats in the low bits and junk above.
std::vector<Case> cases16() {
  constexpr U kValues[] = {0,      0x8000, 1,      0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3800, 0x7bff, 0xfbff,
                           0x7c00, 0xfc00, 0x7d01, 0xfe00, 0x3e00, 0x4100, 0xc300, 0x6801, 0x1234, 0x5555};
  std::vector<Case> cases;
  for (const U a : kValues) {
    for (unsigned i = 0; i < 5; ++i) {
      const U b = kValues[(a * 7 + i * 3) % std::size(kValues)], c = kValues[(a + i) % std::size(kValues)];
      cases.push_back({a | 0xabcd0000u, b | 0x12340000u, c | 0x7fff0000u});
    }
  }
  return cases;
}

constexpr int kHostRounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// A result of float arithmetic as the hardware gives it: the first NaN among the operands, or 0x7fc00000.
U result32(float value, std::initializer_list<U> operands) {
  if (value == value) return u(value);
  for (const U operand : operands) {
    if (nan32(operand)) return operand | 0x400000u;
  }
  return 0x7fc00000u;
}

template <class F>
void check32(const std::string& text, F reference, bool fma = false) {
  for (const char* target : {"gfx1150", "gfx1200"}) {
    for (unsigned mode = 0; mode < 4; ++mode) {
      const std::vector<Case> cases = cases32();
      const std::vector<U> got = run(text, cases, target, "s_round_mode " + std::to_string(mode) + "\n");
      for (size_t i = 0; i < cases.size(); ++i) {
        const Case& k = cases[i];
        std::fesetround(kHostRounding[mode]);
        const volatile float value = reference(f(k.a), f(k.b), f(k.c));
        std::fesetround(FE_TONEAREST);
        const U want = fma ? result32(value, {k.a, k.b, k.c}) : result32(value, {k.a, k.b});
        ASSERT_EQ(got[i], want) << text << " mode " << mode << " of " << std::hex << k.a << " " << k.b << " " << k.c;
      }
    }
  }
}

TEST(ScalarFloat, Arithmetic32) {
  check32("s_add_f32 s22, s20, s21", [](float a, float b, float) { return a + b; });
  check32("s_sub_f32 s22, s20, s21", [](float a, float b, float) { return a - b; });
  check32("s_mul_f32 s22, s20, s21", [](float a, float b, float) { return a * b; });
  check32(
      "s_fmac_f32 s22, s20, s21", [](float a, float b, float c) { return std::fma(a, b, c); }, true);
  check32("s_fmaak_f32 s22, s20, s21, 0x40490fdb",
          [](float a, float b, float) { return std::fma(a, b, f(0x40490fdb)); });
  check32("s_fmamk_f32 s22, s20, 0x40490fdb, s21",
          [](float a, float b, float) { return std::fma(a, f(0x40490fdb), b); });
}

TEST(ScalarFloat, Rounding32) {
  const auto check = [](const std::string& text, float (*reference)(float)) {
    const std::vector<Case> cases = cases32();
    for (const char* mode : {"", "s_round_mode 0x2\n"}) {
      const std::vector<U> got = run(text + " s22, s20", cases, "gfx1150", mode);
      for (size_t i = 0; i < cases.size(); ++i) {
        ASSERT_EQ(got[i], result32(reference(f(cases[i].a)), {cases[i].a})) << text << " " << std::hex << cases[i].a;
      }
    }
  };
  check("s_ceil_f32", [](float a) { return std::ceil(a); });
  check("s_floor_f32", [](float a) { return std::floor(a); });
  check("s_trunc_f32", [](float a) { return std::trunc(a); });
  check("s_rndne_f32", [](float a) { return std::nearbyint(a); });  // the host rounds to nearest here
}

TEST(ScalarFloat, DenormalsByMode) {
  const std::vector<Case> one = {{0x00400000u, 0x3f800000u, 0}};
  EXPECT_EQ(run("s_mul_f32 s22, s20, s21", one, "gfx1200")[0], 0x00400000u);
  EXPECT_EQ(run("s_mul_f32 s22, s20, s21", one, "gfx1200", "s_denorm_mode 0xe\n")[0], 0u) << "input flushed";
  EXPECT_EQ(run("s_mul_f32 s22, s20, s21", {{0x00800000u, 0x3f000000u, 0}}, "gfx1200", "s_denorm_mode 0xd\n")[0], 0u)
      << "output flushed";
  EXPECT_EQ(run("s_cmp_lg_f32 s20, 0\ns_cselect_b32 s22, 1, 2", one, "gfx1200", "s_denorm_mode 0xe\n")[0], 2u);
  const std::vector<Case> half = {{0x0200u, 0x3c00u, 0}};
  EXPECT_EQ(run("s_mul_f16 s22, s20, s21", half, "gfx1200")[0], 0x0200u);
  EXPECT_EQ(run("s_mul_f16 s22, s20, s21", half, "gfx1200", "s_denorm_mode 0xb\n")[0], 0u);
}

// ---- 16 bits: the reference searches the table of all halves ----

double value16(U bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = bits & 0x3ff;
  const double magnitude = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(mantissa, -24)
                                           : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// The half that a number rounds to; the type has room for exact sums of products.
U nearest16(__float128 value, unsigned mode, bool negative_zero) {
  const bool negative = value < 0 || (value == 0 && negative_zero);
  const __float128 magnitude = value < 0 ? -value : value;
  const U sign = negative ? 0x8000u : 0;
  U below = 0;  // the largest half that is not above
  for (U step = 0x4000; step != 0; step >>= 1) {
    if (below + step <= 0x7c00u && static_cast<__float128>(value16(below + step)) <= magnitude) below += step;
  }
  if (below == 0x7c00u || static_cast<__float128>(value16(below)) == magnitude) return sign | below;
  const U above = below + 1;
  // Rounding sees 2^16 in the place of infinity.
  const __float128 low = value16(below), high = above == 0x7c00u ? 65536.0 : value16(above);
  const bool up = mode == 0 ? magnitude - low > high - magnitude || (magnitude - low == high - magnitude && (below & 1))
                  : mode == 1 ? !negative
                  : mode == 2 ? negative
                              : false;
  return sign | (up ? above : below);
}

struct Exact16 {
  __float128 value;
  bool negative_zero;
};

template <class F>
void check16(const std::string& text, F reference, bool fma = false) {
  for (unsigned mode = 0; mode < 4; ++mode) {
    const std::vector<Case> cases = cases16();
    const std::vector<U> got = run(text, cases, "gfx1150", "s_round_mode " + std::to_string(mode << 2) + "\n");
    for (size_t i = 0; i < cases.size(); ++i) {
      const U a = cases[i].a & 0xffff, b = cases[i].b & 0xffff, c = cases[i].c & 0xffff;
      // The host's own rounding says what becomes of zeros, infinities and NaNs.
      std::fesetround(kHostRounding[mode]);
      const volatile double rough = reference(value16(a), value16(b), value16(c));
      std::fesetround(FE_TONEAREST);
      U want;
      if (rough != rough) {
        want = nan16(a) ? a | 0x200 : nan16(b) ? b | 0x200 : fma && nan16(c) ? c | 0x200 : 0x7e00u;
      } else if (std::isinf(rough)) {
        want = rough < 0 ? 0xfc00u : 0x7c00u;
      } else {
        const __float128 exact = reference(static_cast<__float128>(value16(a)), static_cast<__float128>(value16(b)),
                                           static_cast<__float128>(value16(c)));
        want = nearest16(exact, mode, std::signbit(rough));
      }
      ASSERT_EQ(got[i], want) << text << " mode " << mode << " of " << std::hex << a << " " << b << " " << c;
    }
  }
}

TEST(ScalarFloat, Arithmetic16) {
  check16("s_add_f16 s22, s20, s21", [](auto a, auto b, auto) { return a + b; });
  check16("s_sub_f16 s22, s20, s21", [](auto a, auto b, auto) { return a - b; });
  check16("s_mul_f16 s22, s20, s21", [](auto a, auto b, auto) { return a * b; });
  check16(
      "s_fmac_f16 s22, s20, s21", [](auto a, auto b, auto c) { return a * b + c; }, true);
}

TEST(ScalarFloat, Rounding16) {
  const auto check = [](const std::string& text, double (*reference)(double)) {
    const std::vector<Case> cases = cases16();
    const std::vector<U> got = run(text + " s22, s20", cases, "gfx1200", "s_round_mode 0x8\n");
    for (size_t i = 0; i < cases.size(); ++i) {
      const U a = cases[i].a & 0xffff;
      const double value = reference(value16(a));
      const U want = nan16(a) ? a | 0x200 : nearest16(value, 0, std::signbit(value));
      ASSERT_EQ(got[i], want) << text << " " << std::hex << a;
    }
  };
  check("s_ceil_f16", [](double a) { return std::ceil(a); });
  check("s_floor_f16", [](double a) { return std::floor(a); });
  check("s_trunc_f16", [](double a) { return std::trunc(a); });
  check("s_rndne_f16", [](double a) { return std::nearbyint(a); });
}

// ---- minimum and maximum ----

/// -0 is below +0.
bool below(float a, float b) {
  return a < b || (a == 0 && b == 0 && std::signbit(a) && !std::signbit(b));
}
bool signaling(U bits) {
  return nan32(bits) && (bits & 0x400000u) == 0;
}

U min_num(U a, U b, bool max) {  // RDNA 4 ISA guide, V_MIN_NUM_F32
  if (nan32(a) && nan32(b)) return a | 0x400000u;
  if (nan32(a)) return b;
  if (nan32(b)) return a;
  return max ? (below(f(b), f(a)) ? a : b) : (below(f(a), f(b)) ? a : b);
}
U min_ieee(U a, U b, bool max) {  // RDNA 3.5 ISA guide, S_MIN_F32 with MODE.IEEE
  if (signaling(a)) return a | 0x400000u;
  if (signaling(b)) return b | 0x400000u;
  if (nan32(b)) return a;
  if (nan32(a)) return b;
  return min_num(a, b, max);
}
U min_plain(U a, U b, bool max) {  // without
  if (nan32(b)) return a;
  if (nan32(a)) return b;
  return min_num(a, b, max);
}
U minimum(U a, U b, bool max) {
  if (signaling(a)) return a | 0x400000u;
  if (signaling(b)) return b | 0x400000u;
  if (nan32(a)) return a;
  if (nan32(b)) return b;
  return min_num(a, b, max);
}

TEST(ScalarFloat, MinimumAndMaximum32) {
  const std::vector<Case> cases = cases32();
  const auto check = [&cases](const char* target, const std::string& mode, const std::string& name,
                              U (*reference)(U, U, bool), bool max) {
    const std::vector<U> got = run(name + " s22, s20, s21", cases, target, mode);
    for (size_t i = 0; i < cases.size(); ++i) {
      ASSERT_EQ(got[i], reference(cases[i].a, cases[i].b, max))
          << target << " " << name << " " << std::hex << cases[i].a << " " << cases[i].b;
    }
  };
  const std::string ieee = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 1\n";
  for (const bool max : {false, true}) {
    check("gfx1150", "", max ? "s_max_f32" : "s_min_f32", min_plain, max);
    check("gfx1150", ieee, max ? "s_max_f32" : "s_min_f32", min_ieee, max);
    check("gfx1200", "", max ? "s_max_num_f32" : "s_min_num_f32", min_num, max);
    // The bit means nothing there.
    check("gfx1200", ieee, max ? "s_max_num_f32" : "s_min_num_f32", min_num, max);
    check("gfx1200", "", max ? "s_maximum_f32" : "s_minimum_f32", minimum, max);
  }
}

TEST(ScalarFloat, MinimumAndMaximum16) {
  const auto one = [](const std::string& op, U a, U b) {
    return run(op + " s22, s20, s21", {{a | 0x55550000u, b | 0x77770000u, 0xffffffffu}}, "gfx1200")[0];
  };
  EXPECT_EQ(one("s_min_num_f16", 0x3c00, 0xbc00), 0xbc00u);
  EXPECT_EQ(one("s_max_num_f16", 0x3c00, 0xbc00), 0x3c00u);
  EXPECT_EQ(one("s_min_num_f16", 0, 0x8000), 0x8000u);
  EXPECT_EQ(one("s_max_num_f16", 0x8000, 0), 0u);
  EXPECT_EQ(one("s_min_num_f16", 0x7d00, 0x4000), 0x4000u);
  EXPECT_EQ(one("s_max_num_f16", 0x7d00, 0xfe01), 0x7f00u);
  EXPECT_EQ(one("s_minimum_f16", 0x7e00, 0x4000), 0x7e00u);
  EXPECT_EQ(one("s_maximum_f16", 0x4000, 0x7d00), 0x7f00u);
  EXPECT_EQ(one("s_minimum_f16", 0xfc00, 0x0001), 0xfc00u);
  EXPECT_EQ(one("s_maximum_f16", 0x8000, 0), 0u);
}

// ---- conversions ----

TEST(ScalarFloat, IntegerConversions) {
  const std::vector<U> values = interesting_u32(60, 5);
  std::vector<Case> cases;
  for (const U value : values) cases.push_back({value, 0, 0});
  for (unsigned mode = 0; mode < 4; ++mode) {
    const std::string set = "s_round_mode " + std::to_string(mode) + "\n";
    const std::vector<U> from_i = run("s_cvt_f32_i32 s22, s20", cases, "gfx1200", set),
                         from_u = run("s_cvt_f32_u32 s22, s20", cases, "gfx1200", set);
    for (size_t i = 0; i < values.size(); ++i) {
      std::fesetround(kHostRounding[mode]);
      const volatile float want_i = static_cast<float>(static_cast<int32_t>(values[i])),
                           want_u = static_cast<float>(values[i]);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(from_i[i], u(want_i)) << values[i];
      EXPECT_EQ(from_u[i], u(want_u)) << values[i];
    }
  }
  const std::vector<Case> floats = cases32();
  const std::vector<U> to_i = run("s_cvt_i32_f32 s22, s20", floats, "gfx1150"),
                       to_u = run("s_cvt_u32_f32 s22, s20", floats, "gfx1150");
  for (size_t i = 0; i < floats.size(); ++i) {
    const double value = std::trunc(static_cast<double>(f(floats[i].a)));
    const U want_i = value != value           ? 0
                     : value >= 2147483647.0  ? 0x7fffffffu
                     : value <= -2147483648.0 ? 0x80000000u
                                              : static_cast<U>(static_cast<int32_t>(value));
    const U want_u = value != value || value <= 0 ? 0 : value >= 4294967295.0 ? 0xffffffffu : static_cast<U>(value);
    EXPECT_EQ(to_i[i], want_i) << std::hex << floats[i].a;
    EXPECT_EQ(to_u[i], want_u) << std::hex << floats[i].a;
  }
}

TEST(ScalarFloat, HalfConversions) {
  std::vector<Case> cases = cases32();
  for (const float value : {1.0f, 65519.9f, 65520.0f, 1e-7f, 6e-8f, -2.5e-5f, 0.1f, 1025.5f}) {
    cases.push_back({u(value), u(-value), 0});
  }
  for (unsigned mode = 0; mode < 4; ++mode) {
    const std::vector<U> got =
        run("s_cvt_f16_f32 s22, s20", cases, "gfx1200", "s_round_mode " + std::to_string(mode << 2) + "\n");
    for (size_t i = 0; i < cases.size(); ++i) {
      const float value = f(cases[i].a);
      if (value != value) {
        EXPECT_TRUE(nan16(got[i]));
      } else {
        EXPECT_EQ(got[i], nearest16(value, std::isinf(value) ? 0 : mode, std::signbit(value))) << value;
      }
    }
  }
  const std::vector<U> packed = run("s_cvt_pk_rtz_f16_f32 s22, s20, s21", cases, "gfx1150");
  for (size_t i = 0; i < cases.size(); ++i) {
    const float a = f(cases[i].a), b = f(cases[i].b);
    if (a == a) {
      EXPECT_EQ(packed[i] & 0xffff, nearest16(a, 3, std::signbit(a))) << a;
    }
    if (b == b) {
      EXPECT_EQ(packed[i] >> 16, nearest16(b, 3, std::signbit(b))) << b;
    }
  }
  for (const Case& k : cases16()) {
    const U a = k.a & 0xffff;
    const U want = nan16(a) ? (a & 0x8000) << 16 | 0x7fc00000u | (a & 0x1ff) << 13 : u(static_cast<float>(value16(a)));
    EXPECT_EQ(run("s_cvt_f32_f16 s22, s20", {k}, "gfx1150")[0], want) << a;
    EXPECT_EQ(run("s_cvt_hi_f32_f16 s22, s20", {{k.a << 16, 0, 0}}, "gfx1150")[0], want) << a;
  }
}

// ---- comparisons ----

TEST(ScalarFloat, Comparisons) {
  struct Relation {
    const char* name;
    bool (*holds)(double, double);
  };
  constexpr Relation kRelations[] = {
      {"lt", [](double a, double b) { return a < b; }},
      {"eq", [](double a, double b) { return a == b; }},
      {"le", [](double a, double b) { return a <= b; }},
      {"gt", [](double a, double b) { return a > b; }},
      {"lg", [](double a, double b) { return a < b || a > b; }},
      {"ge", [](double a, double b) { return a >= b; }},
      {"o", [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }},
      {"u", [](double a, double b) { return std::isnan(a) || std::isnan(b); }},
      {"nge", [](double a, double b) { return !(a >= b); }},
      {"nlg", [](double a, double b) { return !(a < b || a > b); }},
      {"ngt", [](double a, double b) { return !(a > b); }},
      {"nle", [](double a, double b) { return !(a <= b); }},
      {"neq", [](double a, double b) { return a != b; }},
      {"nlt", [](double a, double b) { return !(a < b); }},
  };
  const std::vector<Case> wide = cases32(), narrow = cases16();
  const std::string select = "\ns_cselect_b32 s22, 1, 0";
  for (const Relation& relation : kRelations) {
    const std::string name = std::string("s_cmp_") + relation.name;
    const std::vector<U> got32 = run(name + "_f32 s20, s21" + select, wide, "gfx1150"),
                         got16 = run(name + "_f16 s20, s21" + select, narrow, "gfx1200");
    for (size_t i = 0; i < wide.size(); ++i) {
      EXPECT_EQ(got32[i], relation.holds(f(wide[i].a), f(wide[i].b)) ? 1u : 0u) << name << " " << i;
    }
    for (size_t i = 0; i < narrow.size(); ++i) {
      const double a = value16(narrow[i].a & 0xffff), b = value16(narrow[i].b & 0xffff);
      EXPECT_EQ(got16[i], relation.holds(a, b) ? 1u : 0u) << name << " " << i;
    }
  }
}

TEST(ScalarFloat, Constants) {
  const std::vector<Case> one = {{0x3c00u, 0x40000000u, 0}};
  EXPECT_EQ(run("s_add_f16 s22, s20, 1.0", one, "gfx1200")[0], 0x4000u);
  EXPECT_EQ(run("s_mul_f32 s22, s21, 0.5", one, "gfx1200")[0], 0x3f800000u);
  EXPECT_EQ(run("s_mul_f32 s22, s21, 0x40400000", one, "gfx1150")[0], 0x40c00000u);
  EXPECT_EQ(run("s_cmp_eq_f16 s20, 0x3c00\ns_cselect_b32 s22, 1, 0", one, "gfx1150")[0], 1u);
}

TEST(ScalarWide, Arithmetic) {
  const std::vector<Case> cases = {{0xffffffffu, 1, 5}, {0x80000000u, 0xdeadbeefu, 0x7fffffffu}, {7, 9, 0xfffffffeu}};
  for (const Case& k : cases) {
    const uint64_t a = uint64_t{k.b} << 32 | k.a, b = uint64_t{k.a} << 32 | k.c;
    const auto check = [&](const std::string& op, uint64_t want) {
      const std::string set = "s_mov_b32 s24, s20\ns_mov_b32 s25, s21\ns_mov_b32 s26, s22\ns_mov_b32 s27, s20\n";
      const std::string keep = "s_cmp_eq_u32 s0, s0\n" + op + " s[28:29], s[24:25], s[26:27]\n";
      EXPECT_EQ(run(set + keep + "s_mov_b32 s22, s28", {k}, "gfx1200")[0], static_cast<U>(want)) << op;
      EXPECT_EQ(run(set + keep + "s_mov_b32 s22, s29", {k}, "gfx1200")[0], static_cast<U>(want >> 32)) << op;
      EXPECT_EQ(run(set + keep + "s_cselect_b32 s22, 1, 0", {k}, "gfx1200")[0], 1u) << op << " leaves scc";
    };
    check("s_add_nc_u64", a + b);
    check("s_sub_nc_u64", a - b);
    check("s_mul_u64", a * b);
  }
}

}  // namespace
}  // namespace spalt::emu::test
