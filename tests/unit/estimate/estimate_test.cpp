// SPDX-License-Identifier: MIT
#include "amdgpu/estimate/estimate.h"

#include "assembled.h"

namespace spalt::estimate {
namespace {

Estimate estimate_of(std::string_view text, isa::WaveResources resources = {}) {
  const Code code = code_of(text);
  resources.wave_size = 32;
  resources.invocations = 32;
  return estimate(code, resources);
}

TEST(Estimate, StallsAndIssuesAreAllOfTheLatency) {
  const Estimate found = estimate_of(R"(
    s_mov_b32 s0, 0
  again:
    v_fma_f32 v0, v0, v1, v2
    v_rcp_f32 v0, v0
    s_add_i32 s0, s0, 1
    s_cmp_lt_i32 s0, 16
    s_cbranch_scc1 again
    buffer_store_dword v0, off, s[4:7], 0
    s_endpgm)");
  double sum = found.issuing;
  for (double stalled : found.stalls) sum += stalled;
  double branches = 0;
  for (const BlockEstimate& block : found.blocks) branches += block.times_taken * 16;
  EXPECT_DOUBLE_EQ(found.latency, sum + branches);
  EXPECT_EQ(found.instructions, 1 + 16 * 5 + 2);
  EXPECT_EQ(branches, 15 * 16);
}

TEST(Estimate, ABlockInALoopHasTheTimeOfItsSecondTurn) {
  // The load is waited for one turn later.
  const Estimate found = estimate_of(R"(
  again:
    s_waitcnt vmcnt(0)
    buffer_load_dword v0, off, s[4:7], 0
    s_cbranch_scc1 again
    s_endpgm)");
  EXPECT_GT(found.blocks[0].once.cycles, 300u);
}

TEST(Estimate, RegistersAreCounted) {
  const Estimate found = estimate_of("v_add_f64 v[20:21], v[2:3], v[4:5]\ns_mov_b32 s33, s1\ns_endpgm");
  EXPECT_EQ(found.vgprs, 22u);
  EXPECT_EQ(found.sgprs, 34u);
  EXPECT_EQ(found.waves, 16u);
  isa::WaveResources resources;
  resources.vgprs = 128;
  EXPECT_EQ(estimate_of("s_endpgm", resources).waves, 8u);
}

TEST(Estimate, WhatAFullSimdWaitsForIsTheBound) {
  std::string arithmetic, waits;
  for (int i = 0; i < 100; ++i) arithmetic += "v_mov_b32 v" + std::to_string(i % 8) + ", 0\n";
  for (int i = 0; i < 100; ++i) waits += "s_load_dword s0, s[2:3], s4\ns_waitcnt lgkmcnt(0)\n";
  const Estimate by_vector = estimate_of(arithmetic + "s_endpgm");
  EXPECT_EQ(by_vector.bound, isa::Unit::vector);
  EXPECT_EQ(by_vector.throughput, 100);
  isa::WaveResources few_waves;
  few_waves.vgprs = 256;
  const Estimate by_latency = estimate_of(waits + "s_endpgm", few_waves);
  EXPECT_EQ(by_latency.bound, isa::Unit::sequencer);
  EXPECT_EQ(by_latency.throughput, by_latency.latency / by_latency.waves);
}

TEST(Estimate, SimdsShareTheUnitsOfTheComputeUnit) {
  const Estimate found = estimate_of("ds_read_b128 v[0:3], v4\ns_endpgm");
  EXPECT_EQ(found.busy[static_cast<size_t>(isa::Unit::lds)], 4 * 2);
}

}  // namespace
}  // namespace spalt::estimate
