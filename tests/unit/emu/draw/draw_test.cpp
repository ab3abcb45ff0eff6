// SPDX-License-Identifier: MIT
// Whole draws with hand-made programs, on every kind of processor. What is expected is worked out from the geometry.
#include "draw_fixture.h"

namespace spalt::emu::test {
namespace {

constexpr unsigned kSize = DrawFixture::kSize;
using Color = std::array<float, 4>;

/// Covers the pixels left of and above the diagonal: x + y < size - 1, and those on it by the top-left rule.
std::vector<TestVertex> half_of_the_screen(float z = 0.5f) {
  return {{{-1, -1, z, 1}, {0, 0, 1, 1}}, {{1, -1, z, 1}, {1, 0, 1, 1}}, {{-1, 1, z, 1}, {0, 1, 1, 1}}};
}
bool inside(unsigned x, unsigned y) {
  return x + y < kSize - 1;
}
bool outside(unsigned x, unsigned y) {
  return x + y > kSize - 1;
}

constexpr Color kUntouched = {-1, -1, -1, -1};

class Draws : public testing::TestWithParam<Dialect> {};

TEST_P(Draws, ATriangleOfOneColor) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  const spalt_api::Program program =
      fixture.load(programs.vertex(),
                   programs.pixel("v_mov_b32 v8, 1.0\nv_mov_b32 v9, 0.5\nv_mov_b32 v10, 2.0\nv_mov_b32 v11, 4.0"));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program.info().graphics, 1u);
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  unsigned painted = 0;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      if (inside(x, y)) {
        EXPECT_EQ(fixture.color(x, y), (Color{1, 0.5f, 2, 4})) << x << ", " << y;
      } else if (outside(x, y)) {
        EXPECT_EQ(fixture.color(x, y), kUntouched) << x << ", " << y;
      }
      painted += fixture.color(x, y) != kUntouched ? 1 : 0;
    }
  }
  EXPECT_EQ(report.counters.input_vertices, 3u);
  EXPECT_EQ(report.counters.input_primitives, 1u);
  EXPECT_EQ(report.counters.vertex_invocations, 3u);
  EXPECT_EQ(report.counters.clip_invocations, 1u);
  EXPECT_EQ(report.counters.clip_primitives, 1u);
  EXPECT_EQ(report.counters.fragment_invocations, painted);
  EXPECT_EQ(report.counters.samples_passed, painted);
  EXPECT_GT(report.counters.waves.instructions, 0u);
}

/// The dword there takes the first instruction for its literal.
TEST_P(Draws, AnythingMayLieBeforeAnEntryPoint) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  object::StageObject pixel =
      programs.pixel("v_mov_b32 v8, 1.0\nv_mov_b32 v9, 0.5\nv_mov_b32 v10, 2.0\nv_mov_b32 v11, 4.0");
  constexpr std::array<uint8_t, 4> kMove = {0x00, 0x03, 0x02, 0x7e}, kMoveOfALiteral = {0xff, 0x02, 0x02, 0x7e};
  pixel.code.insert(pixel.code.begin(), kMoveOfALiteral.begin(), kMoveOfALiteral.end());
  for (pixel.entry_offset = 4; pixel.entry_offset < 256; pixel.entry_offset += 4) {
    pixel.code.insert(pixel.code.begin(), kMove.begin(), kMove.end());
  }
  const spalt_api::Program program = fixture.load(programs.vertex(), pixel);
  ASSERT_TRUE(program.ok());
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  EXPECT_EQ(fixture.color(0, 0), (Color{1, 0.5f, 2, 4}));
}

TEST_P(Draws, AnInterpolatedAttribute) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      if (!inside(x, y)) continue;
      EXPECT_NEAR(fixture.color(x, y)[0], (x + 0.5f) / kSize, 1e-6) << x << ", " << y;
      EXPECT_NEAR(fixture.color(x, y)[1], (y + 0.5f) / kSize, 1e-6) << x << ", " << y;
      EXPECT_EQ(fixture.color(x, y)[2], 1);
    }
  }
}

