// SPDX-License-Identifier: MIT
#pragma once
#include "emu/raster/planes.h"

namespace spalt::emu {

/// What is added to the depth of all fragments of a polygon (Vulkan, "Depth Bias Computation"). `greatest_z` is the
/// largest magnitude of z at its vertices; `depth_format` is a VkFormat, 0 for no attachment.
double depth_bias(const DepthBias& bias, const ScreenPlane& z, double greatest_z, uint32_t depth_format);

}  // namespace spalt::emu
