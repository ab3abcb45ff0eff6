// SPDX-License-Identifier: MIT
#include "amdgpu/isa/occupancy.h"

#include <algorithm>

#include "base/bits.h"

namespace spalt::isa {
namespace {

/// A compute unit has barriers for so many workgroups; one of a single wave needs none (LLVM, AMDGPUBaseInfo,
/// getMaxWorkGroupsPerCU).
constexpr uint32_t kBarriersPerCu = 16;

uint32_t waves_by_sgprs(const Target& target, uint32_t sgprs) {
  if (target.sgpr_granule == 0) return target.max_waves_per_simd;
  return target.sgprs_per_simd / static_cast<uint32_t>(align_up(sgprs + target.extra_sgprs, target.sgpr_granule));
}

uint32_t waves_by_vgprs(const Target& target, unsigned wave_size, uint32_t vgprs) {
  const auto allocated = static_cast<uint32_t>(align_up(std::max(vgprs, 1u), target.vgpr_granule(wave_size)));
  return target.vgprs_per_simd(wave_size) / allocated;
}

/// By whole workgroups on a compute unit, or on both of a work-group processor.
uint32_t waves_by_workgroups(const Target& target, const WaveResources& resources) {
  const uint32_t units = resources.wgp_mode ? 2 : 1;
  const uint32_t simds = target.simds_per_cu * units;
  const uint32_t waves_per_group = (resources.invocations + resources.wave_size - 1) / resources.wave_size;
  uint32_t groups = target.max_waves_per_simd * simds / std::max(waves_per_group, 1u);
  if (waves_per_group > 1) groups = std::min(groups, kBarriersPerCu * units);
  if (resources.lds_bytes != 0) {
    const auto lds = static_cast<uint32_t>(align_up(resources.lds_bytes, target.lds_granule));
    groups = std::min(groups, target.lds_bytes_per_workgroup * units / lds);
  }
  return (std::max(groups, 1u) * waves_per_group + simds - 1) / simds;
}

}  // namespace

uint32_t waves_per_simd(const Target& target, const WaveResources& resources) {
  const uint32_t waves =
      std::min({uint32_t{target.max_waves_per_simd}, waves_by_sgprs(target, resources.sgprs),
                waves_by_vgprs(target, resources.wave_size, resources.vgprs), waves_by_workgroups(target, resources)});
  return std::max(waves, 1u);
}

}  // namespace spalt::isa
