// SPDX-License-Identifier: MIT
#include "sample.h"

#include <gtest/gtest.h>

#include <cstring>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/register_fields.h"

namespace spalt::object {

StageObject sample() {
  StageObject shader;
  shader.target_name = "gfx1030";
  const uint32_t words[] = {0x7e000280, 0xbf810000};  // v_mov_b32 v0, 0; s_endpgm
  shader.code.resize(sizeof words);
  std::memcpy(shader.code.data(), words, sizeof words);
  shader.wave_size = 32;
  shader.vgpr_count = 17;
  shader.sgpr_count = 21;
  shader.lds_bytes = 1300;
  shader.scratch_bytes_per_lane = 48;
  shader.scratch_en = true;
  shader.threadgroup_dims = {8, 4, 2};
  shader.user_sgprs = 5;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 3;
  shader.user_data_reg_map[2] = abi::kWorkgroup;
  shader.user_data_reg_map[3] = abi::kWorkgroup;
  shader.user_data_reg_map[4] = abi::kSpillTable;
  shader.spill_threshold = 7;
  shader.user_data_limit = 12;
  shader.float_mode = 0xf5;
  shader.wgp_mode = true;
  shader.tgid_z_en = false;
  shader.tg_size_en = true;
  shader.tidig_comp_cnt = 2;
  shader.uses_uavs = true;
  shader.pipeline_hash = {0x123456789abcdef0u, 0x0fedcba987654321u};
  shader.api_shader_hash = {5, 6};
  return shader;
}

namespace {

StageObject sample_stage(const char* target, uint32_t wave_size, abi::HardwareStage stage) {
  StageObject shader;
  shader.hardware_stage = stage;
  shader.target_name = target;
  shader.entry_symbol = entry_symbol_of(stage);
  shader.code.resize(4, 0);
  shader.wave_size = wave_size;
  shader.vgpr_count = 12;
  shader.sgpr_count = 20;
  shader.dx10_clamp = isa::find_target(target)->has_clamp_mode;
  shader.mem_ordered = isa::find_target(target)->has_mem_ordered;
  shader.pipeline_hash = {3, 4};
  return shader;
}

}  // namespace

StageObject sample_vertex(const char* target, uint32_t wave_size) {
  const isa::Target& facts = *isa::find_target(target);
  const bool legacy = find_stage_registers(abi::HardwareStage::vs, facts) != nullptr;
  StageObject shader = sample_stage(target, wave_size, legacy ? abi::HardwareStage::vs : abi::HardwareStage::gs);
  abi::VertexOutputs outputs;
  outputs.parameters = {{abi::ParameterKind::location, 0}, {abi::ParameterKind::location, 1}};
  shader.facts = outputs;
  shader.vertex_vgpr_comp_cnt = 3;
  shader.primitive_vgpr_comp_cnt = legacy ? 0 : 1;
  shader.user_sgprs = 5;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 0;
  shader.user_data_reg_map[2] = abi::kVertexBufferTable;
  shader.user_data_reg_map[3] = abi::kBaseVertex;
  shader.user_data_reg_map[4] = abi::kBaseInstance;
  return shader;
}

StageObject sample_pixel(const char* target, uint32_t wave_size) {
  StageObject shader = sample_stage(target, wave_size, abi::HardwareStage::ps);
  abi::PixelFacts pixel;
  pixel.inputs = 1u << abi::kPerspCenter;
  pixel.parameters = {{{abi::ParameterKind::location, 0}}, {{abi::ParameterKind::location, 1}}};
  pixel.color_formats[0] = abi::ExportFormat::fp16;
  pixel.color_masks[0] = 0xf;
  shader.facts = pixel;
  shader.user_sgprs = 16;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 1;
  shader.user_data_limit = 2;
  return shader;
}

std::vector<uint8_t> written(const StageObject& shader, MetadataVersion version) {
  return linked({&shader, 1}, version);
}

std::vector<uint8_t> linked(std::span<const StageObject> stages, MetadataVersion version) {
  const Result<Bytes> elf = link_stages(stages, version);
  EXPECT_TRUE(elf.ok()) << (elf.ok() ? "" : elf.error().message);
  return elf.ok() ? std::vector<uint8_t>(elf->begin(), elf->end()) : std::vector<uint8_t>();
}

}  // namespace spalt::object
