// SPDX-License-Identifier: MIT
// Coverage of triangles, clipped polygons and points. The reference knows no edge functions and no fill rule: a sample
// is moved by (e, e^2) for an infinitely small e, which is the top-left rule, and no sample lies on an edge then.
#include "emu/raster/coverage.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "collected.h"
#include "emu/raster/line_shapes.h"
#include "emu/raster/rasterizer.h"

namespace spalt::emu {
namespace {

constexpr PixelRect kBounds = {0, 0, 32, 32};

SampleGrid grid(unsigned samples) {
  return {samples, standard_sample_positions(samples)};
}

int sign(int64_t value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

/// On which side of the line from a to b a moved sample is. Never 0 unless a = b.
int side(const GridPoint& a, const GridPoint& b, int64_t x, int64_t y) {
  const int64_t dx = b.x - a.x, dy = b.y - a.y;
  const int exact = sign(dx * (y - a.y) - dy * (x - a.x));
  if (exact != 0) return exact;
  return dy != 0 ? sign(-dy) : sign(dx);
}

bool is_inside(const std::array<GridPoint, 3>& t, int64_t x, int64_t y) {
  const int a = side(t[0], t[1], x, y), b = side(t[1], t[2], x, y), c = side(t[2], t[0], x, y);
  return a != 0 && a == b && b == c;
}

uint16_t reference(const std::array<GridPoint, 3>& t, int x, int y, const SampleGrid& samples) {
  uint16_t mask = 0;
  for (unsigned s = 0; s < samples.count; ++s) {
    if (is_inside(t, x * 256 + samples.positions[s].x * 16, y * 256 + samples.positions[s].y * 16)) mask |= 1u << s;
  }
  return mask;
}

Collected fill(const std::vector<std::array<GridPoint, 3>>& triangles, const SampleGrid& samples,
               const PixelRect& bounds = kBounds) {
  Collected result;
  for (const auto& t : triangles) {
    RasterShape shape;
    shape.push_back(make_part(t));
    result.begin({});
    cover(shape, samples, bounds, result);
  }
  return result;
}

/// Coordinates that often are on samples, on each other's lines, and outside.
class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : random_(seed) {}
  GridPoint next() { return {coordinate(), coordinate()}; }
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_); }

 private:
  int32_t coordinate() {
    const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); };
    switch (from(0, 3)) {
      case 0:
        return from(-1, 33) * 256 + 128;
      case 1:
        return from(-16, 34 * 16) * 16;
      case 2:
        return from(-40 * 256, 70 * 256);
      default:
        return from(0, 32 * 256);
    }
  }
  std::mt19937 random_;
};

TEST(Coverage, RandomTriangles) {
  RandomPoints random(1);
  for (int i = 0; i < 600; ++i) {
    const std::array<GridPoint, 3> t = {random.next(), random.next(), random.next()};
    for (const unsigned count : {1u, 2u, 4u, 8u, 16u}) {
      if (count != 1 && i % 4 != 0) continue;
      const SampleGrid samples = grid(count);
      const Collected got = fill({t}, samples);
      for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x)
          ASSERT_EQ(got.at(x, y), reference(t, x, y, samples)) << x << ", " << y << ", " << i;
      }
      EXPECT_TRUE(got.pixels.empty() ||
                  (got.pixels.begin()->first.first >= 0 && got.pixels.rbegin()->first.first < 32));
    }
  }
}

TEST(Coverage, FansCoverEachSampleOnce) {
  // A fan around a point inside of the bounds' border: whatever the order of the other points, inner edges are shared.
  RandomPoints random(2);
  for (int i = 0; i < 100; ++i) {
    const GridPoint center = random.next();
    const std::array<GridPoint, 4> corners = {{{-9000, -9000}, {18000, -9000}, {18000, 18000}, {-9000, 18000}}};
    const GridPoint inner = {std::clamp(center.x, -256, 8448), std::clamp(center.y, -256, 8448)};
    std::vector<std::array<GridPoint, 3>> fan;
    for (size_t c = 0; c < 4; ++c) {
      const GridPoint a = corners[c], b = corners[(c + 1) % 4];
      // The direction of a triangle must not matter.
      fan.push_back(random.below(2) == 0 ? std::array{inner, a, b} : std::array{b, a, inner});
    }
    const SampleGrid samples = grid(1u << random.below(5));
    const Collected got = fill(fan, samples);
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        for (unsigned s = 0; s < samples.count; ++s) ASSERT_EQ(got.count.at({x, y, s}), 1) << x << ", " << y;
      }
    }
  }
}

