// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

namespace spalt::texel {

/// Three mantissas of 9 bits from bit 0 on, then the exponent of 5 bits that they share.
std::array<float, 3> decode_shared_exponent(uint32_t texel);
/// Rounds to the nearest, as the Vulkan specification says; below 0, and NaN: 0.
uint32_t encode_shared_exponent(float red, float green, float blue);

}  // namespace spalt::texel
