// SPDX-License-Identifier: MIT
#include "amdgpu/abi/vertex_interface.h"

namespace spalt::abi {
namespace {

constexpr VertexHardware kHardware[isa::kGenerationCount] = {
    {.has_vertex_stage = true, .instance_id = 1},                          // gfx9
    {.has_vertex_stage = true, .marks_position = true, .instance_id = 3},  // gfx10.1
    {.has_vertex_stage = true,                                             // gfx10.3
     .has_primitive_shader = true,
     .allocates_by_message = true,
     .instance_id = 3,
     .merged_vertex_id = 5,
     .merged_instance_id = 8,
     .merged_primitive_id = 2,
     .primitive_index_bits = 9},
    {.has_primitive_shader = true,  // gfx11
     .has_attribute_ring = true,
     .stores_before_position = true,
     .merged_vertex_id = 5,
     .merged_instance_id = 8,
     .merged_primitive_id = 2,
     .primitive_index_bits = 9},
    {.has_primitive_shader = true,  // gfx11.5
     .has_attribute_ring = true,
     .stores_before_position = true,
     .merged_vertex_id = 5,
     .merged_instance_id = 8,
     .merged_primitive_id = 2,
     .primitive_index_bits = 9},
    {.has_primitive_shader = true,  // gfx12
     .has_attribute_ring = true,
     .merged_vertex_id = 3,
     .merged_instance_id = 4,
     .merged_primitive_id = 1,
     .primitive_index_bits = 8},
};

/// The user SGPRs that a draw fills, in front of the others.
void place_draw_parameters(const VertexNeeds& needs, StageInterface& interface, UserSgprs& sgprs) {
  const auto place = [&](uint32_t content) { sgprs.place(interface.user_sgpr_count, content); };
  const bool is_paired = needs.vertex_buffers && needs.vertex_table_in_pair && sgprs.place_table(kVertexBufferTable);
  if (needs.vertex_buffers && !is_paired) place(kVertexBufferTable);
  if (needs.base_vertex || needs.base_instance) {
    place(kBaseVertex);
    place(kBaseInstance);
  }
  if (needs.draw_index) place(kDrawIndex);
  if (needs.view_id) place(kViewId);
}

void assign_vertex_registers(const VertexNeeds& needs, const VertexHardware& hardware, const isa::Target& target,
                             StageInterface& interface) {
  constexpr uint8_t kPrimitiveId = 2;
  interface.fields.push_back({EntryRole::vertex_id, isa::vgpr(0)});
  if (needs.instance_id) interface.fields.push_back({EntryRole::instance_id, isa::vgpr(hardware.instance_id)});
  if (needs.primitive_id) interface.fields.push_back({EntryRole::primitive_id, isa::vgpr(kPrimitiveId)});
  if (!target.architected_flat_scratch) {
    interface.fields.push_back({EntryRole::scratch_wave_offset, isa::sgpr(interface.user_sgpr_count)});
  }
}

void assign_merged_registers(const VertexNeeds& needs, const VertexHardware& hardware, const isa::Target& target,
                             StageInterface& interface) {
  constexpr uint8_t kGroupInfo = 2, kWaveInfo = 3, kRingOrScratch = 5, kRingOffsetBits = 15;
  interface.fields.push_back({EntryRole::merged_group_info, isa::sgpr(kGroupInfo)});
  interface.fields.push_back({EntryRole::merged_wave_info, isa::sgpr(kWaveInfo)});
  interface.fields.push_back({EntryRole::primitive_word, isa::vgpr(0)});
  interface.fields.push_back({EntryRole::vertex_id, isa::vgpr(hardware.merged_vertex_id)});
  if (needs.instance_id) interface.fields.push_back({EntryRole::instance_id, isa::vgpr(hardware.merged_instance_id)});
  if (needs.primitive_id) {
    interface.fields.push_back({EntryRole::primitive_id, isa::vgpr(hardware.merged_primitive_id)});
  }
  if (hardware.has_attribute_ring) {
    interface.fields.push_back({EntryRole::attribute_ring_offset, isa::sgpr(kRingOrScratch), 0, kRingOffsetBits});
  } else if (!target.architected_flat_scratch) {
    interface.fields.push_back({EntryRole::scratch_wave_offset, isa::sgpr(kRingOrScratch)});
  }
}

}  // namespace

const VertexHardware& vertex_hardware(const isa::Target& target) {
  return kHardware[static_cast<unsigned>(target.generation)];
}

StageInterface assign_vertex_interface(const VertexNeeds& needs, const UserDataNeeds& user_data,
                                       const UserDataLayout& layout, const isa::Target& target, bool primitive_shader) {
  StageInterface interface;
  interface.hardware_stage = primitive_shader ? HardwareStage::gs : HardwareStage::vs;
  interface.first_user_sgpr = primitive_shader ? kMergedSgprs : 0;
  UserSgprs sgprs(interface, kMaxVertexUserSgprs);
  sgprs.place(0, kGlobalTable);
  place_draw_parameters(needs, interface, sgprs);
  sgprs.place_user_data(user_data, layout);
  const VertexHardware& hardware = vertex_hardware(target);
  if (primitive_shader) {
    assign_merged_registers(needs, hardware, target, interface);
  } else {
    assign_vertex_registers(needs, hardware, target, interface);
  }
  return interface;
}

}  // namespace spalt::abi
