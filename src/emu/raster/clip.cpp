// SPDX-License-Identifier: MIT
#include "emu/raster/clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spalt::emu {
namespace {

/// The distances of the three vertices from a plane, positive inside. Of lines and points the rest is unused.
using PlaneDistances = std::array<double, 3>;

struct Planes {
  std::array<PlaneDistances, kMaxPlanes> list;
  uint32_t count = 0;
  uint32_t vertices = 0;

  /// Keeps the plane if it cuts something. False: all vertices are outside.
  bool add(const PlaneDistances& distances) {
    const auto inside = std::count_if(distances.begin(), distances.begin() + vertices, [](double d) { return d >= 0; });
    if (inside == 0) return false;
    if (static_cast<uint32_t>(inside) != vertices) list[count++] = distances;
    return true;
  }
};

bool is_finite(const ShadedVertex& vertex, unsigned clip_distances) {
  const auto finite = [](float value) { return std::isfinite(value); };
  return std::all_of(vertex.position.begin(), vertex.position.end(), finite) &&
         std::all_of(vertex.distances.begin(), vertex.distances.begin() + clip_distances, finite);
}

template <class Distance>
PlaneDistances distances_of(std::span<const ShadedVertex> vertices, Distance distance) {
  PlaneDistances result{};
  for (size_t i = 0; i < vertices.size(); ++i) result[i] = distance(vertices[i]);
  return result;
}

/// A primitive is culled by a distance that is below 0 at all vertices; one that is no number counts as that.
bool is_culled(std::span<const ShadedVertex> vertices, const RasterizationState& state) {
  for (unsigned i = state.clip_distances; i < unsigned{state.clip_distances} + state.cull_distances; ++i) {
    if (std::none_of(vertices.begin(), vertices.end(), [&](const ShadedVertex& v) { return v.distances[i] >= 0; })) {
      return true;
    }
  }
  return false;
}

bool add_w_plane(std::span<const ShadedVertex> vertices, Planes& planes) {
  const double least = least_w(vertices);
  return least > 0 && planes.add(distances_of(vertices, [&](const ShadedVertex& v) { return v.position[3] - least; }));
}

bool add_depth_planes(std::span<const ShadedVertex> vertices, const RasterizationState& state, Planes& planes) {
  const bool from_minus_w = state.negative_one_to_one;
  return planes.add(distances_of(vertices, [&](const ShadedVertex& v) {
    return double{v.position[2]} + (from_minus_w ? double{v.position[3]} : 0);
  })) && planes.add(distances_of(vertices, [](const ShadedVertex& v) {
    return double{v.position[3]} - double{v.position[2]};
  }));
}

bool add_user_planes(std::span<const ShadedVertex> vertices, const RasterizationState& state, Planes& planes) {
  for (unsigned i = 0; i < state.clip_distances; ++i) {
    if (!planes.add(distances_of(vertices, [&](const ShadedVertex& v) { return v.distances[i]; }))) return false;
  }
  return true;
}

/// offset + scale x / w within +-kGuardBand, multiplied by w.
bool add_guard_band(std::span<const ShadedVertex> vertices, const ViewportTransform& viewport, Planes& planes) {
  for (unsigned axis = 0; axis < 2; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const auto distance = [&](const ShadedVertex& v) {
        const double w = v.position[3];
        return kGuardBand * w - sign * (viewport.scale[axis] * v.position[axis] + viewport.offset[axis] * w);
      };
      if (!planes.add(distances_of(vertices, distance))) return false;
    }
  }
  return true;
}

bool add_planes(std::span<const ShadedVertex> vertices, const RasterizationState& state,
                const ViewportTransform& viewport, Planes& planes) {
  return add_w_plane(vertices, planes) && (!state.depth_clip || add_depth_planes(vertices, state, planes)) &&
         add_user_planes(vertices, state, planes) && add_guard_band(vertices, viewport, planes);
}

