// SPDX-License-Identifier: MIT
// Comparisons, carries, lane crossing, DPP, permutes and indexed registers, against plain C++.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

/// One wave; v4 holds `in` per lane; the result is v16.
std::vector<U> run_wave(unsigned wave_size, const std::string& body, const std::vector<U>& in) {
  std::vector<U> input = in, out(wave_size, 0xaaaaaaaa);
  input.resize(wave_size * 2);
  const std::string text =
      "v_lshlrev_b32 v1, 2, v0\nbuffer_load_dword v4, v1, s[8:11], 0 offen\n"
      "buffer_load_dword v5, v1, s[8:11], 0 offen offset:" +
      std::to_string(wave_size * 4) + "\nv_mov_b32 v16, 0x5555\ns_waitcnt vmcnt(0)\n" + body +
      "\ns_mov_b64 exec, -1\nbuffer_store_dword v16, v1, s[12:15], 0 offen\n";
  EXPECT_EQ(run_snippet(text, {&input, &out}, wave_size), "");
  return out;
}

class Lanes : public testing::TestWithParam<unsigned> {
 protected:
  unsigned size() const { return GetParam(); }
  /// Expects result[lane] = want(lane) with v4[lane] = 100 + lane and v5[lane] = values(lane).
  void expect(
      const std::string& body, const std::function<U(unsigned)>& want,
      const std::function<U(unsigned)>& second = [](unsigned) { return 0u; }) {
    std::vector<U> in;
    for (unsigned i = 0; i < size(); ++i) in.push_back(100 + i);
    for (unsigned i = 0; i < size(); ++i) in.push_back(second(i));
    const std::vector<U> out = run_wave(size(), body, in);
    for (unsigned i = 0; i < size(); ++i) EXPECT_EQ(out[i], want(i)) << body << "\nlane " << i;
  }
};
INSTANTIATE_TEST_SUITE_P(Waves, Lanes, testing::Values(32u, 64u));

TEST_P(Lanes, DppQuadPermAndRows) {
  expect("v_mov_b32_dpp v16, v4 quad_perm:[3,0,1,2] row_mask:0xf bank_mask:0xf",
         [](unsigned i) { return 100 + (i & ~3u) + (i % 4 + 3) % 4; });
  expect("v_mov_b32_dpp v16, v4 row_shl:3 row_mask:0xf bank_mask:0xf",
         [](unsigned i) { return i % 16 + 3 < 16 ? 103 + i : 0x5555; });
  expect("v_mov_b32_dpp v16, v4 row_shr:3 row_mask:0xf bank_mask:0xf bound_ctrl:0",
         [](unsigned i) { return i % 16 >= 3 ? 97 + i : 0; });
  expect("v_mov_b32_dpp v16, v4 row_ror:5 row_mask:0xf bank_mask:0xf",
         [](unsigned i) { return 100 + (i & ~15u) + (i + 11) % 16; });
  expect("v_mov_b32_dpp v16, v4 row_mirror row_mask:0xf bank_mask:0xf", [](unsigned i) { return 100 + (i ^ 15); });
  expect("v_mov_b32_dpp v16, v4 row_half_mirror row_mask:0xf bank_mask:0xf", [](unsigned i) { return 100 + (i ^ 7); });
  expect("v_mov_b32_dpp v16, v4 row_share:9 row_mask:0xf bank_mask:0xf",
         [](unsigned i) { return 100 + (i & ~15u) + 9; });
  expect("v_mov_b32_dpp v16, v4 row_xmask:6 row_mask:0xf bank_mask:0xf", [](unsigned i) { return 100 + (i ^ 6); });
  expect("v_add_nc_u32_dpp v16, v4, v4 row_xmask:1 row_mask:0xf bank_mask:0xf",
         [](unsigned i) { return 200 + i + (i ^ 1); });
}

TEST_P(Lanes, DppMasksAndInactiveLanes) {
  expect("v_mov_b32_dpp v16, v4 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0x5",
         [](unsigned i) { return i < 16 && (i / 4 == 0 || i / 4 == 2) ? 100 + i : 0x5555; });
  const std::string odd = "s_mov_b32 exec_lo, 0xaaaaaaaa\ns_mov_b32 exec_hi, 0xaaaaaaaa\n";
  // Odd lanes read their even neighbour, which is inactive.
  expect(odd + "v_mov_b32_dpp v16, v4 row_xmask:1 row_mask:0xf bank_mask:0xf", [](unsigned) { return 0x5555; });
  expect(odd + "v_mov_b32_dpp v16, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:0",
         [](unsigned i) { return i % 2 ? 0 : 0x5555; });
  expect(odd + "v_mov_b32_dpp v16, v4 row_xmask:1 row_mask:0xf bank_mask:0xf fi:1",
         [](unsigned i) { return i % 2 ? 100 + (i ^ 1) : 0x5555; });
}

