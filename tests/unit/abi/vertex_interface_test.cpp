// SPDX-License-Identifier: MIT
// Expectations are those of the tables of registers in docs/abi/pal.md and of Mesa's and LLPC's calling conventions.
#include "amdgpu/abi/vertex_interface.h"

#include <gtest/gtest.h>

namespace spalt::abi {
namespace {

UserDataLayout layout_of(uint32_t push_dwords, uint32_t sets) {
  UserDataLayout layout;
  layout.push_constant_dwords = push_dwords;
  layout.entry_count = push_dwords + sets;
  return layout;
}

VertexNeeds everything() {
  VertexNeeds needs;
  needs.vertex_id = needs.instance_id = needs.primitive_id = needs.base_vertex = needs.base_instance = true;
  needs.draw_index = needs.view_id = needs.vertex_buffers = true;
  return needs;
}

const isa::Target& target(const char* name) {
  return *isa::find_target(name);
}

TEST(VertexInterface, DrawParametersFollowTheGlobalTable) {
  UserDataNeeds user_data;
  user_data.set_entries = {4};
  const StageInterface interface =
      assign_vertex_interface(everything(), user_data, layout_of(4, 1), target("gfx1030"), false);
  EXPECT_EQ(interface.hardware_stage, HardwareStage::vs);
  EXPECT_EQ(interface.user_register(kGlobalTable), isa::sgpr(0));
  EXPECT_EQ(interface.user_register(kBaseInstance).number, interface.user_register(kBaseVertex).number + 1);
  for (const uint32_t content : {kVertexBufferTable, kDrawIndex, kViewId, 4u}) {
    EXPECT_TRUE(interface.user_register(content).valid()) << content;
  }
  EXPECT_EQ(interface.user_sgpr_count, 7);
  EXPECT_EQ(interface.field(EntryRole::scratch_wave_offset).reg, isa::sgpr(7));
  EXPECT_EQ(interface.scratch_descriptor_offset, 0u);
}

TEST(VertexInterface, TheBasesAreTwoRegistersWhicheverIsRead) {
  for (const bool vertex : {true, false}) {
    VertexNeeds needs;
    (vertex ? needs.base_vertex : needs.base_instance) = true;
    const StageInterface interface = assign_vertex_interface(needs, {}, layout_of(0, 0), target("gfx900"), false);
    EXPECT_EQ(interface.user_data[1], kBaseVertex);
    EXPECT_EQ(interface.user_data[2], kBaseInstance);
    EXPECT_EQ(interface.user_sgpr_count, 3);
  }
}

TEST(VertexInterface, VertexWaves) {
  struct Row {
    const char* name;
    uint8_t instance_id;
  };
  for (const Row& row : {Row{"gfx900", 1}, Row{"gfx1010", 3}, Row{"gfx1030", 3}}) {
    const StageInterface interface =
        assign_vertex_interface(everything(), {}, layout_of(0, 0), target(row.name), false);
    EXPECT_EQ(interface.field(EntryRole::vertex_id).reg, isa::vgpr(0)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::instance_id).reg, isa::vgpr(row.instance_id)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::primitive_id).reg, isa::vgpr(2)) << row.name;
    EXPECT_TRUE(vertex_hardware(target(row.name)).has_vertex_stage) << row.name;
  }
}

TEST(VertexInterface, PrimitiveShaders) {
  struct Row {
    const char* name;
    uint8_t vertex_id, instance_id, primitive_id;
    bool has_ring;
  };
  for (const Row& row : {Row{"gfx1030", 5, 8, 2, false}, Row{"gfx1100", 5, 8, 2, true}, Row{"gfx1151", 5, 8, 2, true},
                         Row{"gfx1200", 3, 4, 1, true}}) {
    const StageInterface interface = assign_vertex_interface(everything(), {}, layout_of(0, 0), target(row.name), true);
    EXPECT_EQ(interface.hardware_stage, HardwareStage::gs) << row.name;
    EXPECT_EQ(interface.user_data[0], kGlobalTable) << row.name;
    EXPECT_EQ(interface.user_register(kGlobalTable), isa::sgpr(8)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::merged_group_info).reg, isa::sgpr(2)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::merged_wave_info).reg, isa::sgpr(3)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::primitive_word).reg, isa::vgpr(0)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::vertex_id).reg, isa::vgpr(row.vertex_id)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::instance_id).reg, isa::vgpr(row.instance_id)) << row.name;
    EXPECT_EQ(interface.field(EntryRole::primitive_id).reg, isa::vgpr(row.primitive_id)) << row.name;
    const EntryRole s5 = row.has_ring ? EntryRole::attribute_ring_offset : EntryRole::scratch_wave_offset;
    EXPECT_EQ(interface.field(s5).reg, isa::sgpr(5)) << row.name;
    EXPECT_FALSE(interface.has(row.has_ring ? EntryRole::scratch_wave_offset : EntryRole::attribute_ring_offset));
  }
}

TEST(VertexInterface, UserDataSpillWhereRegistersEnd) {
  UserDataNeeds user_data;
  for (uint32_t i = 0; i < 40; ++i) user_data.push_entries.push_back(i);
  const StageInterface interface =
      assign_vertex_interface(everything(), user_data, layout_of(40, 0), target("gfx1100"), true);
  EXPECT_EQ(interface.user_sgpr_count, kMaxVertexUserSgprs);
  EXPECT_TRUE(interface.user_register(kSpillTable).valid());
  EXPECT_EQ(interface.spill_threshold, 32u - 6 - 1);
}

}  // namespace
}  // namespace spalt::abi
