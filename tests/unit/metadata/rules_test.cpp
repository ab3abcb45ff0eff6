// SPDX-License-Identifier: MIT
// One broken document for each rule, with the sentence that it must give. The documents and the sentences follow
// docs/abi/pal.md by hand.
#include <gtest/gtest.h>

#include "amdgpu/metadata/dump.h"
#include "amdgpu/metadata/inspect.h"
#include "document.h"

namespace spalt::metadata::test {
namespace {

using V = Value;

constexpr uint32_t kNotMapped = 0xffffffff;

V user_data(std::vector<uint32_t> codes) {
  codes.resize(32, kNotMapped);
  V map = V::array({});
  for (uint32_t code : codes) map.push(code);
  return map;
}

V root_of(uint32_t major, uint32_t minor, V pipeline) {
  return V::map({{"amdpal.version", V::array({major, minor})}, {"amdpal.pipelines", V::array({std::move(pipeline)})}});
}

V hash() {
  return V::array({uint64_t{0x123456789abcdef0}, 5});
}

/// The smallest compute pipeline of version 3 (7.1).
V compute() {
  V stage = V::map({});
  stage[".entry_point_symbol"] = "_amdgpu_cs_main";
  stage[".vgpr_count"] = 24;
  stage[".sgpr_count"] = 16;
  stage[".scratch_memory_size"] = 0;
  stage[".scratch_en"] = false;
  stage[".lds_size"] = 1024;
  stage[".wavefront_size"] = 32;
  stage[".threadgroup_dimensions"] = V::array({64, 1, 1});
  stage[".user_sgprs"] = 4;
  stage[".user_data_reg_map"] = user_data({0x10000000, 0, 0x10000006, 0x10000006});
  stage[".float_mode"] = 0xc0;
  V pipeline = V::map({});
  pipeline[".type"] = "Cs";
  pipeline[".api"] = "Vulkan";
  pipeline[".internal_pipeline_hash"] = hash();
  pipeline[".shaders"] =
      V::map({{".compute", V::map({{".api_shader_hash", hash()}, {".hardware_mapping", V::array({".cs"})}})}});
  pipeline[".hardware_stages"] = V::map({{".cs", stage}});
  pipeline[".compute_registers"] = V::map({{".tgid_x_en", true}, {".tidig_comp_cnt", 0}});
  pipeline[".user_data_limit"] = 1;
  pipeline[".spill_threshold"] = 0xffff;
  return root_of(3, 0, pipeline);
}

V& pipeline_of(V& root) {
  return root["amdpal.pipelines"].at(0);
}
V& stage_of(V& root) {
  return pipeline_of(root)[".hardware_stages"][".cs"];
}

/// The same in version 2.
V raw_compute() {
  V root = compute();
  root["amdpal.version"] = V::array({2, 6});
  V& stage = stage_of(root);
  for (const char* key : {".entry_point_symbol", ".scratch_en", ".user_sgprs", ".user_data_reg_map", ".float_mode"}) {
    stage.erase(key);
  }
  stage[".entry_point"] = "_amdgpu_cs_main";
  V& pipeline = pipeline_of(root);
  pipeline.erase(".compute_registers");
  // RSRC1.VGPRS = 24 / 8 - 1 = 2; RSRC2: USER_SGPR 2 at 1, TGID_X at 7.
  pipeline[".registers"] =
      V::map({{0x2e07, 64}, {0x2e08, 1}, {0x2e09, 1}, {0x2e12, 2}, {0x2e13, 0x84}, {0x2e40, 0x10000000}, {0x2e41, 0}});
  return root;
}

/// Vertex and pixel shader of version 3 (7.2), the parts that rules look at.
V graphics() {
  V root = compute();
  V& pipeline = pipeline_of(root);
  V stage = stage_of(root);
  stage.erase(".threadgroup_dimensions");
  stage[".user_data_reg_map"] = user_data({0x10000000, 0, 0x10000003, 0x10000004});
  V pixel = stage;
  pixel[".user_data_reg_map"] = user_data({0x10000000});
  pipeline[".type"] = "Ngg";
  pipeline[".hardware_stages"] = V::map({{".gs", stage}, {".ps", pixel}});
  pipeline[".shaders"] =
      V::map({{".pixel", V::map({{".api_shader_hash", hash()}, {".hardware_mapping", V::array({".ps"})}})}});
  pipeline.erase(".compute_registers");
  const V inputs = V::map({{".persp_center_ena", true}});
  pipeline[".graphics_registers"] =
      V::map({{".spi_ps_input_ena", inputs},
              {".spi_ps_input_addr", inputs},
              {".spi_ps_input_cntl", V::array({V::map({{".offset", 0}})})},
              {".vgt_shader_stages_en", V::map({{".gs_stage_en", true}, {".es_stage_en", 2}})},
              {".aa_coverage_to_shader_select", "InputCoverage"}});
  return root;
}

std::string findings(const V& root, const char* target) {
  const auto inspection = inspect_document(root.packed(), *isa::find_target(target));
  return inspection ? findings_text(inspection->report) : "refused: " + inspection.error().message;
}

TEST(Rules, GoodDocumentsHaveNoFindings) {
  for (const char* target : {"gfx1010", "gfx1030", "gfx1101", "gfx1150", "gfx1200"}) {
    EXPECT_EQ(findings(compute(), target), "") << target;
    EXPECT_EQ(findings(graphics(), target), "") << target;
  }
  for (const char* target : {"gfx1010", "gfx1030", "gfx1101"}) EXPECT_EQ(findings(raw_compute(), target), "") << target;
}

TEST(Rules, NothingIsSpilledFromTheGreatestNumberOn) {
  V root = compute();
  pipeline_of(root)[".spill_threshold"] = 0xffffffff;
  EXPECT_EQ(findings(root, "gfx1030"), "");
}

struct Broken {
  const char* name;
  V (*document)();
  void (*change)(V& root);
  const char* target;
  const char* expected;  ///< the only finding
};

class BrokenDocument : public testing::TestWithParam<Broken> {};

TEST_P(BrokenDocument, IsNamed) {
  V root = GetParam().document();
  GetParam().change(root);
  EXPECT_EQ(findings(root, GetParam().target), std::string(GetParam().expected) + "\n");
}

const Broken kStructure[] = {
    {"unknown_key", compute, [](V& r) { pipeline_of(r)[".mine"] = 1; }, "gfx1030",
     "note: amdpal.pipelines[0]: the key \".mine\" is not known; loaders skip it [unknown_key]"},
    {"number_as_key", compute, [](V& r) { pipeline_of(r)[V(5)] = 1; }, "gfx1030",
     "note: amdpal.pipelines[0]: a key is not a string; loaders skip it [unknown_key]"},
    {"unread_key", compute, [](V& r) { stage_of(r)[".mem_ordered"] = true; }, "gfx1200",
     "note: amdpal.pipelines[0]/.hardware_stages/.cs/.mem_ordered: loaders for gfx1200 do not read it [unread_key]"},
    {"duplicate_key", compute, [](V& r) { pipeline_of(r).repeat(".api"); }, "gfx1030",
     "error: amdpal.pipelines[0]/.api: the key stands twice in its map [duplicate_key]"},
    {"missing_hash", compute, [](V& r) { pipeline_of(r).erase(".internal_pipeline_hash"); }, "gfx1030",
     "error: amdpal.pipelines[0]/.internal_pipeline_hash: the key is required [missing_key]"},
    {"missing_registers", raw_compute, [](V& r) { pipeline_of(r).erase(".registers"); }, "gfx1030",
     "error: amdpal.pipelines[0]/.registers: the key is required [missing_key]"},
    {"wrong_type", compute, [](V& r) { stage_of(r)[".lds_size"] = "big"; }, "gfx1030",
     "error: amdpal.pipelines[0]/.hardware_stages/.cs/.lds_size: it is a string, but must be a number that is not "
     "negative [wrong_type]"},
    {"negative", compute, [](V& r) { stage_of(r)[".sgpr_count"] = -1; }, "gfx1030",
     "error: amdpal.pipelines[0]/.hardware_stages/.cs/.sgpr_count: it is a negative integer, but must be a number that "
     "is not negative [wrong_type]"},
    {"no_array", compute, [](V& r) { stage_of(r)[".threadgroup_dimensions"] = 64; }, "gfx1030",
     "error: amdpal.pipelines[0]/.hardware_stages/.cs/.threadgroup_dimensions: it is an integer, but must be an array "
     "[wrong_type]"},
    {"out_of_range", compute, [](V& r) { stage_of(r)[".float_mode"] = 0x1c0; }, "gfx1030",
     "error: amdpal.pipelines[0]/.hardware_stages/.cs/.float_mode: the value is 448, but at most 255 is allowed "
     "[out_of_range]"},
    {"tidig", compute, [](V& r) { pipeline_of(r)[".compute_registers"][".tidig_comp_cnt"] = 3; }, "gfx1030",
     "error: amdpal.pipelines[0]/.compute_registers/.tidig_comp_cnt: the value is 3, but at most 2 is allowed "
     "[out_of_range]"},
    {"array_too_long", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].push(kNotMapped); }, "gfx1030",
     "error: amdpal.pipelines[0]/.hardware_stages/.cs/.user_data_reg_map: the array has 33 elements, but at most 32 "
     "are "
     "allowed [too_long]"},
    {"text_too_long", compute, [](V& r) { pipeline_of(r)[".api"] = "sixteen letters."; }, "gfx1030",
     "error: amdpal.pipelines[0]/.api: the string has 16 bytes, but at most 15 are allowed [too_long]"},
    {"unknown_name", graphics,
     [](V& r) { pipeline_of(r)[".graphics_registers"][".aa_coverage_to_shader_select"] = "Cover"; }, "gfx1030",
     "error: amdpal.pipelines[0]/.graphics_registers/.aa_coverage_to_shader_select: the value \"Cover\" is none of "
     "InputCoverage, InputInnerCoverage, InputDepthCoverage, Raw [unknown_name]"},
    {"register_value", raw_compute, [](V& r) { pipeline_of(r)[".registers"][V(0x2e28)] = uint64_t{1} << 32; },
     "gfx1030", "error: amdpal.pipelines[0]/.registers/11816: the value is not a 32-bit number [wrong_type]"},
};

