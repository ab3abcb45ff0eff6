// SPDX-License-Identifier: MIT
// 32-bit integer vector instructions against plain C++ written from the RDNA 2 ISA guide.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;
using I = int32_t;
using Wide = uint64_t;

struct Case {
  const char* text;  ///< instruction with operands: results to v16, sources v4, v5, v6
  std::function<U(U, U, U)> expected;
};

I s(U value) {
  return static_cast<I>(value);
}
I s24(U value) {
  return s(value << 8) >> 8;
}

// Several instructions share one program: results v16, v17, ...
void check(unsigned wave_size, const std::vector<Case>& cases) {
  constexpr size_t kElements = 256;
  const std::vector<U> a = interesting_u32(kElements, 1), b = interesting_u32(kElements, 2),
                       c = interesting_u32(kElements, 3);
  std::vector<U> inputs;
  for (size_t i = 0; i < kElements; ++i) {
    // Some elements have equal sources.
    inputs.insert(inputs.end(), {a[i], i % 8 == 0 ? a[i] : b[i], c[i]});
  }
  LaneProgram program;
  program.wave_size = wave_size;
  program.input_dwords = 3;
  program.output_dwords = static_cast<unsigned>(cases.size());
  for (size_t k = 0; k < cases.size(); ++k) {
    std::string line = cases[k].text;
    const size_t at = line.find("D");
    ASSERT_NE(at, std::string::npos);
    program.body += line.replace(at, 1, "v" + std::to_string(16 + k)) + "\n";
  }
  const std::vector<U> out = program.run(inputs);
  ASSERT_EQ(out.size(), kElements * cases.size());
  for (size_t i = 0; i < kElements; ++i) {
    for (size_t k = 0; k < cases.size(); ++k) {
      const U x = inputs[3 * i], y = inputs[3 * i + 1], z = inputs[3 * i + 2];
      EXPECT_EQ(out[i * cases.size() + k], cases[k].expected(x, y, z))
          << cases[k].text << " of " << std::hex << x << " " << y << " " << z;
    }
  }
}

class ValuInt : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Waves, ValuInt, testing::Values(32u, 64u));

TEST_P(ValuInt, OneSource) {
  check(GetParam(), {
                        {"v_mov_b32 D, v4", [](U a, U, U) { return a; }},
                        {"v_not_b32 D, v4", [](U a, U, U) { return ~a; }},
                        {"v_bfrev_b32 D, v4",
                         [](U a, U, U) {
                           U r = 0;
                           for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
                           return r;
                         }},
                        {"v_ffbh_u32 D, v4",
                         [](U a, U, U) {
                           for (U i = 0; i < 32; ++i) {
                             if (a >> (31 - i) & 1) return i;
                           }
                           return ~U{0};
                         }},
                        {"v_ffbl_b32 D, v4",
                         [](U a, U, U) {
                           for (U i = 0; i < 32; ++i) {
                             if (a >> i & 1) return i;
                           }
                           return ~U{0};
                         }},
                        {"v_ffbh_i32 D, v4",
                         [](U a, U, U) {
                           for (U i = 1; i < 32; ++i) {
                             if ((a >> (31 - i) & 1) != a >> 31) return i;
                           }
                           return ~U{0};
                         }},
                        {"v_mov_b32 D, 0x12345678", [](U, U, U) { return 0x12345678u; }},
                        {"v_mov_b32 D, -16", [](U, U, U) { return U(-16); }},
                        {"v_mov_b32 D, 0.5", [](U, U, U) { return 0x3f000000u; }},
                    });
}

TEST_P(ValuInt, AddSubtractMinMax) {
  check(GetParam(),
        {
            {"v_add_nc_u32 D, v4, v5", [](U a, U b, U) { return a + b; }},
            {"v_sub_nc_u32 D, v4, v5", [](U a, U b, U) { return a - b; }},
            {"v_subrev_nc_u32 D, v4, v5", [](U a, U b, U) { return b - a; }},
            {"v_add_nc_u32 D, v4, v5 clamp", [](U a, U b, U) { return U(std::min<Wide>(Wide{a} + b, 0xffffffff)); }},
            {"v_sub_nc_u32 D, v4, v5 clamp", [](U a, U b, U) { return a > b ? a - b : 0; }},
            {"v_add_nc_i32 D, v4, v5 clamp",
             [](U a, U b, U) { return U(std::clamp<int64_t>(int64_t{s(a)} + s(b), INT32_MIN, INT32_MAX)); }},
            {"v_sub_nc_i32 D, v4, v5 clamp",
             [](U a, U b, U) { return U(std::clamp<int64_t>(int64_t{s(a)} - s(b), INT32_MIN, INT32_MAX)); }},
            {"v_min_i32 D, v4, v5", [](U a, U b, U) { return U(std::min(s(a), s(b))); }},
            {"v_max_i32 D, v4, v5", [](U a, U b, U) { return U(std::max(s(a), s(b))); }},
            {"v_min_u32 D, v4, v5", [](U a, U b, U) { return std::min(a, b); }},
            {"v_max_u32 D, v4, v5", [](U a, U b, U) { return std::max(a, b); }},
        });
}

