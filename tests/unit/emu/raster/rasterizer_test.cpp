// SPDX-License-Identifier: MIT
// Clip, viewport, culling, polygon modes and interpolation together. The reference of clipped triangles solves for each
// pixel which point of the triangle in clip space is seen there, and asks whether that point is in the view volume.
#include "emu/raster/rasterizer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "collected.h"
#include "emu/raster/interpolation.h"

namespace spalt::emu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
constexpr int kSize = 32;
constexpr Viewport kViewport = {0, 0, kSize, kSize, 0, 1};
constexpr PixelRect kReach = {0, 0, kSize, kSize};

ShadedVertex vertex(float x, float y, float z = 0, float w = 1) {
  ShadedVertex v;
  v.position = {x, y, z, w};
  return v;
}
/// At pixels, for kViewport and w = 1; exact for what is on the grid.
ShadedVertex at_pixel(double x, double y, double z = 0, double w = 1) {
  const auto ndc = [&](double p) { return static_cast<float>((p / (kSize / 2) - 1) * w); };
  return vertex(ndc(x), ndc(y), static_cast<float>(z * w), static_cast<float>(w));
}

Collected draw(const std::vector<ShadedVertex>& vertices, const RasterizationState& state = {},
               const Viewport& viewport = kViewport) {
  Collected result;
  Rasterizer(state, viewport, kReach).draw(vertices, false, result);
  return result;
}

// ---- Clipping ----

struct Seen {
  bool inside = false;
  double i = 0, j = 0, w = 0, z = 0;
};

/// Which point of the triangle is at (x, y) on the screen.
Seen see(const std::vector<ShadedVertex>& t, const RasterizationState& state, double x, double y) {
  const double xn = x / (kSize / 2) - 1, yn = y / (kSize / 2) - 1;
  std::array<double, 3> p, q, b;
  for (size_t k = 0; k < 3; ++k) {
    p[k] = t[k].position[0] - xn * t[k].position[3];
    q[k] = t[k].position[1] - yn * t[k].position[3];
  }
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) {
    const size_t l = (k + 1) % 3, m = (k + 2) % 3;
    b[k] = p[l] * q[m] - p[m] * q[l];
    sum += b[k];
  }
  Seen seen;
  std::array<double, 4> at{};
  std::array<double, kMaxDistances> distances{};
  seen.inside = true;
  for (size_t k = 0; k < 3; ++k) {
    b[k] /= sum;
    seen.inside &= b[k] >= 0;
    for (size_t c = 0; c < 4; ++c) at[c] += b[k] * t[k].position[c];
    for (size_t c = 0; c < kMaxDistances; ++c) distances[c] += b[k] * t[k].distances[c];
  }
  seen.inside &= at[3] > 0;
  if (state.depth_clip) seen.inside &= at[2] <= at[3] && at[2] >= (state.negative_one_to_one ? -at[3] : 0);
  for (unsigned c = 0; c < state.clip_distances; ++c) seen.inside &= distances[c] >= 0;
  seen.i = b[1];
  seen.j = b[2];
  seen.w = at[3];
  seen.z = state.negative_one_to_one ? at[2] / at[3] / 2 + 0.5 : at[2] / at[3];
  return seen;
}

/// The same near (x, y); empty where not all of these agree.
std::vector<Seen> see_around(const std::vector<ShadedVertex>& t, const RasterizationState& state, double x, double y) {
  std::vector<Seen> all;
  for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
    all.push_back(see(t, state, x + dx / 64.0, y + dy / 64.0));
    if (all.back().inside != all.front().inside) return {};
  }
  return all;
}

/// As far from the reference as that changes nearby, or less.
void expect_near(double got, const std::vector<Seen>& reference, double Seen::*member, const char* name) {
  double spread = 0;
  const double want = reference.front().*member;
  for (const Seen& other : reference) spread = std::max(spread, std::abs(other.*member - want));
  EXPECT_NEAR(got, want, spread + 1e-5 * (1 + std::abs(want))) << name;
}

ShadedVertex random_vertex(std::mt19937& random) {
  const auto from = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
  ShadedVertex v = vertex(from(-3, 3), from(-3, 3), from(-1, 2), from(-1, 3));
  for (float& distance : v.distances) distance = from(-0.5f, 2);
  return v;
}