TEST_P(Draws, DiscardByTheMaskOfTheLastExport) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  // Keeps the fragments whose first attribute is below a half.
  const bool wide = GetParam().wave_size == 64;
  const std::string mask = wide ? "s[54:55]" : "s54", exact = wide ? "s[52:53]" : "s52";
  object::StageObject pixel = programs.pixel(programs.interpolate() + "v_cmp_gt_f32 " + mask + ", 0.5, v8\n" +
                                             (wide ? "s_and_b64 " : "s_and_b32 ") + exact + ", " + exact + ", " + mask);
  std::get<abi::PixelFacts>(pixel.facts).kills = true;
  const spalt_api::Program program = fixture.load(programs.vertex(), pixel);
  fixture.state.depth_test = fixture.state.depth_write = 1;
  fixture.state.depth_compare_op = 1;
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      if (!inside(x, y)) continue;
      EXPECT_EQ(fixture.color(x, y) != kUntouched, x < kSize / 2) << x << ", " << y;
      EXPECT_EQ(fixture.depth(x, y), x < kSize / 2 ? 0.5f : 1.0f);
    }
  }
  EXPECT_LT(report.counters.samples_passed, report.counters.fragment_invocations);
}

TEST_P(Draws, DepthDecides) {
  std::vector<TestVertex> vertices = half_of_the_screen(0.75f);
  for (const TestVertex& vertex : half_of_the_screen(0.25f)) vertices.push_back(vertex);
  for (const TestVertex& vertex : half_of_the_screen(0.5f)) vertices.push_back(vertex);
  for (size_t i = 0; i < vertices.size(); ++i) vertices[i].color = {static_cast<float>(i / 3), 0, 0, 1};
  DrawFixture fixture(GetParam(), vertices);
  const Programs programs(GetParam());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  fixture.state.depth_test = fixture.state.depth_write = 1;
  fixture.state.depth_compare_op = 1;  // less
  const auto report = fixture.draw(fixture.info(program, 9));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      if (!inside(x, y)) continue;
      EXPECT_EQ(fixture.color(x, y)[0], 1) << x << ", " << y;
      EXPECT_EQ(fixture.depth(x, y), 0.25f);
    }
  }
}

TEST_P(Draws, IndicesWithRestart) {
  std::vector<TestVertex> vertices = {{{9, 9, 9, 9}, {}}};
  for (const TestVertex& vertex : half_of_the_screen()) vertices.push_back(vertex);
  DrawFixture fixture(GetParam(), vertices);
  const Programs programs(GetParam());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  fixture.map_indices({7, 0, 0xffff, 0, 1, 2});
  fixture.state.topology = 4;  // strip
  fixture.state.primitive_restart = 1;
  spalt_draw_info info = fixture.info(program, 5);
  info.indexed = 1;
  info.index_address = kIndices;
  info.index_bytes = 12;
  info.index_size = 2;
  info.first = 1;
  info.vertex_offset = 1;
  const auto report = fixture.draw(info);
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  EXPECT_EQ(report.counters.input_primitives, 1u);
  EXPECT_NEAR(fixture.color(3, 4)[0], 3.5f / kSize, 1e-6);
  EXPECT_EQ(fixture.color(15, 15), kUntouched);
}

TEST_P(Draws, Instances) {
  // Each instance is a row of pixels, moved by its number.
  const float step = 2.0f / kSize;
  DrawFixture fixture(GetParam(), {{{-1, -1, 0, 1}, {1, 2, 3, 4}},
                                   {{3, -1, 0, 1}, {1, 2, 3, 4}},
                                   {{-1, -1 + step, 0, 1}, {1, 2, 3, 4}},
                                   {{3, -1 + step, 0, 1}, {1, 2, 3, 4}}});
  const Programs programs(GetParam());
  const std::string move =
      "v_cvt_f32_u32 v24, v21\nv_mul_f32 v24, 0x3e000000, v24\nv_add_f32 v9, v9, v24\n"
      "v_cvt_f32_u32 v12, v21";
  const spalt_api::Program program = fixture.load(programs.vertex(move), programs.pixel(programs.interpolate()));
  fixture.state.topology = 4;  // strip
  spalt_draw_info info = fixture.info(program, 4);
  info.first_instance = 3;
  info.instance_count = 5;
  const auto report = fixture.draw(info);
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    const bool drawn = y >= 3 && y < 8;
    EXPECT_EQ(fixture.color(2, y)[0], drawn ? static_cast<float>(y) : -1) << y;
  }
}

