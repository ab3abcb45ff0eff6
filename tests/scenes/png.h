// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spalt::scenes {

/// Three bytes for each pixel, rows from the top. Throws Error.
void write_rgb_png(const std::string& path, uint32_t width, uint32_t height, const std::vector<uint8_t>& pixels);

}  // namespace spalt::scenes
