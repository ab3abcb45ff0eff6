// SPDX-License-Identifier: MIT
// The order of fragment operations, coverage, counts, and resolves.
#include "emu/raster/output_merger.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "emu/raster/resolve.h"
#include "surface_memory.h"

namespace spalt::emu {
namespace {

constexpr uint32_t kRgba8 = 37, kRgba8Srgb = 43, kRgba8Uint = 41, kRgba16Sint = 96, kD32F = 126, kD16 = 124, kS8 = 127;

uint32_t float_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// One pixel with a colour and a depth attachment of `samples` samples.
struct Scene {
  explicit Scene(unsigned sample_count, bool early)
      : color(kRgba8, 1, 1, sample_count), depth(kD32F, 1, 1, sample_count) {
    settings.samples = sample_count;
    settings.early_tests = early;
    state.depth_test = state.depth_write = true;
    for (unsigned s = 0; s < sample_count; ++s) {
      color.set(0u, 0, 0, s);
      depth.set(0.5f, 0, 0, s);
    }
    pixel.coverage = static_cast<uint16_t>((1u << sample_count) - 1);
    pixel.z.fill(0.25f);
    outputs.written = 1;
    outputs.colors[0] = {float_bits(1), float_bits(1), float_bits(1), float_bits(1)};
  }
  /// Runs both halves; what the shader is started with. `discarded` are samples that it gives up.
  uint16_t run(uint16_t discarded = 0) {
    const DepthStencilUnit tests(state, {}, depth.surface(), {});
    const std::array targets = {ColorTarget(color.surface(), {}, {})};
    const OutputMerger merger(settings, tests, targets);
    PixelSamples shaded = pixel;
    shaded.coverage = merger.before_shading(pixel, count);
    const uint16_t started = shaded.coverage;
    shaded.coverage = static_cast<uint16_t>(shaded.coverage & ~discarded);
    merger.after_shading(shaded, outputs, count);
    return started;
  }
  uint16_t colored() const {
    uint16_t mask = 0;
    for (unsigned s = 0; s < settings.samples; ++s) mask |= (color.get<uint32_t>(0, 0, s) != 0) << s;
    return mask;
  }
  uint16_t deep() const {
    uint16_t mask = 0;
    for (unsigned s = 0; s < settings.samples; ++s) mask |= (depth.get<float>(0, 0, s) != 0.5f) << s;
    return mask;
  }

