// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/raster/state.h"

namespace spalt::emu {

/// VkResolveModeFlagBits, by their places.
enum class ResolveMode : uint8_t { sample_zero, average, minimum, maximum };

/// What Vulkan wants for colours: the average, of integers one sample.
ResolveMode color_resolve_mode(uint32_t format);

struct ResolveRegion {
  PixelRect source;
  int32_t x = 0, y = 0;  ///< of the upper left pixel in the destination
  uint32_t source_layer = 0, layer = 0;
};

/// One value from all samples of each pixel of the region, as far as both surfaces have it. Both have the same format,
/// the destination has one sample. sRGB is averaged as linear numbers.
void resolve(const RasterSurface& source, const RasterSurface& destination, const ResolveRegion& region,
             ResolveMode mode);

}  // namespace spalt::emu
