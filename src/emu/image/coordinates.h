// SPDX-License-Identifier: MIT
//
// From a coordinate to texels along one axis: fixed point with 8 fraction bits, the one or two texels that a filter
// wants, and the wrap modes (docs/texture-unit.md, "Coordinates").
#pragma once
#include <cstdint>

namespace spalt::emu {

/// The texels of a filter along one axis, before wrapping, and the weight of the second one in 1/256. The first has the
/// rest; a nearest filter has no second one.
struct Footprint {
  int64_t first = 0;
  unsigned second_weight = 0;
};

constexpr unsigned kFractionSteps = 256;

/// `u` is a coordinate in texels; NaN counts as 0, and what is too large for any image as some large number.
/// `truncates` is TRUNC_COORD, as far as it says something about this axis.
Footprint nearest_footprint(double u, bool truncates);
Footprint linear_footprint(double u, bool truncates);

/// The texel in place of texel `i` of an axis of `size` texels, or kBorder. `clamp` is a SamplerDescriptor::Clamp.
constexpr int64_t kBorder = -1;
int64_t wrap(int64_t i, uint32_t size, uint8_t clamp);

}  // namespace spalt::emu
