// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "emu/launch/program.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

class MemoryHierarchy;
class Observer;

/// A user SGPR that something is put into before a wave starts.
struct UserSgpr {
  unsigned reg = 0;
  uint32_t value = 0;
};

/// Everything that starting and running the workgroups of a grid needs, whatever ABI it was read from. Built by
/// dispatch.cpp (PAL) and hsa_dispatch.cpp (HSA), used by Workgroup.
struct Launch {
  const Program* program = nullptr;
  Observer* observer = nullptr;          ///< looks at every instruction; wants a single host thread
  MemoryHierarchy* hierarchy = nullptr;  ///< the memory hierarchy mode; a single host thread, too
  const Memory* memory = nullptr;
  uint32_t entry_step = 0;
  unsigned wave_size = 64;
  unsigned vgpr_count = 0;  ///< registers that a wave may touch

  std::array<uint32_t, 3> group_size{1, 1, 1};   ///< work-items
  std::array<uint64_t, 3> grid_items{1, 1, 1};   ///< work-items; the last group of a dimension may be a partial one
  std::array<uint32_t, 3> group_count{1, 1, 1};  ///< workgroups

  uint32_t mode_bits = 0xc0;  ///< MODE register at the start
  uint32_t lds_bytes = 0;
  bool wgp_mode = false;  ///< the waves of a workgroup run on both compute units of a work-group processor

  uint64_t scratch_bytes_per_wave = 0;
  uint64_t scratch_ring = 0;  ///< guest address, 0 when there is none
  uint64_t scratch_ring_bytes = 0;
  bool flat_scratch_is_set = false;  ///< the hardware points flat scratch at the wave's part of the ring

  std::vector<UserSgpr> user_sgprs;
  unsigned user_sgpr_count = 0;  ///< system SGPRs follow
  std::array<bool, 3> group_id_enabled{};
  bool group_info_enabled = false;  ///< waves of the group and whether this is its first one
  bool scratch_offset_enabled = false;
  unsigned local_id_components = 1;  ///< 1 to 3
  bool local_ids_packed = false;     ///< in v0, 10 bits each
  bool group_ids_in_ttmp = false;    ///< x in ttmp9, y and z in the halves of ttmp7

  unsigned items_per_group() const { return group_size[0] * group_size[1] * group_size[2]; }
  unsigned waves_per_group() const { return (items_per_group() + wave_size - 1) / wave_size; }
};

}  // namespace spalt::emu
