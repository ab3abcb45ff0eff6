// SPDX-License-Identifier: MIT
//
// Corners and indices of a random draw. What is interpolated must be exact: twice the area of a triangle is a power of
// two, and so is the length of a line.
#include <algorithm>
#include <cstdlib>

#include "draw_shape.h"

namespace spalt::random_programs {
namespace {

constexpr int32_t kPixel = 256;

/// Corners of triangles. Where planes must be exact, twice the area in square pixels is a power of two.
class Geometry {
 public:
  Geometry(Rng& rng, DrawShape& shape) : rng_(rng), shape_(shape) {}

  void make() {
    switch (shape_.topology) {
      case Topology::Points:
        return points();
      case Topology::Lines:
      case Topology::LineStrip:
        return lines();
      case Topology::Triangles:
        return triangles();
      default:
        return strips();
    }
  }

 private:
  Corner any_corner() {
    const auto coordinate = [&](uint32_t size) {
      const int32_t whole = static_cast<int32_t>(rng_.below(size + 3)) - 1;
      const int32_t part = shape_.exact_planes ? 0 : static_cast<int32_t>(rng_.below(kPixel));
      return whole * kPixel + part;
    };
    const int32_t x = coordinate(shape_.width);
    return {x, coordinate(shape_.height)};
  }

  static bool is_exact(const Corner& a, const Corner& b, const Corner& c) {
    const int32_t area = ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / (kPixel * kPixel);
    const uint32_t size = static_cast<uint32_t>(std::abs(area));
    return size >= 8 && (size & (size - 1)) == 0;
  }

  /// A corner that makes a triangle with two others.
  Corner third(const Corner& a, const Corner& b) {
    for (int tries = 0; tries < 400; ++tries) {
      const Corner c = any_corner();
      if (!shape_.exact_planes || is_exact(a, b, c)) return c;
    }
    return a;  // without area
  }

  void triangle(Corner (&corners)[3]) {
    if (shape_.exact_planes && rng_.chance(25)) {
      // Half of a rectangle, which covers much.
      const int32_t right = static_cast<int32_t>(shape_.width) * kPixel,
                    bottom = static_cast<int32_t>(shape_.height) * kPixel;
      const Corner all[4] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
      const uint32_t first = rng_.below(4);
      const bool turned = rng_.chance(50);
      for (uint32_t i = 0; i < 3; ++i) corners[i] = all[(first + (turned ? 3 - i : i)) % 4];
      return;
    }
    do {
      corners[0] = any_corner();
      corners[1] = any_corner();
      corners[2] = third(corners[0], corners[1]);
    } while (shape_.exact_planes && !is_exact(corners[0], corners[1], corners[2]));
  }

  void triangles() {
    const uint32_t count = rng_.between(1, 3);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < count; ++i) {
      Corner corners[3];
      triangle(corners);
      for (uint32_t k = 0; k < 3; ++k) {
        // The vertex that names the primitive is its own; another one may be an earlier one at the same place.
        const bool names = k == (shape_.provoking_last ? 2 : 0);
        const auto same = std::find_if(shape_.corners.begin(), shape_.corners.end(), [&](const Corner& other) {
          return other.x == corners[k].x && other.y == corners[k].y;
        });
        if (shape_.indexed && !names && same != shape_.corners.end()) {
          order.push_back(static_cast<uint32_t>(same - shape_.corners.begin()));
          continue;
        }
        order.push_back(shape_.vertex_count());
        shape_.corners.push_back(corners[k]);
      }
    }
    finish(order);
  }

  void strips() {
    const uint32_t parts = shape_.restart ? 2 : 1;
    std::vector<uint32_t> order;
    for (uint32_t part = 0; part < parts; ++part) {
      if (part != 0) order.push_back(kRestart);
      const uint32_t first = shape_.vertex_count();
      Corner corners[3];
      triangle(corners);
      for (const Corner& corner : corners) shape_.corners.push_back(corner);
      for (uint32_t more = rng_.below(4); more > 0; --more) {
        const Corner& a = shape_.topology == Topology::Fan ? shape_.corners[first] : shape_.corners.end()[-2];
        shape_.corners.push_back(third(a, shape_.corners.back()));
      }
      for (uint32_t i = first; i < shape_.vertex_count(); ++i) order.push_back(i);
    }
    finish(order);
  }

  /// Along an axis or a diagonal, from the middle of a pixel to that of another one, a power of two away.
  void lines() {
    const bool is_strip = shape_.topology == Topology::LineStrip;
    std::vector<uint32_t> order;
    const uint32_t parts = is_strip ? (shape_.restart ? 2 : 1) : rng_.between(1, 4);
    for (uint32_t part = 0; part < parts; ++part) {
      if (part != 0 && is_strip) order.push_back(kRestart);
      const int32_t x = static_cast<int32_t>(rng_.below(shape_.width)) * kPixel + kPixel / 2;
      const int32_t y = static_cast<int32_t>(rng_.below(shape_.height)) * kPixel + kPixel / 2;
      shape_.corners.push_back({x, y});
      order.push_back(shape_.vertex_count() - 1);
      for (uint32_t more = is_strip ? rng_.between(1, 4) : 1; more > 0; --more) {
        shape_.corners.push_back(line_end(shape_.corners.back()));
        order.push_back(shape_.vertex_count() - 1);
      }
    }
    finish(order);
  }

  Corner line_end(const Corner& from) {
    // Not straight up: docs/isa-errata.md, "llvmpipe: draws".
    constexpr int32_t kSteps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const auto middle_is_near = [](int32_t at, uint32_t size) {
      return at > -2 * kPixel && at < (static_cast<int32_t>(size) + 2) * kPixel;
    };
    for (;;) {
      const auto& step = rng_.pick(kSteps);
      const int32_t length = kPixel << rng_.between(0, 4);
      const Corner to{from.x + step[0] * length, from.y + step[1] * length};
      if (middle_is_near(to.x, shape_.width) && middle_is_near(to.y, shape_.height)) return to;
    }
  }

  void points() {
    for (uint32_t count = rng_.between(1, 6); count > 0; --count) {
      const int32_t half = shape_.even_points ? 0 : kPixel / 2;
      const int32_t x = static_cast<int32_t>(rng_.below(shape_.width)) * kPixel + half;
      const int32_t y = static_cast<int32_t>(rng_.below(shape_.height)) * kPixel + half;
      shape_.corners.push_back({x, y});
    }
    std::vector<uint32_t> order(shape_.corners.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    finish(order);
  }

  /// Vertices of an indexed draw are in memory in any order.
  void finish(const std::vector<uint32_t>& order) {
    std::vector<uint32_t> place(shape_.corners.size());
    for (uint32_t i = 0; i < place.size(); ++i) place[i] = i;
    if (shape_.indexed) {
      for (uint32_t i = static_cast<uint32_t>(place.size()); i > 1; --i) std::swap(place[i - 1], place[rng_.below(i)]);
    }
    std::vector<Corner> corners(place.size());
    for (size_t i = 0; i < place.size(); ++i) corners[place[i]] = shape_.corners[i];
    shape_.corners = std::move(corners);
    for (const uint32_t vertex : order) shape_.indices.push_back(vertex == kRestart ? kRestart : place[vertex]);
  }

  Rng& rng_;
  DrawShape& shape_;
};

}  // namespace

void draw_geometry(Rng& rng, DrawShape& shape) {
  Geometry(rng, shape).make();
}

}  // namespace spalt::random_programs