const Broken kPipeline[] = {
    {"version_1", compute, [](V& r) { r["amdpal.version"].at(0) = 1; }, "gfx1030",
     "error: amdpal.version: version 1 is not known, only 2 and 3 are [version]"},
    {"version_2_on_gfx12", raw_compute, [](V&) {}, "gfx1200",
     "note: amdpal.pipelines[0]/.registers: loaders for gfx1200 do not read it [unread_key]\n"
     "note: amdpal.pipelines[0]/.hardware_stages/.cs/.entry_point: loaders for gfx1200 do not read it [unread_key]\n"
     "error: amdpal.version: loaders for gfx1200 do not read version 2 [version]"},
    {"stage_exists", graphics,
     [](V& r) {
       V& stages = pipeline_of(r)[".hardware_stages"];
       const V pixel = stages[".ps"];  // a new key moves the others
       stages[".vs"] = pixel;
     },
     "gfx1101", "error: .hardware_stages/.vs: gfx1101 has no such hardware stage [stage_exists]"},
    {"type_stage", compute, [](V& r) { pipeline_of(r)[".type"] = "Ngg"; }, "gfx1030",
     "error: .hardware_stages/.cs: a pipeline of type \"Ngg\" has no such hardware stage [type_stage]"},
    {"compute_registers", compute, [](V& r) { pipeline_of(r).erase(".compute_registers"); }, "gfx1030",
     "error: .compute_registers: a compute stage needs it in version 3 [register_map]"},
    {"zero_hash", compute,
     [](V& r) {
       pipeline_of(r)[".internal_pipeline_hash"] = V::array({0, 0});
     },
     "gfx1030", "error: .internal_pipeline_hash: the hash is 0 [zero_hash]"},
    {"zero_shader_hash", compute,
     [](V& r) {
       pipeline_of(r)[".shaders"][".compute"][".api_shader_hash"] = V::array({0, 0});
     },
     "gfx1030", "error: .shaders/.compute/.api_shader_hash: the hash is 0 [zero_hash]"},
    {"hardware_mapping", compute, [](V& r) { pipeline_of(r)[".shaders"][".compute"][".hardware_mapping"].push(".ps"); },
     "gfx1030",
     "error: .shaders/.compute/.hardware_mapping: the hardware stage \".ps\" is not described [hardware_mapping]"},
    {"no_program", compute,
     [](V& r) {
       pipeline_of(r).erase(".hardware_stages");
       pipeline_of(r).erase(".shaders");
       pipeline_of(r).erase(".type");
     },
     "gfx1030", "error: .hardware_stages: there is neither a hardware stage nor a shader function [no_program]"},
    {"no_pipeline", compute, [](V& r) { r["amdpal.pipelines"] = V::array({}); }, "gfx1030",
     "error: amdpal.pipelines: it does not hold exactly one pipeline [no_pipeline]"},
    {"two_pipelines", compute, [](V& r) { r["amdpal.pipelines"].push(V::map({})); }, "gfx1030",
     "error: amdpal.pipelines: the array has 2 elements, but at most 1 are allowed [too_long]"},
};

