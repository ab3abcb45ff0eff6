// SPDX-License-Identifier: MIT
//
// The contents of an image outside of a device: level after level, in each one slice after slice (layers, or the depth
// slices of the level), in each slice row after row, without gaps. Of compressed formats blocks take the place of
// texels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "image_desc.h"
#include "texel/codec.h"

namespace spalt::vkrun {

struct LevelSize {
  uint32_t width, height;  // texels
  uint32_t slices;         // layers, or depth slices
};

LevelSize level_size(const ImageDesc& image, uint32_t level);
/// Of the first texel of the level.
size_t level_offset(const ImageDesc& image, uint32_t level);
size_t level_bytes(const ImageDesc& image, uint32_t level);
size_t image_bytes(const ImageDesc& image);
/// Of a row of texels or blocks of one level.
size_t row_bytes(const ImageDesc& image, uint32_t level);
/// Rows of texels or blocks of one slice.
uint32_t row_count(const ImageDesc& image, uint32_t level);

/// Where a texel is, for formats that are not compressed.
struct TexelPlace {
  uint32_t level = 0, x = 0, y = 0, slice = 0;
};
/// R, G, B, A as a shader gets them: bits of floats, or integers.
texel::Texel load_texel(const ImageDesc& image, const std::vector<uint8_t>& contents, const TexelPlace& place);
void store_texel(const ImageDesc& image, std::vector<uint8_t>& contents, const TexelPlace& place,
                 const texel::Texel& rgba);

/// Whether texels are integers, not floats.
bool has_integers(const texel::Format& format);

/// The contents that the `init` member of an image describes; throws Error.
std::vector<uint8_t> initial_image(const ImageDesc& image, const nlohmann::json& init);

}  // namespace spalt::vkrun
