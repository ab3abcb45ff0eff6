// SPDX-License-Identifier: MIT
#include "amdgpu/abi/compute_interface.h"

#include <gtest/gtest.h>

namespace spalt::abi {
namespace {

const isa::Target kTarget{};

UserDataLayout layout_of(uint32_t push_dwords, uint32_t sets) {
  UserDataLayout layout;
  layout.push_constant_dwords = push_dwords;
  layout.entry_count = push_dwords + sets;
  return layout;
}

SmallVector<uint32_t, 32> entries(uint32_t first, uint32_t count) {
  SmallVector<uint32_t, 32> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(first + i);
  return list;
}

TEST(ComputeInterface, NothingUsedStillGetsGlobalTableAndX) {
  const StageInterface interface = assign_compute_interface({}, {}, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 1);
  EXPECT_EQ(interface.user_data[0], kGlobalTable);
  EXPECT_EQ(interface.user_data_limit, 0u);
  EXPECT_EQ(interface.spill_threshold, kNoSpillThreshold);
  EXPECT_EQ(local_id_components(interface), 1u);
  EXPECT_EQ(interface.field(EntryRole::local_id_x).reg, isa::vgpr(0));
  EXPECT_FALSE(interface.field(EntryRole::local_id_y).valid());
  EXPECT_EQ(interface.field(EntryRole::scratch_wave_offset).reg, isa::sgpr(1));
}

TEST(ComputeInterface, WorkgroupPointerIsAnEvenPairAndTheGapIsFilled) {
  ComputeNeeds needs;
  UserDataNeeds user_data;
  needs.num_workgroups = true;
  user_data.set_entries = {4};
  user_data.push_entries = {0, 3};
  const StageInterface interface = assign_compute_interface(needs, user_data, layout_of(4, 1), kTarget, 64);
  EXPECT_EQ(interface.user_register(kWorkgroup), isa::sgpr(2));
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
  const StageInterface interface = assign_compute_interface(needs, {}, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.user_data[1], kNotMapped);
  EXPECT_EQ(interface.user_sgpr_count, 4);
}

TEST(ComputeInterface, SystemRegistersFollowInOrder) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, true};
  needs.local_id_components = 3;
  const StageInterface interface = assign_compute_interface(needs, {}, layout_of(0, 0), kTarget, 64);
  EXPECT_EQ(interface.field(EntryRole::workgroup_id_x).reg, isa::sgpr(1));
  EXPECT_FALSE(interface.has(EntryRole::workgroup_id_y));
  EXPECT_EQ(interface.field(EntryRole::workgroup_id_z).reg, isa::sgpr(2));
  EXPECT_EQ(interface.field(EntryRole::scratch_wave_offset).reg, isa::sgpr(3));
  EXPECT_EQ(local_id_components(interface), 3u);
  EXPECT_EQ(interface.field(EntryRole::local_id_z).reg, isa::vgpr(2));
}

/// Packed local ids from GFX11 on; workgroup ids in trap registers on GFX12.
TEST(ComputeInterface, NewerProcessorsPackTheirIds) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, true};
  needs.local_id_components = 3;
  const StageInterface gfx11 = assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1101"), 32);
  EXPECT_EQ(gfx11.field(EntryRole::local_id_y).reg, isa::vgpr(0));
  EXPECT_EQ(gfx11.field(EntryRole::local_id_y).shift, 10);
  EXPECT_EQ(gfx11.field(EntryRole::local_id_z).shift, 20);
  EXPECT_EQ(gfx11.field(EntryRole::workgroup_id_z).reg, isa::sgpr(2));
  EXPECT_FALSE(gfx11.has(EntryRole::scratch_wave_offset));
  EXPECT_EQ(gfx11.user_sgpr_count, 1);
  const StageInterface gfx12 = assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1200"), 32);
  EXPECT_EQ(gfx12.field(EntryRole::workgroup_id_x).reg.number, 108 + 9);
  EXPECT_EQ(gfx12.field(EntryRole::workgroup_id_z).reg.number, 108 + 7);
  EXPECT_EQ(gfx12.field(EntryRole::workgroup_id_z).shift, 16);
  needs.local_id_components = 1;  // what is not enabled is 0
  const StageInterface only_x = assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1101"), 32);
  EXPECT_EQ(only_x.field(EntryRole::local_id_x).bits, 32);
}

