// SPDX-License-Identifier: MIT
// Lines against the text of Vulkan: the diamond-exit rule with its infinitely small numbers carried along, and the
// rectangle in real numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "collected.h"
#include "emu/raster/bresenham.h"
#include "emu/raster/line_shapes.h"

namespace spalt::emu {
namespace {

constexpr PixelRect kBounds = {0, 0, 24, 24};

/// a + b e + c e^2 for an infinitely small e > 0.
struct Tiny {
  int64_t a = 0, b = 0, c = 0;
  Tiny operator-() const { return {-a, -b, -c}; }
  Tiny operator+(const Tiny& o) const { return {a + o.a, b + o.b, c + o.c}; }
  Tiny operator-(const Tiny& o) const { return {a - o.a, b - o.b, c - o.c}; }
  Tiny operator*(int64_t f) const { return {a * f, b * f, c * f}; }
  int sign() const {
    for (const int64_t part : {a, b, c}) {
      if (part != 0) return part < 0 ? -1 : 1;
    }
    return 0;
  }
};
Tiny magnitude(const Tiny& value) {
  return value.sign() < 0 ? -value : value;
}
bool less(const Tiny& a, const Tiny& b) {
  return (a - b).sign() < 0;
}

struct Moved {
  Tiny u, v;  ///< from the centre of the fragment
};

bool in_diamond(const Moved& p) {
  return less(magnitude(p.u) + magnitude(p.v), {128});
}

/// "Produces those fragments f for which the segment intersects R_f, except if p_b is contained in R_f." The sum of the
/// two distances is smallest at an end of the segment or where one of them is 0.
bool produces(const GridPoint& a, const GridPoint& b, int x, int y) {
  const auto moved = [&](const GridPoint& p) {
    return Moved{{p.x - x * 256 - 128, -1, 0}, {p.y - y * 256 - 128, 0, -1}};
  };
  const Moved from = moved(a), to = moved(b);
  if (in_diamond(to)) return false;
  if (in_diamond(from)) return true;
  const int64_t dx = b.x - a.x, dy = b.y - a.y;
  const Tiny cross = magnitude(from.u * dy - from.v * dx);
  const bool passes_x = from.u.sign() * to.u.sign() <= 0 && dx != 0,
             passes_y = from.v.sign() * to.v.sign() <= 0 && dy != 0;
  return (passes_x && less(cross, {128 * std::abs(dx)})) || (passes_y && less(cross, {128 * std::abs(dy)}));
}

Collected bresenham(const GridPoint& a, const GridPoint& b, const LineStyle& style = {}, uint32_t* steps = nullptr) {
  Collected result;
  const uint32_t count = draw_bresenham(a, b, style, 0, 1, kBounds, result);
  if (steps != nullptr) *steps = count;
  return result;
}

GridPoint random_point(std::mt19937& random) {
  const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  switch (from(0, 3)) {
    case 0:
      return {from(-4, 28) * 256 + 128, from(-4, 28) * 256 + 128};
    case 1:
      return {from(-8, 56) * 128, from(-8, 56) * 128};
    case 2:
      return {from(-4, 28) * 256, from(-4, 28) * 256};
    default:
      return {from(-1000, 7000), from(-1000, 7000)};
  }
}

TEST(BresenhamLines, DiamondExitRule) {
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    const GridPoint a = random_point(random);
    GridPoint b = random_point(random);
    if (i % 5 == 0) b = {a.x + (b.x - a.x) / 8, a.y + (b.y - a.y) / 8};
    if (i % 7 == 0) b.y = a.y + (i % 2 == 0 ? b.x - a.x : a.x - b.x);
    const Collected got = bresenham(a, b);
    for (int y = 0; y < 24; ++y) {
      for (int x = 0; x < 24; ++x) {
        ASSERT_EQ(got.at(x, y) != 0, produces(a, b, x, y))
            << x << ", " << y << " of (" << a.x << ", " << a.y << ") to (" << b.x << ", " << b.y << ")";
      }
    }
  }
}

TEST(BresenhamLines, StripsProduceFragmentsOnce) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    // Three points from the left to the right, flat enough to be x-major.
    std::array<GridPoint, 3> points;
    int32_t x = static_cast<int32_t>(random() % 1000), y = 3000;
    for (GridPoint& point : points) {
      point = {x, y};
      const auto step = static_cast<int32_t>(random() % 2500);
      x += step;
      y += step == 0 ? 0 : static_cast<int32_t>(random() % static_cast<uint32_t>(2 * step)) - step;
    }
    const Collected one = bresenham(points[0], points[1]), two = bresenham(points[1], points[2]);
    for (const auto& [pixel, mask] : one.pixels) EXPECT_EQ(two.at(pixel.first, pixel.second), 0);
  }
}

