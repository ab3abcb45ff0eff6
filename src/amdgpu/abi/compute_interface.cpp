// SPDX-License-Identifier: MIT
#include "amdgpu/abi/compute_interface.h"

#include <algorithm>
#include <vector>

namespace spalt::abi {
namespace {

/// Hands out user SGPRs in order, around those that are taken by alignment rules.
class UserSgprs {
 public:
  explicit UserSgprs(ComputeInterface& interface) : interface_(interface) { interface.user_data.fill(kNotMapped); }

  isa::Reg place(unsigned reg, uint32_t content, unsigned count = 1) {
    for (unsigned i = 0; i < count; ++i) {
      interface_.user_data[reg + i] = content;
      taken_[reg + i] = true;
    }
    interface_.user_sgpr_count = static_cast<uint8_t>(std::max<unsigned>(interface_.user_sgpr_count, reg + count));
    return isa::sgpr(reg);
  }
  isa::Reg place_next(uint32_t content) {
    for (unsigned reg = 0; reg < kMaxComputeUserSgprs; ++reg) {
      if (!taken_[reg]) return place(reg, content);
    }
    return isa::kNoReg;
  }
  unsigned free_count() const { return static_cast<unsigned>(std::count(taken_.begin(), taken_.end(), false)); }

 private:
  ComputeInterface& interface_;
  std::array<bool, kMaxComputeUserSgprs> taken_{};
};

void assign_user_data(const ComputeNeeds& needs, const UserDataLayout& layout, ComputeInterface& interface) {
  UserSgprs sgprs(interface);
  interface.global_table = sgprs.place(0, kGlobalTable);
  // A pair that scalar loads use as base must start at an even register.
  if (needs.num_workgroups) interface.workgroup_pointer = sgprs.place(2, kWorkgroup, 2);

  std::vector<uint32_t> wanted = needs.set_entries;
  if (!needs.push_constants_indexed) {
    wanted.insert(wanted.end(), needs.push_entries.begin(), needs.push_entries.end());
  }
  const bool spills = needs.push_constants_indexed || wanted.size() > sgprs.free_count();
  const size_t in_registers = std::min<size_t>(wanted.size(), sgprs.free_count() - (spills ? 1 : 0));
  for (size_t i = 0; i < in_registers; ++i) {
    sgprs.place_next(wanted[i]);
    interface.user_data_limit = std::max(interface.user_data_limit, wanted[i] + 1);
  }
  if (!spills) return;
  interface.spill_table = sgprs.place_next(kSpillTable);
  interface.user_data_limit = layout.entry_count;
  if (needs.push_constants_indexed) interface.spill_threshold = layout.push_constant_entry;
  for (size_t i = in_registers; i < wanted.size(); ++i) {
    interface.spill_threshold = std::min(interface.spill_threshold, wanted[i]);
  }
}

/// Behind the user SGPRs, or in trap registers: x in ttmp9, y and z in the halves of ttmp7
/// (docs/abi/pal.md#initial-registers-of-compute, system SGPRs of GFX12).
void assign_system_sgprs(const ComputeNeeds& needs, const isa::Target& target, ComputeInterface& interface) {
  constexpr std::array<EntryField, 3> kInTrapRegisters{EntryField{isa::ttmp(9), 0, 32}, EntryField{isa::ttmp(7), 0, 16},
                                                       EntryField{isa::ttmp(7), 16, 16}};
  unsigned next = interface.user_sgpr_count;
  for (unsigned i = 0; i < 3; ++i) {
    if (!needs.workgroup_id[i]) continue;
    interface.workgroup_id[i] = target.work_group_ids_in_ttmp ? kInTrapRegisters[i] : EntryField{isa::sgpr(next++)};
  }
  if (!target.architected_flat_scratch) interface.scratch_wave_offset = isa::sgpr(next);
}

/// In v0, v1 and v2, or packed in v0. What is not enabled is 0 there (docs/abi/amdgpu.md#initial-vgprs), so x alone is
/// the whole v0.
void assign_local_ids(const ComputeNeeds& needs, const isa::Target& target, ComputeInterface& interface) {
  constexpr uint8_t kPackedBits = 10;
  const unsigned components = std::clamp<unsigned>(needs.local_id_components, 1, 3);
  interface.tidig_comp_cnt = static_cast<uint8_t>(components - 1);
  const bool packed = target.packed_work_item_ids && components > 1;
  for (unsigned i = 0; i < components; ++i) {
    interface.local_id[i] = packed ? EntryField{isa::vgpr(0), static_cast<uint8_t>(i * kPackedBits), kPackedBits}
                                   : EntryField{isa::vgpr(i)};
  }
}

}  // namespace

isa::Reg ComputeInterface::user_register(uint32_t content) const {
  for (unsigned i = 0; i < user_sgpr_count; ++i) {
    if (user_data[i] == content) return isa::sgpr(i);
  }
  return isa::kNoReg;
}

ComputeInterface assign_compute_interface(const ComputeNeeds& needs, const UserDataLayout& layout,
                                          const isa::Target& target, unsigned wave_size) {
  ComputeInterface interface;
  assign_user_data(needs, layout, interface);
  if (wave_size == 32 && interface.user_sgpr_count < target.min_user_sgprs_wave32) {
    interface.user_sgpr_count = target.min_user_sgprs_wave32;
  }
  assign_system_sgprs(needs, target, interface);
  assign_local_ids(needs, target, interface);
  return interface;
}

}  // namespace spalt::abi
