// SPDX-License-Identifier: MIT
#include "emu/raster/interpolation.h"

#include <climits>

namespace spalt::emu {

FragmentPlace pixel_center(int32_t x, int32_t y) {
  return {x + 0.5, y + 0.5};
}

FragmentPlace sample_place(int32_t x, int32_t y, const SamplePosition& sample) {
  return {x + sample.x / 16.0, y + sample.y / 16.0};
}

FragmentPlace centroid_place(int32_t x, int32_t y, uint16_t coverage, const SampleGrid& samples) {
  if (coverage == 0 || coverage == samples.all()) return pixel_center(x, y);
  unsigned nearest = 0;
  int least = INT_MAX;
  for (unsigned s = 0; s < samples.count; ++s) {
    if ((coverage >> s & 1) == 0) continue;
    const int dx = samples.positions[s].x - 8, dy = samples.positions[s].y - 8;
    if (dx * dx + dy * dy >= least) continue;
    nearest = s;
    least = dx * dx + dy * dy;
  }
  return sample_place(x, y, samples.positions[nearest]);
}

Barycentrics perspective_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  const double inverse_w = planes.one_over_w.at(place.x, place.y);
  return {static_cast<float>(planes.i_over_w.at(place.x, place.y) / inverse_w),
          static_cast<float>(planes.j_over_w.at(place.x, place.y) / inverse_w)};
}

Barycentrics linear_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  return {static_cast<float>(planes.i_linear.at(place.x, place.y)),
          static_cast<float>(planes.j_linear.at(place.x, place.y))};
}

std::array<float, 3> pull_model_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  return {static_cast<float>(planes.i_over_w.at(place.x, place.y)),
          static_cast<float>(planes.j_over_w.at(place.x, place.y)),
          static_cast<float>(planes.one_over_w.at(place.x, place.y))};
}

float w_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  return static_cast<float>(1 / planes.one_over_w.at(place.x, place.y));
}

float z_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  return static_cast<float>(planes.z.at(place.x, place.y) + planes.depth_bias);
}

std::array<float, 2> point_coord_at(const FragmentPlanes& planes, const FragmentPlace& place) {
  if (!planes.is_point) return {};
  return {static_cast<float>(0.5 + (place.x - planes.point_x) / planes.point_size),
          static_cast<float>(0.5 + (place.y - planes.point_y) / planes.point_size)};
}

}  // namespace spalt::emu
