// SPDX-License-Identifier: MIT
// Blending, logic operations and write masks against Vulkan's tables, computed here in long double.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "emu/raster/color_target.h"
#include "surface_memory.h"

namespace spalt::emu {
namespace {

using Real = long double;
using Colors = std::array<std::array<Real, 4>, 4>;  ///< source, source 1, destination, constants
constexpr uint32_t kRgba8 = 37, kRgba8Snorm = 38, kRgba8Uint = 41, kRgba8Srgb = 43, kBgra8 = 44, kB5G6R5 = 5,
                   kRgb10A2 = 64, kRgba32F = 109, kRgba32U = 107, kRgba16F = 97, kR8 = 9;

/// Table "Blend Factors": (R, G, B) and A.
std::array<Real, 4> factor_of(unsigned name, const Colors& c) {
  const auto& [s, s1, d, k] = c;
  const auto all = [](Real v) { return std::array<Real, 4>{v, v, v, v}; };
  const auto minus = [](const std::array<Real, 4>& v) {
    return std::array<Real, 4>{1 - v[0], 1 - v[1], 1 - v[2], 1 - v[3]};
  };
  const Real f = std::min(s[3], 1 - d[3]);
  const std::array<Real, 4> table[] = {all(0),
                                       all(1),
                                       s,
                                       minus(s),
                                       d,
                                       minus(d),
                                       all(s[3]),
                                       all(1 - s[3]),
                                       all(d[3]),
                                       all(1 - d[3]),
                                       k,
                                       minus(k),
                                       all(k[3]),
                                       all(1 - k[3]),
                                       {f, f, f, 1},
                                       s1,
                                       minus(s1),
                                       all(s1[3]),
                                       all(1 - s1[3])};
  return table[name];
}

Real combine(unsigned op, Real s, Real sf, Real d, Real df) {
  const Real table[] = {s * sf + d * df, s * sf - d * df, d * df - s * sf, std::min(s, d), std::max(s, d)};
  return table[op];
}

std::array<Real, 4> expected(const BlendState& state, const Colors& c) {
  std::array<Real, 4> result;
  for (size_t i = 0; i < 4; ++i) {
    const BlendEquation& e = i == 3 ? state.alpha : state.color;
    result[i] = combine(static_cast<unsigned>(e.op), c[0][i], factor_of(static_cast<unsigned>(e.source), c)[i], c[2][i],
                        factor_of(static_cast<unsigned>(e.destination), c)[i]);
  }
  return result;
}

texel::Texel bits(const std::array<Real, 4>& color) {
  texel::Texel result;
  for (size_t i = 0; i < 4; ++i) result[i] = std::bit_cast<uint32_t>(static_cast<float>(color[i]));
  return result;
}

Real clamped(Real v, Real low, Real high) {
  return std::min(std::max(v, low), high);
}

BlendState random_state(std::mt19937& random) {
  BlendState state;
  state.enabled = true;
  for (BlendEquation* e : {&state.color, &state.alpha}) {
    *e = {static_cast<BlendFactor>(random() % 19), static_cast<BlendFactor>(random() % 19),
          static_cast<BlendOp>(random() % 5)};
  }
  return state;
}

TEST(Blending, FloatsByTheTables) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 19 * 19 * 5 * 3; ++i) {
    BlendState state = random_state(random);
    state.color = {static_cast<BlendFactor>(i % 19), static_cast<BlendFactor>(i / 19 % 19),
                   static_cast<BlendOp>(i / 361 % 5)};
    Colors colors;
    for (auto& color : colors) {
      for (Real& v : color) v = std::uniform_real_distribution<float>(-3, 3)(random);
    }
    SurfaceMemory memory(kRgba32F, 2, 2);
    memory.set(bits(colors[2]), 0, 1);
    ColorState all;
    for (size_t c = 0; c < 4; ++c) all.blend_constants[c] = static_cast<float>(colors[3][c]);
    ColorTarget(memory.surface(), state, all).write(0, 1, 0, 1, {bits(colors[0]), bits(colors[1])});
    const auto got = memory.get<std::array<float, 4>>(0, 1);
    const std::array<Real, 4> want = expected(state, colors);
    for (size_t c = 0; c < 4; ++c) ASSERT_NEAR(got[c], static_cast<double>(want[c]), 1e-5) << i << ", component " << c;
  }
}