const Broken kResources[] = {
    {"wave_size", compute, [](V& r) { stage_of(r)[".wavefront_size"] = 16; }, "gfx1030",
     "error: .hardware_stages/.cs/.wavefront_size: the value is 16, but must be 32 or 64 [wave_size]"},
    {"wave32_of_gfx9", raw_compute, [](V& r) { pipeline_of(r)[".registers"][V(0x2e12)] = 5; }, "gfx900",
     "error: .hardware_stages/.cs/.wavefront_size: gfx900 has no waves of 32 lanes [wave_size]"},
    {"vgpr_limit", compute, [](V& r) { stage_of(r)[".vgpr_count"] = 257; }, "gfx1030",
     "error: .hardware_stages/.cs/.vgpr_count: 257 VGPRs do not exist, only 256 [vgpr_limit]\n"
     "error: .hardware_stages/.cs/.vgpr_count: the waves of a workgroup of 64 threads can have 256 VGPRs each, not 257 "
     "[workgroup_fits]"},
    {"sgpr_limit", compute, [](V& r) { stage_of(r)[".sgpr_count"] = 113; }, "gfx1030",
     "error: .hardware_stages/.cs/.sgpr_count: 113 SGPRs do not exist, only 106 [sgpr_limit]"},
    {"shared_vgprs", compute, [](V& r) { stage_of(r)[".shared_vgpr_cnt"] = 8; }, "gfx1030",
     "error: .hardware_stages/.cs/.shared_vgpr_cnt: waves of 32 lanes share no VGPRs [shared_vgprs]"},
    {"lds_limit", compute, [](V& r) { stage_of(r)[".lds_size"] = 65537; }, "gfx1030",
     "error: .hardware_stages/.cs/.lds_size: 65537 bytes do not exist, only 65536 [lds_limit]"},
    {"scratch_size", compute,
     [](V& r) {
       stage_of(r)[".scratch_memory_size"] = 6;
       stage_of(r)[".scratch_en"] = true;
     },
     "gfx1030",
     "error: .hardware_stages/.cs/.scratch_memory_size: 6 bytes per lane are no multiple of 4 [scratch_size]"},
    {"scratch_enabled", compute, [](V& r) { stage_of(r)[".scratch_memory_size"] = 16; }, "gfx1030",
     "error: .hardware_stages/.cs: scratch has a size, but is not enabled [scratch_enabled]"},
    {"zero_dimension", compute, [](V& r) { stage_of(r)[".threadgroup_dimensions"].at(2) = 0; }, "gfx1030",
     "error: .hardware_stages/.cs/.threadgroup_dimensions: a dimension is 0 [threadgroup_size]"},
    {"threads", compute,
     [](V& r) {
       stage_of(r)[".threadgroup_dimensions"] = V::array({0x80000000u, 2, 1});
     },
     "gfx1030",
     "error: .hardware_stages/.cs/.threadgroup_dimensions: there are more than 1024 threads [threadgroup_size]"},
    // 32 waves on two SIMDs of 1024 registers: 64 each.
    {"workgroup_fits", compute,
     [](V& r) {
       stage_of(r)[".threadgroup_dimensions"] = V::array({1024, 1, 1});
       stage_of(r)[".vgpr_count"] = 65;
     },
     "gfx1030",
     "error: .hardware_stages/.cs/.vgpr_count: the waves of a workgroup of 1024 threads can have 64 VGPRs each, not 65 "
     "[workgroup_fits]"},
    {"rsrc1_vgprs", raw_compute, [](V& r) { pipeline_of(r)[".registers"][V(0x2e12)] = 1; }, "gfx1030",
     "error: .hardware_stages/.cs/.vgpr_count: 24 VGPRs are used, but the registers allocate 16 [rsrc1_vgprs]"},
    {"wgp_mode_of_gfx9", compute,
     [](V& r) {
       stage_of(r)[".wgp_mode"] = true;
       stage_of(r)[".wavefront_size"] = 64;
     },
     "gfx900",
     "note: amdpal.pipelines[0]/.compute_registers: loaders for gfx900 do not read it [unread_key]\n"
     "note: amdpal.pipelines[0]/.hardware_stages/.cs/.entry_point_symbol: loaders for gfx900 do not read it "
     "[unread_key]\n"
     "error: amdpal.version: loaders for gfx900 do not read version 3 [version]\n"
     "error: .hardware_stages/.cs: gfx900 has no work-group processor mode [wgp_mode]"},
    {"num_threads", raw_compute, [](V& r) { pipeline_of(r)[".registers"][V(0x2e08)] = 2; }, "gfx1030",
     "error: .hardware_stages/.cs/.threadgroup_dimensions: dimension 1 is 1, but COMPUTE_NUM_THREAD_Y says 2 "
     "[num_threads]"},
};

