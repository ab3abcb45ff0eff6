// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/descriptor.h>

#include <array>

#include "run/image_argument.h"

namespace spalt_tool {

using ImageWords = std::array<uint32_t, 8>;

/// The descriptor of an argument's view, of the type that the shader takes. `image` is at `address`; NULL: the null
/// descriptor. Throws Failure where the shader and the image do not fit together.
ImageWords image_words(const spalt_compiler* compiler, const ImageArgument& argument,
                       const spalt_reflected_binding& shader, const spalt_image_info* image, uint64_t address);

}  // namespace spalt_tool
