// SPDX-License-Identifier: MIT
//
// Bresenham lines by the diamond-exit rule (Vulkan, "Bresenham Line Segment Rasterization"), exactly.
//
// A fragment is drawn where the line leaves the diamond |x - xf| + |y - yf| < 1/2 around its centre. A line whose slope
// is at most 1 meets a diamond of a column only if it is in it at the centre of the column; so each column has one
// candidate, and only near the ends of the line the diamonds must be looked at. Where a point is on a border, the rule
// moves the line by (-e, -e^2) for an infinitely small e. Columns are rows for steep lines. The cost is that of the
// pixels of `bounds` that are drawn.
#pragma once
#include <cstdint>

#include "emu/raster/coverage.h"

namespace spalt::emu {

/// Draws a line from a to b, without the last fragment if it ends in it. All samples of a fragment are covered. Returns
/// how far the stipple counter, which is `counter` at the first fragment, goes on: by one for each column.
uint32_t draw_bresenham(const GridPoint& a, const GridPoint& b, const LineStyle& style, double counter,
                        uint16_t all_samples, const PixelRect& bounds, QuadSink& sink);

}  // namespace spalt::emu
