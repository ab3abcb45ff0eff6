// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/facts.h"

#include <algorithm>

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/metadata/structure.h"

namespace spalt::metadata {
namespace {

using object::Object;

/// The names of a stage's resource registers (docs/abi/pal.md#registers); stages that run merged have none.
struct ResourceRegisters {
  Stage stage;
  std::string_view rsrc1, rsrc2;
};
constexpr ResourceRegisters kResources[] = {
    {Stage::hs, "SPI_SHADER_PGM_RSRC1_HS", "SPI_SHADER_PGM_RSRC2_HS"},
    {Stage::gs, "SPI_SHADER_PGM_RSRC1_GS", "SPI_SHADER_PGM_RSRC2_GS"},
    {Stage::vs, "SPI_SHADER_PGM_RSRC1_VS", "SPI_SHADER_PGM_RSRC2_VS"},
    {Stage::ps, "SPI_SHADER_PGM_RSRC1_PS", "SPI_SHADER_PGM_RSRC2_PS"},
    {Stage::cs, "COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2"},
};
constexpr uint32_t kUserSgprMsb = 32;

void read_named(const Object* map, StageFacts& stage) {
  stage.user_sgprs = number_at(map, ".user_sgprs");
  stage.shared_vgprs = number_at(map, ".shared_vgpr_cnt");
  if (object::find(map, ".scratch_en") != nullptr) stage.scratch_en = flag_at(map, ".scratch_en");
  if (object::find(map, ".wgp_mode") != nullptr) stage.wgp_mode = flag_at(map, ".wgp_mode");
  const Object* codes = object::find(map, ".user_data_reg_map");
  if (!object::is_array(codes)) return;
  stage.user_data_count = static_cast<unsigned>(std::min<size_t>(codes->via.array.size, stage.user_data.size()));
  for (unsigned i = 0; i < stage.user_data_count; ++i) {
    uint64_t value = 0;
    if (whole_number(&codes->via.array.ptr[i], value)) stage.user_data[i] = static_cast<uint32_t>(value);
  }
}

void read_registers(const PipelineFacts& facts, const isa::Target& target, StageFacts& stage) {
  for (const ResourceRegisters& names : kResources) {
    if (names.stage != stage.stage) continue;
    if (const auto value = facts.raw_register(names.rsrc1, target.generation)) {
      const Register& reg = *find_register(names.rsrc1, target.generation);
      stage.vgprs_field = field_of(reg, "VGPRS", *value, target.generation);
      stage.wgp_mode = field_of(reg, "WGP_MODE", *value, target.generation) != 0;
    }
    if (const auto value = facts.raw_register(names.rsrc2, target.generation)) {
      const Register& reg = *find_register(names.rsrc2, target.generation);
      stage.user_sgprs = field_of(reg, "USER_SGPR", *value, target.generation) +
                         kUserSgprMsb * field_of(reg, "USER_SGPR_MSB", *value, target.generation);
      stage.scratch_en = field_of(reg, "SCRATCH_EN", *value, target.generation) != 0;
    }
  }
  const UserDataRegisters user = user_data_registers(stage.stage, target.generation);
  stage.user_data_count = user.count;
  for (unsigned i = 0; i < user.count; ++i) {
    uint32_t value = 0;
    if (object::number32_of(object::find_number(facts.registers, user.first + i), value)) stage.user_data[i] = value;
  }
}

StageFacts read_stage(const Object* map, Stage stage, const PipelineFacts& facts, const isa::Target& target) {
  StageFacts out{};
  out.stage = stage;
  out.path = ".hardware_stages/" + std::string(kStageNames[static_cast<unsigned>(stage)]);
  out.user_data.fill(abi::kNotMapped);
  out.entry_symbol = object::text_of(object::find(map, ".entry_point_symbol"));
  if (out.entry_symbol.empty()) out.entry_symbol = object::text_of(object::find(map, ".entry_point"));
  out.vgpr_count = number_at(map, ".vgpr_count");
  out.sgpr_count = number_at(map, ".sgpr_count");
  out.lds_size = number_at(map, ".lds_size");
  out.scratch_size = number_at(map, ".scratch_memory_size");
  out.wave_size = number_at(map, ".wavefront_size");
  const Object* dimensions = object::find(map, ".threadgroup_dimensions");
  if (object::is_array(dimensions) && dimensions->via.array.size == 3) {
    std::array<uint32_t, 3> values{};
    object::read_array(dimensions, values);
    out.dimensions = values;
  }
  if (facts.major == 2) {
    read_registers(facts, target, out);
  } else {
    read_named(map, out);
  }
  return out;
}

}  // namespace

const StageFacts* PipelineFacts::find(Stage stage) const {
  for (const StageFacts& candidate : stages) {
    if (candidate.stage == stage) return &candidate;
  }
  return nullptr;
}

std::optional<uint32_t> PipelineFacts::raw_register(std::string_view name, isa::Generation generation) const {
  const Register* reg = find_register(name, generation);
  uint32_t value = 0;
  if (reg == nullptr || !object::number32_of(object::find_number(registers, reg->offset), value)) return std::nullopt;
  return value;
}

std::optional<uint32_t> number_at(const Object* map, std::string_view key) {
  uint64_t value = 0;
  if (!whole_number(object::find(map, key), value) || value > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(value);
}

bool flag_at(const Object* map, std::string_view key) {
  return number_at(map, key).value_or(0) != 0;
}

PipelineFacts gather_facts(const Object& root, const isa::Target& target) {
  PipelineFacts facts;
  facts.major = major_version(root);
  const Object* pipelines = object::find(&root, "amdpal.pipelines");
  if (!object::is_array(pipelines) || pipelines->via.array.size == 0) return facts;
  facts.pipeline = &pipelines->via.array.ptr[0];
  if (!object::is_map(facts.pipeline)) {
    facts.pipeline = nullptr;
    return facts;
  }
  facts.type = object::text_of(object::find(facts.pipeline, ".type"));
  facts.registers = object::find(facts.pipeline, ".registers");
  facts.graphics = object::find(facts.pipeline, ".graphics_registers");
  facts.compute = object::find(facts.pipeline, ".compute_registers");
  facts.functions = object::find(facts.pipeline, ".shader_functions");
  const Object* stages = object::find(facts.pipeline, ".hardware_stages");
  for (unsigned i = 0; i < kStageCount; ++i) {
    const Object* map = object::find(stages, kStageNames[i]);
    if (object::is_map(map)) facts.stages.push_back(read_stage(map, static_cast<Stage>(i), facts, target));
  }
  return facts;
}

}  // namespace spalt::metadata