TEST_P(Lanes, Dpp8) {
  expect("v_mov_b32_dpp v16, v4 dpp8:[7,6,5,4,3,2,1,0]", [](unsigned i) { return 100 + (i ^ 7); });
  expect("v_mov_b32_dpp v16, v4 dpp8:[0,0,0,0,5,5,5,5]",
         [](unsigned i) { return 100 + (i & ~7u) + (i % 8 < 4 ? 0 : 5); });
}

TEST_P(Lanes, ReadAndWriteLane) {
  const unsigned last = size() - 1;
  expect("v_readlane_b32 s20, v4, " + std::to_string(last) + "\nv_mov_b32 v16, s20",
         [last](unsigned) { return 100 + last; });
  expect("s_mov_b32 s20, 77\nv_mov_b32 v16, v4\nv_writelane_b32 v16, s20, 5",
         [](unsigned i) { return i == 5 ? 77 : 100 + i; });
  expect(
      "s_mov_b32 exec_lo, 0xf0\ns_mov_b32 exec_hi, 0\nv_readfirstlane_b32 s20, v4\ns_mov_b64 exec, -1\nv_mov_b32 v16, "
      "s20",
      [](unsigned) { return 104; });
  // No active lane: lane 0 is read.
  expect("s_mov_b64 exec, 0\nv_readfirstlane_b32 s20, v4\ns_mov_b64 exec, -1\nv_mov_b32 v16, s20",
         [](unsigned) { return 100; });
}

TEST_P(Lanes, Permlane) {
  const std::string set = "s_mov_b32 s20, 0x76543210\ns_mov_b32 s21, 0x01234567\n";
  const auto select = [](unsigned i) { return i % 16 < 8 ? i % 16 : 15 - i % 16; };
  expect(set + "v_permlane16_b32 v16, v4, s20, s21", [&](unsigned i) { return 100 + (i & ~15u) + select(i); });
  expect(set + "v_permlanex16_b32 v16, v4, s20, s21", [&](unsigned i) { return 100 + ((i & ~15u) ^ 16u) + select(i); });
}

TEST_P(Lanes, PermutesThroughTheLds) {
  const auto address = [](unsigned i) { return 4 * (i * 7 + 3); };
  expect(
      "ds_bpermute_b32 v16, v5, v4\ns_waitcnt lgkmcnt(0)",
      [](unsigned i) { return 100 + (i & 32u) + (i * 7 + 3) % 32; }, address);
  // 7 is its own inverse's partner: 7 * 23 = 161 = 1 mod 32.
  expect(
      "ds_permute_b32 v16, v5, v4\ns_waitcnt lgkmcnt(0)",
      [](unsigned i) { return 100 + (i & 32u) + (i % 32 + 32 - 3) * 23 % 32; }, address);
  expect("ds_swizzle_b32 v16, v4 offset:swizzle(BITMASK_PERM, \"00p1i\")\ns_waitcnt lgkmcnt(0)", [](unsigned i) {
    const unsigned low = (i & 4u) | 2u | ((i & 1u) ^ 1u);
    return 100 + (i & 32u) + low;
  });
  expect("ds_swizzle_b32 v16, v4 offset:swizzle(QUAD_PERM, 1,1,3,0)\ns_waitcnt lgkmcnt(0)", [](unsigned i) {
    const unsigned quad[] = {1, 1, 3, 0};
    return 100 + (i & ~3u) + quad[i % 4];
  });
  expect(
      "s_mov_b32 exec_lo, 1\ns_mov_b32 exec_hi, 0\nv_mov_b32 v5, 4\nds_bpermute_b32 v16, v5, v4\ns_waitcnt lgkmcnt(0)",
      [](unsigned i) { return i == 0 ? 0 : 0x5555; });
}

TEST_P(Lanes, CountsLanesBelow) {
  expect("v_mbcnt_lo_u32_b32 v16, -1, 0\nv_mbcnt_hi_u32_b32 v16, -1, v16", [](unsigned i) { return i; });
  expect("v_mbcnt_lo_u32_b32 v16, 0x55555555, 10\nv_mbcnt_hi_u32_b32 v16, 0, v16",
         [](unsigned i) { return 10 + (std::min(i, 32u) + 1) / 2; });
}

