// SPDX-License-Identifier: MIT
#include "emu/raster/edges.h"

#include <algorithm>

namespace spalt::emu {
namespace {

RasterEdge make_edge(const GridPoint& a, const GridPoint& b) {
  RasterEdge edge;
  edge.by_x = int64_t{a.y} - b.y;
  edge.by_y = int64_t{b.x} - a.x;
  edge.at_origin = -(edge.by_x * a.x + edge.by_y * a.y);
  const bool is_left = edge.by_x > 0, is_top = edge.by_x == 0 && edge.by_y > 0;
  if (!is_left && !is_top) edge.at_origin -= 1;
  return edge;
}

}  // namespace

int64_t twice_area(std::span<const GridPoint> corners) {
  int64_t area = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const GridPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += int64_t{a.x} * b.y - int64_t{b.x} * a.y;
  }
  return area;
}

RasterPart make_part(std::span<const GridPoint> corners) {
  RasterPart part;
  const int64_t area = twice_area(corners);
  if (area == 0) return part;
  part.low = part.high = corners[0];
  for (size_t i = 0; i < corners.size(); ++i) {
    const GridPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
    part.low = {std::min(part.low.x, a.x), std::min(part.low.y, a.y)};
    part.high = {std::max(part.high.x, a.x), std::max(part.high.y, a.y)};
    if (a == b) continue;
    part.edges[part.edge_count++] = area > 0 ? make_edge(a, b) : make_edge(b, a);
  }
  return part;
}

}  // namespace spalt::emu
