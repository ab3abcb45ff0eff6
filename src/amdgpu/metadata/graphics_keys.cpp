// SPDX-License-Identifier: MIT
// `.graphics_registers` (docs/abi/pal.md#metadata-keys, complete list).
#include "amdgpu/metadata/keys.h"

namespace spalt::metadata {
namespace {

using namespace isa;

constexpr std::string_view kOutPrimNames[] = {"PointList", "LineStrip", "TriStrip", "Rect2d", "RectList"};
constexpr std::string_view kPointSpriteNames[] = {"Zero", "One", "S", "T", "None"};
constexpr std::string_view kCoverageNames[] = {"InputCoverage", "InputInnerCoverage", "InputDepthCoverage", "Raw"};

constexpr Key kPaClClipCntl[] = {
    flag(".user_clip_plane0_ena"),    flag(".user_clip_plane1_ena"), flag(".user_clip_plane2_ena"),
    flag(".user_clip_plane3_ena"),    flag(".user_clip_plane4_ena"), flag(".user_clip_plane5_ena"),
    flag(".dx_linear_attr_clip_ena"), flag(".zclip_near_disable"),   flag(".zclip_far_disable"),
    flag(".rasterization_kill"),      flag(".clip_disable"),
};
constexpr Key kPaClVteCntl[] = {
    flag(".vtx_xy_fmt"),   flag(".vtx_z_fmt"),   flag(".x_scale_ena"),  flag(".x_offset_ena"), flag(".y_scale_ena"),
    flag(".y_offset_ena"), flag(".z_scale_ena"), flag(".z_offset_ena"), flag(".vtx_w0_fmt"),
};
constexpr Key kPaSuVtxCntl[] = {
    flag(".pix_center"),
    u8(".round_mode"),
    u8(".quant_mode"),
};
constexpr Key kVgtShaderStagesEn[] = {
    flag(".ls_stage_en"),
    flag(".hs_stage_en"),
    u8(".es_stage_en"),
    flag(".gs_stage_en"),
    u8(".vs_stage_en"),
    flag(".dynamic_hs"),
    u8(".max_primgroup_in_wave"),
    flag(".primgen_en"),
    flag(".ordered_id_mode"),
    flag(".ngg_wave_id_en"),
    u8(".gs_fast_launch"),
    flag(".primgen_passthru_en"),
    flag(".primgen_passthru_no_msg"),
};
constexpr Key kVgtGsMode[] = {
    u8(".mode"), u8(".onchip"), flag(".es_write_optimize"), flag(".gs_write_optimize"), u8(".cut_mode"),
};
constexpr Key kVgtTfParam[] = {
    u8(".type"),
    u8(".partitioning"),
    u8(".topology"),
    flag(".disable_donuts"),
    u8(".num_ds_waves_per_simd"),
    u8(".distribution_mode"),
};
constexpr Key kVgtLsHsConfig[] = {
    u8(".num_patches"),
    u8(".hs_num_input_cp"),
    u8(".hs_num_output_cp"),
};
constexpr Key kIaMultiVgtParam[] = {
    u16(".primgroup_size"), flag(".partial_vs_wave_on"), flag(".partial_es_wave_on"),
    flag(".switch_on_eop"), flag(".switch_on_eoi"),
};
constexpr Key kSpiInterpControl[] = {
    flag(".point_sprite_ena"),
    name(".point_sprite_override_x", kPointSpriteNames),
    name(".point_sprite_override_y", kPointSpriteNames),
    name(".point_sprite_override_z", kPointSpriteNames),
    name(".point_sprite_override_w", kPointSpriteNames),
};
constexpr Key kSpiPsInputCntl[] = {
    u8(".offset"),          u8(".default_val"),        flag(".flat_shade"),  u8(".cyl_wrap"),
    flag(".pt_sprite_tex"), flag(".fp16_interp_mode"), flag(".attr0_valid"), flag(".attr1_valid"),
    flag(".rotate_pc_ptr"), flag(".prim_attr"),
};
constexpr Key kSpiShaderGsMeshletDim[] = {
    u16(".num_thread_x"),
    u16(".num_thread_y"),
    u16(".num_thread_z"),
    u32(".threadgroup_size"),
};
constexpr Key kSpiShaderGsMeshletExpAlloc[] = {
    u16(".max_exp_verts"),
    u16(".max_exp_prims"),
};
constexpr Key kVgtGsInstanceCnt[] = {
    flag(".enable"),
    u8(".count"),
    flag(".en_max_vert_out_per_gs_instance"),
};
constexpr Key kVgtGsOutPrimType[] = {
    name(".outprim_type", kOutPrimNames),   name(".outprim_type_1", kOutPrimNames),
    name(".outprim_type_2", kOutPrimNames), name(".outprim_type_3", kOutPrimNames),
    flag(".unique_type_per_stream"),
};
constexpr Key kGeNggSubgrpCntl[] = {
    u16(".prim_amp_factor"),
    u16(".threads_per_subgroup"),
};
constexpr Key kVgtGsOnchipCntl[] = {
    u16(".es_verts_per_subgroup"),
    u16(".gs_prims_per_subgroup"),
    u16(".gs_inst_prims_per_subgrp"),
};
constexpr Key kPaClVsOutCntl[] = {
    flag(".clip_dist_ena_0"),
    flag(".clip_dist_ena_1"),
    flag(".clip_dist_ena_2"),
    flag(".clip_dist_ena_3"),
    flag(".clip_dist_ena_4"),
    flag(".clip_dist_ena_5"),
    flag(".clip_dist_ena_6"),
    flag(".clip_dist_ena_7"),
    flag(".cull_dist_ena_0"),
    flag(".cull_dist_ena_1"),
    flag(".cull_dist_ena_2"),
    flag(".cull_dist_ena_3"),
    flag(".cull_dist_ena_4"),
    flag(".cull_dist_ena_5"),
    flag(".cull_dist_ena_6"),
    flag(".cull_dist_ena_7"),
    flag(".use_vtx_point_size"),
    flag(".use_vtx_edge_flag"),
    flag(".use_vtx_render_target_indx"),
    flag(".use_vtx_viewport_indx"),
    flag(".use_vtx_kill_flag"),
    flag(".vs_out_misc_vec_ena"),
    flag(".vs_out_cc_dist0_vec_ena"),
    flag(".vs_out_cc_dist1_vec_ena"),
    flag(".vs_out_misc_side_bus_ena"),
    flag(".use_vtx_line_width"),
    flag(".use_vtx_vrs_rate"),
    flag(".bypass_vtx_rate_combiner"),
    flag(".bypass_prim_rate_combiner"),
    flag(".use_vtx_gs_cut_flag"),
    flag(".use_vtx_fsr_select"),
};
constexpr Key kSpiVsOutConfig[] = {
    flag(".no_pc_export"),
    u8(".vs_export_count"),
    u8(".prim_export_count"),
};
constexpr Key kVgtStrmoutConfig[] = {
    flag(".streamout_0_en"), flag(".streamout_1_en"),      flag(".streamout_2_en"), flag(".streamout_3_en"),
    u8(".rast_stream"),      flag(".prims_needed_cnt_en"), u8(".rast_stream_mask"), flag(".use_rast_stream_mask"),
};
constexpr Key kVgtStrmoutBufferConfig[] = {
    u8(".stream_0_buffer_en"),
    u8(".stream_1_buffer_en"),
    u8(".stream_2_buffer_en"),
    u8(".stream_3_buffer_en"),
};
constexpr Key kCbShaderMask[] = {
    u8(".output0_enable"), u8(".output1_enable"), u8(".output2_enable"), u8(".output3_enable"),
    u8(".output4_enable"), u8(".output5_enable"), u8(".output6_enable"), u8(".output7_enable"),
};
constexpr Key kDbShaderControl[] = {
    flag(".z_export_enable"),
    flag(".stencil_test_val_export_enable"),
    flag(".stencil_op_val_export_enable"),
    u8(".z_order"),
    flag(".kill_enable"),
    flag(".coverage_to_mask_en"),
    flag(".mask_export_enable"),
    flag(".exec_on_hier_fail"),
    flag(".exec_on_noop"),
    flag(".alpha_to_mask_disable"),
    flag(".depth_before_shader"),
    u8(".conservative_z_export"),
    flag(".primitive_ordered_pixel_shader"),
    flag(".pre_shader_depth_coverage_enable"),
};
constexpr Key kSpiPsInControl[] = {
    u8(".num_interps"),       flag(".param_gen"),     flag(".offchip_param_en"),
    flag(".late_pc_dealloc"), u8(".num_prim_interp"), flag(".bc_optimize_disable"),
};
constexpr Key kPaScShaderControl[] = {
    flag(".load_collision_waveid"),
    flag(".load_intrawave_collision"),
    u8(".wave_break_region_size"),
};
constexpr Key kSpiBarycCntl[] = {
    u8(".pos_float_location"),
    flag(".front_face_all_bits"),
};
constexpr Key kSpiPsInputEna[] = {
    flag(".persp_sample_ena"),  flag(".persp_center_ena"),  flag(".persp_centroid_ena"),  flag(".persp_pull_model_ena"),
    flag(".linear_sample_ena"), flag(".linear_center_ena"), flag(".linear_centroid_ena"), flag(".line_stipple_tex_ena"),
    flag(".pos_x_float_ena"),   flag(".pos_y_float_ena"),   flag(".pos_z_float_ena"),     flag(".pos_w_float_ena"),
    flag(".front_face_ena"),    flag(".ancillary_ena"),     flag(".sample_coverage_ena"), flag(".pos_fixed_pt_ena"),
};
constexpr Key kSpiShaderColFormat[] = {
    u8(".col_0_export_format"), u8(".col_1_export_format"), u8(".col_2_export_format"), u8(".col_3_export_format"),
    u8(".col_4_export_format"), u8(".col_5_export_format"), u8(".col_6_export_format"), u8(".col_7_export_format"),
};
constexpr Key kSpiShaderGsMeshletCtrl[] = {
    u16(".interleave_bits_x"),
    u16(".interleave_bits_y"),
};

constexpr Key kGraphics[] = {
    u16(".ngg_culling_data_reg"),
    u8(".ls_vgpr_comp_cnt"),
    flag(".hs_tg_size_en"),
    u8(".es_vgpr_comp_cnt"),
    u8(".gs_vgpr_comp_cnt"),
    u8(".vs_vgpr_comp_cnt").read_by(kGfx9To11),
    flag(".vs_so_base0_en").read_by(kGfx9To11),
    flag(".vs_so_base1_en").read_by(kGfx9To11),
    flag(".vs_so_base2_en").read_by(kGfx9To11),
    flag(".vs_so_base3_en").read_by(kGfx9To11),
    flag(".vs_streamout_en").read_by(kGfx9To11),
    flag(".vs_pc_base_en").read_by(kGfx9To11),
    flag(".ps_load_provoking_vtx"),
    flag(".ps_wave_cnt_en"),
    u32(".ps_extra_lds_size"),
    flag(".ps_iter_sample"),
    flag(".vgt_reuse_off"),
    real(".vgt_hos_min_tess_level"),
    real(".vgt_hos_max_tess_level"),
    flag(".mesh_linear_dispatch_from_task"),
    u16(".vgt_gs_max_vert_out"),
    u16(".vgt_esgs_ring_itemsize"),
    flag(".vgt_draw_prim_payload_en"),
    u16(".vgt_gs_vert_itemsize").array(4),
    u16(".vgt_gsvs_ring_offset").array(3),
    u16(".vgt_gsvs_ring_itemsize"),
    u16(".vgt_es_per_gs"),
    u16(".vgt_gs_per_es"),
    u16(".vgt_gs_per_vs"),
    u16(".max_verts_per_subgroup"),
    u8(".spi_shader_idx_format"),
    u8(".spi_shader_pos_format").array(5),
    flag(".vgt_primitive_id_en"),
    flag(".ngg_disable_provok_reuse"),
    name(".aa_coverage_to_shader_select", kCoverageNames),
    u8(".spi_shader_z_format"),
    map(".pa_cl_clip_cntl", shape<kPaClClipCntl>),
    map(".pa_cl_vte_cntl", shape<kPaClVteCntl>),
    map(".pa_su_vtx_cntl", shape<kPaSuVtxCntl>),
    map(".vgt_shader_stages_en", shape<kVgtShaderStagesEn>),
    map(".vgt_gs_mode", shape<kVgtGsMode>),
    map(".vgt_tf_param", shape<kVgtTfParam>),
    map(".vgt_ls_hs_config", shape<kVgtLsHsConfig>),
    map(".ia_multi_vgt_param", shape<kIaMultiVgtParam>),
    map(".spi_interp_control", shape<kSpiInterpControl>),
    map(".spi_ps_input_cntl", shape<kSpiPsInputCntl>).array(32),
    map(".spi_shader_gs_meshlet_dim", shape<kSpiShaderGsMeshletDim>),
    map(".spi_shader_gs_meshlet_exp_alloc", shape<kSpiShaderGsMeshletExpAlloc>),
    map(".vgt_gs_instance_cnt", shape<kVgtGsInstanceCnt>),
    map(".vgt_gs_out_prim_type", shape<kVgtGsOutPrimType>),
    map(".ge_ngg_subgrp_cntl", shape<kGeNggSubgrpCntl>),
    map(".vgt_gs_onchip_cntl", shape<kVgtGsOnchipCntl>),
    map(".pa_cl_vs_out_cntl", shape<kPaClVsOutCntl>),
    map(".spi_vs_out_config", shape<kSpiVsOutConfig>),
    map(".vgt_strmout_config", shape<kVgtStrmoutConfig>).read_by(kGfx9To11),
    map(".vgt_strmout_buffer_config", shape<kVgtStrmoutBufferConfig>).read_by(kGfx9To11),
    map(".cb_shader_mask", shape<kCbShaderMask>),
    map(".db_shader_control", shape<kDbShaderControl>),
    map(".spi_ps_in_control", shape<kSpiPsInControl>),
    map(".pa_sc_shader_control", shape<kPaScShaderControl>),
    map(".spi_baryc_cntl", shape<kSpiBarycCntl>),
    map(".spi_ps_input_ena", shape<kSpiPsInputEna>),
    map(".spi_ps_input_addr", shape<kSpiPsInputEna>),
    map(".spi_shader_col_format", shape<kSpiShaderColFormat>),
    map(".spi_shader_gs_meshlet_ctrl", shape<kSpiShaderGsMeshletCtrl>).read_by(kGfx12),
};

}  // namespace

std::span<const Key> graphics_register_keys() {
  return kGraphics;
}

}  // namespace spalt::metadata
