// SPDX-License-Identifier: MIT
#include "amdgpu/isa/target.h"

#include <gtest/gtest.h>

namespace spalt::isa {
namespace {

/// RDNA 2: a compute unit has two SIMDs, each with 1024 registers for waves of 32 lanes in units of 16, or 512 for
/// waves of 64 in units of 8. Worked out by hand.
TEST(Target, WavesOfAWorkgroupShareTheRegistersOfTheirSimds) {
  const Target& target = *find_target("gfx1030");
  EXPECT_EQ(target.vgprs_in_workgroup(32, 1024, false), 64u);  // 32 waves, 16 on each SIMD
  EXPECT_EQ(target.vgprs_in_workgroup(64, 1024, false), 64u);  // 16 waves, 8 on each
  EXPECT_EQ(target.vgprs_in_workgroup(32, 1024, true), 128u);  // two compute units
  EXPECT_EQ(target.vgprs_in_workgroup(32, 768, false), 80u);   // 12 on each: 85, rounded down to 16
  EXPECT_EQ(target.vgprs_in_workgroup(64, 640, false), 96u);   // 5 on each: 102, rounded down to 8
  EXPECT_EQ(target.vgprs_in_workgroup(32, 288, false), 192u);  // 9 waves, 5 on one of the SIMDs: 204
  EXPECT_EQ(target.vgprs_in_workgroup(32, 256, false), 256u);  // what an instruction can name
  EXPECT_EQ(target.vgprs_in_workgroup(64, 1, false), 256u);
  // Vega: four SIMDs with 256 registers for waves of 64 in units of 4.
  EXPECT_EQ(find_target("gfx900")->vgprs_in_workgroup(64, 1024, false), 64u);
}

}  // namespace
}  // namespace spalt::isa
