// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/abi/image_layout.h"
#include "base/result.h"

namespace spalt::abi {

using ImageWords = std::array<uint32_t, 8>;

/// Values of VkImageViewType.
enum class ViewType : uint8_t { dim_1d, dim_2d, dim_3d, cube, dim_1d_array, dim_2d_array, cube_array };

/// A part of an image, read in a format of its own.
struct ImageView {
  ImageShape image;
  uint64_t address = 0;  ///< of the image's first byte, a multiple of kImageAlignment, below 2^48
  ViewType type = ViewType::dim_2d;
  const texel::Format* format = nullptr;  ///< blocks of the same size as the image's
  texel::Swizzle swizzle{texel::Select::x, texel::Select::y, texel::Select::z, texel::Select::w};  ///< of R, G, B, A
  uint32_t first_level = 0, level_count = 1;
  uint32_t first_layer = 0, layer_count = 1;  ///< of 3D images that a 2D view shows: slices
  float min_lod = 0;                          ///< absolute: 0 is level 0 of the image
  uint64_t row_bytes = 0;  ///< from one row to the next of an image of one level; 0: as image_layout says
  bool storage = false;    ///< for storage images: cubes are arrays of faces, 3D slices are counted
};

/// T# of the view. `invalid_argument` where numbers are out of range, `unsupported` where the target does not have the
/// format.
Status write_image_descriptor(const ImageView& view, const isa::Target& target, ImageWords& words);

}  // namespace spalt::abi
