// SPDX-License-Identifier: MIT
// All parts one after the other, as a draw uses them: indices, assembly, rasterizer, a shader on the host, output
// merger, resolve. The reference paints sample by sample, in the order of the triangles, and knows none of the parts.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "emu/raster/index_fetch.h"
#include "emu/raster/interpolation.h"
#include "emu/raster/output_merger.h"
#include "emu/raster/primitive_assembler.h"
#include "emu/raster/rasterizer.h"
#include "emu/raster/resolve.h"
#include "surface_memory.h"

namespace spalt::emu {
namespace {

constexpr int kSize = 24;
constexpr unsigned kSamples = 4;
constexpr Viewport kViewport = {0, 0, kSize, kSize, 0, 1};
constexpr PixelRect kScissor = {1, 2, kSize, kSize - 3};

/// A vertex of the scene; colour and depth are those of the provoking vertex, so that the reference needs no planes.
struct SceneVertex {
  int x, y;  ///< 1/256 of a pixel
  float z;
  std::array<float, 4> color;
};

struct Scene {
  std::vector<SceneVertex> vertices;
  std::vector<uint16_t> indices;  ///< a triangle strip with restarts
};

Scene random_scene(unsigned seed) {
  std::mt19937 random(seed);
  const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Scene scene;
  for (int i = 0; i < 40; ++i) {
    const auto part = [&] { return static_cast<float>(from(0, 16)) / 16; };
    scene.vertices.push_back(
        {from(-512, kSize * 256 + 512), from(-512, kSize * 256 + 512), part(), {part(), part(), part(), part()}});
  }
  for (int i = 0; i < 120; ++i) {
    scene.indices.push_back(i % 9 == 8 ? uint16_t{0xffff} : static_cast<uint16_t>(from(0, 39)));
  }
  return scene;
}

// ---- With the library ----

class Shader final : public FragmentSink {
 public:
  Shader(const OutputMerger& merger, SampleCount& count) : merger_(merger), count_(count) {}

  SceneVertex flat{};
  void begin(const FragmentPlanes& planes) override { front_ = planes.front_facing; }
  void quads(std::span<const RasterQuad> quads) override {
    for (const RasterQuad& quad : quads) {
      for (int i = 0; i < 4; ++i) shade(quad.x + (i & 1), quad.y + (i >> 1), quad.coverage[static_cast<size_t>(i)]);
    }
  }

 private:
  void shade(int x, int y, uint16_t coverage) {
    PixelSamples pixel;
    pixel.x = x;
    pixel.y = y;
    pixel.coverage = coverage;
    pixel.front_facing = front_;
    pixel.z.fill(flat.z);
    pixel.coverage = merger_.before_shading(pixel, count_);
    if (pixel.coverage == 0) return;
    FragmentOutputs outputs;
    outputs.written = 1;
    for (size_t c = 0; c < 4; ++c) outputs.colors[0][c] = std::bit_cast<uint32_t>(flat.color[c]);
    merger_.after_shading(pixel, outputs, count_);
  }

  const OutputMerger& merger_;
  SampleCount& count_;
  bool front_ = true;
};

DepthStencilState tests() {
  DepthStencilState state;
  state.depth_test = state.depth_write = state.stencil_test = true;
  state.depth_compare = Compare::less_or_equal;
  state.front.pass = StencilOp::increment_and_wrap;
  state.back.depth_fail = StencilOp::decrement_and_wrap;
  return state;
}

BlendState blending() {
  const BlendEquation over = {BlendFactor::src_alpha, BlendFactor::one_minus_src_alpha, BlendOp::add};
  return {true, over, {BlendFactor::one, BlendFactor::one_minus_src_alpha, BlendOp::add}, 0xf};
}

struct Images {
  SurfaceMemory color{109, kSize, kSize, kSamples}, depth{126, kSize, kSize, kSamples},
      stencil{127, kSize, kSize, kSamples};
  SampleCount count;
};

void clear(Images& images) {
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      for (unsigned s = 0; s < kSamples; ++s) {
        images.color.set(std::array<float, 4>{}, x, y, s);
        images.depth.set(1.0f, x, y, s);
        images.stencil.set(uint8_t{0}, x, y, s);
      }
    }
  }
}

ShadedVertex shaded(const SceneVertex& v) {
  ShadedVertex result;
  result.position = {static_cast<float>(v.x) / (kSize * 128) - 1, static_cast<float>(v.y) / (kSize * 128) - 1, 0.5f, 1};
  return result;
}