TEST_P(Lanes, SwapAndIndexedMoves) {
  expect("v_mov_b32 v16, 1\nv_swap_b32 v16, v4", [](unsigned i) { return 100 + i; });
  expect("s_mov_b32 m0, 2\nv_movreld_b32 v14, v4", [](unsigned i) { return 100 + i; });
  expect("s_mov_b32 m0, 2\nv_movrels_b32 v16, v2", [](unsigned i) { return 100 + i; });
}

// ---- masks ----

std::string mask(unsigned wave_size) {
  return wave_size == 32 ? "vcc_lo" : "vcc";
}

TEST_P(Lanes, CompareWritesZerosForInactiveLanes) {
  const std::string set = "s_mov_b64 vcc, -1\ns_mov_b32 exec_lo, 0xff\ns_mov_b32 exec_hi, 0\n";
  const std::string get = "\ns_mov_b64 exec, -1\nv_mov_b32 v16, vcc_lo\n";
  expect(set + "v_cmp_lt_u32 " + mask(size()) + ", 103, v4" + get, [](unsigned) { return 0xf0; });
  // v_cmpx writes exec and leaves vcc alone.
  expect("s_mov_b32 vcc_lo, 7\nv_cmpx_lt_u32 103, v4\ns_mov_b32 s20, exec_lo\ns_mov_b64 exec, -1\nv_mov_b32 v16, s20",
         [](unsigned) { return 0xfffffff0; });
}

TEST_P(Lanes, ConditionalMaskAndCarry) {
  const std::string vcc = mask(size());
  expect("v_cmp_lt_u32 " + vcc + ", 110, v4\nv_cndmask_b32 v16, 1, v4, " + vcc,
         [](unsigned i) { return 100 + i > 110 ? 100 + i : 1; });
  // 64-bit sums of v4:v5 with itself, by carry.
  expect(
      "v_add_co_u32 v16, " + vcc + ", v5, v5\nv_add_co_ci_u32 v16, " + vcc + ", v4, v4, " + vcc,
      [](unsigned i) { return 2 * (100 + i) + (i % 2); }, [](unsigned i) { return i % 2 ? 0x80000000 + i : i; });
  expect(
      "v_sub_co_u32 v16, " + vcc + ", v4, v5\nv_sub_co_ci_u32 v16, " + vcc + ", v4, 0, " + vcc,
      [](unsigned i) { return 100 + i - (i % 3 == 0); }, [](unsigned i) { return i % 3 == 0 ? 5000 : 0; });
}

// ---- comparisons of every type ----

template <class T>
T as(U low, U high) {
  T value;
  const U words[2] = {low, high};
  std::memcpy(&value, words, sizeof(T));
  return value;
}

template <class T>
void check_compare(const char* type, const std::vector<std::pair<const char*, std::function<bool(T, T)>>>& predicates,
                   const std::vector<U>& words) {
  constexpr bool kWide = sizeof(T) == 8;
  LaneProgram program;
  program.wave_size = 64;
  program.input_dwords = 4;
  program.output_dwords = static_cast<unsigned>(predicates.size());
  for (size_t k = 0; k < predicates.size(); ++k) {
    program.body += "v_cmp_" + std::string(predicates[k].first) + "_" + type +
                    (kWide ? " vcc, v[4:5], v[6:7]\n" : " vcc, v4, v6\n") + "v_cndmask_b32 v" + std::to_string(16 + k) +
                    ", 0, 1, vcc\n";
  }
  const std::vector<U> out = program.run(words);
  ASSERT_EQ(out.size(), words.size() / 4 * predicates.size());
  for (size_t i = 0; i < words.size() / 4; ++i) {
    const T a = as<T>(words[4 * i], words[4 * i + 1]), b = as<T>(words[4 * i + 2], words[4 * i + 3]);
    for (size_t k = 0; k < predicates.size(); ++k) {
      EXPECT_EQ(out[i * predicates.size() + k] != 0, predicates[k].second(a, b))
          << predicates[k].first << type << " " << +a << " " << +b;
    }
  }
}