const Broken kUserData[] = {
    {"global_table", compute,
     [](V& r) {
       stage_of(r)[".user_data_reg_map"] = user_data({0, 0x10000000});
     },
     "gfx1030",
     "error: .hardware_stages/.cs user-data register 1: GlobalTable must be register 0 [global_table_register]"},
    {"per_shader_table", compute,
     [](V& r) {
       stage_of(r)[".user_data_reg_map"] = user_data({0x10000000, 0, 0x10000001});
     },
     "gfx1030",
     "error: .hardware_stages/.cs user-data register 2: PerShaderTable must be register 1 [per_shader_table_register]"},
    {"base_instance", graphics,
     [](V& r) {
       pipeline_of(r)[".hardware_stages"][".gs"][".user_data_reg_map"] =
           user_data({0x10000000, 0x10000003, 0, 0x10000004});
     },
     "gfx1030",
     "error: .hardware_stages/.gs user-data register 3: BaseInstance must follow the register of BaseVertex "
     "[base_instance_register]"},
    {"unknown_code", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].at(1) = 160; }, "gfx1030",
     "error: .hardware_stages/.cs user-data register 1: the value 160 is neither an entry below 160 nor a known code "
     "[user_data_code]"},
    {"not_on_gfx12", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].at(1) = 0x1000000d; }, "gfx1200",
     "error: .hardware_stages/.cs user-data register 1: PerShaderPerfData is not filled by loaders for gfx1200 "
     "[user_data_code]"},
    {"workgroup_stage", graphics,
     [](V& r) { pipeline_of(r)[".hardware_stages"][".ps"][".user_data_reg_map"].at(1) = 0x10000006; }, "gfx1030",
     "error: .hardware_stages/.ps user-data register 1: Workgroup exists in compute stages only [workgroup_stage]"},
    {"user_sgpr_limit", compute, [](V& r) { stage_of(r)[".user_sgprs"] = 17; }, "gfx1030",
     "error: .hardware_stages/.cs: 17 user SGPRs are set, but the stage has 16 [user_sgpr_limit]"},
    {"user_sgpr_count", compute, [](V& r) { stage_of(r)[".user_sgprs"] = 3; }, "gfx1030",
     "error: .hardware_stages/.cs user-data register 3: it is mapped, but the stage has 3 user SGPRs "
     "[user_sgpr_count]"},
    {"user_sgpr_count_raw", raw_compute, [](V& r) { pipeline_of(r)[".registers"][V(0x2e13)] = 0x82; }, "gfx1030",
     "error: .hardware_stages/.cs user-data register 1: it is mapped, but the stage has 1 user SGPRs "
     "[user_sgpr_count]"},
    {"user_sgpr_minimum", compute, [](V&) {}, "gfx1100",
     "error: .hardware_stages/.cs: gfx1100 loses user SGPRs of wave32 unless 16 are set, and 4 are "
     "[user_sgpr_minimum]"},
    {"entry_twice_on_gfx12", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].at(3) = 0; }, "gfx1200",
     "error: .hardware_stages/.cs user-data register 3: entry 0 is mapped twice in the stage [mapped_twice]"},
    {"view_id_twice", graphics,
     [](V& r) {
       pipeline_of(r)[".hardware_stages"][".ps"][".user_data_reg_map"] =
           user_data({0x10000000, 0x1000000b, 0x1000000b});
     },
     "gfx1030", "error: .hardware_stages/.ps user-data register 2: ViewId is mapped twice in the stage [mapped_twice]"},
    {"vertex_buffers_in_two_stages", graphics,
     [](V& r) {
       V& stages = pipeline_of(r)[".hardware_stages"];
       stages[".ps"][".user_data_reg_map"].at(1) = 0x1000000f;
       stages[".gs"][".user_data_reg_map"].at(1) = 0x1000000f;
     },
     "gfx1030",
     "error: .hardware_stages/.ps user-data register 1: VertexBufferTable is mapped in two stages [mapped_twice]"},
    {"limit_0", graphics,
     [](V& r) {
       pipeline_of(r)[".user_data_limit"] = 0;
       pipeline_of(r)[".hardware_stages"][".gs"][".user_data_reg_map"].at(1) = kNotMapped;
     },
     "gfx1030", "error: .user_data_limit: the value is 0, but must be 1 to 160 [user_data_limit]"},
    {"beyond_the_limit", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].at(1) = 7; }, "gfx1030",
     "error: .user_data_limit: entry 7 is mapped, but the limit is 1 [user_data_limit]"},
    {"no_spill_table", compute, [](V& r) { pipeline_of(r)[".spill_threshold"] = 0; }, "gfx1030",
     "error: .spill_threshold: entries from 0 on are spilled, but no stage maps SpillTable [spill_table]"},
    {"nothing_spilled", compute, [](V& r) { stage_of(r)[".user_data_reg_map"].at(1) = 0x10000002; }, "gfx1030",
     "error: .spill_threshold: a stage maps SpillTable, but nothing is spilled [spill_table]"},
    {"spill_threshold", compute,
     [](V& r) {
       stage_of(r)[".user_data_reg_map"].at(1) = 0x10000002;
       pipeline_of(r)[".spill_threshold"] = 1;
     },
     "gfx1030", "error: .spill_threshold: the first spilled entry is 1, but the limit is 1 [spill_threshold]"},
};