TEST(Clipping, TrianglesAgainstTheViewVolume) {
  std::mt19937 random(1);
  int compared = 0, skipped = 0, covered = 0;
  for (int i = 0; i < 400; ++i) {
    RasterizationState state;
    state.depth_clip = i % 3 != 0;
    state.negative_one_to_one = i % 5 == 0;
    state.clip_distances = static_cast<uint8_t>(i % 4 == 0 ? 8 : i % 4 == 1 ? 2 : 0);
    const std::vector<ShadedVertex> t = {random_vertex(random), random_vertex(random), random_vertex(random)};
    const Collected got = draw(t, state);
    ASSERT_LE(got.passes.size(), 1u);
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        const std::vector<Seen> want = see_around(t, state, x + 0.5, y + 0.5);
        ++(want.empty() ? skipped : compared);
        if (want.empty()) continue;
        ASSERT_EQ(got.at(x, y) != 0, want.front().inside) << x << ", " << y << " of triangle " << i;
        if (!want.front().inside) continue;
        ++covered;
        const FragmentPlanes& planes = got.passes[0].planes;
        const FragmentPlace place = pixel_center(x, y);
        const Barycentrics smooth = perspective_at(planes, place);
        expect_near(smooth.i, want, &Seen::i, "I");
        expect_near(smooth.j, want, &Seen::j, "J");
        expect_near(w_at(planes, place), want, &Seen::w, "w");
        expect_near(z_at(planes, place), want, &Seen::z, "z");
        const auto [iw, jw, one] = pull_model_at(planes, place);
        EXPECT_NEAR(iw / one, smooth.i, 1e-4 * (1 + std::abs(smooth.i)));
        EXPECT_NEAR(jw / one, smooth.j, 1e-4 * (1 + std::abs(smooth.j)));
      }
    }
  }
  EXPECT_GT(covered, 10000);
  EXPECT_LT(skipped, compared / 20);
}

TEST(Clipping, NeighboursStayNeighbours) {
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    // A convex quadrilateral on a plane in space, cut along either diagonal; the camera is anywhere.
    const auto from = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
    const std::array<float, 3> u = {from(-3, 3), from(-3, 3), from(-2, 2)}, v = {from(-3, 3), from(-3, 3), from(-2, 2)};
    const std::array<float, 3> o = {from(-2, 2), from(-2, 2), from(-1, 2)};
    std::array<ShadedVertex, 4> corner;
    for (size_t c = 0; c < 4; ++c) {
      const float a = c == 1 || c == 2 ? 1.0f : 0.0f, b = c >= 2 ? 1.0f : 0.0f;
      const float depth = o[2] + a * u[2] + b * v[2];
      corner[c] = vertex(o[0] + a * u[0] + b * v[0], o[1] + a * u[1] + b * v[1], depth - 0.25f, depth);
    }
    RasterizationState state;
    state.samples = 8;
    state.sample_positions = standard_sample_positions(8);
    Collected got;
    Rasterizer rasterizer(state, kViewport, kReach);
    rasterizer.draw(std::array{corner[0], corner[1], corner[2]}, false, got);
    rasterizer.draw(std::array{corner[2], corner[3], corner[0]}, false, got);
    for (const auto& [sample, count] : got.count) ASSERT_LE(count, 1) << "of quadrilateral " << i;
    // No gap along the diagonal: the other diagonal covers the same but for samples at the border.
    Collected other;
    rasterizer.draw(std::array{corner[0], corner[1], corner[3]}, false, other);
    rasterizer.draw(std::array{corner[1], corner[2], corner[3]}, false, other);
    int differences = 0, covered = 0;
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        differences += std::popcount(static_cast<unsigned>(got.at(x, y) ^ other.at(x, y)));
        covered += std::popcount(static_cast<unsigned>(got.at(x, y)));
      }
    }
    EXPECT_LE(differences, 4 + covered / 100) << "of quadrilateral " << i;
  }
}

TEST(Clipping, CullDistances) {
  std::vector<ShadedVertex> t = {at_pixel(0, 0), at_pixel(31, 0), at_pixel(0, 31)};
  RasterizationState state;
  state.clip_distances = 1;
  state.cull_distances = 2;
  for (ShadedVertex& v : t) v.distances = {1, 1, -1};
  EXPECT_TRUE(draw(t, state).pixels.empty()) << "all are below 0";
  t[1].distances[2] = 0;
  EXPECT_FALSE(draw(t, state).pixels.empty());
  t[0].distances[1] = t[1].distances[1] = t[2].distances[1] = kNaN;
  EXPECT_TRUE(draw(t, state).pixels.empty());
}

