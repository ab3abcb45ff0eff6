// SPDX-License-Identifier: MIT
//
// The images that are sampled: kinds, formats of each class, contents, and what the specification sees of them.
#pragma once

#include <span>

#include "operation.h"
#include "spec_sampler.h"
#include "vkrun/image_desc.h"

namespace spalt::sampling {

std::span<const Kind> kinds();

enum class FormatClass : uint8_t { Color, Compressed, Integer, Depth };

struct FormatChoice {
  uint32_t vk;
  const char* name;
  FormatClass kind;
  bool is_quick;
  /// The one that stands for its class where not every format is tried.
  bool is_main;
};
std::span<const FormatChoice> formats();
/// Compressed images have two or three dimensions, those with depths two.
bool exists(const Kind& kind, const FormatChoice& format);

/// Random texels of 8 bits for each component; of compressed formats random blocks.
vkrun::ImageDesc make_image(const Kind& kind, uint32_t vk_format, uint64_t seed);
/// What a binding of the image shows.
View view_of(const Kind& kind, const vkrun::ImageDesc& image, const vkrun::ImageBinding& binding);

}  // namespace spalt::sampling
