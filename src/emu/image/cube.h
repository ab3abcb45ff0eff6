// SPDX-License-Identifier: MIT
//
// Faces of a cube and their edges. Faces are numbered +X, -X, +Y, -Y, +Z, -Z, and s and t run on each as Vulkan's table
// of cube map faces has it (docs/texture-unit.md, "Cubes").
#pragma once
#include <array>
#include <cstdint>

namespace spalt::emu {

/// A texel of a face of `size` x `size`.
struct CubeTexel {
  unsigned face = 0;
  int64_t x = 0, y = 0;
};

/// The texel at the place of one that lies beyond one edge of its face, by less than the size of the face: the one that
/// it meets there on the neighbour.
CubeTexel across_edge(const CubeTexel& texel, uint32_t size);

/// The point (s, t) of a face, both from 0 to 1, as a point of the cube with corners at +-1.
std::array<double, 3> point_of_cube(unsigned face, double s, double t);
/// Where a point of the cube appears on the plane of a face, seen from the centre: (s, t). What is not in front of the
/// face is as far away as possible.
std::array<double, 2> seen_on_face(const std::array<double, 3>& point, unsigned face);

}  // namespace spalt::emu
