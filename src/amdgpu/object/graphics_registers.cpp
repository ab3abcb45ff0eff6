// SPDX-License-Identifier: MIT
// Between what the compiler knows of graphics stages and what graphics registers say. The values are those of the PAL
// pipeline ABI, 4.4 to 4.6, and of Vulkan drivers; the places of the bits are in graphics_fields.def.
#include "amdgpu/object/graphics_registers.h"

#include <algorithm>

namespace spalt::object {
namespace {

using namespace isa;
using F = GraphicsField;
using abi::ExportFormat;
using abi::HardwareStage;

constexpr StageSet VS = stages(HardwareStage::vs), GS = stages(HardwareStage::gs),
                   ANY = stages(HardwareStage::vs, HardwareStage::gs);

constexpr GraphicsFieldRow kFields[] = {
#define FIELD(id, map, key, kind, reg, low, width, pipelines, generations) \
  {F::id, map, key, GraphicsKind::kind, GraphicsRegister::reg, low, width, pipelines, generations},
#define PARAMETER(member, key, kind, low, width, generations)
#include "amdgpu/object/graphics_fields.def"
#undef PARAMETER
#undef FIELD
};

template <auto Member>
uint32_t get(const ParameterSource& source) {
  return static_cast<uint32_t>(source.*Member);
}
template <auto Member>
void set(ParameterSource& source, uint32_t value) {
  source.*Member = static_cast<std::remove_reference_t<decltype(source.*Member)>>(value);
}

constexpr ParameterFieldRow kParameterFields[] = {
#define FIELD(id, map, key, kind, reg, low, width, pipelines, generations)
#define PARAMETER(member, key, kind, low, width, generations) \
  {key, GraphicsKind::kind, low, width, generations, get<&ParameterSource::member>, set<&ParameterSource::member>},
#include "amdgpu/object/graphics_fields.def"
#undef PARAMETER
#undef FIELD
};

struct OffsetRow {
  GenerationSet generations;
  uint32_t offset;
};
/// Two rows for each register.
constexpr OffsetRow kOffsets[] = {
    {kGfx9To10, 0}, {kGfx11, 0},  // NONE
#define REGISTER(name, gfx10, gfx11) {kGfx9To10, gfx10}, {kGfx11, gfx11},
#include "amdgpu/object/graphics_register_offsets.def"
#undef REGISTER
};

constexpr std::string_view kPrimitives[] = {"PointList", "LineStrip", "TriStrip"};
constexpr std::string_view kSprites[] = {"Zero", "One", "S", "T", "None"};
constexpr std::string_view kCoverages[] = {"InputCoverage", "InputInnerCoverage", "InputDepthCoverage", "Raw"};

// Values of fields.
constexpr uint32_t kEsIsVertexShader = 2, kPrimitiveGroupsInWave = 2, kThreadsPerSubgroup = 256;
constexpr uint32_t kFourComponents = 4, kOneComponent = 1;  // of position and index exports
constexpr uint32_t kRoundToEven = 2, kSubpixels256 = 5;     // of PA_SU_VTX_CNTL
constexpr uint32_t kSpriteZero = 0, kSpriteOne = 1, kSpriteS = 2, kSpriteT = 3;
constexpr uint32_t kPositionAtSample = 2;
constexpr uint32_t kLateZ = 0, kEarlyZThenLateZ = 1;

F after(F first, unsigned index) {
  return static_cast<F>(static_cast<unsigned>(first) + index);
}

void set_outputs(GraphicsRegisters& r, const abi::VertexOutputs& outputs) {
  r[F::spi_vs_out_config_vs_export_count] = std::max<uint32_t>(outputs.parameters.size(), 1) - 1;
  r[F::spi_vs_out_config_no_pc_export] = outputs.parameters.empty();
  for (unsigned i = 0; i < outputs.position_vectors(); ++i) r[after(F::spi_shader_pos_format_0, i)] = kFourComponents;
  const unsigned distances = outputs.clip_distances + outputs.cull_distances;
  // Points are tested by the bits of cull distances alone.
  for (unsigned i = 0; i < distances; ++i) {
    r[after(F::pa_cl_vs_out_cntl_clip_dist_ena_0, i)] = i < outputs.clip_distances;
    r[after(F::pa_cl_vs_out_cntl_cull_dist_ena_0, i)] = 1;
  }
  r[F::pa_cl_vs_out_cntl_use_vtx_point_size] = outputs.point_size;
  r[F::pa_cl_vs_out_cntl_use_vtx_render_target_indx] = outputs.layer;
  r[F::pa_cl_vs_out_cntl_use_vtx_viewport_indx] = outputs.viewport_index;
  r[F::pa_cl_vs_out_cntl_vs_out_misc_vec_ena] = outputs.has_misc_vector();
  r[F::pa_cl_vs_out_cntl_vs_out_cc_dist0_vec_ena] = outputs.distance_vectors() > 0;
  r[F::pa_cl_vs_out_cntl_vs_out_cc_dist1_vec_ena] = outputs.distance_vectors() > 1;
  r[F::side_bus_for_misc] = outputs.has_misc_vector();
  r[F::side_bus_for_all] = outputs.position_vectors() > 1;
  r[F::vgt_reuse_off] = outputs.viewport_index;
  r[F::vgt_primitive_id_en] = outputs.primitive_id;
  r[F::ngg_disable_provok_reuse] = outputs.primitive_id;
}

/// What is the same in all pipelines.
void set_transformation(GraphicsRegisters& r) {
  r[F::pa_cl_clip_cntl_dx_linear_attr_clip_ena] = 1;
  for (F field : {F::pa_cl_vte_cntl_x_scale_ena, F::pa_cl_vte_cntl_x_offset_ena, F::pa_cl_vte_cntl_y_scale_ena,
                  F::pa_cl_vte_cntl_y_offset_ena, F::pa_cl_vte_cntl_z_scale_ena, F::pa_cl_vte_cntl_z_offset_ena,
                  F::pa_cl_vte_cntl_vtx_w0_fmt}) {
    r[field] = 1;
  }
  r[F::pa_su_vtx_cntl_pix_center] = 1;
  r[F::pa_su_vtx_cntl_round_mode] = kRoundToEven;
  r[F::pa_su_vtx_cntl_quant_mode] = kSubpixels256;
}

/// A primitive shader that passes primitives through. Fields of pipelines that have none are not written.
void set_stages(GraphicsRegisters& r, const StageObject& vertex) {
  r[F::vgt_shader_stages_en_es_stage_en] = kEsIsVertexShader;
  r[F::vgt_shader_stages_en_max_primgroup_in_wave] = kPrimitiveGroupsInWave;
  r[F::vgt_shader_stages_en_primgen_en] = 1;
  r[F::vgt_shader_stages_en_primgen_passthru_en] = 1;
  r[F::vgt_shader_stages_en_primgen_passthru_no_msg] = 1;
  r[F::gs_w32_en] = r[F::vs_w32_en] = vertex.wave_size == 32;
  r[F::spi_shader_idx_format] = kOneComponent;
  r[F::vgt_gs_onchip_cntl_es_verts_per_subgroup] = vertex.subgroup_vertices;
  r[F::vgt_gs_onchip_cntl_gs_prims_per_subgroup] = vertex.subgroup_primitives;
  r[F::vgt_gs_onchip_cntl_gs_inst_prims_per_subgrp] = vertex.subgroup_primitives;
  r[F::ge_ngg_subgrp_cntl_prim_amp_factor] = 1;
  r[F::ge_ngg_subgrp_cntl_threads_per_subgroup] = kThreadsPerSubgroup;
  r[F::max_verts_per_subgroup] = vertex.subgroup_vertices;
  r[F::vgt_gs_max_vert_out] = 1;
  r[F::vgt_esgs_ring_itemsize] = 1;
  r[F::vgt_gs_out_prim_type_outprim_type] = static_cast<uint32_t>(vertex.primitive_shape);
}

ParameterSource source_of(const abi::PixelParameter& input, const abi::VertexOutputs* outputs, unsigned index) {
  ParameterSource source;
  source.slot = static_cast<uint8_t>(index);
  if (outputs != nullptr) {
    const auto* at = std::find(outputs->parameters.begin(), outputs->parameters.end(), input.parameter);
    source.slot = at == outputs->parameters.end() ? ParameterSource::kDefault
                                                  : static_cast<uint8_t>(at - outputs->parameters.begin());
  }
  source.point_coord = input.parameter.kind == abi::ParameterKind::point_coord;
  if (source.point_coord) source.slot = ParameterSource::kDefault;
  // Together with the default, flat means another thing: the values of all three vertices.
  source.flat = input.flat && source.slot != ParameterSource::kDefault;
  source.half = input.half && !source.flat;
  if (input.per_vertex && source.flat) source.slot |= ParameterSource::kAllVertices;
  return source;
}

void set_pixel_inputs(GraphicsRegisters& r, const abi::PixelFacts& facts, const abi::VertexOutputs* outputs) {
  for (unsigned i = 0; i < abi::kPixelInputs; ++i) {
    const uint32_t loaded = facts.inputs >> i & 1;
    r[after(F::spi_ps_input_ena_persp_sample_ena, i)] = r[after(F::spi_ps_input_addr_persp_sample_ena, i)] = loaded;
  }
  r[F::spi_baryc_cntl_pos_float_location] = facts.position_at_sample ? kPositionAtSample : 0;
  r[F::spi_baryc_cntl_front_face_all_bits] = 1;
  r[F::flat_shade_ena] = 1;
  r[F::spi_ps_in_control_num_interps] = facts.parameters.size();
  for (unsigned i = 0; i < facts.parameters.size(); ++i) {
    r.sources.push_back(source_of(facts.parameters[i], outputs, i));
    if (!r.sources.back().point_coord) continue;
    r[F::spi_interp_control_point_sprite_ena] = 1;
    r[F::spi_interp_control_point_sprite_override_x] = kSpriteS;
    r[F::spi_interp_control_point_sprite_override_y] = kSpriteT;
    r[F::spi_interp_control_point_sprite_override_z] = kSpriteZero;
    r[F::spi_interp_control_point_sprite_override_w] = kSpriteOne;
  }
  // Loaders expect one.
  if (r.sources.empty()) r.sources.push_back({});
}

/// Targets without a format are not exported, and those that are exported follow each other.
void set_colors(GraphicsRegisters& r, const abi::PixelFacts& facts) {
  unsigned exported = 0;
  for (unsigned i = 0; i < facts.color_formats.size(); ++i) {
    if (facts.color_formats[i] == ExportFormat::none) continue;
    r[after(F::spi_shader_col_format_col_0_export_format, exported++)] = static_cast<uint32_t>(facts.color_formats[i]);
    r[after(F::cb_shader_mask_output0_enable, i)] = facts.color_masks[i];
  }
  if (!facts.dummy_export || exported != 0) return;
  r[F::spi_shader_col_format_col_0_export_format] = static_cast<uint32_t>(ExportFormat::r32);
  r[F::cb_shader_mask_output0_enable] = 1;
}

void set_tests(GraphicsRegisters& r, const StageObject& pixel, const abi::PixelFacts& facts) {
  r[F::spi_shader_z_format] = static_cast<uint32_t>(facts.depth_format);
  r[F::db_shader_control_z_export_enable] = facts.writes_depth;
  r[F::db_shader_control_stencil_test_val_export_enable] = facts.writes_stencil;
  r[F::db_shader_control_mask_export_enable] = facts.writes_sample_mask;
  r[F::db_shader_control_z_order] = facts.writes_memory && !facts.early_tests ? kLateZ : kEarlyZThenLateZ;
  r[F::db_shader_control_kill_enable] = facts.kills || pixel.alpha_to_coverage;
  r[F::db_shader_control_exec_on_hier_fail] = facts.writes_memory;
  r[F::db_shader_control_exec_on_noop] = facts.writes_memory;
  r[F::db_shader_control_alpha_to_mask_disable] = 1;
  r[F::db_shader_control_depth_before_shader] = facts.early_tests;
  r[F::db_shader_control_conservative_z_export] = facts.conservative_depth;
  r[F::db_shader_control_pre_shader_depth_coverage_enable] = facts.post_depth_coverage;
  r[F::ps_iter_sample] = facts.per_sample;
  r[F::ps_w32_en] = pixel.wave_size == 32;
}

unsigned count(const GraphicsRegisters& r, F first, unsigned most) {
  unsigned number = 0;
  for (unsigned i = 0; i < most; ++i) number += r[after(first, i)] != 0 ? 1 : 0;
  return number;
}

abi::VertexOutputs outputs_of(const GraphicsRegisters& r) {
  abi::VertexOutputs outputs;
  const bool none = r[F::spi_vs_out_config_no_pc_export] != 0;
  const uint32_t parameters = none ? 0 : std::min(r[F::spi_vs_out_config_vs_export_count] + 1, abi::kMaxParameters);
  for (uint32_t i = 0; i < parameters; ++i) {
    outputs.parameters.push_back({abi::ParameterKind::location, static_cast<uint8_t>(i)});
  }
  outputs.point_size = r[F::pa_cl_vs_out_cntl_use_vtx_point_size] != 0;
  outputs.layer = r[F::pa_cl_vs_out_cntl_use_vtx_render_target_indx] != 0;
  outputs.viewport_index = r[F::pa_cl_vs_out_cntl_use_vtx_viewport_indx] != 0;
  constexpr unsigned kDistances = 8;
  const unsigned clip = count(r, F::pa_cl_vs_out_cntl_clip_dist_ena_0, kDistances);
  const unsigned all = std::max(clip, count(r, F::pa_cl_vs_out_cntl_cull_dist_ena_0, kDistances));
  outputs.clip_distances = static_cast<uint8_t>(clip);
  outputs.cull_distances = static_cast<uint8_t>(all - clip);
  outputs.primitive_id = r[F::vgt_primitive_id_en] != 0 || r[F::ngg_disable_provok_reuse] != 0;
  return outputs;
}

abi::PixelParameter parameter_of(const ParameterSource& source) {
  abi::PixelParameter parameter;
  parameter.parameter.kind = source.point_coord ? abi::ParameterKind::point_coord : abi::ParameterKind::location;
  parameter.parameter.number = source.point_coord ? uint8_t{0} : source.slot;
  parameter.flat = source.flat;
  parameter.per_vertex = source.has_all_vertices();
  if (parameter.per_vertex) parameter.parameter.number &= static_cast<uint8_t>(~ParameterSource::kAllVertices);
  parameter.half = source.half;
  return parameter;
}

void read_colors(const GraphicsRegisters& r, abi::PixelFacts& facts) {
  unsigned exported = 0;
  for (unsigned i = 0; i < facts.color_formats.size(); ++i) {
    facts.color_masks[i] = static_cast<uint8_t>(r[after(F::cb_shader_mask_output0_enable, i)] & 0xf);
    if (facts.color_masks[i] == 0) continue;
    const uint32_t format = r[after(F::spi_shader_col_format_col_0_export_format, exported++)];
    facts.color_formats[i] = static_cast<ExportFormat>(std::min(format, static_cast<uint32_t>(ExportFormat::abgr32)));
  }
}

abi::PixelFacts pixel_facts_of(const GraphicsRegisters& r) {
  abi::PixelFacts facts;
  for (unsigned i = 0; i < abi::kPixelInputs; ++i) {
    if (r[after(F::spi_ps_input_ena_persp_sample_ena, i)] != 0)
      facts.inputs = static_cast<uint16_t>(facts.inputs | 1u << i);
  }
  const uint32_t parameters = std::min<uint32_t>(r[F::spi_ps_in_control_num_interps], r.sources.size());
  for (uint32_t i = 0; i < parameters; ++i) facts.parameters.push_back(parameter_of(r.sources[i]));
  read_colors(r, facts);
  facts.depth_format =
      static_cast<ExportFormat>(std::min(r[F::spi_shader_z_format], static_cast<uint32_t>(ExportFormat::abgr32)));
  facts.writes_depth = r[F::db_shader_control_z_export_enable] != 0;
  facts.writes_stencil = r[F::db_shader_control_stencil_test_val_export_enable] != 0;
  facts.writes_sample_mask = r[F::db_shader_control_mask_export_enable] != 0;
  facts.kills = r[F::db_shader_control_kill_enable] != 0;
  facts.early_tests = r[F::db_shader_control_depth_before_shader] != 0;
  facts.post_depth_coverage = r[F::db_shader_control_pre_shader_depth_coverage_enable] != 0;
  facts.conservative_depth = static_cast<uint8_t>(r[F::db_shader_control_conservative_z_export]);
  facts.writes_memory = r[F::db_shader_control_exec_on_hier_fail] != 0 || r[F::db_shader_control_exec_on_noop] != 0;
  facts.per_sample = r[F::ps_iter_sample] != 0;
  facts.position_at_sample = r[F::spi_baryc_cntl_pos_float_location] == kPositionAtSample;
  return facts;
}

}  // namespace

std::span<const std::string_view> names_of(GraphicsKind kind) {
  switch (kind) {
    case GraphicsKind::primitive:
      return kPrimitives;
    case GraphicsKind::sprite:
      return kSprites;
    case GraphicsKind::coverage:
      return kCoverages;
    case GraphicsKind::flag:
    case GraphicsKind::number:
    case GraphicsKind::element:
      break;
  }
  return {};
}

uint32_t offset_of(GraphicsRegister reg, const isa::Target& target) {
  for (const OffsetRow& row : std::span(kOffsets).subspan(2 * static_cast<size_t>(reg), 2)) {
    if (row.generations.has(target.generation)) return row.offset;
  }
  return 0;
}

std::span<const GraphicsFieldRow> graphics_fields() {
  return kFields;
}
std::span<const ParameterFieldRow> parameter_fields() {
  return kParameterFields;
}

HardwareStage vertex_stage_of(const StageObject* vertex, const isa::Target& target) {
  if (vertex != nullptr) return vertex->hardware_stage;
  return find_stage_registers(HardwareStage::vs, target) != nullptr ? HardwareStage::vs : HardwareStage::gs;
}

GraphicsRegisters describe_graphics(const StageObject* vertex, const StageObject* pixel, const isa::Target& target) {
  GraphicsRegisters r;
  const auto* outputs = vertex != nullptr ? std::get_if<abi::VertexOutputs>(&vertex->facts) : nullptr;
  set_transformation(r);
  set_outputs(r, outputs != nullptr ? *outputs : abi::VertexOutputs());
  if (vertex != nullptr) {
    set_stages(r, *vertex);
    r[F::pa_cl_clip_cntl_rasterization_kill] = vertex->rasterizer_discard;
  } else {
    StageObject nothing;
    nothing.hardware_stage = vertex_stage_of(nullptr, target);
    set_stages(r, nothing);
  }
  const auto* facts = pixel != nullptr ? std::get_if<abi::PixelFacts>(&pixel->facts) : nullptr;
  set_pixel_inputs(r, facts != nullptr ? *facts : abi::PixelFacts(), outputs);
  set_colors(r, facts != nullptr ? *facts : abi::PixelFacts());
  if (facts != nullptr) set_tests(r, *pixel, *facts);
  return r;
}

bool has_gaps(const GraphicsRegisters& r) {
  for (unsigned i = 0; i < abi::kPixelInputs; ++i) {
    const bool loaded = r[after(F::spi_ps_input_ena_persp_sample_ena, i)] != 0;
    if (loaded != (r[after(F::spi_ps_input_addr_persp_sample_ena, i)] != 0)) return true;
  }
  return false;
}

void apply_graphics(const GraphicsRegisters& r, StageObject& stage) {
  switch (stage.hardware_stage) {
    case HardwareStage::cs:
      return;
    case HardwareStage::vs:
    case HardwareStage::gs:
      stage.facts = outputs_of(r);
      stage.rasterizer_discard = r[F::pa_cl_clip_cntl_rasterization_kill] != 0;
      break;
    case HardwareStage::ps:
      stage.facts = pixel_facts_of(r);
      return;
  }
  if (stage.hardware_stage != HardwareStage::gs) return;
  stage.subgroup_vertices = r[F::vgt_gs_onchip_cntl_es_verts_per_subgroup];
  stage.subgroup_primitives = r[F::vgt_gs_onchip_cntl_gs_prims_per_subgroup];
  const uint32_t shape = r[F::vgt_gs_out_prim_type_outprim_type];
  stage.primitive_shape =
      static_cast<PrimitiveShape>(std::min(shape, static_cast<uint32_t>(PrimitiveShape::triangles)));
}

}  // namespace spalt::object
