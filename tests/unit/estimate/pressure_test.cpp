// SPDX-License-Identifier: MIT
#include "amdgpu/estimate/pressure.h"

#include "assembled.h"

namespace spalt::estimate {
namespace {

std::vector<unsigned> vgprs_of(std::string_view text) {
  const Code code = code_of(text);
  std::vector<unsigned> counts;
  for (const Pressure& pressure : find_pressure(code, find_loops(code))) counts.push_back(pressure.vgprs);
  return counts;
}

TEST(Pressure, ValuesLiveFromTheirWriteToTheirLastRead) {
  EXPECT_EQ(vgprs_of(R"(
    v_mov_b32 v1, 0
    v_add_f32 v2, v0, v1
    v_add_f64 v[4:5], v[2:3], v[2:3]
    global_store_dwordx2 v0, v[4:5], s[0:1]
    s_endpgm)"),
            (std::vector<unsigned>{2, 3, 3, 3, 0}));  // v0 and v3 come with the wave
}

TEST(Pressure, ADestinationThatIsReadStaysLive) {
  EXPECT_EQ(vgprs_of("v_fmac_f32 v0, v1, v2\nglobal_store_dword v3, v0, s[0:1]\ns_endpgm"),
            (std::vector<unsigned>{4, 2, 0}));
}

TEST(Pressure, LoopsCarryValues) {
  // v1 is read in the next iteration.
  EXPECT_EQ(vgprs_of(R"(
    v_mov_b32 v1, 0
  again:
    v_add_f32 v1, v1, v0
    v_mov_b32 v2, v1
    s_cbranch_scc1 again
    s_endpgm)"),
            (std::vector<unsigned>{1, 2, 2, 2, 0}));
}

TEST(Pressure, ScalarsAreCountedApart) {
  const Code code = code_of("s_add_u32 s4, s0, s1\ns_add_u32 s5, s4, vcc_lo\nv_mov_b32 v0, s5\ns_endpgm");
  const auto pressure = find_pressure(code, find_loops(code));
  EXPECT_EQ(pressure[0].sgprs, 2u);
  EXPECT_EQ(pressure[1].sgprs, 1u);
  EXPECT_EQ(pressure[2].sgprs, 1u);
}

}  // namespace
}  // namespace spalt::estimate
