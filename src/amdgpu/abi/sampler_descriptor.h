// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/abi/descriptor_fields.h"

namespace spalt::abi {

using SamplerWords = std::array<uint32_t, 4>;

enum class BorderColor : uint8_t { transparent_black, opaque_black, opaque_white, palette };
enum class Reduction : uint8_t { weighted_average, minimum, maximum };

struct Sampler {
  bool mag_linear = false, min_linear = false, mip_linear = false;
  ClampMode clamp[3] = {ClampMode::wrap, ClampMode::wrap, ClampMode::wrap};
  float lod_bias = 0, min_lod = 0, max_lod = 0;
  float max_anisotropy = 1;  ///< 1: isotropic; up to 16
  uint8_t compare = 0;       ///< VkCompareOp, which is the hardware's order
  bool unnormalized = false;
  Reduction reduction = Reduction::weighted_average;
  bool seamless_cube = true;
  BorderColor border = BorderColor::transparent_black;
  uint32_t palette_index = 0;  ///< below kPaletteColors
};
/// Colours of the border palette: 16 bytes each, four floats or integers.
constexpr uint32_t kPaletteColors = 4096;

SamplerWords write_sampler_descriptor(const Sampler& sampler, const isa::Target& target);

}  // namespace spalt::abi