TEST(Coverage, WhatTwoPartsHaveIsOutside) {
  // A fan whose second triangle is turned over: its last corner lies inside of the first one, which makes a notch.
  const GridPoint a{0, 0}, b{0, 8192}, c{8192, 4096}, d{3000, 2500};
  RasterShape shape;
  shape.push_back(make_part(std::array{a, b, c}));
  shape.push_back(make_part(std::array{a, c, d}));
  Collected got;
  cover(shape, grid(4), kBounds, got);
  int notch = 0;
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const uint16_t first = reference({a, b, c}, x, y, grid(4)), second = reference({a, c, d}, x, y, grid(4));
      EXPECT_EQ(got.at(x, y), first ^ second);
      notch += (first & second) != 0;
    }
  }
  EXPECT_GT(notch, 20);
}

TEST(Coverage, TopLeftRuleOfAPixelSquare) {
  // Corners on four pixel centres: only the upper left one is inside.
  const GridPoint a{128, 128}, b{384, 128}, c{384, 384}, d{128, 384};
  const Collected got = fill({{a, b, c}, {a, c, d}}, grid(1));
  EXPECT_EQ(got.pixels.size(), 1u);
  EXPECT_EQ(got.at(0, 0), 1);
}

TEST(Coverage, BoundsCutQuads) {
  const std::array<GridPoint, 3> all = {{{-8000000, -8000000}, {8000000, -8000000}, {0, 8000000}}};
  const PixelRect bounds = {3, 5, 20, 18};
  const Collected got = fill({all}, grid(4), bounds);
  EXPECT_EQ(got.pixels.size(), 17u * 13u);
  EXPECT_EQ(got.at(3, 5), 0xf);
  EXPECT_EQ(got.at(2, 5), 0);
  EXPECT_EQ(got.passes[0].quads.front().x, 2) << "quads begin at even pixels";
}

TEST(Coverage, HostileCoordinates) {
  RandomPoints random(3);
  constexpr int32_t kFar = 32768 * 256;
  const std::array<int32_t, 6> values = {-kFar, kFar, -kFar + 1, kFar - 1, 0, 4321};
  const SampleGrid samples = grid(1);
  for (int i = 0; i < 300; ++i) {
    const auto next = [&] { return GridPoint{values[random.below(6)], values[random.below(6)]}; };
    const std::array<GridPoint, 3> t = {next(), next(), next()};
    const Collected got = fill({t}, samples);
    for (int y = 0; y < 32; y += 3) {
      for (int x = 0; x < 32; x += 3) ASSERT_EQ(got.at(x, y), reference(t, x, y, samples));
    }
  }
}

TEST(Coverage, EmptyShapes) {
  EXPECT_TRUE(fill({{GridPoint{0, 0}, GridPoint{512, 512}, GridPoint{5120, 5120}}}, grid(1)).passes[0].quads.empty());
  EXPECT_TRUE(fill({{GridPoint{7, 7}, GridPoint{7, 7}, GridPoint{7, 7}}}, grid(1)).passes[0].quads.empty());
  EXPECT_TRUE(fill({{GridPoint{0, 0}, GridPoint{5120, 0}, GridPoint{0, 5120}}}, grid(1), {4, 4, 4, 9}).pixels.empty());
}

TEST(Points, SquaresBelongToTheirUpperLeftSamples) {
  RandomPoints random(4);
  for (int i = 0; i < 400; ++i) {
    const GridPoint center = random.next();
    const float size = static_cast<float>(random.below(80)) / 8;
    const SampleGrid samples = grid(i % 2 == 0 ? 1 : 8);
    RasterShape shape;
    shape.push_back(point_square(center, size));
    Collected got;
    cover(shape, samples, kBounds, got);
    const int64_t half = static_cast<int64_t>(size * 128);
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        uint16_t want = 0;
        for (unsigned s = 0; s < samples.count; ++s) {
          const int64_t dx = x * 256 + samples.positions[s].x * 16 - center.x;
          const int64_t dy = y * 256 + samples.positions[s].y * 16 - center.y;
          if (dx >= -half && dx < half && dy >= -half && dy < half) want |= 1u << s;
        }
        ASSERT_EQ(got.at(x, y), want) << x << ", " << y << ", size " << size;
      }
    }
  }
}

TEST(Points, Sizes) {
  EXPECT_EQ(usable_point_size(-3), 0);
  EXPECT_EQ(usable_point_size(NAN), 0);
  EXPECT_EQ(usable_point_size(INFINITY), 8191.875f);
  EXPECT_EQ(usable_point_size(1.06f), 1.0f);
  EXPECT_EQ(usable_point_size(1.07f), 1.125f);
}

}  // namespace
}  // namespace spalt::emu
