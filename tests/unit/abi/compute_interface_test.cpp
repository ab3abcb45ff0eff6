// SPDX-License-Identifier: MIT
#include "amdgpu/abi/compute_interface.h"

#include <gtest/gtest.h>

#include <vector>

namespace spalt::abi {
namespace {

const isa::Target kTarget{};

UserDataLayout layout_of(uint32_t push_dwords, uint32_t sets) {
  UserDataLayout layout;
  layout.push_constant_dwords = push_dwords;
  for (uint32_t i = 0; i < sets; ++i) layout.sets.push_back({i, push_dwords + i});
  layout.entry_count = push_dwords + sets;
  return layout;
}

std::vector<uint32_t> entries(uint32_t first, uint32_t count) {
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(first + i);
  return list;
}

TEST(ComputeInterface, NothingUsedStillGetsGlobalTableAndX) {
  const ComputeInterface interface = assign_compute_interface({}, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 1);
  EXPECT_EQ(interface.user_data[0], kGlobalTable);
  EXPECT_EQ(interface.user_data_limit, 0u);
  EXPECT_EQ(interface.spill_threshold, kNoSpillThreshold);
  EXPECT_EQ(interface.tidig_comp_cnt, 0);
  EXPECT_EQ(interface.local_id[0].reg, isa::vgpr(0));
  EXPECT_FALSE(interface.local_id[1].valid());
  EXPECT_EQ(interface.scratch_wave_offset, isa::sgpr(1));
}

TEST(ComputeInterface, WorkgroupPointerIsAnEvenPairAndTheGapIsFilled) {
  ComputeNeeds needs;
  needs.num_workgroups = true;
  needs.set_entries = {4};
  needs.push_entries = {0, 3};
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(4, 1), kTarget, 64);
  EXPECT_EQ(interface.workgroup_pointer, isa::sgpr(2));
  EXPECT_EQ(interface.user_data[2], kWorkgroup);
  EXPECT_EQ(interface.user_data[3], kWorkgroup);
  EXPECT_EQ(interface.user_register(4), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(0), isa::sgpr(4));
  EXPECT_EQ(interface.user_register(3), isa::sgpr(5));
  EXPECT_EQ(interface.user_sgpr_count, 6);
  EXPECT_EQ(interface.user_data_limit, 5u);
}

TEST(ComputeInterface, GapWithoutContentIsNotMapped) {
  ComputeNeeds needs;
  needs.num_workgroups = true;
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.user_data[1], kNotMapped);
  EXPECT_EQ(interface.user_sgpr_count, 4);
}

TEST(ComputeInterface, SystemRegistersFollowInOrder) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, true};
  needs.local_id_components = 3;
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.workgroup_id[0].reg, isa::sgpr(1));
  EXPECT_FALSE(interface.tgid_en(1));
  EXPECT_EQ(interface.workgroup_id[2].reg, isa::sgpr(2));
  EXPECT_EQ(interface.scratch_wave_offset, isa::sgpr(3));
  EXPECT_EQ(interface.tidig_comp_cnt, 2);
  EXPECT_EQ(interface.local_id[2].reg, isa::vgpr(2));
}

/// docs/abi/pal.md#initial-registers-of-compute, system registers of GFX11 and GFX12.
TEST(ComputeInterface, NewerProcessorsPackTheirIds) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, true};
  needs.local_id_components = 3;
  const ComputeInterface gfx11 = assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1101"), 32);
  EXPECT_EQ(gfx11.local_id[1].reg, isa::vgpr(0));
  EXPECT_EQ(gfx11.local_id[1].shift, 10);
  EXPECT_EQ(gfx11.local_id[2].shift, 20);
  EXPECT_EQ(gfx11.workgroup_id[2].reg, isa::sgpr(2));
  EXPECT_FALSE(gfx11.scratch_wave_offset.valid());
  EXPECT_EQ(gfx11.user_sgpr_count, 1);
  const ComputeInterface gfx12 = assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1200"), 32);
  EXPECT_EQ(gfx12.workgroup_id[0].reg.number, 108 + 9);
  EXPECT_EQ(gfx12.workgroup_id[2].reg.number, 108 + 7);
  EXPECT_EQ(gfx12.workgroup_id[2].shift, 16);
  needs.local_id_components = 1;  // what is not enabled is 0
  const ComputeInterface only_x = assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1101"), 32);
  EXPECT_EQ(only_x.local_id[0].bits, 32);
}

