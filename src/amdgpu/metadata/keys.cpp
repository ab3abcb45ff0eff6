// SPDX-License-Identifier: MIT
// The key tables of docs/abi/pal.md#metadata-keys, and the keys that docs/abi/amdgpu.md#pal-metadata requires.
#include "amdgpu/metadata/keys.h"

#include "amdgpu/metadata/registers.h"

namespace spalt::metadata {
namespace {

using namespace isa;

constexpr std::string_view kPipelineTypes[] = {"VsPs",   "Gs",      "Cs",   "Ngg",     "Tess",
                                               "GsTess", "NggTess", "Mesh", "TaskMesh"};
constexpr std::string_view kShaderSubtypes[] = {"Unknown",    "Traversal", "RayGeneration", "Intersection", "AnyHit",
                                                "ClosestHit", "Miss",      "Callable",      "LaunchKernel"};
constexpr std::string_view kConstantUsages[] = {"LoopIter", "Eq0Float", "Lt0Float", "Gt0Float",
                                                "Eq0Int",   "Lt0Int",   "Gt0Int",   "Other"};

constexpr Key kConstantUsage[] = {
    u32(".buffer_id"), u32(".buffer_index"), u32(".elem"), u8(".chan"), name(".usage", kConstantUsages),
};

constexpr Key kApiShader[] = {
    u64(".api_shader_hash").array(2).needed(),
    Key{.key = ".hardware_mapping", .kind = Kind::stage_names}.array(kStageCount).needed(),
    name(".shader_subtype", kShaderSubtypes),
};
constexpr Key kApiShaders[] = {
    map(".compute", shape<kApiShader>), map(".task", shape<kApiShader>),   map(".vertex", shape<kApiShader>),
    map(".hull", shape<kApiShader>),    map(".domain", shape<kApiShader>), map(".geometry", shape<kApiShader>),
    map(".mesh", shape<kApiShader>),    map(".pixel", shape<kApiShader>),
};

constexpr Key kHardwareStage[] = {
    text(".entry_point_symbol").read_by(kGfx10To12),
    text(".entry_point").read_by(kGfx9To11),
    u32(".vgpr_count"),
    u32(".sgpr_count"),
    u32(".agpr_count"),
    u32(".vgpr_limit"),
    u32(".sgpr_limit"),
    u32(".scratch_memory_size"),
    u32(".backend_stack_size"),
    u32(".frontend_stack_size"),
    flag(".scratch_en"),
    u32(".lds_size"),
    u32(".wavefront_size"),
    u32(".threadgroup_dimensions").array(3),
    u32(".orig_threadgroup_dimensions").array(3),
    u32(".user_data_reg_map").array(32),
    u8(".user_sgprs"),
    u8(".float_mode"),
    flag(".fp16_overflow"),
    flag(".ieee_mode").read_by(kGfx9To11),
    flag(".mem_ordered").read_by(kGfx10To11),
    flag(".forward_progress"),
    flag(".wgp_mode"),
    flag(".debug_mode"),
    flag(".trap_present"),
    u16(".excp_en"),
    flag(".offchip_lds_en"),
    u8(".shared_vgpr_cnt"),
    u32(".waves_per_se"),
    u32(".perf_data_buffer_size").read_by(kGfx9To11),
    u32(".checksum_value"),
    flag(".uses_uavs"),
    flag(".uses_rovs"),
    flag(".writes_uavs"),
    flag(".writes_depth"),
    flag(".uses_append_consume"),
    flag(".uses_prim_id"),
    u32(".num_cb_const_usages"),
    map(".cb_const_usages", shape<kConstantUsage>).array(16),
    u32(".unused_imm_const").array(4),
    flag(".wg_round_robin").read_by(kGfx12),
    u32(".dynamic_vgpr_saved_count").read_by(kGfx12),
    u32(".outgoing_vgpr_count").read_by(kGfx12),
};
constexpr Key kHardwareStages[] = {
    map(".ls", shape<kHardwareStage>), map(".hs", shape<kHardwareStage>), map(".es", shape<kHardwareStage>),
    map(".gs", shape<kHardwareStage>), map(".vs", shape<kHardwareStage>), map(".ps", shape<kHardwareStage>),
    map(".cs", shape<kHardwareStage>),
};

constexpr Key kShaderFunction[] = {
    u64(".api_shader_hash").array(2),
    u32(".scratch_memory_size"),
    u32(".lds_size"),
    u32(".vgpr_count"),
    u32(".sgpr_count"),
    u32(".stack_frame_size_in_bytes"),
    u32(".backend_stack_size"),
    u32(".frontend_stack_size"),
    name(".shader_subtype", kShaderSubtypes),
};

constexpr Key kComputeRegisters[] = {
    flag(".tgid_x_en"),
    flag(".tgid_y_en"),
    flag(".tgid_z_en"),
    flag(".tg_size_en"),
    integer(".tidig_comp_cnt", 2),
    flag(".dynamic_vgpr_en").read_by(kGfx12),
    u32(".x_interleave").read_by(kGfx12),
    u32(".y_interleave").read_by(kGfx12),
};

constexpr Key kInputSemantic[] = {u16(".semantic")};
constexpr Key kOutputSemantic[] = {u16(".semantic"), u8(".index")};

constexpr Key kPipeline[] = {
    text(".name"),
    name(".type", kPipelineTypes),
    text(".api", 15),
    Key{.key = ".api_create_info", .kind = Kind::bytes},
    u64(".internal_pipeline_hash").array(2).needed(),
    u64(".resource_hash"),
    u32(".unified_rgs_name_hash"),
    map(".shaders", shape<kApiShaders>),
    map(".hardware_stages", shape<kHardwareStages>),
    Key{.key = ".shader_functions", .kind = Kind::named_maps, .members = shape<kShaderFunction>},
    Key{.key = ".registers", .kind = Kind::registers, .required = Required::in_version_2}.read_by(kGfx9To11),
    map(".graphics_registers", graphics_register_keys).read_by(kGfx10To12),
    map(".compute_registers", shape<kComputeRegisters>).read_by(kGfx10To12),
    u32(".user_data_limit"),
    u32(".spill_threshold"),
    flag(".uses_viewport_array_index"),
    u32(".es_gs_lds_size"),
    u32(".nggSubgroupSize"),
    u32(".num_interpolants"),
    u32(".mesh_scratch_memory_size"),
    map(".ps_input_semantic", shape<kInputSemantic>).array(32),
    map(".preraster_output_semantic", shape<kOutputSemantic>).array(32),
    u16(".streamout_vertex_strides").array(4),
    flag(".gs_outputs_lines"),
    flag(".ps_dummy_export"),
    flag(".ps_sample_mask"),
    flag(".uses_cps"),
    flag(".cps_global"),
};

constexpr Key kRoot[] = {
    u32("amdpal.version").array(2).needed(),
    map("amdpal.pipelines", shape<kPipeline>).array(1).needed(),
};

}  // namespace

std::span<const Key> root_keys() {
  return kRoot;
}

}  // namespace spalt::metadata
