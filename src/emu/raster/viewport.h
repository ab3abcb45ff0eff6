// SPDX-License-Identifier: MIT
//
// From clip coordinates to the framebuffer: perspective division, viewport transform, and the grid of 1/256 of a pixel
// on which the rasterizer works. Computed in double precision and rounded once, to the nearest step, ties to even.
#pragma once
#include <array>
#include <cstdint>

#include "emu/raster/state.h"

namespace spalt::emu {

/// Steps of the grid in a pixel: 8 sub-pixel bits.
constexpr int32_t kSubpixels = 256;
/// Positions are within +-this many pixels.
constexpr double kGuardBand = 32768;
/// Neither wider nor higher than this are framebuffers; the scissor never reaches beyond.
constexpr int32_t kMaxExtent = 16384;

struct ViewportTransform {
  std::array<double, 3> scale{};        ///< of x / w, y / w, z / w
  std::array<double, 3> offset{};       ///< added to that
  double min_depth = 0, max_depth = 1;  ///< in ascending order

  /// False: some number of the viewport is none, or beyond reason. Nothing is drawn then.
  bool is_usable() const;
};
ViewportTransform viewport_transform(const Viewport& viewport, bool negative_one_to_one);

/// The pixels that a draw can reach: inside the scissor, the framebuffer, and the rectangle of the viewport, whose
/// edges are moved outward to whole pixels. Clipping leaves it to this what is beside the viewport.
PixelRect reachable_pixels(const PixelRect& scissor, const Viewport& viewport, uint32_t width, uint32_t height);

/// A vertex in the framebuffer.
struct ScreenVertex {
  int32_t x = 0, y = 0;             ///< 1/256 of a pixel
  double exact_x = 0, exact_y = 0;  ///< pixels, before rounding to the grid
  double z = 0;
  double inverse_w = 1;
  /// How much of vertex 1 and 2 of the primitive is in this vertex: in clip space, and for what is linear on the
  /// screen.
  std::array<double, 2> weights{}, screen_weights{};
};

/// `position` has at least `least_w` (clip.h) and is inside the guard band, but for rounding.
ScreenVertex to_screen(const std::array<double, 4>& position, const ViewportTransform& viewport);

}  // namespace spalt::emu
