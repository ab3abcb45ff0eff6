// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "run/place.h"

namespace spalt_tool {

/// Levels or layers.
struct Range {
  uint32_t first = 0, count = 0;
};

/// A new image of zeros.
struct ImageZeros {
  uint32_t dimensions = 0;
  std::array<uint32_t, 3> size{1, 1, 1};
};
/// KTX2 or PNG.
struct ImageFile {
  std::string path;
};
/// The image that another argument makes, seen in another way.
struct OtherImage {
  Place place;
};
/// No image: loads give 0, stores do nothing.
struct NoImage {};

/// --image SET:BINDING[ELEMENT][:FORMAT]=CONTENT[,KEY=VALUE]...
struct ImageArgument {
  Place place;
  uint32_t format = 0;  ///< of the image, of `OtherImage` that of the view; 0: what the shader or the file says
  std::variant<ImageZeros, ImageFile, OtherImage, NoImage> content;
  std::optional<uint32_t> levels, layers;  ///< of the image
  std::optional<Range> level, layer;       ///< of the view
  std::array<uint32_t, 4> swizzle{};       ///< VkComponentSwizzle
};

/// Throws Failure.
ImageArgument parse_image(const std::string& text);

}  // namespace spalt_tool