TEST(BresenhamLines, WideOnesHaveColumnsAboutTheLine) {
  LineStyle style;
  style.width = 4.4f;
  const Collected flat = bresenham({128, 2688}, {5248, 2688}, style);  // y = 10.5
  EXPECT_EQ(flat.pixels.size(), 20u * 4u);
  // Moved by (w - 1) / 2 = 1.5 pixels to y = 9, between two rows; -e^2 moves it to the row before.
  for (int y = 8; y < 12; ++y) EXPECT_EQ(flat.at(3, y), 1);
  style.width = 3;
  const Collected steep = bresenham({2688, 128}, {2688, 5248}, style);
  EXPECT_EQ(steep.pixels.size(), 20u * 3u);
  for (int x = 9; x < 12; ++x) EXPECT_EQ(steep.at(x, 3), 1);
  style.width = NAN;
  EXPECT_EQ(bresenham({128, 128}, {1152, 128}, style).pixels.size(), 4u);
}

TEST(BresenhamLines, StippleCountsFragments) {
  LineStyle style;
  style.stippled = true;
  style.stipple_factor = 2;
  style.stipple_pattern = 0x0005;
  uint32_t steps = 0;
  const Collected right = bresenham({128, 128}, {128 + 20 * 256, 128}, style, &steps);
  EXPECT_EQ(steps, 20u);
  for (int x = 0; x < 20; ++x) EXPECT_EQ(right.at(x, 0), x < 2 || x == 4 || x == 5 ? 1 : 0) << x;
  const Collected left = bresenham({128 + 20 * 256, 128}, {128, 128}, style);
  for (int x = 0; x <= 20; ++x) EXPECT_EQ(left.at(x, 0), x > 18 || x == 16 || x == 15 ? 1 : 0) << x;
}

TEST(BresenhamLines, HostileOnesAreQuick) {
  constexpr int32_t kFar = 32768 * 256;
  for (int i = 0; i < 10000; ++i) {
    uint32_t steps = 0;
    bresenham({-kFar, -kFar + i}, {kFar, kFar - i}, {}, &steps);
    ASSERT_NEAR(steps, 65536, 1);
  }
}

/// Distance of a sample from the border of the rectangle, in pixels; positive inside.
double inside_rectangle(const GridPoint& a, const GridPoint& b, double width, double x, double y) {
  const double ax = a.x / 256.0, ay = a.y / 256.0, dx = b.x / 256.0 - ax, dy = b.y / 256.0 - ay;
  const double length = std::hypot(dx, dy);
  const double along = ((x - ax) * dx + (y - ay) * dy) / length, across = ((y - ay) * dx - (x - ax) * dy) / length;
  return std::min({along, length - along, width / 2 - std::abs(across)});
}

TEST(RectangularLines, RectangleAlongTheLine) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const GridPoint a = random_point(random), b = random_point(random);
    if (a == b) continue;
    const double width = std::uniform_real_distribution<double>(0.25, 6)(random);
    const SampleGrid samples = {4, standard_sample_positions(4)};
    RasterShape shape;
    shape.push_back(line_rectangle(a, b, static_cast<float>(width)));
    Collected got;
    cover(shape, samples, kBounds, got);
    for (int y = 0; y < 24; ++y) {
      for (int x = 0; x < 24; ++x) {
        for (unsigned s = 0; s < 4; ++s) {
          const double d =
              inside_rectangle(a, b, width, x + samples.positions[s].x / 16.0, y + samples.positions[s].y / 16.0);
          // Corners are on a grid of 1/256, at most 1/512 away along each axis; far ones turn an edge by that.
          if (std::abs(d) > 1.0 / 256) {
            ASSERT_EQ(got.at(x, y) >> s & 1, d > 0) << x << ", " << y;
          }
        }
      }
    }
  }
}

TEST(RectangularLines, WithoutLengthOrWidthThereIsNothing) {
  EXPECT_EQ(line_rectangle({5, 5}, {5, 5}, 3).edge_count, 0u);
  EXPECT_EQ(line_rectangle({5, 5}, {500, 5}, usable_line_width(NAN)).edge_count, 0u);
}

TEST(RectangularLines, StippleCountsPixelsAlongTheLine) {
  LineStyle style;
  style.stippled = true;
  style.stipple_factor = 3;
  style.stipple_pattern = 0x0001;
  const SampleGrid samples = {1, standard_sample_positions(1)};
  const GridPoint a{0, 384}, b{24 * 256, 384};
  RasterShape shape;
  shape.push_back(line_rectangle(a, b, 3));
  Collected got;
  StippledQuads stippled(a, b, style, 46, samples, got);  // two steps before the pattern begins again
  cover(shape, samples, kBounds, stippled);
  for (int x = 0; x < 24; ++x) {
    for (int y = 0; y < 3; ++y) EXPECT_EQ(got.at(x, y), x >= 2 && x < 5 ? 1 : 0) << x;
  }
}

}  // namespace
}  // namespace spalt::emu
