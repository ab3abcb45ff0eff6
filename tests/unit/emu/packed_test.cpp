// SPDX-License-Identifier: MIT
// 16-bit and packed instructions against plain C++ that rounds by searching the halves.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

double half_value(U h) {
  const int e = static_cast<int>(h >> 10 & 31);
  const U m = h & 1023;
  double v = e == 0 ? std::ldexp(m, -24) : std::ldexp(1024.0 + m, e - 25);
  if (e == 31) v = m == 0 ? INFINITY : NAN;
  return (h & 0x8000) != 0 ? -v : v;
}

/// Nearest half with ties to even, by bisection over all finite halves.
U to_half(long double value) {
  const U sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const long double magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  U low = 0, high = 0x7c00;
  while (high - low > 1) {
    const U middle = (low + high) / 2;
    ((middle == 0x7c00 ? 65536.0L : half_value(middle)) <= magnitude ? low : high) = middle;
  }
  const long double below = half_value(low), above = high == 0x7c00 ? 65536.0L : half_value(high);
  const bool up = magnitude - below > above - magnitude || (magnitude - below == above - magnitude && (low & 1) != 0);
  return sign | (up ? high : low);
}

bool same_half(U got, U want) {
  if ((want & 0x7fff) > 0x7c00) return (got & 0x7fff) > 0x7c00;
  return got == want;
}

std::vector<U> halves(size_t count, uint32_t seed) {
  const U corners[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00,
                       0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3555, 0x6400};
  std::mt19937 random(seed);
  std::vector<U> values;
  for (size_t i = 0; i < count; ++i) {
    const auto pick = [&] { return random() % 4 == 0 ? corners[random() % 15] : U(random() & 0xffff); };
    const U low = pick();
    values.push_back(low | pick() << 16);
  }
  return values;
}

struct Case {
  const char* text;  ///< result D, sources v4, v5, v6
  std::function<U(U, U, U)> expected;
  bool floats = true;
};

void check(const std::vector<Case>& cases) {
  constexpr size_t kElements = 512;
  const std::vector<U> a = halves(kElements, 81), b = halves(kElements, 82), c = halves(kElements, 83);
  std::vector<U> in;
  for (size_t i = 0; i < kElements; ++i) in.insert(in.end(), {a[i], b[i], c[i]});
  LaneProgram program;
  program.input_dwords = 3;
  program.output_dwords = static_cast<unsigned>(cases.size());
  for (size_t k = 0; k < cases.size(); ++k) {
    std::string line = cases[k].text;
    const std::string reg = "v" + std::to_string(16 + k);
    program.body += "v_mov_b32 " + reg + ", 0\n" + line.replace(line.find('D'), 1, reg) + "\n";
  }
  const std::vector<U> out = program.run(in);
  ASSERT_EQ(out.size(), kElements * cases.size());
  for (size_t i = 0; i < kElements; ++i) {
    for (size_t k = 0; k < cases.size(); ++k) {
      const U got = out[i * cases.size() + k], want = cases[k].expected(a[i], b[i], c[i]);
      const bool same =
          cases[k].floats ? same_half(got & 0xffff, want & 0xffff) && same_half(got >> 16, want >> 16) : got == want;
      EXPECT_TRUE(same) << cases[k].text << " of " << std::hex << a[i] << " " << b[i] << " " << c[i] << ": got " << got
                        << ", want " << want;
    }
  }
}

double lo(U v) {
  return half_value(v & 0xffff);
}
double hi(U v) {
  return half_value(v >> 16);
}
U both(double low, double high) {
  return to_half(low) | to_half(high) << 16;
}
long double fma_exact(double a, double b, double c) {
  return static_cast<long double>(a) * b + c;
}

TEST(Half, Arithmetic) {
  check({
      {"v_add_f16 D, v4, v5", [](U a, U b, U) { return to_half(lo(a) + lo(b)); }},
      {"v_sub_f16 D, v4, v5", [](U a, U b, U) { return to_half(lo(a) - lo(b)); }},
      {"v_mul_f16 D, v4, v5", [](U a, U b, U) { return to_half(lo(a) * lo(b)); }},
      {"v_fma_f16 D, v4, v5, v6", [](U a, U b, U c) { return to_half(fma_exact(lo(a), lo(b), lo(c))); }},
      {"v_fma_f16 D, -v4, v5, |v6|", [](U a, U b, U c) { return to_half(fma_exact(-lo(a), lo(b), std::fabs(lo(c)))); }},
      {"v_floor_f16 D, v4", [](U a, U, U) { return to_half(std::floor(lo(a))); }},
      {"v_rndne_f16 D, v4", [](U a, U, U) { return to_half(std::nearbyint(lo(a))); }},
      {"v_max_f16 D, v4, v5",
       [](U a, U b, U) {
         if (lo(a) == 0 && lo(b) == 0) return std::signbit(lo(a)) ? b & 0xffff : a & 0xffff;
         return to_half(std::fmax(lo(a), lo(b)));
       }},
      {"v_add_f16 D, 1.0, v4", [](U a, U, U) { return to_half(lo(a) + 1); }},
      {"v_mul_f16 D, 0.5, v4", [](U a, U, U) { return to_half(lo(a) * 0.5); }},
      {"v_cvt_f32_f16 D, v4",
       [](U a, U, U) {
         if (std::isnan(lo(a))) return (a & 0x8000) << 16 | 0x7fc00000 | (a & 0x3ff) << 13;
         return std::bit_cast<U>(static_cast<float>(lo(a)));
       },
       false},
  });
}

