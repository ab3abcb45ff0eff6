// SPDX-License-Identifier: MIT
#include "emu/image/coordinates.h"

#include <algorithm>
#include <cmath>

#include "emu/image/sampler_descriptor.h"

namespace spalt::emu {
namespace {

/// Beyond any image, and far from overflow.
constexpr double kMost = 1099511627776.0;  // 2^40

double finite(double u) {
  return std::isnan(u) ? 0 : std::clamp(u, -kMost, kMost);
}

int64_t fixed_point(double u, bool truncates) {
  const double scaled = finite(u) * kFractionSteps;
  return static_cast<int64_t>(std::floor(truncates ? scaled : scaled + 0.5));
}

int64_t floor_mod(int64_t i, int64_t n) {
  const int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

/// The reflection about the edge at 0.
int64_t mirrored(int64_t i) {
  return i >= 0 ? i : -1 - i;
}

int64_t border_outside(int64_t i, int64_t size) {
  return i >= 0 && i < size ? i : kBorder;
}

}  // namespace

/// Truncation is of the exact coordinate; otherwise a coordinate less than half a step below a texel is in that texel.
Footprint nearest_footprint(double u, bool truncates) {
  if (truncates) return {static_cast<int64_t>(std::floor(finite(u))), 0};
  return {fixed_point(u, false) >> 8, 0};
}

Footprint linear_footprint(double u, bool truncates) {
  const int64_t from_center = fixed_point(u, truncates) - kFractionSteps / 2;
  return {from_center >> 8, static_cast<unsigned>(from_center & (kFractionSteps - 1))};
}

int64_t wrap(int64_t i, uint32_t size, uint8_t clamp) {
  const int64_t n = size;
  // Inside, every mode leaves a texel where it is.
  if (i >= 0 && i < n) return i;
  switch (clamp) {
    case SamplerDescriptor::kWrap:
      return floor_mod(i, n);
    case SamplerDescriptor::kMirror:
      return n - 1 - mirrored(floor_mod(i, 2 * n) - n);
    case SamplerDescriptor::kClampToEdge:
      return std::clamp<int64_t>(i, 0, n - 1);
    case SamplerDescriptor::kMirrorOnceToEdge:
      return std::min(mirrored(i), n - 1);
    case SamplerDescriptor::kMirrorOnceHalfBorder:
    case SamplerDescriptor::kMirrorOnceToBorder:
      return border_outside(mirrored(i), n);
    default:
      return border_outside(i, n);
  }
}

}  // namespace spalt::emu