/// sRGB of Vulkan's data format specification.
Real to_linear(Real v) {
  return v <= 0.04045L ? v / 12.92L : std::pow((v + 0.055L) / 1.055L, 2.4L);
}
Real to_srgb(Real v) {
  return v <= 0.0031308L ? v * 12.92L : 1.055L * std::pow(v, 1 / 2.4L) - 0.055L;
}

TEST(Blending, FixedPointIsClampedAndRounded) {
  std::mt19937 random(2);
  for (unsigned i = 0; i < 6000; ++i) {
    const uint32_t format = i % 3 == 0 ? kRgba8 : i % 3 == 1 ? kRgba8Srgb : kRgba8Snorm;
    const Real low = format == kRgba8Snorm ? -1 : 0, most = format == kRgba8Snorm ? 127 : 255;
    const BlendState state = random_state(random);
    Colors given, colors;
    for (size_t k = 0; k < 4; ++k) {
      for (size_t c = 0; c < 4; ++c) {
        given[k][c] = std::uniform_real_distribution<float>(-1.5f, 1.5f)(random);
        colors[k][c] = clamped(given[k][c], low, 1);
      }
    }
    SurfaceMemory memory(format, 2, 2);
    std::array<uint8_t, 4> stored;
    for (size_t c = 0; c < 4; ++c) {
      stored[c] = static_cast<uint8_t>(random());
      const Real code = format == kRgba8Snorm ? static_cast<int8_t>(stored[c]) : stored[c];
      colors[2][c] = std::max(code / most, low);
      if (format == kRgba8Srgb && c != 3) colors[2][c] = to_linear(colors[2][c]);
    }
    memory.set(stored, 1, 0);
    ColorState all;
    for (size_t c = 0; c < 4; ++c) all.blend_constants[c] = static_cast<float>(given[3][c]);
    ColorTarget(memory.surface(), state, all).write(1, 0, 0, 1, {bits(given[0]), bits(given[1])});
    const auto got = memory.get<std::array<uint8_t, 4>>(1, 0);
    const std::array<Real, 4> want = expected(state, colors);
    for (size_t c = 0; c < 4; ++c) {
      Real value = clamped(want[c], low, 1);
      if (format == kRgba8Srgb && c != 3) value = to_srgb(value);
      const Real code = format == kRgba8Snorm ? static_cast<int8_t>(got[c]) : got[c];
      // The nearest code; floats may decide a tie in either way.
      ASSERT_NEAR(static_cast<double>(code), static_cast<double>(value * most), 0.5 + 2e-3) << i << ", component " << c;
    }
  }
}

TEST(Blending, NoNumbersBecomeZeroInFixedPoint) {
  SurfaceMemory memory(kRgba8, 1, 1);
  BlendState state;
  state.enabled = true;
  const auto nan = std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN());
  ColorTarget(memory.surface(), state, {}).write(0, 0, 0, 1, {{nan, nan, nan, nan}, {}});
  EXPECT_EQ(memory.get<uint32_t>(0, 0), 0u);
}

