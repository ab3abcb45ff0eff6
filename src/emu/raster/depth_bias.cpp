// SPDX-License-Identifier: MIT
#include "emu/raster/depth_bias.h"

#include <algorithm>
#include <cmath>

#include "texel/format.h"

namespace spalt::emu {
namespace {

constexpr int kMantissaBits = 23;

/// The least difference that the attachment can tell: 2^-n of n bits. Of floats the unit in the last place of the
/// greatest depth of the polygon.
double least_difference(const DepthBias& bias, double greatest_z, uint32_t depth_format) {
  if (bias.representation == DepthBiasRepresentation::floating) return 1;
  const texel::Format* format = texel::find_format(depth_format);
  if (format == nullptr) return 0;
  if (format->layout.number != texel::Number::floating) return std::ldexp(1.0, -int{format->shape().bits[0]});
  if (bias.representation == DepthBiasRepresentation::least_representable_force_unorm) {
    return std::ldexp(1.0, -(kMantissaBits + 1));
  }
  // 0 has no exponent; below the normal floats the unit stays the same.
  const int exponent = greatest_z > 0 ? std::max(std::ilogb(greatest_z), -126) : -126;
  return std::ldexp(1.0, exponent - kMantissaBits);
}

}  // namespace

double depth_bias(const DepthBias& bias, const ScreenPlane& z, double greatest_z, uint32_t depth_format) {
  if (!bias.enabled) return 0;
  const double slope = std::max(std::abs(z.by_x), std::abs(z.by_y));
  const double offset = slope * bias.slope + least_difference(bias, greatest_z, depth_format) * bias.constant;
  if (bias.clamp > 0) return std::min(offset, double{bias.clamp});
  if (bias.clamp < 0) return std::max(offset, double{bias.clamp});
  return offset;
}

}  // namespace spalt::emu
