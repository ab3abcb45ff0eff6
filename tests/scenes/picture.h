// SPDX-License-Identifier: MIT
//
// Pictures of a scene: how two are compared, and how one becomes a file that people can look at.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scene.h"

namespace spalt::scenes {

/// One level of the image as picture bytes have it: of the compared aspect, with sRGB taken as the steps that it has.
vkrun::ImageDesc picture_desc(const Scene& scene, const Comparison& comparison);

struct PictureDifference {
  size_t pixels = 0;     // in all; words of a buffer
  size_t different = 0;  // beyond the tolerance
  std::string first;     // one sentence about the first different pixel
  double share() const { return pixels == 0 ? 0.0 : double(different) / double(pixels); }
};

PictureDifference compare_pictures(const Scene& scene, const Comparison& comparison,
                                   const std::vector<uint8_t>& expected, const std::vector<uint8_t>& actual);

/// Writes R, G and B of all layers, one below the other; numbers beyond 0 to 1 are cut off, integers are scaled. Throws
/// Error.
void write_png(const std::string& path, const Scene& scene, const Comparison& comparison,
               const std::vector<uint8_t>& picture);

}  // namespace spalt::scenes