TEST(Blending, LogicOperationsAndIntegersTurnItOff) {
  const BlendState add{true,
                       {BlendFactor::one, BlendFactor::one, BlendOp::add},
                       {BlendFactor::one, BlendFactor::one, BlendOp::add},
                       0xf};
  SurfaceMemory integers(kRgba32U, 1, 1), floats(kRgba32F, 1, 1), srgb(kRgba8Srgb, 1, 1);
  integers.set(std::array<uint32_t, 4>{1, 2, 3, 4}, 0, 0);
  ColorTarget(integers.surface(), add, {}).write(0, 0, 0, 1, {{10, 20, 30, 0xffffffff}, {}});
  EXPECT_EQ(integers.get<texel::Texel>(0, 0), (texel::Texel{10, 20, 30, 0xffffffff}));
  // Floats and sRGB have no logic operation; the source is written as it is.
  const ColorState combine{true, LogicOp::set, {}};
  const texel::Texel half = bits({0.5L, 0.5L, 0.5L, 0.5L});
  ColorTarget(floats.surface(), add, combine).write(0, 0, 0, 1, {half, {}});
  EXPECT_EQ(floats.get<texel::Texel>(0, 0), half);
  ColorTarget(srgb.surface(), add, combine).write(0, 0, 0, 1, {half, {}});
  EXPECT_EQ((srgb.get<std::array<uint8_t, 4>>(0, 0)), (std::array<uint8_t, 4>{188, 188, 188, 128}));
}

TEST(LogicOps, TableOfVulkan) {
  const std::function<unsigned(unsigned, unsigned)> table[] = {
      [](unsigned, unsigned) { return 0u; },           [](unsigned s, unsigned d) { return s & d; },
      [](unsigned s, unsigned d) { return s & ~d; },   [](unsigned s, unsigned) { return s; },
      [](unsigned s, unsigned d) { return ~s & d; },   [](unsigned, unsigned d) { return d; },
      [](unsigned s, unsigned d) { return s ^ d; },    [](unsigned s, unsigned d) { return s | d; },
      [](unsigned s, unsigned d) { return ~(s | d); }, [](unsigned s, unsigned d) { return ~(s ^ d); },
      [](unsigned, unsigned d) { return ~d; },         [](unsigned s, unsigned d) { return s | ~d; },
      [](unsigned s, unsigned) { return ~s; },         [](unsigned s, unsigned d) { return ~s | d; },
      [](unsigned s, unsigned d) { return ~(s & d); }, [](unsigned, unsigned) { return ~0u; }};
  std::mt19937 random(3);
  for (unsigned op = 0; op < 16; ++op) {
    for (int i = 0; i < 50; ++i) {
      const auto stored = static_cast<uint32_t>(random());
      const std::array<uint8_t, 4> source = {static_cast<uint8_t>(random()), static_cast<uint8_t>(random()),
                                             static_cast<uint8_t>(random()), static_cast<uint8_t>(random())};
      const uint32_t want = table[op](std::bit_cast<uint32_t>(source), stored);
      const ColorState state{true, static_cast<LogicOp>(op), {}};
      SurfaceMemory integers(kRgba8Uint, 1, 1), unorm(kRgba8, 1, 1);
      integers.set(stored, 0, 0);
      unorm.set(stored, 0, 0);
      ColorTarget(integers.surface(), {}, state).write(0, 0, 0, 1, {{source[0], source[1], source[2], source[3]}, {}});
      ColorTarget(unorm.surface(), {}, state)
          .write(0, 0, 0, 1,
                 {bits({source[0] / 255.0L, source[1] / 255.0L, source[2] / 255.0L, source[3] / 255.0L}), {}});
      EXPECT_EQ(integers.get<uint32_t>(0, 0), want) << op;
      EXPECT_EQ(unorm.get<uint32_t>(0, 0), want) << op;
    }
  }
}

