// SPDX-License-Identifier: MIT
#include "amdgpu/abi/compute_interface.h"

#include <algorithm>

namespace spalt::abi {
namespace {

/// After the user SGPRs, or in trap registers: x in ttmp9, y and z in the halves of ttmp7 (RDNA 4).
void assign_system_sgprs(const ComputeNeeds& needs, const isa::Target& target, StageInterface& interface) {
  constexpr std::array<EntryField, 3> kInTrapRegisters{EntryField{EntryRole::workgroup_id_x, isa::ttmp(9), 0, 32},
                                                       EntryField{EntryRole::workgroup_id_y, isa::ttmp(7), 0, 16},
                                                       EntryField{EntryRole::workgroup_id_z, isa::ttmp(7), 16, 16}};
  unsigned next = interface.user_sgpr_count;
  for (unsigned i = 0; i < 3; ++i) {
    if (!needs.workgroup_id[i]) continue;
    interface.fields.push_back(target.work_group_ids_in_ttmp
                                   ? kInTrapRegisters[i]
                                   : EntryField{role_of(EntryRole::workgroup_id_x, i), isa::sgpr(next++)});
  }
  if (!target.architected_flat_scratch) {
    interface.fields.push_back({EntryRole::scratch_wave_offset, isa::sgpr(next)});
  }
}

/// In v0, v1 and v2, or packed in v0. What is not enabled is 0 there, so x alone is the whole v0.
void assign_local_ids(const ComputeNeeds& needs, const isa::Target& target, StageInterface& interface) {
  constexpr uint8_t kPackedBits = 10;
  const unsigned components = std::clamp<unsigned>(needs.local_id_components, 1, 3);
  const bool packed = target.packed_work_item_ids && components > 1;
  for (unsigned i = 0; i < components; ++i) {
    const EntryRole role = role_of(EntryRole::local_id_x, i);
    interface.fields.push_back(packed
                                   ? EntryField{role, isa::vgpr(0), static_cast<uint8_t>(i * kPackedBits), kPackedBits}
                                   : EntryField{role, isa::vgpr(i)});
  }
}

}  // namespace

StageInterface assign_compute_interface(const ComputeNeeds& needs, const UserDataNeeds& user_data,
                                        const UserDataLayout& layout, const isa::Target& target, unsigned wave_size) {
  StageInterface interface;
  interface.hardware_stage = HardwareStage::cs;
  interface.scratch_descriptor_offset = kComputeScratchSlotOffset;
  UserSgprs sgprs(interface, kMaxComputeUserSgprs);
  sgprs.place(0, kGlobalTable);
  // A pair that scalar loads use as base must start at an even register.
  if (needs.num_workgroups) sgprs.place(2, kWorkgroup, 2);
  sgprs.place_user_data(user_data, layout);
  if (wave_size == 32 && interface.user_sgpr_count < target.min_user_sgprs_wave32) {
    interface.user_sgpr_count = target.min_user_sgprs_wave32;
  }
  assign_system_sgprs(needs, target, interface);
  assign_local_ids(needs, target, interface);
  return interface;
}

unsigned local_id_components(const StageInterface& interface) {
  unsigned components = 1;
  while (components < 3 && interface.has(role_of(EntryRole::local_id_x, components))) ++components;
  return components;
}

}  // namespace spalt::abi
