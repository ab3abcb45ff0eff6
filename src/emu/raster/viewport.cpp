// SPDX-License-Identifier: MIT
#include "emu/raster/viewport.h"

#include <algorithm>
#include <cmath>

namespace spalt::emu {
namespace {

/// What a viewport can be at most; positions stay far below the overflow of anything.
constexpr double kMostPixels = 1 << 20;

int32_t to_grid(double pixels) {
  const double clamped = std::clamp(pixels, -kGuardBand, kGuardBand);
  return static_cast<int32_t>(std::nearbyint(clamped * kSubpixels));
}

/// Moved outward to whole pixels, and into the range of framebuffers.
void narrow(int32_t& low, int32_t& high, double from, double size, uint32_t extent) {
  const double a = std::min(from, from + size), b = std::max(from, from + size);
  const double most = std::min<double>(extent, kMaxExtent);
  low = std::max(low, static_cast<int32_t>(std::clamp(std::floor(a), 0.0, most)));
  high = std::min(high, static_cast<int32_t>(std::clamp(std::ceil(b), 0.0, most)));
}

bool is_reasonable(const Viewport& viewport) {
  for (const float value : {viewport.x, viewport.y, viewport.width, viewport.height}) {
    if (!(std::abs(value) <= kMostPixels)) return false;
  }
  return true;
}

}  // namespace

bool ViewportTransform::is_usable() const {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(scale[axis]) || !std::isfinite(offset[axis])) return false;
  }
  return std::abs(scale[0]) <= kMostPixels && std::abs(scale[1]) <= kMostPixels &&
         std::abs(offset[0]) <= 2 * kMostPixels && std::abs(offset[1]) <= 2 * kMostPixels;
}

ViewportTransform viewport_transform(const Viewport& viewport, bool negative_one_to_one) {
  ViewportTransform result;
  result.scale[0] = viewport.width / 2.0;
  result.scale[1] = viewport.height / 2.0;
  result.offset[0] = viewport.x + viewport.width / 2.0;
  result.offset[1] = viewport.y + viewport.height / 2.0;
  const double low = viewport.min_depth, high = viewport.max_depth;
  result.scale[2] = negative_one_to_one ? (high - low) / 2 : high - low;
  result.offset[2] = negative_one_to_one ? (high + low) / 2 : low;
  result.min_depth = std::min(low, high);
  result.max_depth = std::max(low, high);
  return result;
}

PixelRect reachable_pixels(const PixelRect& scissor, const Viewport& viewport, uint32_t width, uint32_t height) {
  PixelRect result = scissor;
  if (!is_reasonable(viewport)) return {};
  narrow(result.x0, result.x1, viewport.x, viewport.width, width);
  narrow(result.y0, result.y1, viewport.y, viewport.height, height);
  return result.is_empty() ? PixelRect{} : result;
}

ScreenVertex to_screen(const std::array<double, 4>& position, const ViewportTransform& viewport) {
  ScreenVertex result;
  const double w = position[3];
  result.exact_x = std::clamp(position[0] / w * viewport.scale[0] + viewport.offset[0], -kGuardBand, kGuardBand);
  result.exact_y = std::clamp(position[1] / w * viewport.scale[1] + viewport.offset[1], -kGuardBand, kGuardBand);
  result.x = to_grid(result.exact_x);
  result.y = to_grid(result.exact_y);
  result.z = position[2] / w * viewport.scale[2] + viewport.offset[2];
  result.inverse_w = 1 / w;
  return result;
}

}  // namespace spalt::emu
