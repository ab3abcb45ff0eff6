// SPDX-License-Identifier: MIT
//
// What the rasterizer fills: convex parts with up to four edges, on the grid of 1/256 of a pixel.
//
// An edge from a to b has the function E(p) = (b - a) x (p - a), which is positive on the inside. A sample on the edge
// belongs to the inside of a left edge (the inside is to its right) and of a top edge (horizontal, the inside below),
// so that it belongs to one of the two polygons that share the edge; for the others E is lowered by one. All numbers
// are integers: coordinates below 2^24, so that E is below 2^51.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "base/small_vector.h"

namespace spalt::emu {

struct GridPoint {
  int32_t x = 0, y = 0;
  bool operator==(const GridPoint&) const = default;
};

/// A sample is inside where by_x * x + by_y * y + at_origin >= 0.
struct RasterEdge {
  int64_t by_x = 0, by_y = 0, at_origin = 0;
};

struct RasterPart {
  std::array<RasterEdge, 4> edges;
  uint32_t edge_count = 0;
  GridPoint low, high;  ///< corners of the bounding box
};

/// Twice the signed area; positive if x turns toward y along the corners (clockwise on the screen).
int64_t twice_area(std::span<const GridPoint> corners);

/// A convex part of three or four corners, in any direction; equal neighbours are one corner. No edges: it has no area.
RasterPart make_part(std::span<const GridPoint> corners);

/// A polygon is filled as a fan of triangles. A sample is inside if an odd number of them have it: where rounding to
/// the grid has turned one of them over, that takes away what another one has too much, and the border stays exact.
using RasterShape = SmallVector<RasterPart, 2>;

}  // namespace spalt::emu
