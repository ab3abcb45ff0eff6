// SPDX-License-Identifier: MIT
//
// What a fragment starts with, at a place of its pixel. Places outside of the primitive, which helpers have, take the
// same formulas. Results are rounded once, to floats.
#pragma once
#include <array>
#include <cstdint>

#include "emu/raster/coverage.h"
#include "emu/raster/planes.h"

namespace spalt::emu {

/// A place in the framebuffer, in pixels.
struct FragmentPlace {
  double x = 0, y = 0;
};

FragmentPlace pixel_center(int32_t x, int32_t y);
FragmentPlace sample_place(int32_t x, int32_t y, const SamplePosition& sample);
/// Of a fragment with this coverage: the centre if all samples are covered, else the covered sample that is nearest to
/// the centre, the first one of those; the centre of helpers.
FragmentPlace centroid_place(int32_t x, int32_t y, uint16_t coverage, const SampleGrid& samples);

struct Barycentrics {
  float i = 0, j = 0;
};
Barycentrics perspective_at(const FragmentPlanes& planes, const FragmentPlace& place);
Barycentrics linear_at(const FragmentPlanes& planes, const FragmentPlace& place);

/// I/w, J/w, 1/w: from these a shader interpolates at places of its own.
std::array<float, 3> pull_model_at(const FragmentPlanes& planes, const FragmentPlace& place);

/// The clip coordinate w; FragCoord.w is 1 / w.
float w_at(const FragmentPlanes& planes, const FragmentPlace& place);
/// FragCoord.z, with the depth bias.
float z_at(const FragmentPlanes& planes, const FragmentPlace& place);
/// PointCoord: 0 at the left and upper edge of the point, 1 at the others; 0 for what is no point.
std::array<float, 2> point_coord_at(const FragmentPlanes& planes, const FragmentPlace& place);

}  // namespace spalt::emu
