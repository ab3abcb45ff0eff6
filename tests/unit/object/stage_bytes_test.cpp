// SPDX-License-Identifier: MIT
// Stage objects as bytes, and what linking makes of several.
#include "amdgpu/object/stage_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "amdgpu/object/link.h"
#include "sample.h"

namespace spalt::object {
namespace {

TEST(StageBytes, ReadingGivesTheSameStage) {
  StageObject stage = sample();
  stage.disassembly = "v_mov_b32 v0, 0\n";
  stage.relocations = {{4, abi::HardwareStage::cs, -12}, {0, abi::HardwareStage::cs, 4, RelocationKind::tables}};
  stage.tables = {1, 2, 3, 4};
  stage.instruction_count = 2;
  stage.spilled_vgprs = 3;
  const Result<StageObject> read = read_stage(write_stage(stage));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(*read == stage);
}

TEST(StageBytes, LinkToTheSameBytes) {
  const StageObject stage = sample();
  const Result<StageObject> read = read_stage(write_stage(stage));
  ASSERT_TRUE(read.ok());
  for (MetadataVersion version : {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6}) {
    EXPECT_EQ(written(*read, version), written(stage, version));
  }
}

/// Every member is written: a change of any of them changes the bytes.
TEST(StageBytes, EveryMemberCounts) {
  const std::vector<std::function<void(StageObject&)>> changes = {[](StageObject& s) { s.target_name = "gfx1031"; },
                                                                  [](StageObject& s) { s.code.back() ^= 1; },
                                                                  [](StageObject& s) { s.tables.push_back(1); },
                                                                  [](StageObject& s) { s.relocations.push_back({}); },
                                                                  [](StageObject& s) { s.entry_symbol += "x"; },
                                                                  [](StageObject& s) { s.vgpr_count = 3; },
                                                                  [](StageObject& s) { s.threadgroup_dims[1] = 3; },
                                                                  [](StageObject& s) { s.user_data_reg_map[31] = 1; },
                                                                  [](StageObject& s) { s.float_mode = 0; },
                                                                  [](StageObject& s) { s.wgp_mode = !s.wgp_mode; },
                                                                  [](StageObject& s) { s.tgid_y_en = !s.tgid_y_en; },
                                                                  [](StageObject& s) { s.api = "OpenCL"; },
                                                                  [](StageObject& s) { s.pipeline_hash[1] ^= 4; },
                                                                  [](StageObject& s) { s.api_shader_hash[0] ^= 4; },
                                                                  [](StageObject& s) { s.disassembly = "x"; },
                                                                  [](StageObject& s) { s.spilled_vgprs = 77; },
                                                                  [](StageObject& s) { s.excp_en = 5; },
                                                                  [](StageObject& s) { s.uses_append_consume = true; },
                                                                  [](StageObject& s) { s.spill_threshold = 9; }};
  const Bytes plain = write_stage(sample());
  for (size_t i = 0; i < changes.size(); ++i) {
    StageObject changed = sample();
    changes[i](changed);
    EXPECT_NE(write_stage(changed), plain) << i;
  }
}

TEST(StageBytes, EveryMemberOfVertexStagesCounts) {
  using Outputs = abi::VertexOutputs;
  const std::vector<std::function<void(StageObject&, Outputs&)>> changes = {
      [](StageObject& s, Outputs&) { s.vertex_vgpr_comp_cnt = 2; },
      [](StageObject& s, Outputs&) { s.primitive_vgpr_comp_cnt = 2; },
      [](StageObject& s, Outputs&) { s.subgroup_vertices = 64; },
      [](StageObject& s, Outputs&) { s.subgroup_primitives = 64; },
      [](StageObject& s, Outputs&) { s.primitive_shape = PrimitiveShape::lines; },
      [](StageObject& s, Outputs&) { s.rasterizer_discard = true; },
      [](StageObject&, Outputs& o) {
        o.parameters.push_back({abi::ParameterKind::layer, 0});
      },
      [](StageObject&, Outputs& o) { o.parameters[0].number = 9; },
      [](StageObject&, Outputs& o) { o.point_size = true; },
      [](StageObject&, Outputs& o) { o.layer = true; },
      [](StageObject&, Outputs& o) { o.viewport_index = true; },
      [](StageObject&, Outputs& o) { o.clip_distances = 3; },
      [](StageObject&, Outputs& o) { o.cull_distances = 3; },
      [](StageObject&, Outputs& o) { o.primitive_id = true; },
      [](StageObject&, Outputs& o) { o.writes_memory = true; },
      [](StageObject&, Outputs& o) {
        for (const uint32_t word : {1u, 2u, 0xffffffffu}) o.vertex_work.push_back(word);
      }};
  const StageObject plain = sample_vertex("gfx1100", 32);
  for (size_t i = 0; i < changes.size(); ++i) {
    StageObject changed = plain;
    changes[i](changed, std::get<Outputs>(changed.facts));
    EXPECT_NE(write_stage(changed), write_stage(plain)) << i;
    const Result<StageObject> read = read_stage(write_stage(changed));
    ASSERT_TRUE(read.ok()) << i << ": " << read.error().message;
    EXPECT_TRUE(*read == changed) << i;
  }
}

TEST(StageBytes, EveryMemberOfPixelStagesCounts) {
  using Facts = abi::PixelFacts;
  const std::vector<std::function<void(Facts&)>> changes = {
      [](Facts& f) { f.inputs |= 1u << abi::kFrontFace; },
      [](Facts& f) {
        f.parameters.push_back({{abi::ParameterKind::point_coord, 0}});
      },
      [](Facts& f) { f.parameters[1].flat = true; },
      [](Facts& f) { f.parameters[1].half = true; },
      [](Facts& f) { f.parameters[1].per_vertex = true; },
      [](Facts& f) { f.color_formats[7] = abi::ExportFormat::abgr32; },
      [](Facts& f) { f.color_masks[7] = 1; },
      [](Facts& f) { f.depth_format = abi::ExportFormat::r32; },
      [](Facts& f) { f.writes_depth = true; },
      [](Facts& f) { f.writes_stencil = true; },
      [](Facts& f) { f.writes_sample_mask = true; },
      [](Facts& f) { f.dummy_export = true; },
      [](Facts& f) { f.kills = true; },
      [](Facts& f) { f.early_tests = true; },
      [](Facts& f) { f.post_depth_coverage = true; },
      [](Facts& f) { f.conservative_depth = 2; },
      [](Facts& f) { f.writes_memory = true; },
      [](Facts& f) { f.per_sample = true; },
      [](Facts& f) { f.position_at_sample = true; },
      [](Facts& f) {
        for (const uint32_t word : {1u, 2u, 0xffffffffu}) f.vertex_work.push_back(word);
      }};
  const StageObject plain = sample_pixel("gfx1030", 64);
  for (size_t i = 0; i < changes.size(); ++i) {
    StageObject changed = plain;
    changes[i](std::get<Facts>(changed.facts));
    EXPECT_NE(write_stage(changed), write_stage(plain)) << i;
    const Result<StageObject> read = read_stage(write_stage(changed));
    ASSERT_TRUE(read.ok()) << i << ": " << read.error().message;
    EXPECT_TRUE(*read == changed) << i;
  }
  StageObject covered = plain;
  covered.alpha_to_coverage = true;
  EXPECT_NE(write_stage(covered), write_stage(plain));
}

std::string refusal(const Bytes& bytes) {
  const Result<StageObject> read = read_stage(bytes);
  return read.ok() ? "" : read.error().message;
}

TEST(StageBytes, NamesWhatIsWrong) {
  const Bytes good = write_stage(sample());
  const auto with = [&](size_t at, uint8_t value) {
    Bytes bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_EQ(refusal({}), "the stage object does not begin with SPALTSTG");
  EXPECT_EQ(with(0, 'X'), "the stage object does not begin with SPALTSTG");
  EXPECT_EQ(with(8, 200), "the stage object has version 200, this library reads " + std::to_string(kStageBytesVersion));
  EXPECT_EQ(with(12, static_cast<uint8_t>(good[12] + 1)), "the stage object is not as long as it says");
  EXPECT_EQ(with(16, 9), "the stage object is for an unknown hardware stage");
  Bytes longer = good;
  longer.push_back(0);
  longer[12] = static_cast<uint8_t>(longer[12] + 1);
  EXPECT_EQ(refusal(longer), "the stage object goes on after its last member");
}

/// Each of these would let a loader program a register wrong.
TEST(StageBytes, RefusesImpossibleFacts) {
  const std::vector<std::pair<std::function<void(StageObject&)>, const char*>> cases = {
      {[](StageObject& s) { s.target_name = "gfx9999"; }, "unknown target"},
      {[](StageObject& s) { s.code.clear(); }, "not a non-empty sequence"},
      {[](StageObject& s) { s.code.push_back(0); }, "not a non-empty sequence"},
      {[](StageObject& s) { s.entry_offset = 256; }, "entry point"},
      {[](StageObject& s) { s.entry_symbol.clear(); }, "no name"},
      {[](StageObject& s) { s.wave_size = 16; }, "wave size"},
      {[](StageObject& s) { s.target_name = "gfx900"; }, "waves of 32 lanes"},
      {[](StageObject& s) {
         s.tables = {1, 2, 3};
       },
       "constant tables"},
      {[](StageObject& s) {
         s.relocations = {{2, abi::HardwareStage::cs, 0}};
       },
       "relocation"},
      {[](StageObject& s) {
         s.relocations = {{8, abi::HardwareStage::cs, 0}};
       },
       "relocation"},
      {[](StageObject& s) { s.vgpr_count = 257; }, "VGPRs"},
      {[](StageObject& s) { s.sgpr_count = 107; }, "SGPRs"},
      {[](StageObject& s) { s.lds_bytes = 1u << 20; }, "LDS"},
      {[](StageObject& s) { s.user_sgprs = 33; }, "user SGPRs"},
      {[](StageObject& s) { s.user_data_limit = 161; }, "user data"},
      {[](StageObject& s) {
         s.threadgroup_dims = {1024, 1024, 1024};
       },
       "workgroup size"},
      {[](StageObject& s) { s.threadgroup_dims[0] = 0; }, "workgroup size"}};
  for (const auto& [change, words] : cases) {
    StageObject stage = sample();
    change(stage);
    const std::string message = refusal(write_stage(stage));
    EXPECT_NE(message.find(words), std::string::npos) << words << ": " << message;
  }
}

TEST(StageBytes, RefusesImpossibleGraphicsFacts) {
  const auto vertex = [](auto change) {
    StageObject stage = sample_vertex("gfx1100", 32);
    change(stage, std::get<abi::VertexOutputs>(stage.facts));
    return refusal(write_stage(stage));
  };
  const auto pixel = [](auto change) {
    StageObject stage = sample_pixel("gfx1100", 32);
    change(stage, std::get<abi::PixelFacts>(stage.facts));
    return refusal(write_stage(stage));
  };
  using V = abi::VertexOutputs;
  using P = abi::PixelFacts;
  const std::string start = "the stage object is not valid: ";
  EXPECT_EQ(vertex([](StageObject& s, V&) { s.hardware_stage = abi::HardwareStage::vs; }),
            start + "gfx1100 has no such hardware stage");
  EXPECT_EQ(vertex([](StageObject& s, V&) { s.hardware_stage = abi::HardwareStage::cs; }),
            start + "the facts of the stage are those of another hardware stage");
  EXPECT_EQ(vertex([](StageObject&, V& o) {
              while (o.parameters.size() <= abi::kMaxParameters) o.parameters.push_back({});
            }),
            start + "the vertex stage has too many parameters");
  EXPECT_EQ(vertex([](StageObject&, V& o) { o.clip_distances = o.cull_distances = 5; }),
            start + "the vertex stage has too many clip and cull distances");
  EXPECT_EQ(vertex([](StageObject& s, V&) { s.vertex_vgpr_comp_cnt = 4; }),
            start + "the vertex stage has system VGPRs that do not exist");
  EXPECT_EQ(vertex([](StageObject& s, V&) { s.subgroup_vertices = 0; }),
            start + "the subgroups of the vertex stage have an impossible size");
  EXPECT_EQ(pixel([](StageObject&, P& f) { f.inputs = 1u << abi::kPosX; }),
            start + "the pixel stage loads no interpolant, the hardware needs one");
  EXPECT_EQ(pixel([](StageObject&, P& f) { f.inputs = 1u << abi::kPosW | 1u << abi::kLinearCenter; }),
            start + "the pixel stage loads w without a perspective interpolant");
  EXPECT_EQ(pixel([](StageObject&, P& f) { f.conservative_depth = 3; }),
            start + "the pixel stage has an unknown kind of conservative depth");
  EXPECT_EQ(pixel([](StageObject&, P& f) { f.color_masks[3] = 16; }),
            start + "the pixel stage writes colour channels that do not exist");
  EXPECT_EQ(pixel([](StageObject& s, P&) { s.user_data_reg_map[3] = abi::kGlobalTable; }),
            start + "the global table is not in the first user SGPR");
}

/// The same as SurvivesDamage, of stages with facts.
TEST(StageBytes, OfGraphicsSurviveDamage) {
  for (const StageObject& stage : {sample_vertex("gfx1100", 32), sample_pixel("gfx1100", 32)}) {
    const Bytes good = write_stage(stage);
    for (size_t size = 0; size < good.size(); ++size)
      EXPECT_FALSE(read_stage(std::span(good).first(size)).ok()) << size;
    for (size_t at = 0; at < good.size(); ++at) {
      for (uint8_t value : {0, 1, 0x7f, 0x80, 0xff}) {
        Bytes bytes = good;
        bytes[at] = value;
        const Result<StageObject> read = read_stage(bytes);
        if (!read.ok()) continue;
        EXPECT_TRUE(link_stages({&*read, 1}, MetadataVersion::v3_0).ok()) << at;
      }
    }
  }
}

/// All prefixes, and every byte changed: an answer each time, and never a stage that does not link.
TEST(StageBytes, SurvivesDamage) {
  const Bytes good = write_stage(sample());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_stage(std::span(good).first(size)).ok()) << size;
  }
  for (size_t at = 0; at < good.size(); ++at) {
    for (uint8_t value : {0, 1, 0x7f, 0x80, 0xff}) {
      Bytes bytes = good;
      bytes[at] = value;
      const Result<StageObject> read = read_stage(bytes);
      if (read.ok()) {
        EXPECT_TRUE(link_stages({&*read, 1}, MetadataVersion::v3_0).ok()) << at;
      } else {
        EXPECT_FALSE(read.error().message.empty()) << at;
      }
    }
  }
}

TEST(Link, WantsOnePipeline) {
  const StageObject stage = sample();
  const StageObject twice[] = {stage, stage};
  EXPECT_FALSE(link_stages({}, MetadataVersion::v3_0).ok());
  const auto doubled = link_stages(twice, MetadataVersion::v3_0);
  ASSERT_FALSE(doubled.ok());
  EXPECT_EQ(doubled.error().message, "a hardware stage is there twice");
}

/// The second dword becomes the way from itself to the entry point, plus 100.
TEST(Link, ResolvesRelocations) {
  StageObject stage = sample();
  stage.relocations = {{4, abi::HardwareStage::cs, 100}};
  const Result<StageObject> read = read_elf(written(stage, MetadataVersion::v3_0));
  ASSERT_TRUE(read.ok()) << read.error().message;
  uint32_t dword = 0;
  std::memcpy(&dword, read->code.data() + 4, 4);
  EXPECT_EQ(dword, 96u);
}

/// Tables come after the code and what may be prefetched of it, and move with it.
TEST(Link, PutsTablesAfterTheCode) {
  StageObject stage = sample();
  stage.tables = {10, 20, 30, 40, 50, 60, 70, 80};
  stage.relocations = {{4, abi::HardwareStage::cs, 4, RelocationKind::tables}};
  const Result<StageObject> read = read_elf(written(stage, MetadataVersion::v3_0));
  ASSERT_TRUE(read.ok()) << read.error().message;
  uint32_t distance = 0;
  std::memcpy(&distance, read->code.data() + 4, 4);
  ASSERT_LE(uint64_t{distance} + stage.tables.size(), read->code.size());
  EXPECT_EQ(distance % 16, 0u);
  EXPECT_GE(distance, stage.code.size() + 3 * 64);
  EXPECT_TRUE(std::equal(stage.tables.begin(), stage.tables.end(), read->code.begin() + distance));
}

}  // namespace
}  // namespace spalt::object
