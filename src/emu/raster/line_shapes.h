// SPDX-License-Identifier: MIT
//
// Points and rectangular lines as parts to fill, and the stipple of rectangular lines.
#pragma once
#include "emu/raster/coverage.h"

namespace spalt::emu {

/// Greatest size of points and width of lines, in pixels: AMD's. What is no number counts as 0; points have multiples
/// of 1/8, as AMD's have.
constexpr float kMaxPointSize = 8191.875f;
float usable_point_size(float size);
float usable_line_width(float width);

/// The square of that size around a centre.
RasterPart point_square(const GridPoint& center, float size);
/// The rectangle along a line, whose ends are perpendicular to it. No edges: the line has no length.
RasterPart line_rectangle(const GridPoint& a, const GridPoint& b, float width);

/// Pixels from a to b.
double line_length(const GridPoint& a, const GridPoint& b);

/// Whether the pattern has a bit where the stipple counter, of which only whole steps count, stands there.
bool stipple_bit(const LineStyle& style, double counter);

/// Takes the quads of a rectangular line and passes on what its stipple leaves: a sample counts by its distance from
/// the start along the line.
class StippledQuads final : public QuadSink {
 public:
  /// `counter` is the stipple counter at the start. All references must outlive this.
  StippledQuads(const GridPoint& a, const GridPoint& b, const LineStyle& style, double counter,
                const SampleGrid& samples, QuadSink& next);
  void quads(std::span<const RasterQuad> quads) override;

 private:
  uint16_t left_of(uint16_t coverage, int32_t x, int32_t y) const;

  GridPoint start_;
  double by_x_, by_y_;  ///< steps of the counter for each step of the grid
  const LineStyle& style_;
  double counter_;
  const SampleGrid& samples_;
  QuadSink& next_;
};

}  // namespace spalt::emu
