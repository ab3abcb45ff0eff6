// SPDX-License-Identifier: MIT
//
// Images and samplers of a manifest. Numbers of view types, swizzles, filters, address modes, compare operations and
// the like are those of Vulkan, which Spalt's public functions take as well.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "texel/format.h"

namespace spalt::vkrun {

enum class ImageUse { Sampled, Storage, Combined };

/// A descriptor that shows a part of an image to shaders.
struct ImageBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;
  ImageUse use = ImageUse::Sampled;
  const texel::Format* format = nullptr;  // of the view
  uint32_t view_type = 1;                 // VkImageViewType
  std::array<uint32_t, 4> swizzle = {};   // VkComponentSwizzle
  uint32_t first_level = 0, level_count = 1;
  uint32_t first_layer = 0, layer_count = 1;
  size_t sampler = 0;  // Combined: index in Manifest::samplers
};

/// What runs must agree on: the components of decoded texels. Integers must be equal.
struct ImageCheck {
  std::optional<uint32_t> level;  // none: all levels
  double rel = 0.0;
  double abs = 0.0;
};

struct ImageDesc {
  std::string name;
  const texel::Format* format = nullptr;
  uint32_t dimensions = 2;
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t levels = 1, layers = 1, samples = 1;
  std::vector<ImageBinding> bindings;
  /// As image_texels.h lays them out; empty for multisampled images, which begin undefined and are not read back.
  std::vector<uint8_t> initial;
  /// Rows [first, last) of a 2D image with one level and layer that are not resident, ascending.
  std::vector<std::array<uint32_t, 2>> absent_rows;
  std::vector<ImageCheck> checks;
};

struct SamplerDesc {
  bool is_bound = false;  // has a descriptor of its own
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;
  uint32_t mag_filter = 0, min_filter = 0, mipmap_mode = 0;
  std::array<uint32_t, 3> address_modes = {};
  float lod_bias = 0.0f, min_lod = 0.0f, max_lod = 1000.0f;
  float anisotropy = 1.0f;
  std::optional<uint32_t> compare_op;
  uint32_t border_color = 0;
  /// Bits of the components of VK_BORDER_COLOR_FLOAT_CUSTOM_EXT or VK_BORDER_COLOR_INT_CUSTOM_EXT.
  std::optional<std::array<uint32_t, 4>> custom_border;
  bool non_seamless = false;  // of cubes
  uint32_t reduction = 0;
  bool unnormalized = false;
};

}  // namespace spalt::vkrun