double distance_of(const ClippedVertex& vertex, const PlaneDistances& plane) {
  return vertex.weights[0] * plane[0] + vertex.weights[1] * plane[1] + vertex.weights[2] * plane[2];
}

ClippedVertex cut(const ClippedVertex& inside, double d_inside, const ClippedVertex& outside, double d_outside) {
  const double t = d_inside / (d_inside - d_outside);
  ClippedVertex result;
  for (size_t i = 0; i < 3; ++i) {
    result.weights[i] = inside.weights[i] + t * (outside.weights[i] - inside.weights[i]);
  }
  return result;
}

/// Sutherland and Hodgman's step: the polygon without what is outside of one plane.
void cut_polygon(ClippedPrimitive& polygon, const PlaneDistances& plane) {
  const ClippedPrimitive before = polygon;
  polygon.count = 0;
  const auto push = [&](const ClippedVertex& vertex) { polygon.vertices[polygon.count++] = vertex; };
  for (uint32_t i = 0; i < before.count; ++i) {
    const ClippedVertex &from = before.vertices[i], &to = before.vertices[(i + 1) % before.count];
    const double d_from = distance_of(from, plane), d_to = distance_of(to, plane);
    // A vertex on the plane is its own cut.
    if (d_from >= 0) push(from);
    if (d_from > 0 && d_to < 0) push(cut(from, d_from, to, d_to));
    if (d_from >= 0 && d_to < 0) polygon.vertices[polygon.count - 1].edge_is_original = false;
    if (d_from < 0 && d_to > 0) {
      push(cut(to, d_to, from, d_from));
      polygon.vertices[polygon.count - 1].edge_is_original = from.edge_is_original;
    }
    // Rounding may make a polygon concave that is thinner than any distance, and then it could have more cuts.
    if (polygon.count + 2 > kMaxClippedVertices) break;
  }
  if (polygon.count < 3) polygon.count = 0;
}

void cut_line(ClippedPrimitive& line, const PlaneDistances& plane) {
  ClippedVertex &a = line.vertices[0], &b = line.vertices[1];
  const double d_a = distance_of(a, plane), d_b = distance_of(b, plane);
  if (d_a < 0 && d_b < 0) {
    line.count = 0;
  } else if (d_a < 0) {
    a = cut(b, d_b, a, d_a);
  } else if (d_b < 0) {
    b = cut(a, d_a, b, d_b);
  }
}

/// Points are clipped by all planes of the view volume, at their centre.
bool is_in_view_volume(const ShadedVertex& vertex) {
  const auto& [x, y, z, w] = vertex.position;
  return std::abs(x) <= w && std::abs(y) <= w;
}

}  // namespace

double least_w(std::span<const ShadedVertex> vertices) {
  double greatest = 0;
  for (const ShadedVertex& v : vertices) greatest = std::max(greatest, double{v.position[3]});
  return greatest * 0x1p-60;
}

ClippedPrimitive clip(std::span<const ShadedVertex> vertices, const RasterizationState& state,
                      const ViewportTransform& viewport) {
  ClippedPrimitive result;
  const auto finite = [&](const ShadedVertex& v) { return is_finite(v, state.clip_distances); };
  if (!viewport.is_usable() || !std::all_of(vertices.begin(), vertices.end(), finite)) return result;
  if (is_culled(vertices, state)) return result;
  Planes planes;
  planes.vertices = static_cast<uint32_t>(vertices.size());
  if (!add_planes(vertices, state, viewport, planes)) return result;
  if (vertices.size() == 1 && !is_in_view_volume(vertices[0])) return result;

  result.count = planes.vertices;
  result.is_clipped = planes.count != 0;
  for (uint32_t i = 0; i < result.count; ++i) result.vertices[i].weights[i] = 1;
  for (uint32_t i = 0; i < planes.count && result.count != 0; ++i) {
    if (result.count == 2) {
      cut_line(result, planes.list[i]);
    } else {
      cut_polygon(result, planes.list[i]);
    }
  }
  return result;
}

}  // namespace spalt::emu