TEST_P(ValuInt, ShiftsAndLogic) {
  check(GetParam(), {
                        {"v_lshlrev_b32 D, v4, v5", [](U a, U b, U) { return b << (a & 31); }},
                        {"v_lshrrev_b32 D, v4, v5", [](U a, U b, U) { return b >> (a & 31); }},
                        {"v_ashrrev_i32 D, v4, v5", [](U a, U b, U) { return U(s(b) >> (a & 31)); }},
                        {"v_and_b32 D, v4, v5", [](U a, U b, U) { return a & b; }},
                        {"v_or_b32 D, v4, v5", [](U a, U b, U) { return a | b; }},
                        {"v_xor_b32 D, v4, v5", [](U a, U b, U) { return a ^ b; }},
                        {"v_xnor_b32 D, v4, v5", [](U a, U b, U) { return ~(a ^ b); }},
                        {"v_bfm_b32 D, v4, v5", [](U a, U b, U) { return ((1u << (a & 31)) - 1) << (b & 31); }},
                        {"v_bcnt_u32_b32 D, v4, v5", [](U a, U b, U) { return U(std::popcount(a)) + b; }},
                    });
}

TEST_P(ValuInt, Multiply) {
  check(GetParam(),
        {
            {"v_mul_lo_u32 D, v4, v5", [](U a, U b, U) { return a * b; }},
            {"v_mul_hi_u32 D, v4, v5", [](U a, U b, U) { return U(Wide{a} * b >> 32); }},
            {"v_mul_hi_i32 D, v4, v5", [](U a, U b, U) { return U(int64_t{s(a)} * s(b) >> 32); }},
            {"v_mul_i32_i24 D, v4, v5", [](U a, U b, U) { return U(int64_t{s24(a)} * s24(b)); }},
            {"v_mul_hi_i32_i24 D, v4, v5", [](U a, U b, U) { return U(int64_t{s24(a)} * s24(b) >> 32); }},
            {"v_mul_u32_u24 D, v4, v5", [](U a, U b, U) { return U(Wide{a & 0xffffff} * (b & 0xffffff)); }},
            {"v_mul_hi_u32_u24 D, v4, v5", [](U a, U b, U) { return U(Wide{a & 0xffffff} * (b & 0xffffff) >> 32); }},
            {"v_mad_u32_u24 D, v4, v5, v6", [](U a, U b, U c) { return U(Wide{a & 0xffffff} * (b & 0xffffff) + c); }},
            {"v_mad_i32_i24 D, v4, v5, v6", [](U a, U b, U c) { return U(int64_t{s24(a)} * s24(b) + s(c)); }},
            {"v_mad_u32_u16 D, v4, v5, v6", [](U a, U b, U c) { return (a & 0xffff) * (b & 0xffff) + c; }},
            {"v_mad_i32_i16 D, v4, v5, v6", [](U a, U b, U c) { return U(I(int16_t(a)) * I(int16_t(b))) + c; }},
        });
}

