// SPDX-License-Identifier: MIT
// Graphics pipelines: registers, link and reading back. The register values are worked out by hand from the register
// catalogue of the PAL pipeline ABI for pipelines of the kind that every driver draws with.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "../command.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/register_fields.h"
#include "sample.h"

namespace spalt::object {
namespace {

using abi::HardwareStage;
using test::output_of;

constexpr MetadataVersion kVersions[] = {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6};

/// `.registers` as LLVM prints it.
std::map<uint32_t, uint32_t> registers_of(const std::vector<uint8_t>& elf) {
  const std::string notes = output_of("llvm-readelf-19 --notes", elf);
  std::map<uint32_t, uint32_t> all;
  size_t at = notes.find(".registers:");
  if (at == std::string::npos) return ADD_FAILURE() << notes, all;
  for (at = notes.find("\n      ", at); at != std::string::npos; at = notes.find("\n      ", at + 1)) {
    const size_t colon = notes.find(':', at);
    const std::string key = notes.substr(at + 7, colon - at - 7);
    if (key.empty() || key.find_first_not_of("0123456789") != std::string::npos) break;
    all[static_cast<uint32_t>(std::stoul(key))] = static_cast<uint32_t>(std::stoul(notes.substr(colon + 1)));
  }
  return all;
}

struct Expected {
  uint32_t reg, value;
};
void expect_registers(const std::vector<uint8_t>& elf, std::initializer_list<Expected> expected) {
  const std::map<uint32_t, uint32_t> all = registers_of(elf);
  for (const Expected& e : expected) {
    const auto at = all.find(e.reg);
    ASSERT_NE(at, all.end()) << std::hex << e.reg;
    EXPECT_EQ(at->second, e.value) << std::hex << e.reg << " is " << at->second;
  }
}

/// A vertex stage without a pixel stage, hardware VS.
TEST(GraphicsRegisters, OfAVertexStage) {
  const StageObject stages[] = {sample_vertex("gfx1010", 64)};
  expect_registers(linked(stages, MetadataVersion::v2_6),
                   {{0xa1b1, 0x2},      // SPI_VS_OUT_CONFIG: two parameters
                    {0xa1c3, 0x4},      // SPI_SHADER_POS_FORMAT: four components of the position
                    {0xa207, 0},        // PA_CL_VS_OUT_CNTL
                    {0xa206, 0x43f},    // PA_CL_VTE_CNTL
                    {0xa2f9, 0x2d},     // PA_SU_VTX_CNTL: centre, round to even, 1/256
                    {0xa2d5, 0x10000},  // VGT_SHADER_STAGES_EN
                    {0xa204, 0x1000000},
                    {0x2c4c, 0x10000000},
                    {0x2c4d, 0},
                    {0x2c4e, 0x1000000f},
                    {0x2c4f, 0x10000003},
                    {0x2c50, 0x10000004},
                    // RSRC1: VGPRS ceil(12 / 4) - 1, FLOAT_MODE 0xc0, DX10_CLAMP 21, COMP_CNT 3 at 24, MEM_ORDERED 27.
                    {0x2c4a, 0x0b2c0002},
                    {0x2c4b, 5 << 1}});
}

TEST(GraphicsRegisters, OfAPrimitiveShader) {
  const StageObject stages[] = {sample_vertex("gfx1100", 32)};
  expect_registers(linked(stages, MetadataVersion::v2_6),
                   {{0xa2d5, 0x06412010},  // two primitive groups, NGG, pass-through without a message, wave32
                    {0xa291, 0x20040080},  // 128, 128, 128
                    {0xa1ff, 128},
                    {0xa2d3, 1 | 256 << 9},
                    {0xa1c2, 1},
                    {0xa2ce, 1},
                    {0xa2ab, 1},
                    {0xc266, 2},  // triangles
                    {0xa1b1, 0x2},
                    {0x2c8c, 0x10000000},
                    {0x2c8e, 0x1000000f},
                    // RSRC1: VGPRS ceil(12 / 8) - 1, FLOAT_MODE, DX10_CLAMP, MEM_ORDERED 25, GS_VGPR_COMP_CNT 1 at 29.
                    {0x2c8a, 0x222c0001},
                    // RSRC2: user SGPRs, ES_VGPR_COMP_CNT 3 at 16.
                    {0x2c8b, 0x3000a}});
  const std::string notes = output_of("llvm-readelf-19 --notes", linked(stages, MetadataVersion::v3_0));
  for (const char* text :
       {".type:           Ngg", ".es_vgpr_comp_cnt: 3", ".gs_vgpr_comp_cnt: 1", ".outprim_type:   TriStrip",
        ".nggSubgroupSize: 128", ".es_stage_en:    2", ".primgen_passthru_no_msg: true", ".max_verts_per_subgroup: 128",
        ".threads_per_subgroup: 256", ".spi_shader_idx_format: 1", ".vgt_gs_max_vert_out: 1"}) {
    EXPECT_NE(notes.find(text), std::string::npos) << text << " is missing in\n" << notes;
  }
}

/// GFX10.3 allocates by a message where it runs primitive shaders; GFX12 has fewer fields.
TEST(GraphicsRegisters, OfPrimitiveShadersDiffer) {
  StageObject vertex = sample_vertex("gfx1030", 32);
  vertex.hardware_stage = HardwareStage::gs;
  vertex.entry_symbol = entry_symbol_of(HardwareStage::gs);
  expect_registers(linked({&vertex, 1}, MetadataVersion::v2_6), {{0xa2d5, 0x02412010}, {0xa29b, 2}});
  vertex = sample_vertex("gfx1200", 32);
  vertex.vertex_vgpr_comp_cnt = 1;
  vertex.primitive_vgpr_comp_cnt = 0;
  const std::string notes = output_of("llvm-readelf-19 --notes", linked({&vertex, 1}, MetadataVersion::v3_0));
  for (const char* text : {".primgen_passthru_no_msg: true", ".es_vgpr_comp_cnt: 1", ".gs_vgpr_comp_cnt: 0"}) {
    EXPECT_NE(notes.find(text), std::string::npos) << text << " is missing in\n" << notes;
  }
  for (const char* text : {".primgen_en", ".es_stage_en", "itemsize", ".vgt_primitive_id_en", ".mem_ordered"}) {
    EXPECT_EQ(notes.find(text), std::string::npos) << text << " is in\n" << notes;
  }
}

TEST(GraphicsRegisters, OfAPixelStage) {
  const StageObject stages[] = {sample_vertex("gfx1100", 32), sample_pixel("gfx1100", 32)};
  expect_registers(linked(stages, MetadataVersion::v2_6), {{0xa1b3, 2},  // the centre, in perspective
                                                           {0xa1b4, 2},
                                                           {0xa1b6, 2 | 1 << 15},  // two interpolants, wave32
                                                           {0xa191, 0},
                                                           {0xa192, 1},
                                                           {0xa1b8, 1 << 24},  // FRONT_FACE_ALL_BITS
                                                           {0xa1c5, 4},        // FP16_ABGR
                                                           {0xa1c4, 0},
                                                           {0xa08f, 0xf},
                                                           {0xa203, 0x810},
                                                           {0xa1b5, 1},
                                                           {0x2c0b, 16 << 1},
                                                           {0x2c0c, 0x10000000},
                                                           {0x2c0d, 1}});
}

/// Everything in a second position vector, distances, and parameters that the vertex stage lacks.
TEST(GraphicsRegisters, OfUnusualStages) {
  StageObject vertex = sample_vertex("gfx1010", 64);
  abi::VertexOutputs outputs;
  outputs.parameters = {{abi::ParameterKind::location, 5}, {abi::ParameterKind::location, 2}};
  outputs.point_size = outputs.layer = outputs.viewport_index = true;
  outputs.clip_distances = 3;
  outputs.cull_distances = 2;
  outputs.primitive_id = true;
  vertex.facts = outputs;
  vertex.rasterizer_discard = true;
  StageObject pixel = sample_pixel("gfx1010", 64);
  abi::PixelFacts facts;
  facts.inputs = 1u << abi::kLinearCentroid | 1u << abi::kPosX;
  facts.parameters = {{{abi::ParameterKind::location, 2}, true},
                      {{abi::ParameterKind::location, 3}, true},
                      {{abi::ParameterKind::point_coord, 0}},
                      {{abi::ParameterKind::location, 5}, false, true}};
  facts.color_formats[1] = abi::ExportFormat::uint16;
  facts.color_formats[4] = abi::ExportFormat::abgr32;
  facts.color_masks[1] = facts.color_masks[4] = 0xf;
  facts.depth_format = abi::ExportFormat::abgr32;
  facts.writes_depth = facts.writes_sample_mask = facts.writes_stencil = true;
  facts.kills = facts.writes_memory = true;
  facts.conservative_depth = 2;
  facts.per_sample = facts.position_at_sample = true;
  pixel.facts = facts;
  const StageObject stages[] = {vertex, pixel};
  expect_registers(linked(stages, MetadataVersion::v2_6),
                   {{0xa1c3, 0x4444},
                    // Three clip distances, all five of both as cull distances, size, layer, viewport; the vectors.
                    {0xa207, 0x7 | 0x1f00 | 1 << 16 | 1 << 18 | 1 << 19 | 1 << 21 | 1 << 22 | 1 << 23 | 1 << 24},
                    {0xa204, 1 << 22 | 1 << 24},
                    {0xa2ad, 1},
                    {0xa2a1, 1},
                    {0xa191, 1 | 1 << 10},        // slot 1, flat
                    {0xa192, 0x20},               // not written: (0, 0, 0, 0)
                    {0xa193, 0x20 | 1 << 17},     // point coordinate
                    {0xa194, 1 << 19 | 1 << 24},  // slot 0, halves
                    {0xa1b5, 1 | 1 << 1 | 2 << 2 | 3 << 5 | 0 << 8 | 1 << 11},
                    {0xa1b6, 4},
                    {0xa1b8, 2 << 16 | 1 << 24},
                    {0xa1b3, 0x140},
                    {0xa1c5, 0x97},
                    {0xa1c4, 9},
                    {0xa08f, 0xf00f0},
                    {0xa203, 1 | 2 | 1 << 6 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 2 << 13},
                    {0xa293, 1 << 16}});
}

/// Without parameters GFX10 and later need none; GFX9 has one all the same, and POS1 alone needs no side bus there.
TEST(GraphicsRegisters, FollowTheGeneration) {
  abi::VertexOutputs outputs;
  outputs.clip_distances = 1;
  const auto written_for = [&](const char* target) {
    StageObject vertex = sample_vertex(target, 64);
    vertex.vertex_vgpr_comp_cnt = 1;
    vertex.facts = outputs;
    return linked({&vertex, 1}, MetadataVersion::v2_6);
  };
  const uint32_t distances = 1 | 1 << 8 | 1 << 22;
  expect_registers(written_for("gfx900"), {{0xa1b1, 0}, {0xa207, distances}, {0xa1c3, 0x44}, {0xa2d5, 0x10000}});
  expect_registers(written_for("gfx1010"), {{0xa1b1, 0x80}, {0xa207, distances}});
  expect_registers(written_for("gfx1030"), {{0xa1b1, 0x80}, {0xa207, distances | 1 << 24}});
}

/// USER_SGPR of 32 has its sixth bit elsewhere.
TEST(GraphicsRegisters, HaveAllUserSgprs) {
  for (const auto& [target, msb] : {std::pair("gfx900", 28), std::pair("gfx1010", 27)}) {
    StageObject pixel = sample_pixel(target, 64);
    pixel.user_sgprs = 32;
    const std::vector<uint8_t> elf = linked({&pixel, 1}, MetadataVersion::v2_6);
    expect_registers(elf, {{0x2c0b, 1u << msb}});
    const Result<PipelineObject> read = read_pipeline(elf);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->stages[0].user_sgprs, 32u);
  }
}

/// All targets and versions: what is read is what was written, as far as registers tell it.
TEST(PipelineObject, ReadsWhatWasLinked) {
  unsigned cases = 0;
  for (const isa::Target& target : isa::targets()) {
    const uint32_t wave_size = target.has_wave32 ? 32 : 64;
    const StageObject vertex = sample_vertex(target.name, wave_size), pixel = sample_pixel(target.name, wave_size);
    const StageObject stages[] = {pixel, vertex};  // any order
    for (MetadataVersion version : kVersions) {
      const unsigned major = version == MetadataVersion::v2_6 ? 2 : 3;
      if (major < target.min_metadata_major || major > target.max_metadata_major) continue;
      const Result<PipelineObject> read = read_pipeline(linked(stages, version));
      ASSERT_TRUE(read.ok()) << target.name << ": " << read.error().message;
      ASSERT_EQ(read->stages.size(), 2u);
      const StageObject* v = read->find(vertex.hardware_stage);
      const StageObject* p = read->find(HardwareStage::ps);
      ASSERT_TRUE(v != nullptr && p != nullptr);
      EXPECT_TRUE(v->facts == vertex.facts) << target.name;
      EXPECT_TRUE(p->facts == pixel.facts) << target.name;
      EXPECT_EQ(v->entry_offset % 256, 0u);
      EXPECT_EQ(p->entry_offset % 256, 0u);
      EXPECT_NE(v->entry_offset, p->entry_offset);
      EXPECT_LT(std::max(v->entry_offset, p->entry_offset), read->code.size());
      EXPECT_EQ(v->vertex_vgpr_comp_cnt, 3u);
      EXPECT_EQ(v->primitive_vgpr_comp_cnt, vertex.primitive_vgpr_comp_cnt);
      EXPECT_EQ(v->user_data_reg_map, vertex.user_data_reg_map);
      EXPECT_EQ(v->user_sgprs, 5u);
      EXPECT_EQ(p->user_sgprs, 16u);
      EXPECT_EQ(v->wave_size, wave_size);
      EXPECT_EQ(v->float_mode, 0xc0u);
      const SmallVector<ParameterSource, 8> sources = {{0}, {1}};
      EXPECT_TRUE(read->sources == sources);
      ++cases;
    }
  }
  EXPECT_GT(cases, 60u);
}

TEST(PipelineObject, ReadsComputePipelines) {
  for (MetadataVersion version : kVersions) {
    const Result<PipelineObject> read = read_pipeline(written(sample(), version));
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_EQ(read->stages.size(), 1u);
    EXPECT_EQ(read->stages[0].hardware_stage, HardwareStage::cs);
    EXPECT_EQ(read->stages[0].threadgroup_dims, sample().threadgroup_dims);
  }
}

/// A pixel stage that does nothing is added, whose program LLVM shows.
TEST(Link, AddsAPixelStage) {
  for (const auto& [target, text] :
       {std::pair("gfx900", "exp null off, off, off, off done vm"), std::pair("gfx1030", "s_endpgm"),
        std::pair("gfx1100", "s_endpgm"), std::pair("gfx1200", "s_endpgm")}) {
    const StageObject vertex = sample_vertex(target, 64);
    const MetadataVersion version =
        std::string_view(target) == "gfx900" ? MetadataVersion::v2_6 : MetadataVersion::v3_0;
    const std::vector<uint8_t> elf = linked({&vertex, 1}, version);
    const Result<PipelineObject> read = read_pipeline(elf);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_NE(read->find(HardwareStage::ps), nullptr) << target;
    const std::string listing = output_of(std::string("llvm-objdump-19 -d --mcpu=") + target, elf);
    const size_t at = listing.find("<_amdgpu_ps_main>");
    ASSERT_NE(at, std::string::npos) << listing;
    EXPECT_NE(listing.find(text, at), std::string::npos) << listing;
  }
}

std::string refusal(std::span<const StageObject> stages) {
  const auto linked = link_stages(stages, MetadataVersion::v3_0);
  return linked.ok() ? "" : linked.error().message;
}

TEST(Link, WantsStagesOfOnePipeline) {
  const StageObject vertex = sample_vertex("gfx1030", 32), pixel = sample_pixel("gfx1030", 32);
  StageObject primitive = vertex;
  primitive.hardware_stage = HardwareStage::gs;
  const StageObject two_vertex[] = {vertex, primitive};
  EXPECT_EQ(refusal(two_vertex), "a pipeline has one vertex stage");
  const StageObject with_compute[] = {sample(), pixel};
  EXPECT_EQ(refusal(with_compute), "a compute stage is a pipeline of its own");
  StageObject table = pixel;
  table.user_data_reg_map[2] = abi::kVertexBufferTable;
  const StageObject two_tables[] = {vertex, table};
  EXPECT_EQ(refusal(two_tables), "there are two user SGPRs for what the driver writes to one");
  StageObject wrong = vertex;
  wrong.facts = std::get<abi::PixelFacts>(pixel.facts);
  EXPECT_EQ(refusal({&wrong, 1}), "the facts of the stage are those of another hardware stage");
  wrong = vertex;
  wrong.user_data_reg_map[4] = 7;
  wrong.user_data_reg_map[5] = abi::kBaseInstance;
  EXPECT_EQ(refusal({&wrong, 1}), "the base instance is not in the user SGPR after the base vertex");
  wrong = vertex;
  wrong.target_name = "gfx1100";
  EXPECT_EQ(refusal({&wrong, 1}), "gfx1100 has no such hardware stage");
}

TEST(Link, RefusesAPrimitiveIdThatNobodyCounts) {
  StageObject vertex = sample_vertex("gfx1010", 64), pixel = sample_pixel("gfx1010", 64);
  auto& inputs = std::get<abi::PixelFacts>(pixel.facts).parameters;
  inputs[0].parameter = {abi::ParameterKind::primitive_id, 0};
  EXPECT_FALSE(link_stages(std::vector{vertex, pixel}, MetadataVersion::v3_0));
  auto& outputs = std::get<abi::VertexOutputs>(vertex.facts);
  outputs.parameters[0] = inputs[0].parameter;
  outputs.primitive_id = true;
  EXPECT_TRUE(link_stages(std::vector{vertex, pixel}, MetadataVersion::v3_0));
}

TEST(Link, TakesTheLowestSpillThreshold) {
  StageObject stages[] = {sample_vertex("gfx1030", 32), sample_pixel("gfx1030", 32)};
  stages[0].spill_threshold = 9;
  stages[1].spill_threshold = 4;
  stages[1].user_data_limit = 12;
  const std::string notes = output_of("llvm-readelf-19 --notes", linked(stages, MetadataVersion::v3_0));
  EXPECT_NE(notes.find(".spill_threshold: 4"), std::string::npos) << notes;
  EXPECT_NE(notes.find(".user_data_limit: 12"), std::string::npos) << notes;
}

/// Any bytes: an answer, and a pipeline only where its entry points are inside of the code.
TEST(PipelineObject, SurvivesDamage) {
  std::mt19937 random(7);
  for (MetadataVersion version : kVersions) {
    const StageObject stages[] = {sample_vertex("gfx1100", 32), sample_pixel("gfx1100", 32)};
    const std::vector<uint8_t> bytes = linked(stages, version);
    unsigned accepted = 0;
    for (unsigned round = 0; round < 10000; ++round) {
      std::vector<uint8_t> copy = bytes;
      for (unsigned n = 0; n <= round % 4; ++n)
        copy[256 + random() % (copy.size() - 256)] = static_cast<uint8_t>(random());
      const Result<PipelineObject> read = read_pipeline(copy);
      if (!read) {
        EXPECT_FALSE(read.error().message.empty());
        continue;
      }
      ++accepted;
      for (const StageObject& stage : read->stages) {
        EXPECT_LT(stage.entry_offset, read->code.size());
        EXPECT_TRUE(check_facts(stage).ok());
      }
    }
    EXPECT_GT(accepted, 0u);
    EXPECT_LT(accepted, 10000u);
    for (size_t size = 0; size < bytes.size(); size += 3)
      EXPECT_FALSE(read_pipeline(std::span(bytes).first(size)).ok());
  }
}

}  // namespace
}  // namespace spalt::object
