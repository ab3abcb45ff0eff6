// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "emu/launch/wave_initializer.h"

namespace spalt::emu {

/// A user SGPR that something is put into before a wave starts.
struct UserSgpr {
  unsigned reg = 0;
  uint32_t value = 0;
};

/// What the waves of a compute grid start with, whatever ABI it was read from: PAL (pal_program.cpp) or HSA
/// (hsa_dispatch.cpp).
struct ComputeState {
  uint32_t entry_step = 0;
  unsigned wave_size = 64;
  std::array<uint32_t, 3> group_size{1, 1, 1};   ///< work-items
  std::array<uint64_t, 3> grid_items{1, 1, 1};   ///< work-items; the last group of a dimension may be a partial one
  std::array<uint32_t, 3> group_count{1, 1, 1};  ///< workgroups
  std::array<uint32_t, 3> first_group{0, 0, 0};  ///< id of the first one

  uint32_t mode_bits = 0xc0;         ///< MODE register at the start
  uint64_t scratch_ring = 0;         ///< guest address, 0 when there is none
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

/// Starts waves as a ComputeState says, which must outlive it.
class ComputeInitializer final : public WaveInitializer {
 public:
  explicit ComputeInitializer(const ComputeState& state) : state_(state) {}
  std::array<uint32_t, 3> group_id(uint64_t group) const override;
  bool initialize(Wave& wave, uint64_t group, unsigned index) const override;

 private:
  std::array<uint32_t, 3> place_in_grid(uint64_t group) const;
  void set_system_sgprs(Wave& wave, const std::array<uint32_t, 3>& id, unsigned index) const;
  void set_group_ids(Wave& wave, const std::array<uint32_t, 3>& id, unsigned& next_sgpr) const;
  uint64_t set_local_ids(Wave& wave, const std::array<uint32_t, 3>& place, unsigned index) const;

  const ComputeState& state_;
};

/// Fails when one workgroup is larger than any hardware runs.
Result<void> check_group_size(const std::array<uint32_t, 3>& size);

/// The number of workgroups, or an error when they are too many to run.
Result<uint64_t> count_groups(const std::array<uint32_t, 3>& groups);

}  // namespace spalt::emu