TEST_P(ValuInt, ThreeSources) {
  check(GetParam(),
        {
            {"v_add3_u32 D, v4, v5, v6", [](U a, U b, U c) { return a + b + c; }},
            {"v_lshl_add_u32 D, v4, v5, v6", [](U a, U b, U c) { return (a << (b & 31)) + c; }},
            {"v_add_lshl_u32 D, v4, v5, v6", [](U a, U b, U c) { return (a + b) << (c & 31); }},
            {"v_lshl_or_b32 D, v4, v5, v6", [](U a, U b, U c) { return a << (b & 31) | c; }},
            {"v_and_or_b32 D, v4, v5, v6", [](U a, U b, U c) { return (a & b) | c; }},
            {"v_or3_b32 D, v4, v5, v6", [](U a, U b, U c) { return a | b | c; }},
            {"v_xor3_b32 D, v4, v5, v6", [](U a, U b, U c) { return a ^ b ^ c; }},
            {"v_xad_u32 D, v4, v5, v6", [](U a, U b, U c) { return (a ^ b) + c; }},
            {"v_bfi_b32 D, v4, v5, v6", [](U a, U b, U c) { return (b & a) | (c & ~a); }},
            {"v_bfe_u32 D, v4, v5, v6", [](U a, U b, U c) { return a >> (b & 31) & ((1u << (c & 31)) - 1); }},
            {"v_bfe_i32 D, v4, v5, v6",
             [](U a, U b, U c) {
               const U width = c & 31;
               U field = U(s(a) >> (b & 31)) & ((1u << width) - 1);
               if (width != 0 && (field >> (width - 1) & 1) != 0) field |= ~((1u << width) - 1);
               return field;
             }},
            {"v_alignbit_b32 D, v4, v5, v6", [](U a, U b, U c) { return U((Wide{a} << 32 | b) >> (c & 31)); }},
            {"v_alignbyte_b32 D, v4, v5, v6", [](U a, U b, U c) { return U((Wide{a} << 32 | b) >> (8 * (c & 3))); }},
            {"v_med3_u32 D, v4, v5, v6",
             [](U a, U b, U c) {
               U v[3] = {a, b, c};
               std::sort(v, v + 3);
               return v[1];
             }},
            {"v_med3_i32 D, v4, v5, v6",
             [](U a, U b, U c) {
               I v[3] = {s(a), s(b), s(c)};
               std::sort(v, v + 3);
               return U(v[1]);
             }},
            {"v_min3_u32 D, v4, v5, v6",
             [](U a, U b, U c) {
               return std::min({a, b, c});
             }},
            {"v_max3_u32 D, v4, v5, v6",
             [](U a, U b, U c) {
               return std::max({a, b, c});
             }},
            {"v_min3_i32 D, v4, v5, v6",
             [](U a, U b, U c) {
               return U(std::min({s(a), s(b), s(c)}));
             }},
            {"v_max3_i32 D, v4, v5, v6",
             [](U a, U b, U c) {
               return U(std::max({s(a), s(b), s(c)}));
             }},
        });
}

U byte(U value, unsigned i) {
  return value >> (8 * i) & 0xff;
}

TEST_P(ValuInt, Bytes) {
  check(
      GetParam(),
      {
          {"v_perm_b32 D, v4, v5, v6",
           [](U a, U b, U c) {
             U result = 0;
             for (unsigned i = 0; i < 4; ++i) {
               const U sel = byte(c, i);
               U value = 255;
               if (sel < 4) value = byte(b, sel);
               if (sel >= 4 && sel < 8) value = byte(a, sel - 4);
               if (sel == 8) value = b >> 15 & 1 ? 255 : 0;
               if (sel == 9) value = b >> 31 & 1 ? 255 : 0;
               if (sel == 10) value = a >> 15 & 1 ? 255 : 0;
               if (sel == 11) value = a >> 31 & 1 ? 255 : 0;
               if (sel == 12) value = 0;
               result |= value << (8 * i);
             }
             return result;
           }},
          {"v_sad_u8 D, v4, v5, v6",
           [](U a, U b, U c) {
             for (unsigned i = 0; i < 4; ++i) c += U(std::abs(I(byte(a, i)) - I(byte(b, i))));
             return c;
           }},
          {"v_sad_u16 D, v4, v5, v6",
           [](U a, U b, U c) {
             return c + U(std::abs(I(a & 0xffff) - I(b & 0xffff))) + U(std::abs(I(a >> 16) - I(b >> 16)));
           }},
          {"v_sad_u32 D, v4, v5, v6", [](U a, U b, U c) { return c + (a > b ? a - b : b - a); }},
          {"v_lerp_u8 D, v4, v5, v6",
           [](U a, U b, U c) {
             U result = 0;
             for (unsigned i = 0; i < 4; ++i) result |= (byte(a, i) + byte(b, i) + (byte(c, i) & 1)) / 2 << (8 * i);
             return result;
           }},
          {"v_cvt_pk_u16_u32 D, v4, v5", [](U a, U b, U) { return std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16; }},
          {"v_cvt_pk_i16_i32 D, v4, v5",
           [](U a, U b, U) {
             return (U(std::clamp(s(a), -32768, 32767)) & 0xffff) | U(std::clamp(s(b), -32768, 32767)) << 16;
           }},
      });
}

TEST_P(ValuInt, SdwaSelectsAndKeepsParts) {
  check(GetParam(), {
                        {"v_add_nc_u32_sdwa D, v4, v5 dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1",
                         [](U a, U b, U) { return byte(a, 1) + (b >> 16); }},
                        {"v_add_nc_u32_sdwa D, sext(v4), v5 dst_sel:DWORD src0_sel:BYTE_3 src1_sel:DWORD",
                         [](U a, U b, U) { return U(I(int8_t(byte(a, 3)))) + b; }},
                        {"v_mov_b32_sdwa D, v4 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:BYTE_0",
                         [](U a, U, U) { return byte(a, 0) << 16; }},
                        {"v_mov_b32_sdwa D, v4 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1",
                         [](U a, U, U) { return U(I(int16_t(a >> 16))); }},
                    });
}

}  // namespace
}  // namespace spalt::emu::test