/// With everything that the stages say of each other: two parameters, a size of points and clip distances, two
/// targets, a depth.
V linked_graphics() {
  V root = graphics();
  pipeline_of(root)[".nggSubgroupSize"] = 128;
  V& registers = pipeline_of(root)[".graphics_registers"];
  registers[".vgt_shader_stages_en"] = V::map({{".primgen_en", true}, {".es_stage_en", 2}});
  registers[".spi_vs_out_config"] = V::map({{".vs_export_count", 1}, {".no_pc_export", false}});
  registers[".spi_shader_pos_format"] = V::array({4, 4, 4, 0, 0});
  registers[".pa_cl_vs_out_cntl"] =
      V::map({{".vs_out_misc_vec_ena", true}, {".vs_out_cc_dist0_vec_ena", true}, {".vs_out_cc_dist1_vec_ena", false}});
  registers[".vgt_gs_onchip_cntl"] = V::map({{".es_verts_per_subgroup", 128}, {".gs_prims_per_subgroup", 64}});
  registers[".spi_ps_in_control"] = V::map({{".num_interps", 2}});
  registers[".spi_ps_input_cntl"] = V::array({V::map({{".offset", 1}}), V::map({{".offset", 0x20}})});
  registers[".spi_shader_z_format"] = 1;
  registers[".db_shader_control"] = V::map({{".z_export_enable", true}});
  V formats = V::map({}), masks = V::map({});
  for (int i = 0; i < 8; ++i) {
    formats[V(".col_" + std::to_string(i) + "_export_format")] = i < 2 ? 4 : 0;
    masks[V(".output" + std::to_string(i) + "_enable")] = i == 0 || i == 3 ? 15 : 0;
  }
  registers[".spi_shader_col_format"] = formats;
  registers[".cb_shader_mask"] = masks;
  return root;
}