template <class T>
std::vector<std::pair<const char*, std::function<bool(T, T)>>> int_predicates() {
  return {{"lt", [](T a, T b) { return a < b; }},  {"eq", [](T a, T b) { return a == b; }},
          {"le", [](T a, T b) { return a <= b; }}, {"gt", [](T a, T b) { return a > b; }},
          {"ne", [](T a, T b) { return a != b; }}, {"ge", [](T a, T b) { return a >= b; }}};
}
template <class T>
std::vector<std::pair<const char*, std::function<bool(T, T)>>> float_predicates() {
  return {{"f", [](T, T) { return false; }},
          {"lt", [](T a, T b) { return a < b; }},
          {"eq", [](T a, T b) { return a == b; }},
          {"le", [](T a, T b) { return a <= b; }},
          {"gt", [](T a, T b) { return a > b; }},
          {"lg", [](T a, T b) { return std::islessgreater(a, b); }},
          {"ge", [](T a, T b) { return a >= b; }},
          {"o", [](T a, T b) { return !std::isunordered(a, b); }},
          {"u", [](T a, T b) { return std::isunordered(a, b); }},
          {"nge", [](T a, T b) { return !(a >= b); }},
          {"nlg", [](T a, T b) { return !std::islessgreater(a, b); }},
          {"ngt", [](T a, T b) { return !(a > b); }},
          {"nle", [](T a, T b) { return !(a <= b); }},
          {"neq", [](T a, T b) { return a != b; }},
          {"nlt", [](T a, T b) { return !(a < b); }},
          {"tru", [](T, T) { return true; }}};
}

std::vector<U> with_equal_pairs(std::vector<U> words) {
  for (size_t i = 0; i + 16 <= words.size(); i += 16) {
    words[i + 2] = words[i];
    words[i + 3] = words[i + 1];
  }
  return words;
}

TEST(Compare, Integers) {
  const std::vector<U> words = with_equal_pairs(interesting_u32(1024, 61));
  check_compare<int32_t>("i32", int_predicates<int32_t>(), words);
  check_compare<uint32_t>("u32", int_predicates<uint32_t>(), words);
  check_compare<int64_t>("i64", int_predicates<int64_t>(), words);
  check_compare<uint64_t>("u64", int_predicates<uint64_t>(), words);
  check_compare<int16_t>("i16", int_predicates<int16_t>(), words);
  check_compare<uint16_t>("u16", int_predicates<uint16_t>(), words);
}

TEST(Compare, Floats) {
  const std::vector<U> words = with_equal_pairs(interesting_f32(1024, 62));
  check_compare<float>("f32", float_predicates<float>(), words);
  check_compare<double>("f64", float_predicates<double>(), words);
}

TEST(Compare, Class) {
  // One value per class, in the order of the mask bits.
  const std::vector<U> values = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                                 0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f800000};
  LaneProgram program;
  program.wave_size = 64;
  program.output_dwords = 10;
  for (unsigned bit = 0; bit < 10; ++bit) {
    program.body += "v_mov_b32 v5, " + std::to_string(1u << bit) + "\nv_cmp_class_f32 vcc, v4, v5\nv_cndmask_b32 v" +
                    std::to_string(16 + bit) + ", 0, 1, vcc\n";
  }
  const std::vector<U> out = program.run(values);
  ASSERT_EQ(out.size(), 100u);
  for (unsigned i = 0; i < 10; ++i) {
    for (unsigned bit = 0; bit < 10; ++bit) EXPECT_EQ(out[i * 10 + bit], i == bit ? 1u : 0u) << i << " " << bit;
  }
}

// ---- 64-bit integers ----

TEST(Wide, ShiftsAndMultiplyAdd) {
  const std::vector<U> words = interesting_u32(1024, 63);
  LaneProgram program;
  program.input_dwords = 4;
  program.output_dwords = 10;
  program.body =
      "v_lshlrev_b64 v[16:17], v4, v[6:7]\nv_lshrrev_b64 v[18:19], v4, v[6:7]\nv_ashrrev_i64 v[20:21], v4, v[6:7]\n"
      "v_mad_u64_u32 v[22:23], vcc_lo, v4, v5, v[6:7]\nv_mad_i64_i32 v[24:25], s20, v4, v5, v[6:7]\n";
  const std::vector<U> out = program.run(words);
  ASSERT_EQ(out.size(), words.size() / 4 * 10);
  for (size_t i = 0; i < words.size() / 4; ++i) {
    const U a = words[4 * i], b = words[4 * i + 1];
    const auto c = as<uint64_t>(words[4 * i + 2], words[4 * i + 3]);
    const U* o = &out[10 * i];
    EXPECT_EQ(as<uint64_t>(o[0], o[1]), c << (a & 63));
    EXPECT_EQ(as<uint64_t>(o[2], o[3]), c >> (a & 63));
    EXPECT_EQ(as<int64_t>(o[4], o[5]), static_cast<int64_t>(c) >> (a & 63));
    EXPECT_EQ(as<uint64_t>(o[6], o[7]), uint64_t{a} * b + c);
    EXPECT_EQ(as<uint64_t>(o[8], o[9]),
              static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b)) + c);
  }
}

}  // namespace
}  // namespace spalt::emu::test
