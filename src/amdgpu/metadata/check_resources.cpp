// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/checks.h"

namespace spalt::metadata {
namespace {

constexpr uint32_t kMaxInvocations = 1024;
constexpr uint32_t kSharedGranule = 8;
/// vcc, flat_scratch and xnack_mask, which some writers count (docs/abi/amdgpu.md#program-resources).
constexpr uint32_t kSpecialSgprs = 6;

std::string text(uint64_t value) {
  return std::to_string(value);
}

void check_wave_size(const StageFacts& stage, const isa::Target& target, Report& report) {
  if (!stage.wave_size) return;
  if (*stage.wave_size != 32 && *stage.wave_size != 64) {
    report.error("wave_size", stage.path + "/.wavefront_size",
                 "the value is " + text(*stage.wave_size) + ", but must be 32 or 64");
  } else if (*stage.wave_size == 32 && !target.has_wave32) {
    report.error("wave_size", stage.path + "/.wavefront_size", std::string(target.name) + " has no waves of 32 lanes");
  }
}

void check_registers(const StageFacts& stage, const isa::Target& target, Report& report) {
  if (stage.vgpr_count && *stage.vgpr_count > target.vgpr_limit) {
    report.error("vgpr_limit", stage.path + "/.vgpr_count",
                 text(*stage.vgpr_count) + " VGPRs do not exist, only " + text(target.vgpr_limit));
  }
  if (stage.sgpr_count && *stage.sgpr_count > target.sgpr_count + kSpecialSgprs) {
    report.error("sgpr_limit", stage.path + "/.sgpr_count",
                 text(*stage.sgpr_count) + " SGPRs do not exist, only " + text(target.sgpr_count));
  }
  const uint32_t shared = stage.shared_vgprs.value_or(0);
  if (shared == 0) return;
  const std::string path = stage.path + "/.shared_vgpr_cnt";
  if (shared % kSharedGranule != 0) {
    report.error("shared_vgprs", path, text(shared) + " is no multiple of " + text(kSharedGranule));
  } else if (stage.wave_size == 32u) {
    report.error("shared_vgprs", path, "waves of 32 lanes share no VGPRs");
  } else if (stage.vgpr_count.value_or(0) + shared > target.vgpr_limit) {
    report.error("shared_vgprs", path,
                 text(*stage.vgpr_count) + " VGPRs and " + text(shared) + " shared ones are more than " +
                     text(target.vgpr_limit));
  }
}

void check_memory(const StageFacts& stage, const isa::Target& target, Report& report) {
  if (stage.lds_size && *stage.lds_size > target.lds_bytes_per_workgroup) {
    report.error("lds_limit", stage.path + "/.lds_size",
                 text(*stage.lds_size) + " bytes do not exist, only " + text(target.lds_bytes_per_workgroup));
  }
  if (stage.scratch_size && *stage.scratch_size % 4 != 0) {
    report.error("scratch_size", stage.path + "/.scratch_memory_size",
                 text(*stage.scratch_size) + " bytes per lane are no multiple of 4");
  }
  if (stage.scratch_size && stage.scratch_en && (*stage.scratch_size != 0) != *stage.scratch_en) {
    report.error(
        "scratch_enabled", stage.path,
        *stage.scratch_en ? "scratch is enabled, but its size is 0" : "scratch has a size, but is not enabled");
  }
}

/// Compute stages only: the dimensions of graphics stages are hints.
void check_threads(const StageFacts& stage, const isa::Target& target, Report& report) {
  if (stage.stage != Stage::cs || !stage.dimensions) return;
  const std::string path = stage.path + "/.threadgroup_dimensions";
  uint64_t count = 1;
  for (uint32_t dimension : *stage.dimensions) {
    if (dimension == 0) return report.error("threadgroup_size", path, "a dimension is 0");
    count = dimension > kMaxInvocations ? kMaxInvocations + 1 : count * dimension;
    if (count > kMaxInvocations) {
      return report.error("threadgroup_size", path, "there are more than " + text(kMaxInvocations) + " threads");
    }
  }
  const uint32_t wave_size = stage.wave_size.value_or(64);
  if ((wave_size != 32 || !target.has_wave32) && wave_size != 64) return;
  const unsigned fitting =
      target.vgprs_in_workgroup(wave_size, static_cast<unsigned>(count), stage.wgp_mode.value_or(false));
  if (stage.vgpr_count.value_or(0) <= fitting) return;
  report.error("workgroup_fits", stage.path + "/.vgpr_count",
               "the waves of a workgroup of " + text(count) + " threads can have " + text(fitting) +
                   " VGPRs each, not " + text(*stage.vgpr_count));
}

/// Version 2 says some things twice.
void check_raw_registers(const StageFacts& stage, const PipelineFacts& facts, const isa::Target& target,
                         Report& report) {
  if (facts.major != 2) return;
  const uint32_t wave_size = stage.wave_size.value_or(64);
  const bool known_wave = wave_size == 64 || (wave_size == 32 && target.has_wave32);
  if (stage.vgprs_field && stage.vgpr_count && known_wave) {
    const uint32_t allocated = (*stage.vgprs_field + 1) * target.vgpr_encoding_granule(wave_size);
    if (allocated < *stage.vgpr_count) {
      report.error("rsrc1_vgprs", stage.path + "/.vgpr_count",
                   text(*stage.vgpr_count) + " VGPRs are used, but the registers allocate " + text(allocated));
    }
  }
  if (stage.stage != Stage::cs || !stage.dimensions) return;
  constexpr std::string_view kNames[] = {"COMPUTE_NUM_THREAD_X", "COMPUTE_NUM_THREAD_Y", "COMPUTE_NUM_THREAD_Z"};
  for (unsigned i = 0; i < 3; ++i) {
    const auto value = facts.raw_register(kNames[i], target.generation);
    if (!value) continue;
    const uint32_t full =
        field_of(*find_register(kNames[i], target.generation), "NUM_THREAD_FULL", *value, target.generation);
    if (full == (*stage.dimensions)[i]) continue;
    report.error("num_threads", stage.path + "/.threadgroup_dimensions",
                 "dimension " + text(i) + " is " + text((*stage.dimensions)[i]) + ", but " + std::string(kNames[i]) +
                     " says " + text(full));
  }
}

}  // namespace

void check_resources(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  for (const StageFacts& stage : facts.stages) {
    check_wave_size(stage, target, report);
    check_registers(stage, target, report);
    check_memory(stage, target, report);
    check_threads(stage, target, report);
    check_raw_registers(stage, facts, target, report);
    if (stage.wgp_mode.value_or(false) && !target.has_wgp_mode) {
      report.error("wgp_mode", stage.path, std::string(target.name) + " has no work-group processor mode");
    }
  }
}

}  // namespace spalt::metadata