TEST(Rules, LinkedDocumentsHaveNoFindings) {
  for (const char* target : {"gfx1030", "gfx1101", "gfx1150"}) EXPECT_EQ(findings(linked_graphics(), target), "");
}

V& registers_of(V& root) {
  return pipeline_of(root)[".graphics_registers"];
}

const Broken kLinkage[] = {
    {"primitive_generator", linked_graphics,
     [](V& r) { registers_of(r)[".vgt_shader_stages_en"][".primgen_en"] = false; }, "gfx1030",
     "error: .graphics_registers/.vgt_shader_stages_en/.primgen_en: the value is 0, but the type is \"Ngg\" "
     "[primitive_generator]"},
    {"position_missing", linked_graphics,
     [](V& r) {
       registers_of(r)[".spi_shader_pos_format"] = V::array({4, 0, 4});
     },
     "gfx1030",
     "error: .graphics_registers/.spi_shader_pos_format: there are 3 position exports, but the format of number 1 is 0 "
     "[position_exports]"},
    {"position_too_much", linked_graphics,
     [](V& r) { registers_of(r)[".pa_cl_vs_out_cntl"][".vs_out_misc_vec_ena"] = false; }, "gfx1030",
     "error: .graphics_registers/.spi_shader_pos_format: there are 2 position exports, but the format of number 2 is "
     "not 0 [position_exports]"},
    {"parameter_slot", linked_graphics, [](V& r) { registers_of(r)[".spi_ps_input_cntl"].at(0)[".offset"] = 2; },
     "gfx1030",
     "error: .graphics_registers/.spi_ps_input_cntl/0: parameter 0 comes from slot 2, but the vertex stage writes 2 "
     "[parameter_slot]"},
    {"no_parameters", linked_graphics, [](V& r) { registers_of(r)[".spi_vs_out_config"][".no_pc_export"] = true; },
     "gfx1030",
     "error: .graphics_registers/.spi_ps_input_cntl/0: parameter 0 comes from slot 1, but the vertex stage writes 0 "
     "[parameter_slot]"},
    {"color_gap", linked_graphics, [](V& r) { registers_of(r)[".spi_shader_col_format"][".col_0_export_format"] = 0; },
     "gfx1030",
     "error: .graphics_registers/.spi_shader_col_format/.col_1_export_format: the formats of exported colours follow "
     "each other, but one before this is 0 [color_formats]"},
    {"color_not_exported", linked_graphics, [](V& r) { registers_of(r)[".cb_shader_mask"][".output7_enable"] = 1; },
     "gfx1030",
     "error: .graphics_registers/.cb_shader_mask/: 3 colour targets are written, but 2 exported [color_formats]"},
    {"depth_format", linked_graphics, [](V& r) { registers_of(r)[".spi_shader_z_format"] = 0; }, "gfx1030",
     "error: .graphics_registers/.db_shader_control/.z_export_enable: the value is exported, but the format of the "
     "export is 0 [depth_format]"},
    {"subgroup_size", linked_graphics,
     [](V& r) { registers_of(r)[".vgt_gs_onchip_cntl"][".gs_prims_per_subgroup"] = 257; }, "gfx1101",
     "error: .graphics_registers/.vgt_gs_onchip_cntl/.gs_prims_per_subgroup: the value is 257, but must be 1 to 256 "
     "[subgroup_size]"},
    {"ngg_subgroup_size", linked_graphics, [](V& r) { pipeline_of(r)[".nggSubgroupSize"] = 64; }, "gfx1101",
     "error: .nggSubgroupSize: the value is 64, but subgroups have up to 128 vertices and 64 primitives "
     "[subgroup_size]"},
};

