// SPDX-License-Identifier: MIT
#include "emu/image/cube.h"

#include <algorithm>
#include <cmath>

namespace spalt::emu {
namespace {

/// A direction along one axis of space.
struct Direction {
  uint8_t axis;
  int8_t sign;
};

/// Which way the major axis, s and t of a face point (Vulkan, "Cube map face selection").
struct Face {
  Direction major, s, t;
};
constexpr Face kFaces[6] = {
    {{0, 1}, {2, -1}, {1, -1}}, {{0, -1}, {2, 1}, {1, -1}}, {{1, 1}, {0, 1}, {2, 1}},
    {{1, -1}, {0, 1}, {2, -1}}, {{2, 1}, {0, 1}, {1, -1}},  {{2, -1}, {0, -1}, {1, -1}},
};

unsigned face_towards(unsigned axis, int64_t sign) {
  return 2 * axis + (sign > 0 ? 0 : 1);
}

}  // namespace

/// Exact, in halves of texels from the centre: on a face the centre of texel x is at 2x + 1 - size, and the face itself
/// at size. Over the edge, the coordinate that left the face becomes the major one, and the old major one is as far
/// below the edge as the coordinate was above it.
CubeTexel across_edge(const CubeTexel& texel, uint32_t size) {
  const Face& from = kFaces[texel.face];
  const int64_t n = size;
  const int64_t s = 2 * texel.x + 1 - n, t = 2 * texel.y + 1 - n;
  const bool leaves_s = s <= -n || s >= n;
  const int64_t beyond = (leaves_s ? std::abs(s) : std::abs(t)) - n;
  const Direction out = leaves_s ? from.s : from.t;
  const int64_t out_sign = (leaves_s ? s : t) > 0 ? out.sign : -out.sign;

  std::array<int64_t, 3> point{};
  point[from.s.axis] = s * from.s.sign;
  point[from.t.axis] = t * from.t.sign;
  point[from.major.axis] = from.major.sign * (n - beyond);
  CubeTexel to;
  to.face = face_towards(out.axis, out_sign);
  const Face& face = kFaces[to.face];
  to.x = (point[face.s.axis] * face.s.sign + n - 1) / 2;
  to.y = (point[face.t.axis] * face.t.sign + n - 1) / 2;
  return to;
}

std::array<double, 3> point_of_cube(unsigned face, double s, double t) {
  const Face& f = kFaces[face];
  std::array<double, 3> point{};
  point[f.major.axis] = f.major.sign;
  point[f.s.axis] = (2 * s - 1) * f.s.sign;
  point[f.t.axis] = (2 * t - 1) * f.t.sign;
  return point;
}

std::array<double, 2> seen_on_face(const std::array<double, 3>& point, unsigned face) {
  constexpr double kNearest = 1.0 / 4096;
  const Face& f = kFaces[face];
  const double distance = std::max(point[f.major.axis] * f.major.sign, kNearest);
  return {(point[f.s.axis] * f.s.sign / distance + 1) / 2, (point[f.t.axis] * f.t.sign / distance + 1) / 2};
}

}  // namespace spalt::emu
