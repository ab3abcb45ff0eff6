// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/isa/target.h"

namespace spalt::abi {

/// User SGPRs of the compute stage.
constexpr unsigned kMaxComputeUserSgprs = 16;
/// Byte offset of the compute scratch descriptor in the global table: slot 1.
constexpr uint32_t kComputeScratchSlotOffset = kGlobalTableSlotBytes;

/// What a compute program reads from its surroundings besides user data.
struct ComputeNeeds {
  bool num_workgroups = false;
  std::array<bool, 3> workgroup_id{};  ///< x, y, z
  uint8_t local_id_components = 1;     ///< 1..3: the hardware always writes x
};

/// The interface of a compute program:
///
/// | registers | content |
/// |---|---|
/// | s0 | low half of the global table's address |
/// | s2 and s3, where the number of workgroups is read | address of three dwords, the grid size (kWorkgroup) |
/// | the other user SGPRs | entries of the user data; the spill table's address, low half |
/// | SGPRs after them, or trap registers | workgroup ids that are read |
/// | the SGPR after those, where scratch has a descriptor | scratch wave offset, if scratch gets enabled |
/// | v0, or v0 to v2 | local ids, packed in v0 where the processor packs them |
///
/// The scratch wave offset follows all others, so that enabling it, maybe only after register allocation, moves
/// nothing.
StageInterface assign_compute_interface(const ComputeNeeds& needs, const UserDataNeeds& user_data,
                                        const UserDataLayout& layout, const isa::Target& target, unsigned wave_size);

/// Local ids that the hardware must write (1: x, 2: xy, 3: xyz).
unsigned local_id_components(const StageInterface& interface);

}  // namespace spalt::abi