TEST(Half, PackedFloats) {
  check({
      {"v_pk_add_f16 D, v4, v5", [](U a, U b, U) { return both(lo(a) + lo(b), hi(a) + hi(b)); }},
      {"v_pk_mul_f16 D, v4, v5", [](U a, U b, U) { return both(lo(a) * lo(b), hi(a) * hi(b)); }},
      {"v_pk_fma_f16 D, v4, v5, v6",
       [](U a, U b, U c) {
         return to_half(fma_exact(lo(a), lo(b), lo(c))) | to_half(fma_exact(hi(a), hi(b), hi(c))) << 16;
       }},
      {"v_pk_add_f16 D, v4, v5 op_sel:[1,0] op_sel_hi:[0,0]",
       [](U a, U b, U) { return both(hi(a) + lo(b), lo(a) + lo(b)); }},
      {"v_pk_add_f16 D, v4, v5 neg_lo:[1,0] neg_hi:[0,1]",
       [](U a, U b, U) { return both(lo(b) - lo(a), hi(a) - hi(b)); }},
      {"v_pack_b32_f16 D, v4, v5", [](U a, U b, U) { return (a & 0xffff) | b << 16; }},
  });
}

U pair(U low, U high) {
  return (low & 0xffff) | high << 16;
}
int s(U v) {
  return static_cast<int16_t>(v);
}

TEST(Half, Integers) {
  check({
      {"v_add_nc_u16 D, v4, v5", [](U a, U b, U) { return (a + b) & 0xffff; }, false},
      {"v_sub_nc_i16 D, v4, v5 clamp", [](U a, U b, U) { return U(std::clamp(s(a) - s(b), -32768, 32767)) & 0xffff; },
       false},
      {"v_mad_u16 D, v4, v5, v6", [](U a, U b, U c) { return ((a & 0xffff) * (b & 0xffff) + c) & 0xffff; }, false},
      {"v_lshlrev_b16 D, v4, v5", [](U a, U b, U) { return (b << (a & 15)) & 0xffff; }, false},
      {"v_ashrrev_i16 D, v4, v5", [](U a, U b, U) { return U(s(b) >> (a & 15)) & 0xffff; }, false},
      {"v_max_i16 D, v4, v5", [](U a, U b, U) { return U(std::max(s(a), s(b))) & 0xffff; }, false},
      {"v_add_nc_u16 D, v4, v5 op_sel:[1,1,1]", [](U a, U b, U) { return ((a >> 16) + (b >> 16)) << 16; }, false},
      {"v_pk_add_u16 D, v4, v5", [](U a, U b, U) { return pair(a + b, (a >> 16) + (b >> 16)); }, false},
      {"v_pk_sub_i16 D, v4, v5 clamp",
       [](U a, U b, U) {
         return pair(U(std::clamp(s(a) - s(b), -32768, 32767)), U(std::clamp(s(a >> 16) - s(b >> 16), -32768, 32767)));
       },
       false},
      {"v_pk_mad_u16 D, v4, v5, v6",
       [](U a, U b, U c) { return pair((a & 0xffff) * (b & 0xffff) + c, (a >> 16) * (b >> 16) + (c >> 16)); }, false},
      {"v_pk_lshlrev_b16 D, v4, v5",
       [](U a, U b, U) { return pair((b & 0xffff) << (a & 15), (b >> 16) << (a >> 16 & 15)); }, false},
      {"v_pk_min_i16 D, v4, v5",
       [](U a, U b, U) { return pair(U(std::min(s(a), s(b))), U(std::min(s(a >> 16), s(b >> 16)))); }, false},
  });
}

TEST(Half, DotProductsAndMixedPrecision) {
  const auto bytes = [](U a, U b, U c, bool is_signed) {
    for (int i = 0; i < 32; i += 8) {
      c += is_signed ? U(int8_t(a >> i)) * U(int8_t(b >> i)) : (a >> i & 255) * (b >> i & 255);
    }
    return c;
  };
  check({
      {"v_dot4_i32_i8 D, v4, v5, v6", [=](U a, U b, U c) { return bytes(a, b, c, true); }, false},
      {"v_dot4_u32_u8 D, v4, v5, v6", [=](U a, U b, U c) { return bytes(a, b, c, false); }, false},
      {"v_dot2_u32_u16 D, v4, v5, v6",
       [](U a, U b, U c) { return c + (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16); }, false},
      {"v_fma_mixlo_f16 D, v4, v5, v6 op_sel:[1,0,1] op_sel_hi:[1,1,1]",
       [](U a, U b, U c) { return to_half(fma_exact(hi(a), lo(b), hi(c))); }},
      {"v_fma_mixhi_f16 D, v4, v5, v6 op_sel_hi:[1,1,1]",
       [](U a, U b, U c) { return to_half(fma_exact(lo(a), lo(b), lo(c))) << 16; }},
  });
}

}  // namespace
}  // namespace spalt::emu::test
