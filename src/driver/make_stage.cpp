// SPDX-License-Identifier: MIT
#include "driver/make_stage.h"

#include <xxhash.h>

#include <algorithm>

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/abi/vertex_interface.h"
#include "amdgpu/isa/generation_set.h"
#include "amdgpu/isa/occupancy.h"
#include "amdgpu/object/stage_bytes.h"

namespace spalt::driver {
namespace {

bool writes_buffers(const mir::Function& function) {
  for (mir::BlockId block : function.layout) {
    for (mir::InstId id : function.blocks[block].insts) {
      if ((function.insts[id].memory & mir::kWritesBuffer) != 0) return true;
    }
  }
  return false;
}

/// Whether the shader writes buffers. Instructions of graphics stages do so for outputs as well, which do not count.
bool writes_memory(const mir::Function& function, const abi::StageInterface& interface) {
  if (const auto* outputs = std::get_if<abi::VertexOutputs>(&interface.facts)) return outputs->writes_memory;
  if (const auto* pixel = std::get_if<abi::PixelFacts>(&interface.facts)) return pixel->writes_memory;
  return writes_buffers(function);
}

/// What a compute shader has besides.
void add_compute_facts(const ir::ComputeFacts& facts, const abi::StageInterface& interface,
                       object::StageObject& stage) {
  stage.threadgroup_dims = facts.workgroup_size;
  stage.tgid_x_en = interface.has(abi::EntryRole::workgroup_id_x);
  stage.tgid_y_en = interface.has(abi::EntryRole::workgroup_id_y);
  stage.tgid_z_en = interface.has(abi::EntryRole::workgroup_id_z);
  stage.tidig_comp_cnt = abi::local_id_components(interface) - 1;
}

/// GS_VGPR_COMP_CNT of primitive shaders at least: what LLPC loads, although the first register would do.
struct LeastPrimitiveRegisters {
  isa::GenerationSet generations;
  uint32_t count;
};
constexpr LeastPrimitiveRegisters kLeastPrimitiveRegisters[] = {{isa::kGfx10To11, 1}, {isa::kGfx12, 0}};

/// The first of the system VGPRs that are about the vertex.
uint32_t first_vertex_register(abi::HardwareStage stage, const isa::Target& target) {
  return stage == abi::HardwareStage::gs ? abi::vertex_hardware(target).merged_vertex_id : 0;
}

/// How far the register is from the first one; 0 when the program does without.
uint32_t distance(const abi::StageInterface& interface, abi::EntryRole role, uint32_t first) {
  return interface.has(role) ? interface.field(role).reg.vgpr_index() - first : 0;
}

object::PrimitiveShape shape_of(const abi::GraphicsState& state) {
  if (state.has_points()) return object::PrimitiveShape::points;
  return state.has_lines() ? object::PrimitiveShape::lines : object::PrimitiveShape::triangles;
}

void add_vertex_facts(const abi::StageInterface& interface, const isa::Target& target, const abi::GraphicsState& state,
                      object::StageObject& stage) {
  stage.primitive_shape = shape_of(state);
  stage.rasterizer_discard = state.rasterizer_discard;
  const uint32_t first = first_vertex_register(interface.hardware_stage, target);
  stage.vertex_vgpr_comp_cnt = distance(interface, abi::EntryRole::instance_id, first);
  const uint32_t primitive = distance(interface, abi::EntryRole::primitive_id, 0);
  if (interface.hardware_stage == abi::HardwareStage::vs) {
    stage.vertex_vgpr_comp_cnt = std::max(stage.vertex_vgpr_comp_cnt, primitive);
    return;
  }
  stage.subgroup_vertices = abi::kSubgroupVertices;
  for (const LeastPrimitiveRegisters& row : kLeastPrimitiveRegisters) {
    if (row.generations.has(target.generation)) stage.primitive_vgpr_comp_cnt = std::max(primitive, row.count);
  }
}

/// The hardware loads all system registers of a wave, whether the code reads them or not.
uint32_t loaded_vgprs(const object::StageObject& stage) {
  if (const auto* pixel = std::get_if<abi::PixelFacts>(&stage.facts)) {
    uint32_t count = 0;
    for (unsigned i = 0; i < abi::kPixelInputs; ++i) {
      if ((pixel->inputs >> i & 1) != 0) count += abi::pixel_input_registers(i);
    }
    return count;
  }
  if (!std::holds_alternative<abi::VertexOutputs>(stage.facts)) return 0;
  return first_vertex_register(stage.hardware_stage, *isa::find_target(stage.target_name)) +
         stage.vertex_vgpr_comp_cnt + 1;
}

abi::Part part_of(const GraphicsPipelineFacts& graphics) {
  if (std::holds_alternative<abi::VertexSeam>(graphics.piece)) return abi::Part::prolog;
  if (std::holds_alternative<abi::PixelSeam>(graphics.piece)) return abi::Part::epilog;
  return graphics.body_only ? abi::Part::body : abi::Part::whole;
}

/// Stages with the same code may differ in what registers say.
void hash_facts(object::StageObject& stage, Arena& arena) {
  const object::Bytes bytes = object::write_stage(stage, &arena);
  const uint64_t hash = XXH64(bytes.data(), bytes.size(), 0) | 1;
  stage.pipeline_hash = {hash, hash};
}

}  // namespace

object::StageObject make_stage(const ir::Module& module, const mir::Function& function,
                               const abi::StageInterface& interface, const encode::Program& program,
                               const Options& options, Arena& arena) {
  object::StageObject stage(&arena);
  stage.target_name = function.target.name;
  stage.hardware_stage = interface.hardware_stage;
  stage.entry_symbol = object::entry_symbol_of(interface.hardware_stage);
  stage.facts = interface.facts;
  stage.code.append({reinterpret_cast<const uint8_t*>(program.words.data()), size_t{program.words.size()} * 4});
  static_assert(object::kTableAlignment % ir::kTableAlignment == 0);
  stage.tables.append({module.tables.data(), module.tables.size()});
  if (program.tables) {
    object::Relocation relocation;
    relocation.offset = program.tables->at * 4;
    relocation.stage = stage.hardware_stage;
    relocation.addend = static_cast<int32_t>((program.tables->at - program.tables->from) * 4);
    relocation.kind = object::RelocationKind::tables;
    stage.relocations.push_back(relocation);
  }
  stage.wave_size = function.wave_size;
  stage.sgpr_count = function.facts.sgpr_count;
  stage.vgpr_count = function.facts.vgpr_count;
  stage.sgpr_limit = function.target.sgpr_count;
  stage.vgpr_limit = function.target.vgpr_limit;
  stage.lds_bytes = module.shared_bytes;
  stage.scratch_bytes_per_lane = function.facts.scratch_bytes;
  stage.scratch_en = function.facts.scratch_bytes != 0;
  stage.user_sgprs = interface.user_sgpr_count;
  stage.user_data_reg_map = interface.user_data;
  stage.spill_threshold = interface.spill_threshold;
  stage.user_data_limit = std::max<uint32_t>(interface.user_data_limit, 1);
  stage.float_mode = module.float_mode;
  stage.wgp_mode = options.wgp_mode;
  stage.mem_ordered = function.target.has_mem_ordered;
  stage.dx10_clamp = function.target.has_clamp_mode;
  stage.uses_uavs = stage.writes_uavs = writes_memory(function, interface);
  // Loaders key caches with the hash and expect it not to be zero.
  uint64_t hash = XXH64(stage.code.data(), stage.code.size(), stage.wave_size);
  if (!stage.tables.empty()) hash = XXH64(stage.tables.data(), stage.tables.size(), hash);
  hash |= 1;
  stage.pipeline_hash = {hash, hash};
  stage.api_shader_hash = {hash, hash};
  stage.instruction_count = program.instruction_count;
  stage.spilled_sgprs = function.facts.spilled_sgprs;
  stage.spilled_vgprs = function.facts.spilled_vgprs;
  switch (module.shader_stage()) {
    case ir::ShaderStage::compute:
      add_compute_facts(module.compute(), interface, stage);
      break;
    case ir::ShaderStage::vertex:
      add_vertex_facts(interface, function.target, options.graphics()->state, stage);
      break;
    case ir::ShaderStage::fragment:
      stage.alpha_to_coverage = options.graphics()->state.alpha_to_coverage;
      break;
  }
  stage.vgpr_count = std::max(stage.vgpr_count, loaded_vgprs(stage));
  if (const GraphicsPipelineFacts* graphics = options.graphics()) {
    stage.part = part_of(*graphics);
    stage.seam = interface.seam;
    hash_facts(stage, arena);
  }
  return stage;
}

Statistics statistics_of(const object::StageObject& stage) {
  Statistics s;
  s.instructions = stage.instruction_count;
  s.code_bytes = static_cast<uint32_t>(stage.code.size());
  s.sgprs = stage.sgpr_count;
  s.vgprs = stage.vgpr_count;
  s.spilled_sgprs = stage.spilled_sgprs;
  s.spilled_vgprs = stage.spilled_vgprs;
  s.lds_bytes = stage.lds_bytes;
  s.scratch_bytes = stage.scratch_bytes_per_lane;
  s.wave_size = stage.wave_size;
  s.workgroup_size = stage.threadgroup_dims;
  const isa::Target& target = *isa::find_target(stage.target_name);
  s.waves_per_simd = isa::waves_per_simd(target, {s.wave_size, stage.wgp_mode, s.sgprs, s.vgprs, s.lds_bytes,
                                                  s.workgroup_size[0] * s.workgroup_size[1] * s.workgroup_size[2]});
  return s;
}

}  // namespace spalt::driver