TEST(Clipping, PointsByTheirCenter) {
  ShadedVertex point = at_pixel(1, 16);
  point.point_size = 8;
  EXPECT_EQ(draw({point}).pixels.size(), 5u * 8u) << "the part in the framebuffer";
  point = at_pixel(-1, 16);
  point.point_size = 8;
  EXPECT_TRUE(draw({point}).pixels.empty());
  EXPECT_TRUE(draw({vertex(0, 0, 1.5f)}).pixels.empty());
  RasterizationState no_clip;
  no_clip.depth_clip = false;
  EXPECT_EQ(draw({vertex(0, 0, 1.5f)}, no_clip).pixels.size(), 1u);
  EXPECT_TRUE(draw({vertex(0, 0, 0, -1)}, no_clip).pixels.empty());
  EXPECT_TRUE(draw({vertex(0, 0, 0, 0)}, no_clip).pixels.empty());
}

// ---- Interpolation of what is not clipped ----

TEST(Interpolation, TriangleFormulasOfVulkan) {
  std::mt19937 random(3);
  const auto from = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  for (int i = 0; i < 200; ++i) {
    // On the grid, and with values of w that keep them exactly there.
    std::array<std::array<double, 2>, 3> p;
    std::vector<ShadedVertex> t;
    for (auto& [x, y] : p) {
      x = std::floor(from(0, 32) * 256) / 256;
      y = std::floor(from(0, 32) * 256) / 256;
      t.push_back(at_pixel(x, y, std::floor(from(0, 16)) / 16, std::exp2(std::floor(from(-2, 3)))));
    }
    const auto area = [](const auto& a, const auto& b, const auto& c) {
      return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    };
    const double all = area(p[0], p[1], p[2]);
    if (std::abs(all) < 4) continue;
    const Collected got = draw(t);
    for (const RasterQuad& quad : got.passes[0].quads) {
      // All four pixels, helpers too.
      for (int k = 0; k < 4; ++k) {
        const FragmentPlace place = sample_place(quad.x + (k & 1), quad.y + (k >> 1), {3, 13});
        const std::array<double, 2> at = {place.x, place.y};
        const double a = area(at, p[1], p[2]) / all, b = area(p[0], at, p[2]) / all, c = area(p[0], p[1], at) / all;
        const double d = a / t[0].position[3] + b / t[1].position[3] + c / t[2].position[3];
        const FragmentPlanes& planes = got.passes[0].planes;
        const Barycentrics linear = linear_at(planes, place);
        EXPECT_NEAR(linear.i, b, 1e-6 * (1 + std::abs(b)));
        EXPECT_NEAR(linear.j, c, 1e-6 * (1 + std::abs(c)));
        const double z = a * t[0].position[2] / t[0].position[3] + b * t[1].position[2] / t[1].position[3] +
                         c * t[2].position[2] / t[2].position[3];
        EXPECT_NEAR(z_at(planes, place), z, 1e-6 * (1 + std::abs(z)));
        if (std::abs(d) < 1e-3) continue;
        const Barycentrics smooth = perspective_at(planes, place);
        EXPECT_NEAR(smooth.i, b / t[1].position[3] / d, 1e-5 * (1 + std::abs(smooth.i)));
        EXPECT_NEAR(smooth.j, c / t[2].position[3] / d, 1e-5 * (1 + std::abs(smooth.j)));
        EXPECT_NEAR(w_at(planes, place), 1 / d, 1e-5 * std::abs(1 / d));
      }
    }
  }
}

TEST(Interpolation, LinesByProjection) {
  const ShadedVertex a = at_pixel(2, 3, 0.25, 1), b = at_pixel(26, 11, 0.75, 4);
  RasterizationState state;
  state.line.width = 3;
  const Collected got = draw({a, b}, state);
  ASSERT_FALSE(got.pixels.empty());
  for (const auto& [pixel, mask] : got.pixels) {
    const FragmentPlace place = pixel_center(pixel.first, pixel.second);
    const double t = ((place.x - 2) * 24 + (place.y - 3) * 8) / (24 * 24 + 8 * 8);
    const FragmentPlanes& planes = got.passes[0].planes;
    EXPECT_NEAR(linear_at(planes, place).i, t, 1e-6);
    EXPECT_NEAR(perspective_at(planes, place).i, t / 4 / ((1 - t) + t / 4), 1e-6);
    EXPECT_EQ(perspective_at(planes, place).j, 0);
    EXPECT_NEAR(z_at(planes, place), 0.25 + 0.5 * t, 1e-6);
    EXPECT_TRUE(planes.front_facing);
  }
}