const Broken kGraphics[] = {
    {"ps_input_ena", graphics, [](V& r) { pipeline_of(r)[".graphics_registers"][".spi_ps_input_ena"] = V::map({}); },
     "gfx1030",
     "error: .graphics_registers/.spi_ps_input_ena: none of the interpolants is loaded, and the hardware needs one "
     "[ps_input_ena]"},
    {"ps_input_addr", graphics,
     [](V& r) { pipeline_of(r)[".graphics_registers"][".spi_ps_input_ena"][".pos_x_float_ena"] = true; }, "gfx1030",
     "error: .graphics_registers/.spi_ps_input_addr: .pos_x_float_ena is loaded, but has no place [ps_input_addr]"},
    {"ps_input_cntl", graphics, [](V& r) { pipeline_of(r)[".graphics_registers"].erase(".spi_ps_input_cntl"); },
     "gfx1030",
     "error: .graphics_registers/.spi_ps_input_cntl: a pixel stage needs at least one element [ps_input_cntl]"},
    {"shader_stages_en", graphics,
     [](V& r) { pipeline_of(r)[".graphics_registers"][".vgt_shader_stages_en"][".dynamic_hs"] = true; }, "gfx1200",
     "error: .graphics_registers/.vgt_shader_stages_en/.dynamic_hs: the value must be 0 on gfx1200 "
     "[shader_stages_en]"},
    {"graphics_registers", graphics, [](V& r) { pipeline_of(r).erase(".graphics_registers"); }, "gfx1030",
     "error: .graphics_registers: graphics stages need it in version 3 [register_map]"},
};