TEST_P(Draws, ManyPrimitives) {
  // More than any batch: a grid of small triangles, each pixel in two of them.
  std::vector<TestVertex> vertices;
  const float step = 2.0f / kSize;
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < kSize * kSize; ++i) {
      const float x = -1 + static_cast<float>(i % kSize) * step, y = -1 + static_cast<float>(i / kSize) * step;
      const Color color = {static_cast<float>(i), static_cast<float>(round), 0, 1};
      vertices.push_back({{x, y, 0, 1}, color});
      vertices.push_back({{x + step, y, 0, 1}, color});
      vertices.push_back({{x, y + step, 0, 1}, color});
    }
  }
  for (const uint32_t threads : {1u, 3u}) {
    DrawFixture fixture(GetParam(), vertices, threads);
    const Programs programs(GetParam());
    // Moves the triangles by a quarter of a pixel, so that they have the centre well inside.
    const spalt_api::Program program =
        fixture.load(programs.vertex("v_add_f32 v8, 0x3d000000, v8\nv_add_f32 v9, 0x3d000000, v9"),
                     programs.pixel(programs.interpolate()));
    const auto report = fixture.draw(fixture.info(program, static_cast<uint32_t>(vertices.size())));
    ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
    EXPECT_EQ(report.counters.input_primitives, vertices.size() / 3);
    for (unsigned i = 0; i < kSize * kSize; ++i) {
      EXPECT_EQ(fixture.color(i % kSize, i / kSize), (Color{static_cast<float>(i), kRounds - 1, 0, 1})) << i;
    }
  }
}

TEST_P(Draws, PointsWithTheirCoordinates) {
  DrawFixture fixture(GetParam(), {{{0, 0, 0, 1}, {3, 3, 3, 3}}});
  const Programs programs(GetParam());
  const std::string exp = std::string(GetParam().target).starts_with("gfx12") ? "export " : "exp ";
  object::StageObject vertex = programs.vertex("v_mov_b32 v24, 4.0\n" + exp + "pos1 v24, off, off, off");
  std::get<abi::VertexOutputs>(vertex.facts).point_size = true;
  vertex.primitive_shape = object::PrimitiveShape::points;
  object::StageObject pixel = programs.pixel(programs.interpolate());
  std::get<abi::PixelFacts>(pixel.facts).parameters[0].parameter = {abi::ParameterKind::point_coord, 0};
  const spalt_api::Program program = fixture.load(vertex, pixel);
  fixture.state.topology = 0;
  const auto report = fixture.draw(fixture.info(program, 1));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  EXPECT_EQ(report.counters.fragment_invocations, 16u);
  for (unsigned y = 6; y < 10; ++y) {
    for (unsigned x = 6; x < 10; ++x) {
      const float s = (static_cast<float>(x) - 5.5f) / 4, t = (static_cast<float>(y) - 5.5f) / 4;
      EXPECT_EQ(fixture.color(x, y), (Color{s, t, 0, 1})) << x << ", " << y;
    }
  }
}

