// SPDX-License-Identifier: MIT
//
// Images in files: KTX2 containers without supercompression, and PNG. Files are not trusted: what is wrong with one is
// a message, which completes the sentence "the file ...".
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spalt_tool {

struct ImageData {
  uint32_t format = 0;                        ///< VkFormat of one plane
  uint32_t dimensions = 2;                    ///< 1 to 3
  uint32_t width = 1, height = 1, depth = 1;  ///< texels of level 0
  uint32_t layers = 1;                        ///< the faces of a cube are layers
  bool is_array = false, is_cube = false;
  /// From the largest one on; in each all layers, slices and rows of blocks, without gaps.
  std::vector<std::vector<uint8_t>> levels;

  bool operator==(const ImageData&) const = default;
};

/// Texels along an axis, and layers, up to which files are read.
constexpr uint32_t kMaxImageSize = 16384;

/// The bytes of a level; 0 when the format is not known. The sizes must not be greater than kMaxImageSize.
uint64_t level_bytes(const ImageData& image, uint32_t level);
/// As many levels as the sizes allow.
uint32_t most_levels(const ImageData& image);

/// A KTX2 or PNG file, told apart by their first bytes. PNG becomes R8G8B8A8_UNORM: the codes that the file has, mostly
/// of sRGB.
bool read_image(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error);
bool is_png(const std::vector<uint8_t>& bytes);
bool read_ktx2(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error);
bool read_png(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error);

/// `image` must be as `read_image` makes it: sizes in range, every level with its bytes.
std::vector<uint8_t> write_ktx2(const ImageData& image);
/// The first layer and slice of level 0 in 8 bits. Not for integers, stencil and depth.
bool write_png(const ImageData& image, std::vector<uint8_t>& bytes, std::string& error);

}  // namespace spalt_tool