const auto kName = [](const auto& param) { return std::string(param.param.name); };
INSTANTIATE_TEST_SUITE_P(Structure, BrokenDocument, testing::ValuesIn(kStructure), kName);
INSTANTIATE_TEST_SUITE_P(Pipeline, BrokenDocument, testing::ValuesIn(kPipeline), kName);
INSTANTIATE_TEST_SUITE_P(Resources, BrokenDocument, testing::ValuesIn(kResources), kName);
INSTANTIATE_TEST_SUITE_P(UserData, BrokenDocument, testing::ValuesIn(kUserData), kName);
INSTANTIATE_TEST_SUITE_P(Linkage, BrokenDocument, testing::ValuesIn(kLinkage), kName);
INSTANTIATE_TEST_SUITE_P(Graphics, BrokenDocument, testing::ValuesIn(kGraphics), kName);

TEST(Rules, PalsConverterNeedsRegistersOfGraphics) {
  V root = graphics();
  root["amdpal.version"] = V::array({2, 6});
  pipeline_of(root).erase(".graphics_registers");
  pipeline_of(root)[".registers"] = V::map({{0xa1b3, 2}});
  const std::string text = findings(root, "gfx1030");
  EXPECT_NE(text.find("loaders for gfx1030 need PA_CL_CLIP_CNTL of a graphics pipeline [needed_register]"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("SPI_PS_INPUT_ENA"), std::string::npos) << text;
}

/// Loaders take integers, booleans and floating point for each other.
TEST(Rules, NumbersHaveAnyEncoding) {
  V root = compute();
  stage_of(root)[".lds_size"] = 1024.0;
  stage_of(root)[".scratch_en"] = 0;
  stage_of(root)[".user_sgprs"] = 4.0;
  EXPECT_EQ(findings(root, "gfx1030"), "");
}

TEST(Rules, HostileDocumentsAreRefused) {
  const isa::Target& target = *isa::find_target("gfx1030");
  const auto message = [&](const std::vector<uint8_t>& bytes) {
    const auto inspection = inspect_document(bytes, target);
    return inspection ? std::string("accepted") : inspection.error().message;
  };
  EXPECT_EQ(message({}), "the metadata is not well-formed MessagePack");
  EXPECT_EQ(message({0xdd, 0xff, 0xff, 0xff, 0xff, 1}), "the metadata is not well-formed MessagePack");
  EXPECT_EQ(message(std::vector<uint8_t>(100000, 0x91)), "the metadata is not well-formed MessagePack");
  EXPECT_EQ(message(std::vector<uint8_t>((1u << 20) + 1, 0xc0)), "the metadata has more than 1048576 bytes");
  // Findings stop at a number; the document has thousands of strange keys.
  V root = compute();
  for (int i = 0; i < 3000; ++i) pipeline_of(root)[V("key " + std::to_string(i))] = i;
  const auto inspection = inspect_document(root.packed(), target);
  ASSERT_TRUE(inspection.ok());
  EXPECT_EQ(inspection->report.findings().size(), Report::kMaxFindings);
}

}  // namespace
}  // namespace spalt::metadata::test