TEST_P(Draws, IntoTheLayerOfThePosition) {
  std::vector<TestVertex> vertices = half_of_the_screen();
  for (const TestVertex& vertex : half_of_the_screen()) vertices.push_back(vertex);
  for (size_t i = 0; i < vertices.size(); ++i) vertices[i].color[3] = static_cast<float>(1 + i / 3);
  DrawFixture fixture(GetParam(), vertices);
  const Programs programs(GetParam());
  const std::string exp = std::string(GetParam().target).starts_with("gfx12") ? "export " : "exp ";
  object::StageObject vertex = programs.vertex("v_cvt_u32_f32 v24, v15\n" + exp + "pos1 off, off, v24, off");
  std::get<abi::VertexOutputs>(vertex.facts).layer = true;
  const spalt_api::Program program = fixture.load(vertex, programs.pixel(programs.interpolate()));
  fixture.set_slices(4, 1);
  const auto report = fixture.draw(fixture.info(program, 6));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned layer = 0; layer < 4; ++layer) {
    EXPECT_EQ(fixture.color(3, 3, layer)[3], layer == 1 || layer == 2 ? static_cast<float>(layer) : -1) << layer;
  }
}

TEST_P(Draws, ForEachView) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  object::StageObject pixel =
      programs.pixel("v_cvt_f32_u32 v8, s0\nv_mov_b32 v9, 0\nv_mov_b32 v10, 0\nv_mov_b32 v11, 0");
  pixel.user_data_reg_map[0] = abi::kViewId;
  const spalt_api::Program program = fixture.load(programs.vertex(), pixel);
  fixture.set_slices(4, 1);
  fixture.state.view_mask = 0xa;
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned layer = 0; layer < 4; ++layer) {
    EXPECT_EQ(fixture.color(3, 3, layer)[0], layer % 2 == 1 ? static_cast<float>(layer) : -1) << layer;
  }
  uint64_t covered = 0;
  for (unsigned i = 0; i < kSize * kSize; ++i) covered += fixture.color(i % kSize, i / kSize, 1) != kUntouched;
  EXPECT_EQ(report.counters.samples_passed, 2 * covered);
}

/// How many of the four samples of a pixel a half of the screen covers, by Vulkan's standard positions.
bool covers(unsigned x, unsigned y, unsigned sample) {
  constexpr int kPlaces[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
  return static_cast<int>(x + y) * 16 + kPlaces[sample][0] + kPlaces[sample][1] < static_cast<int>(kSize) * 16;
}

TEST_P(Draws, SamplesTogether) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  fixture.set_slices(1, 4);
  fixture.state.sample_mask = 0xb;
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  uint64_t samples = 0;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      for (unsigned s = 0; s < 4; ++s) {
        const bool drawn = covers(x, y, s) && s != 2;
        EXPECT_EQ(fixture.color(x, y, s) != kUntouched, drawn) << x << ", " << y << ", sample " << s;
        samples += drawn ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(report.counters.samples_passed, samples);
}

TEST_P(Draws, SamplesOneByOne) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  // The number of the sample, the mask of the pixel's samples, and x at the sample.
  object::StageObject pixel = programs.pixel(
      "v_bfe_u32 v8, v3, 8, 4\nv_cvt_f32_u32 v8, v8\nv_cvt_f32_u32 v9, v4\nv_mov_b32 v10, v2\nv_mov_b32 v11, 0");
  auto& facts = std::get<abi::PixelFacts>(pixel.facts);
  facts.inputs = 1 << abi::kPerspSample | 1 << abi::kPosX | 1 << abi::kAncillary | 1 << abi::kSampleCoverage;
  facts.per_sample = facts.position_at_sample = true;
  const spalt_api::Program program = fixture.load(programs.vertex(), pixel);
  fixture.set_slices(1, 4);
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  EXPECT_EQ(report.counters.fragment_invocations, report.counters.samples_passed);
  constexpr float kX[4] = {6, 14, 2, 10};
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      unsigned mask = 0;
      for (unsigned s = 0; s < 4; ++s) mask |= covers(x, y, s) ? 1u << s : 0u;
      for (unsigned s = 0; s < 4; ++s) {
        const Color want = {static_cast<float>(s), static_cast<float>(mask), static_cast<float>(x) + kX[s] / 16, 0};
        EXPECT_EQ(fixture.color(x, y, s), covers(x, y, s) ? want : kUntouched) << x << ", " << y << ", sample " << s;
      }
    }
  }
}