TEST(Interpolation, ClippedLinesKeepTheirWeights) {
  // From x = 8 to 24; z crosses 0 in the middle, at x = 16. The rule moves both ends to the left by e: into pixels 15
  // and 23.
  const ShadedVertex a = vertex(-0.5f, 0.03125f, -0.5f, 1), b = vertex(0.5f, 0.03125f, 0.5f, 1);
  RasterizationState state;
  state.line.mode = LineMode::bresenham;
  const Collected got = draw({a, b}, state);
  EXPECT_EQ(got.pixels.size(), 8u);
  for (const auto& [pixel, mask] : got.pixels) {
    EXPECT_TRUE(pixel.first >= 15 && pixel.first < 23);
    const FragmentPlace place = pixel_center(pixel.first, pixel.second);
    EXPECT_NEAR(perspective_at(got.passes[0].planes, place).i, (place.x - 8) / 16, 1e-6);
    EXPECT_NEAR(linear_at(got.passes[0].planes, place).i, (place.x - 8) / 16, 1e-6);
  }
}

TEST(Interpolation, PointCoord) {
  ShadedVertex point = at_pixel(10, 12.25, 0.5);
  point.point_size = 4;
  const Collected got = draw({point});
  EXPECT_EQ(got.pixels.size(), 16u);
  const FragmentPlanes& planes = got.passes[0].planes;
  EXPECT_EQ(point_coord_at(planes, {8, 10.25}), (std::array<float, 2>{0, 0}));
  EXPECT_EQ(point_coord_at(planes, {12, 14.25}), (std::array<float, 2>{1, 1}));
  EXPECT_EQ(point_coord_at(planes, {11, 12.25}), (std::array<float, 2>{0.75f, 0.5f}));
  EXPECT_EQ(perspective_at(planes, {11, 12}).i, 0);
  EXPECT_EQ(z_at(planes, {11, 12}), 0.5f);
}

TEST(Interpolation, CentroidIsACoveredSample) {
  const SampleGrid samples = {4, standard_sample_positions(4)};
  const auto same = [](const FragmentPlace& a, const FragmentPlace& b) { return a.x == b.x && a.y == b.y; };
  EXPECT_TRUE(same(centroid_place(3, 4, 0xf, samples), pixel_center(3, 4)));
  EXPECT_TRUE(same(centroid_place(3, 4, 0, samples), pixel_center(3, 4)));
  for (unsigned s = 0; s < 4; ++s) {
    const auto only = static_cast<uint16_t>(1u << s);
    EXPECT_TRUE(same(centroid_place(3, 4, only, samples), sample_place(3, 4, samples.positions[s])));
  }
  const SampleGrid eight = {8, standard_sample_positions(8)};
  // Sample 0 is at (9, 5), sample 2 at (13, 9): 10 and 26 from (8, 8).
  EXPECT_TRUE(same(centroid_place(0, 0, 0b101, eight), sample_place(0, 0, eight.positions[0])));
}

// ---- Faces, polygon modes, depth bias ----

TEST(Faces, FrontAndCulled) {
  // Counter-clockwise as one sees it: y goes down.
  const std::vector<ShadedVertex> ccw = {at_pixel(4, 4), at_pixel(4, 28), at_pixel(28, 28)};
  const std::vector<ShadedVertex> cw = {ccw[0], ccw[2], ccw[1]};
  for (const FrontFace front : {FrontFace::counter_clockwise, FrontFace::clockwise}) {
    for (const uint8_t cull : {0, 1, 2, 3}) {
      RasterizationState state;
      state.front_face = front;
      state.cull = cull;
      for (const auto* t : {&ccw, &cw}) {
        const bool is_front = (t == &ccw) == (front == FrontFace::counter_clockwise);
        const Collected got = draw(*t, state);
        const bool is_culled = (cull & (is_front ? 1 : 2)) != 0;
        ASSERT_EQ(got.passes.size(), is_culled ? 0u : 1u);
        if (is_culled) continue;
        EXPECT_EQ(got.passes[0].planes.front_facing, is_front);
      }
      EXPECT_EQ(draw({at_pixel(1, 1), at_pixel(9, 1)}, state).passes.size(), 1u) << "lines are not culled";
    }
  }
  // A viewport upside down turns faces.
  EXPECT_FALSE(draw(ccw, {}, {0, kSize, kSize, -kSize, 0, 1}).passes[0].planes.front_facing);
}

