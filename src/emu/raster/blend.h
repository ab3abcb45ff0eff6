// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "emu/raster/state.h"

namespace spalt::emu {

/// R, G, B, A.
using BlendColor = std::array<float, 4>;

struct BlendInputs {
  BlendColor source{}, source1{}, destination{}, constants{};
};

/// The sums, differences and extremes of Vulkan's tables, in floats; each product and each sum is rounded once.
/// Clamping is the caller's.
BlendColor blend(const BlendState& state, const BlendInputs& inputs);

}  // namespace spalt::emu