TEST_P(Draws, RefuseWhatTheStateCannotBe) {
  DrawFixture fixture(GetParam(), half_of_the_screen());
  const Programs programs(GetParam());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  const auto expect = [&](auto change, const std::string& message) {
    const spalt_raster_state good = fixture.state;
    spalt_draw_info info = fixture.info(program, 3);
    change(fixture.state, info);
    const auto report = fixture.draw(info);
    EXPECT_EQ(report.result, SPALT_ERROR_INVALID_ARGUMENT) << message;
    EXPECT_NE(std::string(report.fault.message).find(message), std::string::npos) << report.fault.message;
    fixture.state = good;
  };
  expect([](auto& state, auto&) { state.topology = 10; }, "topology 10");
  expect([](auto& state, auto&) { state.samples = 3; }, "number of samples");
  expect([](auto& state, auto&) { state.samples = 4; }, "colour target 0 has another number of samples");
  expect([](auto& state, auto&) { state.viewport_count = 17; }, "too many viewports");
  expect([](auto& state, auto&) { state.depth.address += 4; }, "the depth attachment does not lie in one mapping");
  expect([](auto& state, auto&) { state.depth.slice_bytes = UINT64_MAX; }, "impossible size");
  expect([](auto& state, auto&) { state.depth.format = 109; }, "the depth attachment has a format");
  expect([](auto&, auto& info) { info.indexed = 1, info.index_size = 3; }, "1, 2 or 4 bytes");
  expect([](auto&, auto& info) { info.indexed = 1, info.index_size = 4, info.index_bytes = 64; }, "the indices");
}

INSTANTIATE_TEST_SUITE_P(Dialects, Draws, testing::ValuesIn(kDialects));

// ---- Rules ----

std::string fault_of(const Dialect& dialect, const object::StageObject& vertex, const object::StageObject& pixel) {
  DrawFixture fixture(dialect, half_of_the_screen());
  const spalt_api::Program program = fixture.load(vertex, pixel);
  spalt_draw_info info = fixture.info(program, 3);
  info.draw_index = 7;
  const auto report = fixture.draw(info);
  EXPECT_EQ(report.fault.kind, static_cast<uint32_t>(SPALT_FAULT_GRAPHICS)) << report.fault.message;
  return report.fault.message;
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "got \"" << text << "\", want \"" << part << '"';
}

constexpr Dialect kOld = {"gfx1030", 64, false};

TEST(DrawRules, NameStageDrawAndWave) {
  const Programs programs(kOld);
  const std::string fault = fault_of(kOld, programs.vertex("s_endpgm"), programs.pixel(programs.interpolate()));
  expect_part(fault, "draw 7, vertex group 0 wave 0: pc 0x");
  expect_part(fault, "owes the positions");
}

TEST(DrawRules, EndlessWavesEnd) {
  const Programs programs(kOld);
  DrawFixture fixture(kOld, half_of_the_screen());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel("s_branch -1"));
  spalt_draw_info info = fixture.info(program, 3);
  info.step_limit = 10000;
  const auto report = fixture.draw(info);
  EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION);
  EXPECT_EQ(report.fault.kind, static_cast<uint32_t>(SPALT_FAULT_NEVER_ENDS));
  EXPECT_STREQ(report.fault.stage, "pixel");
}

TEST(DrawRules, CancelledDrawsEnd) {
  const Programs programs(kOld);
  DrawFixture fixture(kOld, half_of_the_screen());
  const spalt_api::Program program = fixture.load(programs.vertex(), programs.pixel(programs.interpolate()));
  spalt_draw_info info = fixture.info(program, 3);
  info.instance_count = UINT32_MAX;
  fixture.device().cancel();
  EXPECT_EQ(fixture.draw(info).result, SPALT_ERROR_CANCELLED);
  fixture.device().resume();
  info.instance_count = 1;
  EXPECT_EQ(fixture.draw(info).result, SPALT_SUCCESS);
}

