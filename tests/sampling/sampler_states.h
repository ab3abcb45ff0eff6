// SPDX-License-Identifier: MIT
//
// Samplers of all kinds, each with the view that it is used with.
#pragma once

#include <vector>

#include "test_image.h"

namespace spalt::sampling {

/// What the states of a case vary.
enum class Theme : uint8_t {
  Plain,        // every address mode with every filter, on the whole image
  Mixed,        // another address mode on each axis, on a part of the image
  Reduction,    // minimum and maximum
  Anisotropy,   // up to 16
  Border,       // every colour, fixed and custom, through every kind of swizzle
  NonSeamless,  // cubes whose faces end at their edges
};
const char* theme_name(Theme theme);

struct SamplerState {
  vkrun::SamplerDesc sampler;
  vkrun::ImageBinding binding;
};
/// `quick`: every third one.
std::vector<SamplerState> sampler_states(const Kind& kind, const vkrun::ImageDesc& image, Operation operation,
                                         Theme theme, bool quick);

}  // namespace spalt::sampling