/// Wave32 compute shaders of gfx1100 and gfx1102 declare at least 16 user SGPRs.
TEST(ComputeInterface, PadsUserSgprsAroundABug) {
  ComputeNeeds needs;
  needs.workgroup_id = {true, false, false};
  const StageInterface wave32 = assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1100"), 32);
  EXPECT_EQ(wave32.user_sgpr_count, 16);
  EXPECT_EQ(wave32.user_data[1], kNotMapped);
  EXPECT_EQ(wave32.field(EntryRole::workgroup_id_x).reg, isa::sgpr(16));
  EXPECT_EQ(assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1100"), 64).user_sgpr_count, 1);
  EXPECT_EQ(assign_compute_interface(needs, {}, layout_of(0, 0), *isa::find_target("gfx1103"), 32).user_sgpr_count, 1);
}

TEST(ComputeInterface, ExactlyFifteenEntriesNeedNoSpillTable) {
  UserDataNeeds user_data;
  user_data.push_entries = entries(0, 15);
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(15, 0), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 16);
  EXPECT_FALSE(interface.user_register(kSpillTable).valid());
  EXPECT_EQ(interface.user_register(14), isa::sgpr(15));
}

TEST(ComputeInterface, OverflowGoesToTheSpillTable) {
  UserDataNeeds user_data;
  user_data.push_entries = entries(0, 20);
  user_data.set_entries = {20, 21};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(20, 2), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 16);
  // s0 table, two set pointers, twelve push dwords, spill table.
  EXPECT_EQ(interface.user_register(20), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(21), isa::sgpr(2));
  EXPECT_EQ(interface.user_register(11), isa::sgpr(14));
  EXPECT_FALSE(interface.user_register(12).valid());
  EXPECT_EQ(interface.user_register(kSpillTable), isa::sgpr(15));
  EXPECT_EQ(interface.user_data[15], kSpillTable);
  EXPECT_EQ(interface.spill_threshold, 12u);
  EXPECT_EQ(interface.user_data_limit, 22u);
}

TEST(ComputeInterface, ValuesOf64BitsBeginAtEvenRegisters) {
  UserDataNeeds user_data;
  user_data.push_entries = {0, 1, 2, 4, 5};
  user_data.push_pairs = {0, 4};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(6, 0), kTarget, 64);
  EXPECT_EQ(interface.user_register(0), isa::sgpr(2));
  EXPECT_EQ(interface.user_register(1), isa::sgpr(3));
  EXPECT_EQ(interface.user_register(2), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(4), isa::sgpr(4));
  EXPECT_EQ(interface.user_register(5), isa::sgpr(5));
  EXPECT_EQ(interface.user_sgpr_count, 6);
}

/// The constant upper half of an address goes to the register after it.
TEST(ComputeInterface, AddressesOfTablesAreEvenAndLeaveRoomForTheirUpperHalf) {
  UserDataNeeds user_data;
  user_data.tables_in_pairs = true;
  user_data.set_entries = {3, 4, 8};
  user_data.tables = {3, 8};
  user_data.push_entries = {0, 1, 2};
  user_data.push_pairs = {0};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(3, 6), kTarget, 64);
  EXPECT_EQ(interface.user_register(3), isa::sgpr(2));
  EXPECT_EQ(interface.user_data[3], kNotMapped);
  EXPECT_EQ(interface.user_register(4), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(8), isa::sgpr(4));
  EXPECT_EQ(interface.user_data[5], kNotMapped);
  EXPECT_EQ(interface.user_register(0), isa::sgpr(6));
  EXPECT_EQ(interface.user_register(1), isa::sgpr(7));
  EXPECT_EQ(interface.user_register(2), isa::sgpr(8));
}

TEST(ComputeInterface, TheRegisterAfterTheLastTableIsNotForTheHardware) {
  UserDataNeeds user_data;
  user_data.tables_in_pairs = true;
  user_data.set_entries = user_data.tables = {0};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(0, 1), kTarget, 64);
  EXPECT_EQ(interface.user_register(0), isa::sgpr(2));
  EXPECT_EQ(interface.user_sgpr_count, 4);
}

TEST(ComputeInterface, NothingIsSpilledForTheUpperHalvesOfTables) {
  UserDataNeeds user_data;
  user_data.tables_in_pairs = true;
  user_data.set_entries = user_data.tables = {14, 15};
  user_data.push_entries = entries(0, 12);
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(14, 2), kTarget, 64);
  EXPECT_EQ(interface.user_register(14), isa::sgpr(2));  // one register is left over
  EXPECT_EQ(interface.user_register(15), isa::sgpr(1));
  EXPECT_FALSE(interface.user_register(kSpillTable).valid());
  EXPECT_EQ(interface.spill_threshold, kNoSpillThreshold);
}

