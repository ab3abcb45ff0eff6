// SPDX-License-Identifier: MIT
// Bodies and pieces of stages: what linking makes of them, what it refuses, and how they are stored.
#include "amdgpu/object/join_parts.h"

#include <gtest/gtest.h>

#include <functional>

#include "amdgpu/object/link.h"
#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/stage_bytes.h"
#include "sample.h"

namespace spalt::object {
namespace {

constexpr const char* kTarget = "gfx1030";

Vector<uint8_t> code(std::initializer_list<uint8_t> bytes) {
  return Vector<uint8_t>(bytes);
}

StageObject vertex_body() {
  StageObject body = sample_vertex(kTarget, 32);
  body.part = abi::Part::body;
  body.seam = abi::VertexSeam{{{0, 0xf, false}, {3, 0x8, true}}, 8};
  body.code = code({1, 0, 0, 0, 2, 0, 0, 0});
  body.vertex_vgpr_comp_cnt = 0;
  body.vgpr_count = 9;
  body.sgpr_count = 20;
  return body;
}

StageObject prolog() {
  StageObject piece = vertex_body();
  piece.part = abi::Part::prolog;
  piece.facts = std::monostate();
  piece.user_data_reg_map = abi::StageInterface::nothing_mapped();
  piece.code = code({7, 0, 0, 0});
  piece.vertex_vgpr_comp_cnt = 3;
  piece.vgpr_count = 14;
  piece.sgpr_count = 10;
  piece.primitive_shape = PrimitiveShape::lines;
  piece.pipeline_hash = {11, 13};
  return piece;
}

StageObject pixel_body() {
  StageObject body = sample_pixel(kTarget, 32);
  body.part = abi::Part::body;
  body.seam = abi::PixelSeam{{{abi::PixelResultKind::color, 0, 0, abi::ResultType::f32}}, true};
  auto& facts = std::get<abi::PixelFacts>(body.facts);
  facts.color_formats = {};
  facts.color_masks = {};
  facts.kills = true;
  body.code = code({3, 0, 0, 0});
  return body;
}

StageObject epilog() {
  StageObject piece = pixel_body();
  piece.part = abi::Part::epilog;
  abi::PixelFacts facts;
  facts.color_formats[0] = abi::ExportFormat::fp16;
  facts.color_masks[0] = 0xf;
  facts.depth_format = abi::ExportFormat::r32;
  facts.writes_depth = true;
  piece.facts = facts;
  piece.user_data_reg_map = abi::StageInterface::nothing_mapped();
  piece.alpha_to_coverage = true;
  piece.code = code({9, 0, 0, 0});
  return piece;
}

TEST(JoinParts, PrologsComeInFront) {
  StageObject body = vertex_body();
  body.relocations = {{4, abi::HardwareStage::ps, -12}};
  const Result<Vector<StageObject>> stages = join_parts(std::vector{body, prolog()}, nullptr);
  ASSERT_TRUE(stages.ok()) << stages.error().message;
  ASSERT_EQ(stages->size(), 1u);
  const StageObject& whole = (*stages)[0];
  EXPECT_EQ(whole.code, code({7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(whole.relocations, (Vector<Relocation>{{8, abi::HardwareStage::ps, -12}}));
  EXPECT_EQ(whole.vgpr_count, 14u);
  EXPECT_EQ(whole.sgpr_count, 20u);
  EXPECT_EQ(whole.vertex_vgpr_comp_cnt, 3u);
  EXPECT_EQ(whole.primitive_shape, PrimitiveShape::lines);
  EXPECT_EQ(whole.facts, vertex_body().facts);
  EXPECT_EQ(whole.user_data_reg_map, vertex_body().user_data_reg_map);
  EXPECT_EQ(whole.part, abi::Part::whole);
  EXPECT_NE(whole.pipeline_hash, body.pipeline_hash);
}

TEST(JoinParts, TablesAreThoseOfTheBody) {
  StageObject body = pixel_body(), piece = epilog();
  body.tables = {1, 2, 3, 4};
  const Result<Vector<StageObject>> stages = join_parts(std::vector{body, piece}, nullptr);
  ASSERT_TRUE(stages.ok()) << stages.error().message;
  EXPECT_EQ((*stages)[0].tables, body.tables);
  piece.tables = body.tables;
  EXPECT_FALSE(join_parts(std::vector{body, piece}, nullptr).ok());
}

TEST(JoinParts, EpilogsComeAfter) {
  const Result<Vector<StageObject>> stages = join_parts(std::vector{epilog(), pixel_body()}, nullptr);
  ASSERT_TRUE(stages.ok()) << stages.error().message;
  ASSERT_EQ(stages->size(), 1u);
  const StageObject& whole = (*stages)[0];
  EXPECT_EQ(whole.code, code({3, 0, 0, 0, 9, 0, 0, 0}));
  const auto& facts = std::get<abi::PixelFacts>(whole.facts);
  EXPECT_EQ(facts.color_formats[0], abi::ExportFormat::fp16);
  EXPECT_EQ(facts.depth_format, abi::ExportFormat::r32);
  EXPECT_TRUE(facts.writes_depth && facts.kills && whole.alpha_to_coverage);
  EXPECT_EQ(facts.inputs, std::get<abi::PixelFacts>(pixel_body().facts).inputs);
}

/// Registers of the pipeline are those of the joined stages, as a loader reads them.
TEST(JoinParts, LinkToAPipeline) {
  const StageObject parts[] = {epilog(), vertex_body(), pixel_body(), prolog()};
  const Result<PipelineObject> read = read_pipeline(linked(parts, MetadataVersion::v3_0));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_NE(read->find(abi::HardwareStage::ps), nullptr);
  const auto& pixel = std::get<abi::PixelFacts>(read->find(abi::HardwareStage::ps)->facts);
  EXPECT_EQ(pixel.color_formats[0], abi::ExportFormat::fp16);
  EXPECT_EQ(pixel.color_masks[0], 0xf);
  ASSERT_NE(read->find(abi::HardwareStage::vs), nullptr);
  EXPECT_EQ(read->find(abi::HardwareStage::vs)->vertex_vgpr_comp_cnt, 3u);
}

TEST(JoinParts, RefuseWhatDoesNotFit) {
  const auto refusal = [](std::vector<StageObject> parts) {
    const auto elf = link_stages(parts, MetadataVersion::v3_0);
    return elf.ok() ? std::string() : elf.error().message;
  };
  const auto changed = [](StageObject stage, auto change) {
    change(stage);
    return stage;
  };
  EXPECT_EQ(refusal({vertex_body()}), "the body of a stage comes without the piece that completes it");
  EXPECT_EQ(refusal({vertex_body(), epilog()}), "the body of a stage comes without the piece that completes it");
  EXPECT_EQ(refusal({prolog()}), "a piece comes without the body that it completes");
  EXPECT_EQ(refusal({sample_vertex(kTarget, 32), prolog()}), "a piece comes without the body that it completes");
  EXPECT_EQ(refusal({vertex_body(), prolog(), prolog()}), "a body has two pieces");
  EXPECT_EQ(refusal({vertex_body(), changed(prolog(), [](StageObject& s) { s.wave_size = 64; })}),
            "a body and its piece have waves of different sizes");
  EXPECT_EQ(refusal({vertex_body(), changed(prolog(), [](StageObject& s) { s.float_mode = 0; })}),
            "a body and its piece have different float modes");
  EXPECT_EQ(refusal({vertex_body(), changed(prolog(), [](StageObject& s) { s.target_name = "gfx1031"; })}),
            "the stages are for different processors");
  EXPECT_EQ(refusal({vertex_body(), changed(prolog(), [](StageObject& s) { s.scratch_en = true; })}),
            "a piece has memory of its own");
  EXPECT_EQ(
      refusal({vertex_body(),
               changed(prolog(), [](StageObject& s) { std::get<abi::VertexSeam>(s.seam).reads[1].components = 2; })}),
      "a piece is for another body: their seams differ");
  EXPECT_EQ(refusal({pixel_body(),
                     changed(epilog(), [](StageObject& s) { std::get<abi::PixelSeam>(s.seam).kills = false; })}),
            "a piece is for another body: their seams differ");
}

TEST(StageBytes, KeepParts) {
  for (const StageObject& stage : {vertex_body(), prolog(), pixel_body(), epilog()}) {
    const Result<StageObject> read = read_stage(write_stage(stage));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_TRUE(*read == stage);
  }
  StageObject empty = prolog();
  empty.code.clear();
  EXPECT_TRUE(read_stage(write_stage(empty)).ok());
}

/// A change of any member of a seam changes the bytes.
TEST(StageBytes, EveryMemberOfSeamsCounts) {
  const std::vector<std::function<void(abi::VertexSeam&)>> vertex = {
      [](abi::VertexSeam& s) { s.reads[0].location = 1; }, [](abi::VertexSeam& s) { s.reads[0].components = 3; },
      [](abi::VertexSeam& s) { s.reads[0].integer = true; },
      [](abi::VertexSeam& s) {
        s.reads.push_back({9, 1, false});
      },
      [](abi::VertexSeam& s) { s.kept_sgprs = 16; }};
  for (size_t i = 0; i < vertex.size(); ++i) {
    StageObject changed = vertex_body();
    vertex[i](std::get<abi::VertexSeam>(changed.seam));
    EXPECT_NE(write_stage(changed), write_stage(vertex_body())) << i;
    EXPECT_TRUE(read_stage(write_stage(changed)).ok()) << i;
  }
  const std::vector<std::function<void(abi::PixelSeam&)>> pixel = {
      [](abi::PixelSeam& s) { s.results[0].kind = abi::PixelResultKind::depth; },
      [](abi::PixelSeam& s) { s.results[0].location = 7; },
      [](abi::PixelSeam& s) { s.results[0].component = 3; },
      [](abi::PixelSeam& s) { s.results[0].type = abi::ResultType::i16; },
      [](abi::PixelSeam& s) { s.results.push_back({}); },
      [](abi::PixelSeam& s) { s.kills = false; }};
  for (size_t i = 0; i < pixel.size(); ++i) {
    StageObject changed = pixel_body();
    pixel[i](std::get<abi::PixelSeam>(changed.seam));
    EXPECT_NE(write_stage(changed), write_stage(pixel_body())) << i;
    EXPECT_TRUE(read_stage(write_stage(changed)).ok()) << i;
  }
}

TEST(StageBytes, RefuseImpossibleSeams) {
  const auto refusal = [](StageObject stage, const std::function<void(StageObject&)>& change) {
    change(stage);
    const Result<StageObject> read = read_stage(write_stage(stage));
    return read.ok() ? std::string() : read.error().message;
  };
  const std::string start = "the stage object is not valid: ";
  const std::string no_attribute = start + "the seam reads attributes that do not exist";
  const auto seam = [](StageObject& s) -> abi::VertexSeam& { return std::get<abi::VertexSeam>(s.seam); };
  EXPECT_EQ(refusal(vertex_body(), [&](StageObject& s) { seam(s).reads[1].location = 32; }), no_attribute);
  EXPECT_EQ(refusal(vertex_body(), [&](StageObject& s) { seam(s).reads[1].location = 0; }), no_attribute);
  EXPECT_EQ(refusal(vertex_body(), [&](StageObject& s) { seam(s).reads[0].components = 0; }), no_attribute);
  EXPECT_EQ(refusal(vertex_body(), [&](StageObject& s) { seam(s).reads[0].components = 16; }), no_attribute);
  EXPECT_EQ(refusal(vertex_body(), [&](StageObject& s) { seam(s).kept_sgprs = 200; }),
            start + "the seam keeps SGPRs that do not exist");
  EXPECT_EQ(refusal(pixel_body(), [](StageObject& s) { std::get<abi::PixelSeam>(s.seam).results[0].location = 8; }),
            start + "the seam has impossible results");
  EXPECT_EQ(refusal(vertex_body(), [](StageObject& s) { s.seam = abi::PixelSeam(); }),
            start + "the seam of the stage does not fit it");
  EXPECT_EQ(refusal(sample_vertex(kTarget, 32), [](StageObject& s) { s.seam = abi::VertexSeam(); }),
            start + "the seam of the stage does not fit it");
  EXPECT_EQ(refusal(pixel_body(), [](StageObject& s) { s.part = abi::Part::prolog; }),
            start + "a prolog is of a vertex stage, and has no facts of its own");
}

}  // namespace
}  // namespace spalt::object