TEST(PolygonModes, LinesAreTheEdges) {
  const std::vector<ShadedVertex> t = {at_pixel(4.5, 4.5), at_pixel(4.5, 28.5), at_pixel(20.5, 28.5)};
  RasterizationState state;
  state.polygon_mode = PolygonMode::line;
  state.line.mode = LineMode::bresenham;
  state.cull = kCullBack;
  const Collected got = draw(t, state);
  ASSERT_EQ(got.passes.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const Collected edge = draw({t[i], t[(i + 1) % 3]}, state);
    ASSERT_EQ(edge.passes[0].quads.size(), got.passes[i].quads.size());
    for (const auto& [pixel, mask] : edge.pixels) EXPECT_EQ(got.at(pixel.first, pixel.second), mask);
  }
  // I and J are those of the triangle: on the second edge, between vertex 1 and 2.
  const Barycentrics middle = perspective_at(got.passes[1].planes, {12.5, 28.5});
  EXPECT_NEAR(middle.i, 0.5, 1e-6);
  EXPECT_NEAR(middle.j, 0.5, 1e-6);
  EXPECT_NEAR(perspective_at(got.passes[2].planes, {12.5, 16.5}).j, 0.5, 1e-6);
  state.cull = kCullFront;
  EXPECT_TRUE(draw(t, state).pixels.empty());
}

TEST(PolygonModes, NoEdgesWhereClippingCuts) {
  // z from -1 at the left to 1 at the right: only the right half, x >= 16, is in front of the near plane.
  const std::vector<ShadedVertex> t = {vertex(-0.75f, -0.75f, -0.75f), vertex(0.75f, -0.75f, 0.75f),
                                       vertex(0.75f, 0.75f, 0.75f)};
  RasterizationState state;
  state.polygon_mode = PolygonMode::line;
  const Collected lines = draw(t, state);
  EXPECT_EQ(lines.passes.size(), 3u) << "parts of the three edges and nothing along x = 16";
  for (int y = 6; y < 14; ++y) EXPECT_EQ(lines.at(16, y), 0) << y;
  state.polygon_mode = PolygonMode::point;
  EXPECT_EQ(draw(t, state).passes.size(), 2u) << "the two vertices that are left";
}

TEST(PolygonModes, VerticesOnAPlaneAreDrawnOnce) {
  const std::vector<ShadedVertex> t = {vertex(-0.75f, -0.75f, 0), vertex(0.75f, -0.75f, 0.5f),
                                       vertex(0.75f, 0.75f, -0.5f)};
  RasterizationState state;
  state.polygon_mode = PolygonMode::point;
  EXPECT_EQ(draw(t, state).passes.size(), 2u);
}

TEST(DepthBiases, SlopeConstantAndClamp) {
  // z rises by 1/64 for each pixel to the right and by 1/128 downward.
  const std::vector<ShadedVertex> t = {at_pixel(0, 0, 0.125), at_pixel(16, 0, 0.375), at_pixel(0, 16, 0.25)};
  const auto bias = [&](const DepthBias& b, uint32_t format) {
    RasterizationState state;
    state.depth_bias = b;
    state.depth_format = format;
    return draw(t, state).passes.at(0).planes.depth_bias;
  };
  constexpr uint32_t kD16 = 124, kD24 = 125, kD32F = 126;
  constexpr auto kLeast = DepthBiasRepresentation::least_representable;
  EXPECT_EQ(bias({false, 3, 0, 2, kLeast}, kD16), 0);
  EXPECT_EQ(bias({true, 3, 0, 0, kLeast}, kD16), 3 * 0x1p-16);
  EXPECT_EQ(bias({true, -3, 0, 0, kLeast}, kD24), -3 * 0x1p-24);
  EXPECT_EQ(bias({true, 3, 0, 0, kLeast}, kD32F), 3 * 0x1p-25) << "0.375 has the exponent -2";
  EXPECT_EQ(bias({true, 3, 0, 0, DepthBiasRepresentation::least_representable_force_unorm}, kD32F), 3 * 0x1p-24);
  EXPECT_EQ(bias({true, 3, 0, 0, DepthBiasRepresentation::floating}, kD16), 3);
  EXPECT_EQ(bias({true, 0, 0, 2, kLeast}, kD16), 2.0 / 64);
  EXPECT_EQ(bias({true, 0, 0.02f, 2, kLeast}, kD16), 0.02f);
  EXPECT_EQ(bias({true, 0, 0.02f, -2, kLeast}, kD16), -2.0 / 64);
  EXPECT_EQ(bias({true, 0, -0.02f, -2, kLeast}, kD16), -0.02f);
  EXPECT_EQ(bias({true, 0, kNaN, 2, kLeast}, kD16), 2.0 / 64);
}