void draw(const Scene& scene, bool early, Images& images) {
  RasterizationState state;
  state.samples = kSamples;
  state.sample_positions = standard_sample_positions(kSamples);
  const DepthStencilUnit unit(tests(), {}, images.depth.surface(), images.stencil.surface());
  const std::array targets = {ColorTarget(images.color.surface(), blending(), {})};
  const OutputMerger merger({{}, kSamples, early}, unit, targets);
  Shader shader(merger, images.count);
  Rasterizer rasterizer(state, kViewport, reachable_pixels(kScissor, kViewport, kSize, kSize));
  PrimitiveAssembler assembler(Topology::triangle_strip, ProvokingVertex::first);
  const IndexBuffer indices{std::as_bytes(std::span(scene.indices)), IndexSize::two};
  for (uint64_t i = 0; i < scene.indices.size(); ++i) {
    const uint32_t index = indices.at(i);
    const Primitive* p = index == indices.restart_index() ? assembler.end_strip() : assembler.add(index);
    if (p == nullptr) continue;
    shader.flat = scene.vertices[p->corners[p->provoking]];
    const std::array corners = {shaded(scene.vertices[p->corners[0]]), shaded(scene.vertices[p->corners[1]]),
                                shaded(scene.vertices[p->corners[2]])};
    rasterizer.draw(corners, p->continues_strip, shader);
  }
}

// ---- The reference ----

struct PaintedSample {
  std::array<double, 4> color{};
  float depth = 1;
  uint8_t stencil = 0;
};

struct Painting {
  std::vector<PaintedSample> samples = std::vector<PaintedSample>(kSize * kSize * kSamples);
  uint64_t passed = 0;
};

/// Twice the area, with the point moved to the right and, far less, down.
int turn(const SceneVertex& a, const SceneVertex& b, int x, int y) {
  const int64_t dx = b.x - a.x, dy = b.y - a.y, area = dx * (y - a.y) - dy * (x - a.x);
  const int64_t first = area != 0 ? area : dy != 0 ? -dy : dx;
  return first < 0 ? -1 : first > 0 ? 1 : 0;
}

void paint_sample(PaintedSample& sample, const SceneVertex& flat, bool front, uint64_t& passed) {
  const bool visible = flat.z <= sample.depth;
  if (front && visible) ++sample.stencil;
  if (!front && !visible) --sample.stencil;
  if (!visible) return;
  ++passed;
  sample.depth = flat.z;
  const double alpha = flat.color[3];
  for (size_t c = 0; c < 3; ++c) sample.color[c] = flat.color[c] * alpha + sample.color[c] * (1 - alpha);
  sample.color[3] = alpha + sample.color[3] * (1 - alpha);
}

void paint(Painting& painting, const SceneVertex& a, const SceneVertex& b, const SceneVertex& c,
           const SceneVertex& flat) {
  constexpr std::array<std::array<int, 2>, kSamples> kPlaces = {{{96, 32}, {224, 96}, {32, 160}, {160, 224}}};
  for (int y = kScissor.y0; y < kScissor.y1; ++y) {
    for (int x = kScissor.x0; x < kScissor.x1; ++x) {
      for (unsigned s = 0; s < kSamples; ++s) {
        const int px = x * 256 + kPlaces[s][0], py = y * 256 + kPlaces[s][1];
        const int ab = turn(a, b, px, py), bc = turn(b, c, px, py), ca = turn(c, a, px, py);
        if (ab == 0 || ab != bc || bc != ca) continue;
        paint_sample(painting.samples[static_cast<size_t>(y * kSize + x) * kSamples + s], flat, ab < 0,
                     painting.passed);
      }
    }
  }
}

Painting paint(const Scene& scene) {
  Painting painting;
  std::vector<SceneVertex> strip;
  for (const uint16_t index : scene.indices) {
    if (index == 0xffff) {
      strip.clear();
      continue;
    }
    strip.push_back(scene.vertices[index]);
    if (strip.size() < 3) continue;
    const SceneVertex* last = &strip[strip.size() - 3];
    const bool odd = strip.size() % 2 == 0;
    paint(painting, last[0], last[odd ? 2 : 1], last[odd ? 1 : 2], last[0]);
  }
  return painting;
}

class Scenes : public testing::TestWithParam<bool> {};

TEST_P(Scenes, AgreeSampleBySample) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Scene scene = random_scene(seed);
    Images images;
    clear(images);
    draw(scene, GetParam(), images);
    const Painting want = paint(scene);
    EXPECT_EQ(images.count.passed, want.passed);
    EXPECT_GT(want.passed, 1000u);
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        std::array<double, 4> sum{};
        for (unsigned s = 0; s < kSamples; ++s) {
          const PaintedSample& sample = want.samples[static_cast<size_t>(y * kSize + x) * kSamples + s];
          ASSERT_EQ(images.depth.get<float>(x, y, s), sample.depth) << x << ", " << y << ", scene " << seed;
          ASSERT_EQ(images.stencil.get<uint8_t>(x, y, s), sample.stencil);
          const auto color = images.color.get<std::array<float, 4>>(x, y, s);
          for (size_t c = 0; c < 4; ++c) {
            ASSERT_NEAR(color[c], sample.color[c], 1e-5);
            sum[c] += sample.color[c];
          }
        }
        SurfaceMemory resolved(109, 1, 1);
        resolve(images.color.surface(), resolved.surface(), {{x, y, x + 1, y + 1}, 0, 0, 0, 0}, ResolveMode::average);
        const auto average = resolved.get<std::array<float, 4>>(0, 0);
        for (size_t c = 0; c < 4; ++c) ASSERT_NEAR(average[c], sum[c] / kSamples, 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LateAndEarly, Scenes, testing::Bool());

}  // namespace
}  // namespace spalt::emu