TEST(ComputeInterface, PairsThatDoNotFitAreSpilledAsWords) {
  UserDataNeeds user_data;
  user_data.push_entries = entries(0, 16);
  user_data.push_pairs = {0, 2, 4, 6, 8, 10, 12, 14};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(16, 0), kTarget, 64);
  EXPECT_EQ(interface.user_sgpr_count, 16);
  EXPECT_EQ(interface.user_register(0), isa::sgpr(2));
  EXPECT_EQ(interface.user_register(13), isa::sgpr(15));
  EXPECT_EQ(interface.user_register(kSpillTable), isa::sgpr(1));
  EXPECT_EQ(interface.spill_threshold, 14u);
}

TEST(ComputeInterface, IndexedPushConstantsLieInMemory) {
  UserDataNeeds user_data;
  user_data.push_constants_indexed = true;
  user_data.push_entries = {0, 1};
  user_data.set_entries = {8};
  const StageInterface interface = assign_compute_interface({}, user_data, layout_of(8, 1), kTarget, 64);
  EXPECT_EQ(interface.spill_threshold, 0u);
  EXPECT_FALSE(interface.user_register(0).valid());
  EXPECT_EQ(interface.user_register(8), isa::sgpr(1));
  EXPECT_EQ(interface.user_register(kSpillTable), isa::sgpr(2));
}

TEST(UserDataLayout, DefaultPutsPushConstantsBeforeSets) {
  const BindingShape shapes[] = {{0, 0, 1}, {0, 3, 4}, {0, 5, 1}, {2, 1, 0}, {2, 2, 1}};
  const UserDataLayout layout = default_user_data_layout(shapes, 10);
  EXPECT_EQ(layout.push_constant_dwords, 3u);
  EXPECT_EQ(layout.entry_count, 5u);
  EXPECT_EQ(layout.find_any(1, 0), nullptr);
  const auto at = [&layout](uint32_t set, uint32_t binding) {
    const BindingLocation* found = layout.find_binding(set, binding, BindingKind::raw_buffer);
    return found != nullptr ? *found : BindingLocation();
  };
  EXPECT_EQ(at(0, 0).entry, 3u);
  EXPECT_EQ(at(2, 2).entry, 4u);
  EXPECT_EQ(at(0, 3).offset, 16u);
  EXPECT_EQ(at(0, 5).offset, 80u);
  EXPECT_EQ(at(2, 1).offset, 0u);
  EXPECT_EQ(at(2, 2).offset, 16u * kDefaultRuntimeArrayElements);
  EXPECT_EQ(layout.find_any(0, 4), nullptr);
}

/// An image and a sampler at one binding share a pair; other kinds have places of their own.
TEST(UserDataLayout, DefaultGivesEachKindItsSize) {
  const BindingShape shapes[] = {{0, 0, 2, BindingKind::image},        {0, 1, 1, BindingKind::sampler},
                                 {0, 2, 1, BindingKind::image},        {0, 2, 3, BindingKind::sampler},
                                 {0, 3, 1, BindingKind::typed_buffer}, {0, 4, 1, BindingKind::raw_buffer},
                                 {0, 4, 1, BindingKind::image},        {0, 5, 1, BindingKind::combined_image_sampler}};
  const UserDataLayout layout = default_user_data_layout(shapes, 0);
  EXPECT_EQ(layout.entry_count, 1u);
  struct Expected {
    uint32_t binding;
    BindingKind kind;
    uint32_t offset, stride, count;
  };
  constexpr Expected kExpected[] = {{0, BindingKind::image, 0, 32, 2},
                                    {1, BindingKind::sampler, 64, 16, 1},
                                    {2, BindingKind::combined_image_sampler, 80, 48, 3},
                                    {3, BindingKind::typed_buffer, 224, 16, 1},
                                    {4, BindingKind::raw_buffer, 240, 16, 1},
                                    {4, BindingKind::image, 256, 32, 1},
                                    {5, BindingKind::combined_image_sampler, 288, 48, 1}};
  ASSERT_EQ(layout.bindings.size(), std::size(kExpected));
  for (const Expected& expected : kExpected) {
    const BindingLocation* found = layout.find_binding(0, expected.binding, expected.kind);
    ASSERT_NE(found, nullptr) << expected.binding;
    EXPECT_EQ(found->offset, expected.offset) << expected.binding;
    EXPECT_EQ(found->stride, expected.stride) << expected.binding;
    EXPECT_EQ(found->count, expected.count) << expected.binding;
  }
  EXPECT_EQ(layout.find_binding(0, 2, BindingKind::image), nullptr);
}

}  // namespace
}  // namespace spalt::abi
