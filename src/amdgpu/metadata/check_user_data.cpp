// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/metadata/checks.h"
#include "amdgpu/metadata/user_data_codes.h"
#include "amdgpu/object/link.h"

namespace spalt::metadata {
namespace {

using object::kUserDataEntryLimit;

std::string place(const StageFacts& stage, unsigned index) {
  return stage.path + " user-data register " + std::to_string(index);
}

bool is_entry(uint32_t code) {
  return code < kUserDataEntryLimit;
}

void check_positions(const StageFacts& stage, Report& report) {
  for (unsigned i = 0; i < stage.user_data_count; ++i) {
    const uint32_t code = stage.user_data[i];
    if (code == abi::kGlobalTable && i != 0) {
      report.error("global_table_register", place(stage, i), "GlobalTable must be register 0");
    }
    if (code == kPerShaderTable && i != 1) {
      report.error("per_shader_table_register", place(stage, i), "PerShaderTable must be register 1");
    }
    if (code == kBaseInstance && (i == 0 || stage.user_data[i - 1] != kBaseVertex)) {
      report.error("base_instance_register", place(stage, i), "BaseInstance must follow the register of BaseVertex");
    }
  }
}

void check_codes(const StageFacts& stage, const isa::Target& target, Report& report) {
  for (unsigned i = 0; i < stage.user_data_count; ++i) {
    const uint32_t code = stage.user_data[i];
    if (is_entry(code) || code == abi::kNotMapped) continue;
    const UserDataCode* known = find_user_data_code(code);
    if (known == nullptr) {
      report.error("user_data_code", place(stage, i),
                   "the value " + std::to_string(code) + " is neither an entry below " +
                       std::to_string(kUserDataEntryLimit) + " nor a known code");
    } else if (!known->generations.has(target.generation)) {
      report.error("user_data_code", place(stage, i),
                   std::string(known->name) + " is not filled by loaders for " + target.name);
    } else if (code == abi::kWorkgroup && stage.stage != Stage::cs) {
      report.error("workgroup_stage", place(stage, i), "Workgroup exists in compute stages only");
    }
  }
}

/// Registers that waves get: loaders set no more than `.user_sgprs`.
void check_count(const StageFacts& stage, const isa::Target& target, Report& report) {
  const unsigned limit = stage.stage == Stage::cs ? abi::kMaxComputeUserSgprs : 32;
  if (stage.user_sgprs && *stage.user_sgprs > limit) {
    report.error("user_sgpr_limit", stage.path,
                 std::to_string(*stage.user_sgprs) + " user SGPRs are set, but the stage has " + std::to_string(limit));
  }
  const unsigned available = std::min(stage.user_sgprs.value_or(limit), limit);
  for (unsigned i = available; i < stage.user_data_count; ++i) {
    if (stage.user_data[i] == abi::kNotMapped) continue;
    report.error("user_sgpr_count", place(stage, i),
                 "it is mapped, but the stage has " + std::to_string(available) + " user SGPRs");
  }
  const bool affected = stage.stage == Stage::cs || stage.stage == Stage::ps;
  if (affected && stage.wave_size == 32u && stage.user_sgprs && *stage.user_sgprs < target.min_user_sgprs_wave32) {
    report.error("user_sgpr_minimum", stage.path,
                 std::string(target.name) + " loses user SGPRs of wave32 unless " +
                     std::to_string(target.min_user_sgprs_wave32) + " are set, and " +
                     std::to_string(*stage.user_sgprs) + " are");
  }
}

void check_repeats(const StageFacts& stage, const isa::Target& target, Report& report) {
  for (unsigned i = 0; i < stage.user_data_count; ++i) {
    const uint32_t code = stage.user_data[i];
    const bool before =
        std::find(stage.user_data.begin(), stage.user_data.begin() + i, code) != stage.user_data.begin() + i;
    if (!before) continue;
    const UserDataCode* known = find_user_data_code(code);
    // Loaders that read version 3 alone remember one register for each entry.
    const bool entry_once = is_entry(code) && target.min_metadata_major == 3;
    if (entry_once || (known != nullptr && known->once != Once::no)) {
      report.error("mapped_twice", place(stage, i), user_data_name(code) + " is mapped twice in the stage");
    }
  }
}

/// A task shader, the compute stage, has its own registers beside those of the graphics stages.
void check_repeats_in_pipeline(const PipelineFacts& facts, Report& report) {
  for (size_t i = 0; i < facts.stages.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const StageFacts &stage = facts.stages[i], &other = facts.stages[k];
      if (stage.stage == Stage::cs || other.stage == Stage::cs) continue;
      for (unsigned n = 0; n < stage.user_data_count; ++n) {
        const UserDataCode* known = find_user_data_code(stage.user_data[n]);
        if (known == nullptr || known->once != Once::per_pipeline) continue;
        const auto end = other.user_data.begin() + other.user_data_count;
        if (std::find(other.user_data.begin(), end, stage.user_data[n]) == end) continue;
        report.error("mapped_twice", place(stage, n), std::string(known->name) + " is mapped in two stages");
      }
    }
  }
}

struct Used {
  uint32_t entries = 0;  ///< highest plain entry + 1
  bool spill_table = false;
};

Used find_used(const PipelineFacts& facts) {
  Used used;
  for (const StageFacts& stage : facts.stages) {
    for (unsigned i = 0; i < stage.user_data_count; ++i) {
      if (is_entry(stage.user_data[i])) used.entries = std::max(used.entries, stage.user_data[i] + 1);
      if (stage.user_data[i] == abi::kSpillTable) used.spill_table = true;
    }
  }
  return used;
}

void check_limits(const PipelineFacts& facts, Report& report) {
  const Used used = find_used(facts);
  const auto limit = number_at(facts.pipeline, ".user_data_limit");
  const uint32_t threshold = number_at(facts.pipeline, ".spill_threshold").value_or(abi::kNoSpillThreshold);
  const bool spills = threshold < abi::kNoSpillThreshold;  // LLPC writes 0xffffffff for none
  if (limit && (*limit == 0 || *limit > kUserDataEntryLimit)) {
    report.error(
        "user_data_limit", ".user_data_limit",
        "the value is " + std::to_string(*limit) + ", but must be 1 to " + std::to_string(kUserDataEntryLimit));
  }
  if (limit && used.entries > *limit) {
    report.error(
        "user_data_limit", ".user_data_limit",
        "entry " + std::to_string(used.entries - 1) + " is mapped, but the limit is " + std::to_string(*limit));
  }
  if (spills && !used.spill_table) {
    report.error("spill_table", ".spill_threshold",
                 "entries from " + std::to_string(threshold) + " on are spilled, but no stage maps SpillTable");
  }
  if (!spills && used.spill_table) {
    report.error("spill_table", ".spill_threshold", "a stage maps SpillTable, but nothing is spilled");
  }
  if (spills && limit && threshold >= *limit) {
    report.error(
        "spill_threshold", ".spill_threshold",
        "the first spilled entry is " + std::to_string(threshold) + ", but the limit is " + std::to_string(*limit));
  }
}

}  // namespace

void check_user_data(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  for (const StageFacts& stage : facts.stages) {
    check_positions(stage, report);
    check_codes(stage, target, report);
    check_count(stage, target, report);
    check_repeats(stage, target, report);
  }
  check_repeats_in_pipeline(facts, report);
  check_limits(facts, report);
}

}  // namespace spalt::metadata