// ---- Viewports, and what nobody should send ----

TEST(Viewports, ReachablePixels) {
  EXPECT_EQ(reachable_pixels({0, 0, 100, 100}, {0, 0, 32, 16}, 64, 64), (PixelRect{0, 0, 32, 16}));
  EXPECT_EQ(reachable_pixels({0, 0, 100, 100}, {1.5f, 20, 10.25f, -10}, 64, 64), (PixelRect{1, 10, 12, 20}));
  EXPECT_EQ(reachable_pixels({5, 6, 7, 8}, {-100, -100, 1000, 1000}, 64, 64), (PixelRect{5, 6, 7, 8}));
  EXPECT_EQ(reachable_pixels({-50, -50, 1000, 1000}, {-100, -100, 1000, 1000}, 64, 48), (PixelRect{0, 0, 64, 48}));
  EXPECT_EQ(reachable_pixels({0, 0, 9, 9}, {kNaN, 0, 8, 8}, 64, 64), PixelRect{});
  EXPECT_EQ(reachable_pixels({0, 0, 9, 9}, {0, 0, kInfinity, 8}, 64, 64), PixelRect{});
  EXPECT_EQ(reachable_pixels({20, 0, 30, 9}, {0, 0, 8, 8}, 64, 64), PixelRect{});
}

TEST(Viewports, DepthRangeMayBeReversed) {
  const Collected got =
      draw({at_pixel(0, 0, 0.25), at_pixel(31, 0, 0.25), at_pixel(0, 31, 0.25)}, {}, {0, 0, kSize, kSize, 1, 0.5f});
  EXPECT_EQ(z_at(got.passes[0].planes, {3, 3}), 0.875f);
}

TEST(Viewports, NeitherNumbersNorReason) {
  const std::vector<ShadedVertex> t = {at_pixel(0, 0), at_pixel(31, 0), at_pixel(0, 31)};
  for (const float bad : {kNaN, kInfinity, -kInfinity, 1e30f}) {
    EXPECT_TRUE(draw(t, {}, {bad, 0, kSize, kSize, 0, 1}).pixels.empty());
    EXPECT_TRUE(draw(t, {}, {0, 0, bad, kSize, 0, 1}).pixels.empty());
  }
}

TEST(HostileVertices, WithoutANumberNothingIsDrawn) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    for (size_t c = 0; c < 4; ++c) {
      std::vector<ShadedVertex> t = {at_pixel(0, 0), at_pixel(31, 0), at_pixel(0, 31)};
      ASSERT_FALSE(draw(t).pixels.empty());
      t[1].position[c] = bad;
      EXPECT_TRUE(draw(t).pixels.empty());
    }
  }
}

TEST(HostileVertices, AnyBits) {
  std::mt19937 random(5);
  const std::array<float, 12> values = {0,      -0.0f, 1,       -1,        3.4e38f, -3.4e38f,
                                        1e-45f, 1e20f, -1e-20f, 0x1p-126f, kNaN,    kInfinity};
  const auto any = [&] {
    return random() % 4 == 0 ? std::bit_cast<float>(static_cast<uint32_t>(random()))
                             : values[random() % 10 + (random() % 50 == 0 ? 2 : 0)];
  };
  int drawn = 0;
  for (int i = 0; i < 20000; ++i) {
    RasterizationState state;
    state.depth_clip = i % 2 == 0;
    state.polygon_mode = static_cast<PolygonMode>(i % 3);
    state.line = {static_cast<LineMode>(i % 3), any(), i % 5 == 0, 1, 0x5555};
    state.clip_distances = static_cast<uint8_t>(random() % 9);
    state.depth_bias = {true, any(), any(), any(), {}};
    std::vector<ShadedVertex> vertices(1 + random() % 3);
    for (ShadedVertex& v : vertices) {
      for (float& c : v.position) c = any();
      for (float& d : v.distances) d = any();
      v.point_size = any();
    }
    const Collected got = draw(vertices, state);
    drawn += !got.pixels.empty();
    for (const auto& [pixel, mask] : got.pixels) {
      ASSERT_TRUE(pixel.first >= 0 && pixel.first < kSize && pixel.second >= 0 && pixel.second < kSize);
      perspective_at(got.passes[0].planes, pixel_center(pixel.first, pixel.second));
    }
  }
  EXPECT_GT(drawn, 100);
}

}  // namespace
}  // namespace spalt::emu
