// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/object/stage_object.h"
#include "emu/draw/graphics_facts.h"
#include "emu/launch/compute_state.h"

namespace spalt::emu {

class TableAddresses;
class Wave;

/// What user SGPRs of the stages of a draw may hold.
struct DrawUserData {
  std::span<const uint32_t> entries;  ///< those beyond are 0
  uint32_t global_table = 0, spill_table = 0, vertex_buffer_table = 0;
  uint32_t base_vertex = 0, base_instance = 0, draw_index = 0, view = 0;
};

/// What all waves of one graphics stage of a draw start with.
struct StageState {
  StageState(const object::StageObject& stage, const GraphicsFacts& facts, const isa::Target& target,
             uint32_t entry_step, const DrawUserData& user_data);

  /// Everything but what each wave has of its own. Returns the first SGPR after the user SGPRs.
  unsigned start(Wave& wave) const;
  /// Puts the scratch offset into an SGPR, if there is one.
  void set_scratch_offset(Wave& wave, unsigned sgpr) const;

  const GraphicsFacts& facts;
  uint32_t entry_step = 0;
  unsigned wave_size = 64;
  uint32_t mode_bits = 0;
  bool flat_scratch_is_set = false, scratch_offset_enabled = false;
  uint64_t scratch_ring = 0;
  unsigned first_user_sgpr = 0, user_sgpr_count = 0;
  std::vector<UserSgpr> user_sgprs;
};

/// All lanes from 0 on, as many as there are.
constexpr uint64_t first_lanes(unsigned count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

}  // namespace spalt::emu
