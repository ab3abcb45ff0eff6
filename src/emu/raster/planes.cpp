// SPDX-License-Identifier: MIT
#include "emu/raster/planes.h"

#include <cstdlib>

namespace spalt::emu {
namespace {

double pixels(int32_t grid) {
  return static_cast<double>(grid) / kSubpixels;
}

/// Makes all planes of a primitive; `plane` makes one from a function that says what it is at a vertex.
template <class MakePlane>
FragmentPlanes make_planes(MakePlane plane) {
  FragmentPlanes result;
  result.i_over_w = plane([](const ScreenVertex& v) { return v.weights[0] * v.inverse_w; });
  result.j_over_w = plane([](const ScreenVertex& v) { return v.weights[1] * v.inverse_w; });
  result.one_over_w = plane([](const ScreenVertex& v) { return v.inverse_w; });
  result.i_linear = plane([](const ScreenVertex& v) { return v.screen_weights[0]; });
  result.j_linear = plane([](const ScreenVertex& v) { return v.screen_weights[1]; });
  result.z = plane([](const ScreenVertex& v) { return v.z; });
  return result;
}

int64_t area_of(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c) {
  const std::array<GridPoint, 3> corners = {grid_point(a), grid_point(b), grid_point(c)};
  return twice_area(corners);
}

}  // namespace

GridPoint grid_point(const ScreenVertex& vertex) {
  return {vertex.x, vertex.y};
}

FragmentPlanes point_planes(const ScreenVertex& vertex, float size) {
  FragmentPlanes result = make_planes([&](auto value) {
    return ScreenPlane{pixels(vertex.x), pixels(vertex.y), value(vertex), 0, 0};
  });
  result.is_point = true;
  result.point_x = vertex.exact_x;
  result.point_y = vertex.exact_y;
  result.point_size = size;
  return result;
}

/// Along the line a plane rises from the one value to the other, across it it is level: the projection of a place onto
/// the line counts.
FragmentPlanes line_planes(const ScreenVertex& a, const ScreenVertex& b) {
  const double dx = pixels(b.x - a.x), dy = pixels(b.y - a.y);
  const double square = dx * dx + dy * dy;
  return make_planes([&](auto value) {
    const double rise = value(b) - value(a);
    return ScreenPlane{pixels(a.x), pixels(a.y), value(a), rise * dx / square, rise * dy / square};
  });
}

FragmentPlanes polygon_planes(std::span<const ScreenVertex> polygon) {
  size_t best = 1;
  int64_t best_area = 0;
  for (size_t i = 1; i + 1 < polygon.size(); ++i) {
    const int64_t area = std::abs(area_of(polygon[0], polygon[i], polygon[i + 1]));
    if (area <= best_area) continue;
    best = i;
    best_area = area;
  }
  const ScreenVertex &a = polygon[0], &b = polygon[best], &c = polygon[best + 1];
  const double bx = pixels(b.x - a.x), by = pixels(b.y - a.y), cx = pixels(c.x - a.x), cy = pixels(c.y - a.y);
  const double area = bx * cy - cx * by;
  return make_planes([&](auto value) {
    const double at_b = value(b) - value(a), at_c = value(c) - value(a);
    return ScreenPlane{pixels(a.x), pixels(a.y), value(a), (at_b * cy - at_c * by) / area,
                       (at_c * bx - at_b * cx) / area};
  });
}

}  // namespace spalt::emu
