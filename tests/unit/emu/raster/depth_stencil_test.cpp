// SPDX-License-Identifier: MIT
// Depth, stencil and bounds tests against tables written from Vulkan's chapter "Fragment Operations".
#include "emu/raster/depth_stencil.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "surface_memory.h"

namespace spalt::emu {
namespace {

constexpr uint32_t kD16 = 124, kX8D24 = 125, kD32F = 126, kS8 = 127;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

PixelSamples pixel(float z, uint16_t coverage = 1) {
  PixelSamples result;
  result.x = 1;
  result.y = 1;
  result.coverage = coverage;
  result.z.fill(z);
  return result;
}

/// Whether operation i of VkCompareOp holds when the first is less, equal or greater.
constexpr bool kHolds[8][3] = {{false, false, false}, {true, false, false}, {false, true, false}, {true, true, false},
                               {false, false, true},  {true, false, true},  {false, true, true},  {true, true, true}};

TEST(DepthTest, AllComparesAndFormats) {
  for (const uint32_t format : {kD16, kX8D24, kD32F}) {
    for (unsigned op = 0; op < 8; ++op) {
      for (int relation = 0; relation < 3; ++relation) {
        SurfaceMemory depth(format, 3, 3);
        const uint32_t half = format == kD16 ? 0x8000u : format == kX8D24 ? 0x800000u : std::bit_cast<uint32_t>(0.5f);
        if (format == kD16) {
          depth.set(static_cast<uint16_t>(half), 1, 1);
        } else {
          depth.set(half, 1, 1);
        }
        DepthStencilState state;
        state.depth_test = state.depth_write = true;
        state.depth_compare = static_cast<Compare>(op);
        const DepthStencilUnit unit(state, {}, depth.surface(), {});
        const double max = format == kD16 ? 65535 : 16777215;
        const float z = relation == 0     ? 0.25f
                        : relation == 2   ? 0.75f
                        : format == kD32F ? 0.5f
                                          : static_cast<float>(half / max);
        EXPECT_EQ(unit.test(pixel(z)) != 0, kHolds[op][relation]) << format << ", " << op << ", " << relation;
        const uint32_t now = format == kD16 ? depth.get<uint16_t>(1, 1) : depth.get<uint32_t>(1, 1);
        const uint32_t given = relation == 1     ? half
                               : format == kD32F ? std::bit_cast<uint32_t>(z)
                                                 : static_cast<uint32_t>(std::nearbyint(z * max));
        EXPECT_EQ(now, kHolds[op][relation] ? given : half);
      }
    }
  }
}

TEST(DepthTest, ConversionRoundsToTheNearest) {
  std::mt19937 random(1);
  DepthStencilState state;
  state.depth_test = state.depth_write = true;
  state.depth_compare = Compare::always;
  for (int i = 0; i < 2000; ++i) {
    const float z = std::uniform_real_distribution<float>(-0.25f, 1.25f)(random);
    const long double inside = z < 0 ? 0.0L : z > 1 ? 1.0L : static_cast<long double>(z);
    SurfaceMemory d16(kD16, 3, 3), d24(kX8D24, 3, 3), d32(kD32F, 3, 3);
    for (const SurfaceMemory* memory : {&d16, &d24, &d32}) {
      DepthStencilUnit(state, {}, memory->surface(), {}).test(pixel(z));
    }
    EXPECT_EQ(d16.get<uint16_t>(1, 1), static_cast<uint32_t>(std::nearbyint(inside * 65535)));
    EXPECT_EQ(d24.get<uint32_t>(1, 1), static_cast<uint32_t>(std::nearbyint(inside * 16777215)));
    EXPECT_EQ(d32.get<float>(1, 1), z);
  }
}

TEST(DepthTest, ClampBeforeTheComparison) {
  SurfaceMemory depth(kD32F, 3, 3);
  depth.set(0.5f, 1, 1);
  DepthStencilState state;
  state.depth_test = state.depth_write = true;
  state.depth_compare = Compare::equal;
  const DepthStencilUnit clamping(state, {true, 0.25f, 0.5f}, depth.surface(), {});
  EXPECT_EQ(clamping.test(pixel(7)), 1);
  EXPECT_EQ(clamping.test(pixel(-7)), 0);
  const DepthStencilUnit not_clamping(state, {false, 0.25f, 0.5f}, depth.surface(), {});
  EXPECT_EQ(not_clamping.test(pixel(7)), 0);
}

TEST(DepthTest, NoNumberIsUnequalToAll) {
  SurfaceMemory depth(kD32F, 3, 3);
  for (unsigned op = 0; op < 8; ++op) {
    depth.set(0.5f, 1, 1);
    DepthStencilState state;
    state.depth_test = true;
    state.depth_compare = static_cast<Compare>(op);
    EXPECT_EQ(DepthStencilUnit(state, {}, depth.surface(), {}).test(pixel(kNaN)) != 0, op == 5 || op == 7) << op;
  }
}

TEST(DepthTest, WritesOnlyWhenTestedAndWanted) {
  for (const bool tested : {false, true}) {
    for (const bool written : {false, true}) {
      SurfaceMemory depth(kD16, 3, 3);
      DepthStencilState state;
      state.depth_test = tested;
      state.depth_write = written;
      state.depth_compare = Compare::always;
      EXPECT_EQ(DepthStencilUnit(state, {}, depth.surface(), {}).test(pixel(0)), 1);
      EXPECT_EQ(depth.touched(), tested && written ? 2u : 0u);
    }
  }
}

TEST(DepthTest, SamplesAndLayersAreSlices) {
  SurfaceMemory depth(kD32F, 3, 3, 4, 2);
  DepthStencilState state;
  state.depth_test = state.depth_write = true;
  state.depth_compare = Compare::always;
  PixelSamples p = pixel(0, 0b1010);
  p.layer = 1;
  p.z[1] = 0.25f;
  p.z[3] = 0.75f;
  EXPECT_EQ(DepthStencilUnit(state, {}, depth.surface(), {}).test(p), 0b1010);
  EXPECT_EQ(depth.get<float>(1, 1, 1, 1), 0.25f);
  EXPECT_EQ(depth.get<float>(1, 1, 3, 1), 0.75f);
  EXPECT_LE(depth.touched(), 8u);
}

TEST(DepthTest, NothingOutsideOfTheSurface) {
  SurfaceMemory depth(kD16, 3, 3), stencil(kS8, 3, 3);
  DepthStencilState state;
  state.depth_test = state.depth_write = state.stencil_test = state.bounds_test = true;
  state.depth_compare = Compare::always;
  state.front.pass = state.back.pass = StencilOp::invert;
  const DepthStencilUnit unit(state, {}, depth.surface(), stencil.surface());
  for (const auto& [x, y] : {std::pair{-1, 0}, {3, 0}, {0, -1}, {0, 3}, {INT32_MAX, INT32_MIN}}) {
    PixelSamples p = pixel(0.5f, 0xffff);
    p.x = x;
    p.y = y;
    EXPECT_EQ(unit.test(p), 0xffff);
  }
  PixelSamples p = pixel(0.5f, 0xfffe);  // one sample only is there
  EXPECT_EQ(unit.test(p), 0xfffe);
  p.coverage = 1;
  p.layer = 1;
  EXPECT_EQ(unit.test(p), 1);
  EXPECT_EQ(depth.touched() + stencil.touched(), 0u);
  // Neither attachment, or one that is none.
  EXPECT_EQ(DepthStencilUnit(state, {}, {}, {}).test(pixel(0.5f)), 1);
  SurfaceMemory color(37, 3, 3);
  EXPECT_EQ(DepthStencilUnit(state, {}, color.surface(), {}).test(pixel(0.5f)), 1);
  EXPECT_EQ(color.touched(), 0u);
}

TEST(BoundsTest, ComparesWhatIsStored) {
  SurfaceMemory depth(kD16, 3, 3), stencil(kS8, 3, 3);
  DepthStencilState state;
  state.bounds_test = state.stencil_test = true;
  state.min_bounds = 0.25f;
  state.max_bounds = 0.5f;
  state.front.fail = state.front.pass = state.front.depth_fail = StencilOp::zero;
  const DepthStencilUnit unit(state, {}, depth.surface(), stencil.surface());
  for (const auto& [stored, passes] :
       {std::pair<uint16_t, bool>{0x3fff, false}, {0x4000, true}, {0x7fff, true}, {0x8000, false}}) {
    depth.set(stored, 1, 1);
    stencil.set(uint8_t{77}, 1, 1);
    EXPECT_EQ(unit.test(pixel(0.3f)) != 0, passes) << stored;
    EXPECT_EQ(stencil.get<uint8_t>(1, 1), passes ? 0 : 77) << "the stencil test comes after it";
  }
}

TEST(StencilTest, Operations) {
  struct Row {
    StencilOp op;
    uint8_t stored, reference, result;
  };
  constexpr Row kRows[] = {
      {StencilOp::keep, 7, 9, 7},
      {StencilOp::zero, 7, 9, 0},
      {StencilOp::replace, 7, 9, 9},
      {StencilOp::increment_and_clamp, 7, 9, 8},
      {StencilOp::increment_and_clamp, 255, 9, 255},
      {StencilOp::decrement_and_clamp, 7, 9, 6},
      {StencilOp::decrement_and_clamp, 0, 9, 0},
      {StencilOp::invert, 0x0f, 9, 0xf0},
      {StencilOp::increment_and_wrap, 7, 9, 8},
      {StencilOp::increment_and_wrap, 255, 9, 0},
      {StencilOp::decrement_and_wrap, 7, 9, 6},
      {StencilOp::decrement_and_wrap, 0, 9, 255},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(apply_stencil_op(row.op, row.stored, row.reference), row.result) << static_cast<int>(row.op);
    // The write mask takes effect after it.
    SurfaceMemory stencil(kS8, 3, 3);
    stencil.set(row.stored, 1, 1);
    DepthStencilState state;
    state.stencil_test = true;
    state.front.pass = row.op;
    state.front.reference = row.reference;
    state.front.write_mask = 0x3c;
    DepthStencilUnit(state, {}, {}, stencil.surface()).test(pixel(0));
    EXPECT_EQ(stencil.get<uint8_t>(1, 1), (row.stored & 0xc3) | (row.result & 0x3c));
  }
}

TEST(StencilTest, ComparesTheReferenceWithMasks) {
  for (unsigned op = 0; op < 8; ++op) {
    for (const auto& [reference, relation] : {std::pair{uint8_t{0x13}, 0}, {uint8_t{0x25}, 1}, {uint8_t{0x37}, 2}}) {
      SurfaceMemory stencil(kS8, 3, 3);
      stencil.set(uint8_t{0xe5}, 1, 1);
      DepthStencilState state;
      state.stencil_test = true;
      state.front.compare = static_cast<Compare>(op);
      state.front.compare_mask = 0x3f;
      state.front.reference = reference;
      EXPECT_EQ(DepthStencilUnit(state, {}, {}, stencil.surface()).test(pixel(0)) != 0, kHolds[op][relation]);
    }
  }
}

TEST(StencilTest, FailPassAndDepthFailOfBothFaces) {
  for (const bool front : {true, false}) {
    for (const bool stencil_passes : {true, false}) {
      for (const bool depth_passes : {true, false}) {
        SurfaceMemory depth(kD32F, 3, 3), stencil(kS8, 3, 3);
        depth.set(0.5f, 1, 1);
        stencil.set(uint8_t{100}, 1, 1);
        DepthStencilState state;
        state.depth_test = state.depth_write = state.stencil_test = true;
        state.depth_compare = Compare::less;
        StencilFace& used = front ? state.front : state.back;
        StencilFace& other = front ? state.back : state.front;
        other.pass = other.fail = other.depth_fail = StencilOp::zero;
        used.fail = StencilOp::invert;
        used.pass = StencilOp::increment_and_wrap;
        used.depth_fail = StencilOp::decrement_and_wrap;
        used.compare = stencil_passes ? Compare::always : Compare::never;
        PixelSamples p = pixel(depth_passes ? 0.25f : 0.75f);
        p.front_facing = front;
        const DepthStencilUnit unit(state, {}, depth.surface(), stencil.surface());
        EXPECT_EQ(unit.test(p) != 0, stencil_passes && depth_passes);
        EXPECT_EQ(stencil.get<uint8_t>(1, 1), !stencil_passes ? 155 : depth_passes ? 101 : 99);
        EXPECT_EQ(depth.get<float>(1, 1), stencil_passes && depth_passes ? 0.25f : 0.5f);
      }
    }
  }
}

TEST(StencilTest, ExportedReferenceReplacesThatOfTheState) {
  SurfaceMemory stencil(kS8, 3, 3);
  DepthStencilState state;
  state.stencil_test = true;
  state.front.reference = 3;
  state.front.pass = StencilOp::replace;
  DepthStencilUnit(state, {}, {}, stencil.surface()).test(pixel(0), uint8_t{42});
  EXPECT_EQ(stencil.get<uint8_t>(1, 1), 42);
}

}  // namespace
}  // namespace spalt::emu
