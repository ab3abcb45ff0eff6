// SPDX-License-Identifier: MIT
#include "amdgpu/estimate/weights.h"

#include "amdgpu/estimate/trip_counts.h"
#include "assembled.h"

namespace spalt::estimate {
namespace {

std::vector<double> times_of(std::string_view text) {
  const Code code = code_of(text);
  const Loops loops = find_loops(code);
  return find_weights(code, loops, find_trip_counts(code, loops)).times;
}

std::vector<uint32_t> trip_counts_of(std::string_view text) {
  const Code code = code_of(text);
  return find_trip_counts(code, find_loops(code));
}

/// The body of a loop that `counting` ends, with s_cbranch to `again`.
uint32_t trip_count(const std::string& before, const std::string& counting) {
  const auto counts = trip_counts_of(before + "\nagain:\nv_add_f32 v0, v0, v0\n" + counting + "\ns_endpgm");
  EXPECT_EQ(counts.size(), 1u);
  return counts.empty() ? 0 : counts[0];
}

TEST(EstimateWeights, SidesOfAUniformBranchShare) {
  EXPECT_EQ(times_of(R"(
    s_cbranch_scc1 other
    v_mov_b32 v0, 1
    s_branch both
  other:
    v_mov_b32 v0, 2
  both:
    s_endpgm)"),
            (std::vector<double>{1, 0.5, 0.5, 1}));
}

TEST(EstimateWeights, MostWavesHaveALaneForADivergentSide) {
  EXPECT_EQ(times_of("s_cbranch_execz over\nv_mov_b32 v0, 1\nover:\ns_endpgm"), (std::vector<double>{1, 0.75, 1}));
}

TEST(EstimateWeights, WhatEntersALoopComesOutOfIt) {
  // Left at the top after 8 tests, and in the middle.
  const auto times = times_of(R"(
  again:
    s_cbranch_scc1 out
    v_mov_b32 v0, 1
    s_cbranch_vccz out
    s_branch again
  out:
    s_endpgm)");
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0], 8);
  EXPECT_EQ(times[1], 7.5);
  EXPECT_EQ(times[2], 7);
  EXPECT_EQ(times[3], 1);
}

TEST(EstimateWeights, NestedLoopsMultiply) {
  const auto times = times_of(R"(
  outer:
    v_mov_b32 v0, 1
  inner:
    v_mov_b32 v1, 1
    s_cbranch_scc1 inner
    s_cbranch_vccz outer
    s_endpgm)");
  EXPECT_EQ(times, (std::vector<double>{8, 64, 8, 1}));
}

TEST(EstimateWeights, AnEdgeOutOfTwoLoopsLeavesBoth) {
  const auto times = times_of(R"(
  outer:
    v_mov_b32 v0, 1
  inner:
    s_cbranch_scc1 out
    s_cbranch_vccz inner
    s_branch outer
  out:
    s_endpgm)");
  EXPECT_EQ(times.back(), 1);
}

TEST(EstimateWeights, LoopsWithTwoWaysInAreNoTrap) {
  const auto times = times_of(R"(
    s_cbranch_scc1 second
  first:
    v_mov_b32 v0, 1
  second:
    v_mov_b32 v1, 1
    s_cbranch_vccz first
    s_endpgm)");
  EXPECT_EQ(times.size(), 4u);
  EXPECT_GT(times.back(), 0);
}

TEST(EstimateWeights, ManyNestedLoopsAreFinite) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "l" + std::to_string(i) + ":\nv_mov_b32 v0, 1\n";
  for (int i = 3000; i-- > 0;) text += "s_cbranch_scc1 l" + std::to_string(i) + "\n";
  for (double times : times_of(text + "s_endpgm")) EXPECT_LT(times, 1e60);
}

TEST(TripCounts, CountedLoops) {
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", "s_add_i32 s0, s0, 1\ns_cmp_lt_i32 s0, 10\ns_cbranch_scc1 again"), 10u);
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", "s_cmp_lt_i32 s0, 10\ns_add_u32 s0, s0, 1\ns_cbranch_scc1 again"), 0u);
  EXPECT_EQ(trip_count("s_movk_i32 s0, 100", "s_sub_i32 s0, s0, 10\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 again"), 10u);
  EXPECT_EQ(trip_count("s_movk_i32 s0, 100", "s_addk_i32 s0, 0xfff6\ns_cmpk_eq_i32 s0, 0\ns_cbranch_scc0 again"), 10u);
  EXPECT_EQ(trip_count("v_mov_b32 v1, 0", "v_add_nc_u32 v1, 1, v1\nv_cmp_gt_u32 vcc_lo, 12, v1\ns_cbranch_vccnz again"),
            12u);
}

TEST(TripCounts, ATestAtTheTopComesOnceMore) {
  const auto counts = trip_counts_of(R"(
    s_mov_b32 s0, 0
  again:
    s_cmp_ge_u32 s0, 64
    s_cbranch_scc1 out
    s_add_u32 s0, s0, 1
    s_branch again
  out:
    s_endpgm)");
  EXPECT_EQ(counts, std::vector<uint32_t>{65});
}

TEST(TripCounts, WhatIsNotCountedIsNotGuessed) {
  const std::string step = "s_add_i32 s0, s0, 1\n", compare = "s_cmp_lt_i32 s0, 10\n", back = "s_cbranch_scc1 again";
  EXPECT_EQ(trip_count("", step + compare + back), 0u) << "no start";
  EXPECT_EQ(trip_count("s_mov_b32 s0, s1", step + compare + back), 0u) << "a start that is no constant";
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", step + step + compare + back), 0u) << "two steps";
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", "s_add_i32 s0, s0, s1\n" + compare + back), 0u) << "a step of a register";
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", step + "s_cmp_lt_i32 s0, s1\n" + back), 0u) << "a limit in a register";
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", step + compare + "s_and_b32 s2, s2, s3\n" + back), 0u) << "another condition";
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", "s_cmp_lt_i32 s1, 10\n" + step + back), 0u)
      << "the carry, not the comparison";
}

TEST(TripCounts, AnEndlessCountHasALimit) {
  EXPECT_EQ(trip_count("s_mov_b32 s0, 0", "s_add_i32 s0, s0, 2\ns_cmp_lg_u32 s0, 1\ns_cbranch_scc1 again"),
            kMaxTripCount);
}

}  // namespace
}  // namespace spalt::estimate
