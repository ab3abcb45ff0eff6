// SPDX-License-Identifier: MIT
//
// From shaded vertices to quads of fragments: clip, viewport, culling, polygon mode, coverage. Primitives are done one
// after the other, in the order of the calls; nothing is kept between them but the counter of the line stipple.
#pragma once
#include <span>

#include "emu/raster/clip.h"
#include "emu/raster/coverage.h"
#include "emu/raster/planes.h"

namespace spalt::emu {

/// Takes what a draw covers. A primitive of a polygon mode other than fill begins several times.
class FragmentSink : public QuadSink {
 public:
  /// The quads that follow are interpolated from these planes.
  virtual void begin(const FragmentPlanes& planes) = 0;
};

class Rasterizer {
 public:
  /// `reach`: what reachable_pixels gives. `state` must outlive this.
  Rasterizer(const RasterizationState& state, const Viewport& viewport, const PixelRect& reach);

  /// Draws a point, line or triangle, by the count of its vertices. `continues_strip`: a line whose stipple goes on.
  /// False: clipping leaves nothing of it.
  bool draw(std::span<const ShadedVertex> vertices, bool continues_strip, FragmentSink& sink);

 private:
  ScreenVertex on_screen(std::span<const ShadedVertex> vertices, const ClippedVertex& vertex) const;
  /// `of_polygon`: depth bias and face come from there.
  void draw_point(const ScreenVertex& vertex, float size, const FragmentPlanes& of_polygon, FragmentSink& sink);
  void draw_line(const ScreenVertex& a, const ScreenVertex& b, const FragmentPlanes& of_polygon, FragmentSink& sink);
  void draw_polygon(std::span<const ShadedVertex> vertices, const ClippedPrimitive& clipped,
                    std::span<const ScreenVertex> polygon, FragmentSink& sink);
  void fill(std::span<const ScreenVertex> polygon, const FragmentPlanes& planes, FragmentSink& sink);

  const RasterizationState& state_;
  ViewportTransform viewport_;
  PixelRect reach_;
  SampleGrid samples_;
  double stipple_ = 0;
};

}  // namespace spalt::emu
