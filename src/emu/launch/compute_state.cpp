// SPDX-License-Identifier: MIT
#include "emu/launch/compute_state.h"

#include <algorithm>

#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

// Where GFX12 puts workgroup ids: ttmp9, and the halves of ttmp7 (LLVM AMDGPU usage, "Initial Kernel Execution State").
constexpr unsigned kTtmp7 = 108 + 7, kTtmp9 = 108 + 9;

constexpr unsigned kMaxItemsPerGroup = 1024;
constexpr uint64_t kMaxGroups = uint64_t{1} << 40;

}  // namespace

Result<uint64_t> count_groups(const std::array<uint32_t, 3>& groups) {
  uint64_t count = uint64_t{groups[0]} * groups[1];
  if (count <= kMaxGroups) count *= groups[2];
  if (count > kMaxGroups) return Error{Status::limit_exceeded, "the grid has too many workgroups"};
  return count;
}

Result<void> check_group_size(const std::array<uint32_t, 3>& size) {
  uint64_t items = 1;
  for (const uint32_t dim : size) {
    if (dim == 0 || dim > kMaxItemsPerGroup) {
      return Error{Status::invalid_input, "a workgroup dimension is out of range"};
    }
    items *= dim;
  }
  if (items > kMaxItemsPerGroup) return Error{Status::invalid_input, "the workgroup has more than 1024 threads"};
  return {};
}

std::array<uint32_t, 3> ComputeInitializer::place_in_grid(uint64_t group) const {
  const std::array<uint32_t, 3>& count = state_.group_count;
  return {static_cast<uint32_t>(group % count[0]), static_cast<uint32_t>(group / count[0] % count[1]),
          static_cast<uint32_t>(group / count[0] / count[1])};
}

std::array<uint32_t, 3> ComputeInitializer::group_id(uint64_t group) const {
  std::array<uint32_t, 3> id = place_in_grid(group);
  for (size_t c = 0; c < 3; ++c) id[c] += state_.first_group[c];
  return id;
}

bool ComputeInitializer::initialize(Wave& wave, uint64_t group, unsigned index) const {
  wave.start_at(state_.entry_step);
  wave.mode.bits = state_.mode_bits;
  if (state_.flat_scratch_is_set) wave.flat_scratch = wave.scratch_base;
  for (const UserSgpr& sgpr : state_.user_sgprs) wave.write_s32(sgpr.reg, sgpr.value);
  set_system_sgprs(wave, group_id(group), index);
  const uint64_t lanes = set_local_ids(wave, place_in_grid(group), index);
  wave.set_exec(lanes);
  // A partial workgroup has fewer waves.
  return lanes != 0;
}

void ComputeInitializer::set_system_sgprs(Wave& wave, const std::array<uint32_t, 3>& id, unsigned index) const {
  unsigned next = state_.user_sgpr_count;
  set_group_ids(wave, id, next);
  if (state_.group_info_enabled) {
    wave.write_s32(next++, state_.waves_per_group() | index << 20 | (index == 0 ? 1u << 31 : 0u));
  }
  if (state_.scratch_offset_enabled) {
    wave.write_s32(next, static_cast<uint32_t>(wave.scratch_base - state_.scratch_ring));
  }
}

void ComputeInitializer::set_group_ids(Wave& wave, const std::array<uint32_t, 3>& id, unsigned& next_sgpr) const {
  if (state_.group_ids_in_ttmp) {
    wave.write_s32(kTtmp9, id[0]);
    wave.write_s32(kTtmp7, (id[1] & 0xffffu) | id[2] << 16);
    return;
  }
  for (size_t c = 0; c < 3; ++c) {
    if (state_.group_id_enabled[c]) wave.write_s32(next_sgpr++, id[c]);
  }
}

/// Returns the lanes that have a work-item.
uint64_t ComputeInitializer::set_local_ids(Wave& wave, const std::array<uint32_t, 3>& place, unsigned index) const {
  std::array<uint32_t, 3> size{};  // of this group
  for (size_t c = 0; c < 3; ++c) {
    const uint64_t first = uint64_t{place[c]} * state_.group_size[c];
    size[c] = static_cast<uint32_t>(std::min<uint64_t>(state_.group_size[c], state_.grid_items[c] - first));
  }
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane < state_.wave_size; ++lane) {
    const unsigned flat = index * state_.wave_size + lane;
    if (flat >= size[0] * size[1] * size[2]) break;
    lanes |= uint64_t{1} << lane;
    const uint32_t ids[3] = {flat % size[0], flat / size[0] % size[1], flat / size[0] / size[1]};
    uint32_t packed = 0;
    for (unsigned c = 0; c < state_.local_id_components; ++c) {
      packed |= ids[c] << (10 * c);
      if (!state_.local_ids_packed) wave.vgpr(c)[lane] = ids[c];
    }
    if (state_.local_ids_packed) wave.vgpr(0)[lane] = packed;
  }
  return lanes;
}

}  // namespace spalt::emu