TEST(WriteMasks, KeepTheBitsOfTheOthers) {
  for (unsigned mask = 0; mask < 16; ++mask) {
    const BlendState state{false, {}, {}, static_cast<uint8_t>(mask)};
    const auto pick = [&](uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
      return (mask & 1 ? r : 0) | (mask & 2 ? g : 0) | (mask & 4 ? b : 0) | (mask & 8 ? a : 0);
    };
    const auto write = [&](uint32_t format, uint32_t old) {
      SurfaceMemory memory(format, 1, 1);
      const unsigned bytes = texel::find_format(format)->shape().bytes;
      std::memcpy(memory.surface().bytes, &old, bytes);
      ColorTarget(memory.surface(), state, {}).write(0, 0, 0, 1, {bits({1, 1, 1, 1}), {}});
      uint32_t now = 0;
      std::memcpy(&now, memory.surface().bytes, bytes);
      return now;
    };
    // Where each component is in memory, by Vulkan's format descriptions.
    const uint32_t rgba = pick(0xff, 0xff00, 0xff0000, 0xff000000), bgra = pick(0xff0000, 0xff00, 0xff, 0xff000000);
    const uint32_t rgb10 = pick(0x3ff, 0xffc00, 0x3ff00000, 0xc0000000), b5g6r5 = pick(0x1f, 0x7e0, 0xf800, 0);
    const uint32_t old = 0x12345678;
    EXPECT_EQ(write(kRgba8, old), (old & ~rgba) | rgba);
    EXPECT_EQ(write(kBgra8, old), (old & ~bgra) | bgra);
    EXPECT_EQ(write(kRgb10A2, old), (old & ~rgb10) | rgb10);
    EXPECT_EQ(write(kB5G6R5, 0x5678), (0x5678u & ~b5g6r5) | b5g6r5);
    EXPECT_EQ(write(kR8, 0x78), (mask & 1) != 0 ? 0xffu : 0x78u);
  }
}

TEST(WriteMasks, HalvesKeepTheirNaN) {
  SurfaceMemory memory(kRgba16F, 1, 1);
  memory.set(std::array<uint16_t, 4>{0x7c01, 0x7e55, 0xfc00, 0x0001}, 0, 0);
  const BlendState only_g{true, {BlendFactor::one, BlendFactor::zero, BlendOp::add}, {}, 2};
  ColorTarget(memory.surface(), only_g, {}).write(0, 0, 0, 1, {bits({1, 1, 1, 1}), {}});
  EXPECT_EQ((memory.get<std::array<uint16_t, 4>>(0, 0)), (std::array<uint16_t, 4>{0x7c01, 0x3c00, 0xfc00, 0x0001}));
}

TEST(ColorTargets, MissingAlphaIsOneWhenItIsRead) {
  SurfaceMemory memory(kB5G6R5, 1, 1);
  memory.set(uint16_t{0}, 0, 0);
  const BlendState by_alpha{true, {BlendFactor::dst_alpha, BlendFactor::zero, BlendOp::add}, {}, 0xf};
  ColorTarget(memory.surface(), by_alpha, {}).write(0, 0, 0, 1, {bits({1, 0, 1, 0}), {}});
  EXPECT_EQ(memory.get<uint16_t>(0, 0), 0xf81f);
}

TEST(ColorTargets, SamplesLayersAndWhatIsOutside) {
  SurfaceMemory memory(kRgba8, 3, 2, 4, 2);
  const ColorTarget target(memory.surface(), {}, {});
  target.write(2, 1, 1, 0b0101, {bits({0, 0, 0, 0}), {}});
  EXPECT_EQ(memory.get<uint32_t>(2, 1, 0, 1), 0u);
  EXPECT_EQ(memory.get<uint32_t>(2, 1, 2, 1), 0u);
  EXPECT_EQ(memory.touched(), 8u);
  target.write(3, 1, 1, 0xf, {});
  target.write(-1, 1, 1, 0xf, {});
  target.write(0, 2, 1, 0xf, {});
  target.write(0, 0, 2, 0xf, {});
  target.write(0, 0, 0, 0xfff0, {});
  EXPECT_EQ(memory.touched(), 8u);
  for (const uint32_t no_color : {0u, 126u, 131u, 12345678u}) {
    RasterSurface surface = memory.surface();
    surface.format = no_color;
    ColorTarget(surface, {}, {}).write(0, 0, 0, 0xf, {});
  }
  ColorTarget({}, {}, {}).write(0, 0, 0, 0xf, {});
  EXPECT_EQ(memory.touched(), 8u);
}

}  // namespace
}  // namespace spalt::emu
