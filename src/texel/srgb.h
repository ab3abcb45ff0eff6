// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

namespace spalt::texel {

/// The linear value of each sRGB code, rounded to float.
extern const std::array<float, 256> kLinearOfSrgb;

/// The code nearest to the sRGB value of a linear number; below 0, and NaN: 0.
uint8_t srgb_of_linear(float linear);

}  // namespace spalt::texel