/// docs/abi/pal.md: wave32 compute shaders of gfx1100 and gfx1102 declare at least 16 user SGPRs.
TEST(ComputeInterface, PadsUserSgprsAroundABug) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, false};
  const ComputeInterface wave32 = assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1100"), 32);
  EXPECT_EQ(wave32.user_sgpr_count, 16);
  EXPECT_EQ(wave32.user_data[1], kNotMapped);
  EXPECT_EQ(wave32.workgroup_id[0].reg, isa::sgpr(16));
  EXPECT_EQ(assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1100"), 64).user_sgpr_count, 1);
  EXPECT_EQ(assign_compute_interface(needs, layout_of(0, 0), *isa::find_target("gfx1103"), 32).user_sgpr_count, 1);
}

TEST(ComputeInterface, ExactlyFifteenEntriesNeedNoSpillTable) {
  ComputeNeeds needs;
  needs.push_entries = entries(0, 15);
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(15, 0), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 16);
  EXPECT_FALSE(interface.spill_table.valid());
  EXPECT_EQ(interface.user_register(14), isa::sgpr(15));
}

TEST(ComputeInterface, OverflowGoesToTheSpillTable) {
  ComputeNeeds needs;
  needs.push_entries = entries(0, 20);
  needs.set_entries = {20, 21};
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(20, 2), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 16);
  // s0 table, two set pointers, twelve push dwords, spill table.
  EXPECT_EQ(interface.user_register(20), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(21), isa::sgpr(2));
  EXPECT_EQ(interface.user_register(11), isa::sgpr(14));
  EXPECT_FALSE(interface.user_register(12).valid());
  EXPECT_EQ(interface.spill_table, isa::sgpr(15));
  EXPECT_EQ(interface.user_data[15], kSpillTable);
  EXPECT_EQ(interface.spill_threshold, 12u);
  EXPECT_EQ(interface.user_data_limit, 22u);
}

TEST(ComputeInterface, IndexedPushConstantsLieInMemory) {
  ComputeNeeds needs;
  needs.push_constants_indexed = true;
  needs.push_entries = {0, 1};
  needs.set_entries = {8};
  const ComputeInterface interface = assign_compute_interface(needs, layout_of(8, 1), kTarget, 64);
  EXPECT_EQ(interface.spill_threshold, 0u);
  EXPECT_FALSE(interface.user_register(0).valid());
  EXPECT_EQ(interface.user_register(8), isa::sgpr(1));
  EXPECT_EQ(interface.spill_table, isa::sgpr(2));
}

TEST(UserDataLayout, DefaultPutsPushConstantsBeforeSets) {
  const BindingShape shapes[] = {{0, 0, 1}, {0, 3, 4}, {0, 5, 1}, {2, 1, 0}, {2, 2, 1}};
  const UserDataLayout layout = default_user_data_layout(shapes, 10);
  EXPECT_EQ(layout.push_constant_dwords, 3u);
  EXPECT_EQ(layout.entry_count, 5u);
  ASSERT_NE(layout.find_set(2), nullptr);
  EXPECT_EQ(layout.find_set(2)->entry, 4u);
  EXPECT_EQ(layout.find_set(1), nullptr);
  EXPECT_EQ(layout.find_binding(0, 3)->offset, 16u);
  EXPECT_EQ(layout.find_binding(0, 5)->offset, 80u);
  EXPECT_EQ(layout.find_binding(2, 1)->offset, 0u);
  EXPECT_EQ(layout.find_binding(2, 2)->offset, 16u * kDefaultRuntimeArrayElements);
  EXPECT_EQ(layout.find_binding(0, 4), nullptr);
}

}  // namespace
}  // namespace spalt::abi
