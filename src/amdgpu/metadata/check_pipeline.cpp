// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/metadata/checks.h"
#include "amdgpu/metadata/structure.h"

namespace spalt::metadata {
namespace {

using object::Object;

void check_version(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  const std::string version = std::to_string(facts.major);
  if (facts.major != 2 && facts.major != 3) {
    report.error("version", "amdpal.version", "version " + version + " is not known, only 2 and 3 are");
  } else if (facts.major < target.min_metadata_major || facts.major > target.max_metadata_major) {
    report.error("version", "amdpal.version",
                 "loaders for " + std::string(target.name) + " do not read version " + version);
  }
}

void check_stages(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  for (const StageFacts& stage : facts.stages) {
    // A stage that stands alone has user-data registers of its own: LS and ES run merged into HS and GS since GFX9, and
    // a hardware VS ends with GFX10.
    if (user_data_registers(stage.stage, target.generation).count == 0) {
      report.error("stage_exists", stage.path, std::string(target.name) + " has no such hardware stage");
    }
  }
  const bool has_functions = object::is_map(facts.functions);
  if (facts.stages.empty() && !has_functions) {
    report.error("no_program", ".hardware_stages", "there is neither a hardware stage nor a shader function");
  }
  const bool compute_type = facts.type == "Cs";
  const bool mesh_type = facts.type == "TaskMesh";
  for (const StageFacts& stage : facts.stages) {
    const bool compute_stage = stage.stage == Stage::cs;
    if (facts.type.empty() || mesh_type || compute_stage == compute_type) continue;
    report.error("type_stage", stage.path,
                 "a pipeline of type \"" + std::string(facts.type) + "\" has no such hardware stage");
  }
  if (compute_type && facts.find(Stage::cs) == nullptr && !has_functions) {
    report.error("type_stage", ".type", "the type is \"Cs\", but there is no \".cs\" hardware stage");
  }
}

/// Version 3 has the registers by name.
void check_register_maps(const PipelineFacts& facts, Report& report) {
  if (facts.major != 3) return;
  const auto graphics = [](const StageFacts& stage) { return stage.stage != Stage::cs; };
  if (facts.find(Stage::cs) != nullptr && !object::is_map(facts.compute)) {
    report.error("register_map", ".compute_registers", "a compute stage needs it in version 3");
  }
  if (std::any_of(facts.stages.begin(), facts.stages.end(), graphics) && !object::is_map(facts.graphics)) {
    report.error("register_map", ".graphics_registers", "graphics stages need it in version 3");
  }
}

void check_hash(const Object* hash, const std::string& path, Report& report) {
  if (!object::is_array(hash)) return;
  for (uint32_t i = 0; i < hash->via.array.size; ++i) {
    uint64_t value = 0;
    if (!whole_number(&hash->via.array.ptr[i], value) || value != 0) return;
  }
  report.error("zero_hash", path, "the hash is 0");
}

void check_shaders(const PipelineFacts& facts, Report& report) {
  check_hash(object::find(facts.pipeline, ".internal_pipeline_hash"), ".internal_pipeline_hash", report);
  const Object* shaders = object::find(facts.pipeline, ".shaders");
  if (!object::is_map(shaders)) return;
  for (uint32_t i = 0; i < shaders->via.map.size && !report.full(); ++i) {
    const auto& entry = shaders->via.map.ptr[i];
    if (!object::is_map(&entry.val)) continue;
    const std::string path = ".shaders/" + std::string(object::text_of(&entry.key).substr(0, 16));
    check_hash(object::find(&entry.val, ".api_shader_hash"), path + "/.api_shader_hash", report);
    const Object* mapping = object::find(&entry.val, ".hardware_mapping");
    if (!object::is_array(mapping)) continue;
    for (uint32_t k = 0; k < std::min(mapping->via.array.size, kStageCount); ++k) {
      const auto* name =
          std::find(std::begin(kStageNames), std::end(kStageNames), object::text_of(&mapping->via.array.ptr[k]));
      if (name == std::end(kStageNames)) continue;
      if (facts.find(static_cast<Stage>(name - std::begin(kStageNames))) != nullptr) continue;
      report.error("hardware_mapping", path + "/.hardware_mapping",
                   "the hardware stage \"" + std::string(*name) + "\" is not described");
    }
  }
}

/// What loaders that read both versions, and so convert version 2 to 3, want of graphics pipelines (2.7).
constexpr std::string_view kNeededRegisters[] = {
    "VGT_SHADER_STAGES_EN", "PA_CL_CLIP_CNTL",    "PA_CL_VTE_CNTL",       "PA_SU_VTX_CNTL", "PA_SC_MODE_CNTL_1",
    "VGT_REUSE_OFF",        "SPI_PS_IN_CONTROL",  "DB_SHADER_CONTROL",    "SPI_BARYC_CNTL", "SPI_PS_INPUT_ADDR",
    "SPI_PS_INPUT_ENA",     "VGT_PRIMITIVEID_EN", "PA_SC_SHADER_CONTROL", "PA_SC_AA_CONFIG"};

void check_needed_registers(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  const bool converts = target.min_metadata_major == 2 && target.max_metadata_major == 3;
  if (facts.major != 2 || !converts || facts.find(Stage::ps) == nullptr) return;
  for (std::string_view name : kNeededRegisters) {
    if (find_register(name, target.generation) == nullptr || facts.raw_register(name, target.generation)) continue;
    report.error("needed_register", ".registers",
                 "loaders for " + std::string(target.name) + " need " + std::string(name) + " of a graphics pipeline");
  }
}

}  // namespace

void check_pipeline(const PipelineFacts& facts, const isa::Target& target, Report& report) {
  check_version(facts, target, report);
  check_stages(facts, target, report);
  check_register_maps(facts, report);
  check_shaders(facts, report);
  check_needed_registers(facts, target, report);
}

}  // namespace spalt::metadata
