// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "emu/image/image_descriptor.h"
#include "emu/image/sampler_descriptor.h"

namespace spalt::emu {

/// The channels that a border texel has, as if they were in memory. nullopt after a fault: the palette is not there.
std::optional<texel::Texel> border_texel(Wave& wave, const ImageDescriptor& image, const SamplerDescriptor& sampler,
                                         unsigned lane);

}  // namespace spalt::emu