  SurfaceMemory color, depth;
  OutputMerger::Settings settings;
  DepthStencilState state;
  PixelSamples pixel;
  FragmentOutputs outputs;
  SampleCount count;
};

TEST(OutputMerger, DiscardComesBeforeLateTestsAndAfterEarlyOnes) {
  Scene late(4, false);
  EXPECT_EQ(late.run(0b0011), 0xf);
  EXPECT_EQ(late.colored(), 0b1100);
  EXPECT_EQ(late.deep(), 0b1100);
  EXPECT_EQ(late.count.passed, 2u);
  Scene early(4, true);
  early.depth.set(0.125f, 0, 0, 3);  // hides this sample
  EXPECT_EQ(early.run(0b0011), 0b0111) << "what is hidden is not shaded";
  EXPECT_EQ(early.colored(), 0b0100);
  EXPECT_EQ(early.deep() & 0b0111, 0b0111) << "a discarded fragment has written its depth";
  EXPECT_EQ(early.count.passed, 3u);
}

TEST(OutputMerger, ExportedDepthCountsInLateTestsOnly) {
  for (const bool early : {false, true}) {
    Scene scene(1, early);
    scene.outputs.depth = 0.75f;
    scene.run();
    EXPECT_EQ(scene.colored(), early ? 1 : 0);
    EXPECT_EQ(scene.count.passed, early ? 1u : 0u);
  }
}

TEST(OutputMerger, SampleMasksOfStateAndShader) {
  Scene scene(8, false);
  scene.settings.multisample.sample_mask = 0xffffff3c;
  scene.outputs.sample_mask = 0xff0f;
  EXPECT_EQ(scene.run(), 0x3c);
  EXPECT_EQ(scene.colored(), 0x0c);
  EXPECT_EQ(scene.count.passed, 2u);
  Scene early(8, true);
  early.outputs.sample_mask = 0;
  early.run();
  EXPECT_EQ(early.colored(), 0);
  EXPECT_EQ(early.count.passed, 8u) << "early tests count before the shader";
}

TEST(OutputMerger, AlphaToCoverage) {
  for (const unsigned samples : {1u, 2u, 4u, 8u, 16u}) {
    uint16_t last = 0;
    for (int i = -8; i <= 40; ++i) {
      const uint16_t mask = alpha_coverage(static_cast<float>(i) / 32, samples);
      EXPECT_EQ(mask & last, last) << "more alpha, no less samples";
      EXPECT_LE(std::abs(std::popcount(mask) - std::clamp(i / 32.0, 0.0, 1.0) * samples), 0.5);
      last = mask;
    }
    EXPECT_EQ(alpha_coverage(1, samples), (1u << samples) - 1);
    EXPECT_EQ(alpha_coverage(std::numeric_limits<float>::quiet_NaN(), samples), 0);
    EXPECT_EQ(alpha_coverage(std::numeric_limits<float>::infinity(), samples), (1u << samples) - 1);
  }
  Scene scene(4, false);
  scene.settings.multisample.alpha_to_coverage = true;
  scene.settings.multisample.alpha_to_one = true;
  scene.outputs.colors[0][3] = float_bits(0.5f);
  scene.run();
  EXPECT_EQ(std::popcount(scene.colored()), 2);
  EXPECT_EQ(scene.deep(), scene.colored());
  EXPECT_EQ(scene.color.get<uint32_t>(0, 0, 0), 0xffffffffu) << "alpha becomes one after it was used";
}

TEST(OutputMerger, WritesTheLocationsThatTheShaderWrites) {
  SurfaceMemory a(kRgba8, 1, 1), b(kRgba8, 1, 1);
  const std::array targets = {ColorTarget(a.surface(), {}, {}), ColorTarget(b.surface(), {}, {})};
  const DepthStencilUnit tests({}, {}, {}, {});
  FragmentOutputs outputs;
  outputs.written = 2;
  outputs.colors[1] = {float_bits(1), 0, 0, float_bits(1)};
  SampleCount count;
  PixelSamples pixel;
  pixel.coverage = 1;
  OutputMerger({}, tests, targets).after_shading(pixel, outputs, count);
  EXPECT_EQ(a.touched(), 0u);
  EXPECT_EQ(b.get<uint32_t>(0, 0), 0xff0000ffu);
}

TEST(OutputMerger, AlphaToOneLeavesIntegers) {
  SurfaceMemory memory(kRgba8Uint, 1, 1);
  const std::array targets = {ColorTarget(memory.surface(), {}, {})};
  const DepthStencilUnit tests({}, {}, {}, {});
  FragmentOutputs outputs;
  outputs.written = 1;
  outputs.colors[0] = {1, 2, 3, 4};
  SampleCount count;
  PixelSamples pixel;
  pixel.coverage = 1;
  OutputMerger({{0xffffffff, false, true}, 1, false}, tests, targets).after_shading(pixel, outputs, count);
  EXPECT_EQ(memory.get<uint32_t>(0, 0), 0x04030201u);
}

TEST(OutputMerger, DualSource) {
  SurfaceMemory memory(kRgba8, 1, 1);
  memory.set(0xffffffffu, 0, 0);
  const BlendState state{true,
                         {BlendFactor::src1_color, BlendFactor::one_minus_src1_alpha, BlendOp::add},
                         {BlendFactor::one, BlendFactor::zero, BlendOp::add},
                         0xf};
  const std::array targets = {ColorTarget(memory.surface(), state, {})};
  const DepthStencilUnit tests({}, {}, {}, {});
  FragmentOutputs outputs;
  outputs.written = 1;
  outputs.colors[0] = {float_bits(1), float_bits(1), float_bits(1), 0};
  outputs.source1 = {float_bits(0.2f), 0, float_bits(1), float_bits(0.6f)};
  SampleCount count;
  PixelSamples pixel;
  pixel.coverage = 1;
  OutputMerger({}, tests, targets).after_shading(pixel, outputs, count);
  // 1 * (0.2, 0, 1) + 1 * (1 - 0.6), in 255ths.
  EXPECT_EQ((memory.get<std::array<uint8_t, 4>>(0, 0)), (std::array<uint8_t, 4>{153, 102, 255, 0}));
}

template <class T>
T resolved(uint32_t format, const std::vector<T>& samples, ResolveMode mode) {
  SurfaceMemory source(format, 2, 2, static_cast<uint32_t>(samples.size())), destination(format, 2, 2);
  for (unsigned s = 0; s < samples.size(); ++s) source.set(samples[s], 1, 1, s);
  resolve(source.surface(), destination.surface(), {{1, 1, 2, 2}, 0, 1, 0, 0}, mode);
  EXPECT_LE(destination.touched(), sizeof(T));
  return destination.get<T>(0, 1);
}

TEST(Resolve, AveragesOfColors) {
  using Bytes = std::array<uint8_t, 4>;
  EXPECT_EQ(color_resolve_mode(kRgba8), ResolveMode::average);
  EXPECT_EQ(resolved<Bytes>(kRgba8, {{0, 10, 255, 1}, {255, 20, 255, 2}, {0, 30, 255, 3}, {255, 40, 255, 2}},
                            ResolveMode::average),
            (Bytes{128, 25, 255, 2}));
  // Half of linear 1 is 0.5, whose sRGB code is 188; alpha is linear anyway.
  EXPECT_EQ(resolved<Bytes>(kRgba8Srgb, {{0, 0, 0, 0}, {255, 255, 255, 255}}, ResolveMode::average),
            (Bytes{188, 188, 188, 128}));
}

TEST(Resolve, IntegersTakeTheFirstSample) {
  using Bytes = std::array<uint8_t, 4>;
  EXPECT_EQ(color_resolve_mode(kRgba8Uint), ResolveMode::sample_zero);
  for (const ResolveMode mode : {ResolveMode::sample_zero, ResolveMode::average}) {
    EXPECT_EQ(resolved<Bytes>(kRgba8Uint, {{1, 2, 3, 4}, {9, 9, 9, 9}}, mode), (Bytes{1, 2, 3, 4}));
  }
}

TEST(Resolve, ModesOfDepthAndStencil) {
  const std::vector<float> z = {0.5f, 0.25f, 0.75f, 0.125f};
  EXPECT_EQ(resolved(kD32F, z, ResolveMode::sample_zero), 0.5f);
  EXPECT_EQ(resolved(kD32F, z, ResolveMode::average), 0.40625f);
  EXPECT_EQ(resolved(kD32F, z, ResolveMode::minimum), 0.125f);
  EXPECT_EQ(resolved(kD32F, z, ResolveMode::maximum), 0.75f);
  const std::vector<uint16_t> codes = {500, 7, 65535, 9};
  EXPECT_EQ(resolved(kD16, codes, ResolveMode::minimum), 7);
  EXPECT_EQ(resolved(kD16, codes, ResolveMode::maximum), 65535);
  const std::vector<uint8_t> stencil = {5, 200, 3, 127};
  EXPECT_EQ(resolved(kS8, stencil, ResolveMode::minimum), 3);
  EXPECT_EQ(resolved(kS8, stencil, ResolveMode::maximum), 200);
  using Shorts = std::array<int16_t, 4>;
  EXPECT_EQ(resolved<Shorts>(kRgba16Sint, {{-5, 5, 0, 1}, {3, -7, 0, 2}}, ResolveMode::minimum),
            (Shorts{-5, -7, 0, 1}));
}

TEST(Resolve, StaysInsideOfBothSurfaces) {
  SurfaceMemory source(kRgba8, 4, 4, 2), destination(kRgba8, 3, 3);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      for (unsigned s = 0; s < 2; ++s) source.set(0u, x, y, s);
    }
  }
  resolve(source.surface(), destination.surface(), {{-5, -5, 100, 100}, -5, -5, 0, 0}, ResolveMode::average);
  EXPECT_EQ(destination.touched(), 9u * 4u);
  resolve(source.surface(), destination.surface(), {{INT32_MIN, 0, INT32_MAX, 4}, INT32_MAX, INT32_MAX, 0, 0},
          ResolveMode::average);
  resolve(source.surface(), destination.surface(), {{0, 0, 4, 4}, 0, 0, 9, 9}, ResolveMode::average);
  resolve(source.surface(), {}, {{0, 0, 4, 4}, 0, 0, 0, 0}, ResolveMode::average);
}

}  // namespace
}  // namespace spalt::emu