TEST(DrawRules, PixelWaves) {
  const Programs programs(kOld);
  const auto expect = [&](const std::string& body, const std::string& part) {
    expect_part(fault_of(kOld, programs.vertex(), programs.pixel(body)), part);
  };
  expect("s_endpgm", "owes an export");
  expect("s_mov_b32 m0, 0x123\n" + programs.interpolate(), "m0 is not the primitive mask");
  expect("v_interp_p1_f32 v8, v0, attr1.x", "attribute 1, which the metadata does not have");
  expect("exp mrt1 v8, v8, v8, v8", "a colour that the metadata does not have");
  expect("exp mrt0 v8, v8, off, off compr", "halves to a target whose format has dwords");
  expect("exp pos0 v8, v8, v8, v8", "a target that the stage does not have");
  expect("s_mov_b64 exec, s[52:53]\nexp mrt0 v8, v8, v8, v8 done vm\ns_waitcnt expcnt(0)",
         "after the export that was done");
}

/// Exec tells which fragments are left only to a pipeline that kills.
TEST(DrawRules, ExportsOfHelperLanes) {
  for (const Dialect& dialect : kDialects) {
    const Programs programs(dialect);
    object::StageObject pixel =
        programs.pixel("v_mov_b32 v8, 1.0\nv_mov_b32 v9, v8\nv_mov_b32 v10, v8\nv_mov_b32 v11, v8\n" +
                       programs.export_color() + "s_endpgm");
    DrawFixture fixture(dialect, half_of_the_screen());
    const auto report = fixture.draw(fixture.info(fixture.load(programs.vertex(), pixel), 3));
    ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
    for (unsigned y = 0; y < kSize; ++y) {
      for (unsigned x = 0; x < kSize; ++x) {
        if (inside(x, y)) {
          EXPECT_EQ(fixture.color(x, y), (Color{1, 1, 1, 1})) << x << ", " << y;
        } else if (outside(x, y)) {
          EXPECT_EQ(fixture.color(x, y), kUntouched) << x << ", " << y;
        }
      }
    }
    std::get<abi::PixelFacts>(pixel.facts).kills = true;
    expect_part(fault_of(dialect, programs.vertex(), pixel), "helper lanes");
  }
}

TEST(DrawRules, VertexWaves) {
  const Programs programs(kOld);
  const auto expect = [&](const std::string& body, const std::string& part) {
    expect_part(fault_of(kOld, programs.vertex(body), programs.pixel(programs.interpolate())), part);
  };
  expect("exp pos1 v8, v8, v8, v8", "a position vector that the metadata does not have");
  expect("exp pos0 v8, v8, v8, off", "a part of the position");
  expect("exp param3 v8, v8, v8, v8", "a parameter that the metadata does not have");
  expect("exp pos0 v8, v8, v8, v8 done", "after the one that was done");
  expect("s_mov_b64 exec, -1\nexp pos0 v8, v8, v8, v8", "a vertex that the wave does not have");
  expect("exp mrt0 v8, v8, v8, v8", "a target that the stage does not have");
}

TEST(DrawRules, PrimitiveShaders) {
  const Dialect old = {"gfx1030", 64, true}, ring = {"gfx1100", 32, true};
  const std::string body = "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)";
  const auto fault = [&](const Dialect& dialect, const std::string& text) {
    const Programs programs(dialect);
    return fault_of(dialect, programs.vertex(text), programs.pixel(programs.interpolate()));
  };
  expect_part(fault(old, body), "sends GS_ALLOC_REQ twice");
  expect_part(fault(ring, "s_mov_b32 m0, 0\n" + body), "other numbers of vertices");
  expect_part(fault(ring, "exp prim v0, off, off, off done"), "a primitive that the wave does not have");
  expect_part(fault(ring, "v_mov_b32 v0, 77\ns_mov_b32 exec_lo, 1\nexp prim v0, off, off, off done"),
              "a vertex that the subgroup does not have");
  expect_part(fault(ring, "s_endpgm"), "primitive group 0 wave 0");
}

}  // namespace
}  // namespace spalt::emu::test
