// SPDX-License-Identifier: MIT
#include "amdgpu/abi/fragment_interface.h"

#include <gtest/gtest.h>

namespace spalt::abi {
namespace {

constexpr uint16_t bits(std::initializer_list<PixelInput> inputs) {
  uint16_t mask = 0;
  for (PixelInput input : inputs) mask = static_cast<uint16_t>(mask | 1u << input);
  return mask;
}

StageInterface assign(const char* target, unsigned wave_size, uint16_t inputs, bool view_index = false) {
  FragmentNeeds needs;
  needs.inputs = inputs;
  needs.view_index = view_index;
  return assign_fragment_interface(needs, {}, UserDataLayout(), *isa::find_target(target), wave_size);
}

uint16_t loaded(const StageInterface& interface) {
  return std::get<PixelFacts>(interface.facts).inputs;
}

// PAL pipeline ABI, "SGPRs": the primitive mask follows the user SGPRs, then the scratch offset up to GFX10.
TEST(FragmentInterface, PrimitiveMaskFollowsUserSgprs) {
  const StageInterface interface = assign("gfx1030", 64, bits({kPerspCenter}));
  EXPECT_EQ(interface.hardware_stage, HardwareStage::ps);
  EXPECT_EQ(interface.user_data[0], kGlobalTable);
  EXPECT_EQ(interface.user_sgpr_count, 1);
  EXPECT_EQ(interface.field(EntryRole::primitive_mask).reg, isa::sgpr(1));
  EXPECT_EQ(interface.field(EntryRole::scratch_wave_offset).reg, isa::sgpr(2));
  EXPECT_FALSE(assign("gfx1150", 32, 0).has(EntryRole::scratch_wave_offset));
}

// The bug of gfx1100 and gfx1102: at least 16 user SGPRs for wave32, not for wave64.
TEST(FragmentInterface, PadsUserSgprsWhereTheProcessorLosesThem) {
  EXPECT_EQ(assign("gfx1100", 32, 0).user_sgpr_count, 16);
  EXPECT_EQ(assign("gfx1100", 32, 0).field(EntryRole::primitive_mask).reg, isa::sgpr(16));
  EXPECT_EQ(assign("gfx1100", 64, 0).user_sgpr_count, 1);
  EXPECT_EQ(assign("gfx1101", 32, 0).user_sgpr_count, 1);
}

TEST(FragmentInterface, ViewIndexIsAUserSgpr) {
  const StageInterface interface = assign("gfx1030", 64, 0, true);
  EXPECT_EQ(interface.user_register(kViewId), isa::sgpr(1));
  EXPECT_EQ(interface.field(EntryRole::primitive_mask).reg, isa::sgpr(2));
}

// PAL pipeline ABI, "PS VGPR order".
TEST(FragmentInterface, VgprsFollowTheOrderOfTheEnableBits) {
  const StageInterface interface =
      assign("gfx900", 64, bits({kPerspCenter, kPerspPull, kLinearCentroid, kPosX, kPosW, kFrontFace, kPosFixed}));
  EXPECT_EQ(interface.field(EntryRole::persp_center_i).reg, isa::vgpr(0));
  EXPECT_EQ(interface.field(EntryRole::persp_center_j).reg, isa::vgpr(1));
  EXPECT_EQ(interface.field(EntryRole::persp_pull_i).reg, isa::vgpr(2));
  EXPECT_EQ(interface.field(EntryRole::persp_pull_w).reg, isa::vgpr(4));
  EXPECT_EQ(interface.field(EntryRole::linear_centroid_i).reg, isa::vgpr(5));
  EXPECT_EQ(interface.field(EntryRole::position_x).reg, isa::vgpr(7));
  EXPECT_EQ(interface.field(EntryRole::position_w).reg, isa::vgpr(8));
  EXPECT_EQ(interface.field(EntryRole::front_face).reg, isa::vgpr(9));
  EXPECT_EQ(interface.field(EntryRole::position_fixed).reg, isa::vgpr(10));
  EXPECT_FALSE(interface.has(EntryRole::position_y));
}

TEST(FragmentInterface, AllInputsTakeTheirRegisters) {
  const StageInterface interface = assign("gfx1200", 32, 0xffff);
  EXPECT_EQ(loaded(interface), 0xffff);
  EXPECT_EQ(interface.field(EntryRole::line_stipple).reg, isa::vgpr(15));
  EXPECT_EQ(interface.field(EntryRole::ancillary).reg, isa::vgpr(21));
  EXPECT_EQ(interface.field(EntryRole::sample_coverage).reg, isa::vgpr(22));
  EXPECT_EQ(interface.field(EntryRole::position_fixed).reg, isa::vgpr(23));
}

// Some barycentric or the line stipple must be loaded; the stipple is slow on GFX12.
TEST(FragmentInterface, LoadsAFillerWhereNothingIsInterpolated) {
  EXPECT_EQ(loaded(assign("gfx1030", 64, 0)), bits({kLineStipple}));
  EXPECT_EQ(loaded(assign("gfx1200", 64, 0)), bits({kPerspSample}));
  EXPECT_EQ(loaded(assign("gfx1030", 64, bits({kFrontFace}))), bits({kLineStipple, kFrontFace}));
  EXPECT_EQ(loaded(assign("gfx1030", 64, bits({kLinearCenter}))), bits({kLinearCenter}));
}

TEST(FragmentInterface, WNeedsAPerspectiveBarycentric) {
  EXPECT_EQ(loaded(assign("gfx1030", 64, bits({kPosW}))), bits({kPerspCenter, kPosW}));
  EXPECT_EQ(loaded(assign("gfx1030", 64, bits({kLinearCenter, kPosW}))), bits({kPerspCenter, kLinearCenter, kPosW}));
  EXPECT_EQ(loaded(assign("gfx1030", 64, bits({kPerspPull, kPosW}))), bits({kPerspPull, kPosW}));
}

}  // namespace
}  // namespace spalt::abi
