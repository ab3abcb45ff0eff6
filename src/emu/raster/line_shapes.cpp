// SPDX-License-Identifier: MIT
#include "emu/raster/line_shapes.h"

#include <algorithm>
#include <cmath>

#include "emu/raster/viewport.h"

namespace spalt::emu {
namespace {

int32_t round_to_grid(double steps) {
  return static_cast<int32_t>(std::nearbyint(steps));
}

}  // namespace

float usable_point_size(float size) {
  return size > 0 ? std::nearbyint(std::min(size, kMaxPointSize) * 8) / 8 : 0;
}

float usable_line_width(float width) {
  return width > 0 ? std::min(width, kMaxPointSize) : 0;
}

RasterPart point_square(const GridPoint& center, float size) {
  const int32_t half = round_to_grid(size * (kSubpixels / 2.0));
  const int32_t x0 = center.x - half, y0 = center.y - half, x1 = center.x + half, y1 = center.y + half;
  const std::array<GridPoint, 4> corners = {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
  return make_part(corners);
}

double line_length(const GridPoint& a, const GridPoint& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  return std::sqrt(dx * dx + dy * dy) / kSubpixels;
}

/// Corners are the ends moved by half of the width, each rounded to the grid.
RasterPart line_rectangle(const GridPoint& a, const GridPoint& b, float width) {
  const double length = line_length(a, b);
  if (length == 0) return {};
  const double half = width / 2.0 / length;
  const int32_t across_x = round_to_grid(-half * (b.y - a.y)), across_y = round_to_grid(half * (b.x - a.x));
  const std::array<GridPoint, 4> corners = {{{a.x + across_x, a.y + across_y},
                                             {a.x - across_x, a.y - across_y},
                                             {b.x - across_x, b.y - across_y},
                                             {b.x + across_x, b.y + across_y}}};
  return make_part(corners);
}

bool stipple_bit(const LineStyle& style, double counter) {
  const auto step = static_cast<uint64_t>(std::max(counter, 0.0)) / std::max(style.stipple_factor, 1u);
  return (style.stipple_pattern >> (step % 16) & 1) != 0;
}

StippledQuads::StippledQuads(const GridPoint& a, const GridPoint& b, const LineStyle& style, double counter,
                             const SampleGrid& samples, QuadSink& next)
    : start_(a), style_(style), counter_(counter), samples_(samples), next_(next) {
  const double length = line_length(a, b), grid = double{kSubpixels} * kSubpixels;
  by_x_ = (b.x - a.x) / (length * grid);
  by_y_ = (b.y - a.y) / (length * grid);
}

void StippledQuads::quads(std::span<const RasterQuad> quads) {
  for (const RasterQuad& quad : quads) {
    RasterQuad left = quad;
    bool any = false;
    for (int32_t i = 0; i < 4; ++i) {
      uint16_t& coverage = left.coverage[static_cast<size_t>(i)];
      coverage = left_of(coverage, quad.x + (i & 1), quad.y + (i >> 1));
      any |= coverage != 0;
    }
    if (any) next_.quads({&left, 1});
  }
}

uint16_t StippledQuads::left_of(uint16_t coverage, int32_t x, int32_t y) const {
  uint16_t left = 0;
  for (unsigned s = 0; s < samples_.count; ++s) {
    if ((coverage >> s & 1) == 0) continue;
    const SamplePosition& at = samples_.positions[s];
    const double across = x * kSubpixels + at.x * 16 - start_.x, down = y * kSubpixels + at.y * 16 - start_.y;
    if (stipple_bit(style_, counter_ + across * by_x_ + down * by_y_)) left = static_cast<uint16_t>(left | 1u << s);
  }
  return left;
}

}  // namespace spalt::emu
