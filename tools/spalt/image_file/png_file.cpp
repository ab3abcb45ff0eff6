// SPDX-License-Identifier: MIT
// PNG through libpng's simplified interface, which gives the same bytes whatever the file has: palettes, grey, 16 bits.
#include <png.h>
#include <spalt/texel.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "image_file/image_file.h"

namespace spalt_tool {
namespace {

constexpr uint32_t kR8G8B8A8Unorm = 37;
/// Texels up to which files are read: a small file can name large sizes.
constexpr uint64_t kMaxTexels = 1u << 26;

/// Frees what libpng keeps for an image.
struct PngImage {
  png_image header{};
  PngImage() { header.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&header); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

uint8_t code_of(uint32_t bits) {
  const float number = std::bit_cast<float>(bits);
  return static_cast<uint8_t>(number > 0 ? std::min(number, 1.0f) * 255 + 0.5f : 0);
}

/// Level 0 as codes of 8 bits. sRGB is decoded to linear numbers, so its bytes are read as plain ones.
std::vector<uint8_t> first_slice(const ImageData& image, uint32_t format, const spalt_format_info& info) {
  std::vector<uint8_t> pixels(size_t{image.width} * image.height * 4);
  const uint32_t across = (image.width + info.block_width - 1) / info.block_width;
  const uint32_t texels = info.block_width * info.block_height;
  spalt_texel block[16];
  for (uint32_t y = 0; y < image.height; ++y) {
    for (uint32_t bx = 0; bx < across; ++bx) {
      const uint64_t at = (uint64_t{y / info.block_height} * across + bx) * info.block_bytes;
      spalt_decode_texels(format, image.levels[0].data() + at, texels, block);
      const spalt_texel* row = block + size_t{y % info.block_height} * info.block_width;
      for (uint32_t x = 0; x < info.block_width && bx * info.block_width + x < image.width; ++x) {
        uint8_t* pixel = &pixels[(size_t{y} * image.width + bx * info.block_width + x) * 4];
        for (uint32_t c = 0; c < 4; ++c) pixel[c] = code_of(row[x].rgba[c]);
      }
    }
  }
  return pixels;
}

/// The format of the same bits without the transfer function of sRGB, whose name differs in the kind of number alone.
uint32_t without_srgb(uint32_t format, const spalt_format_info& info) {
  if (info.number != SPALT_NUMBER_SRGB) return format;
  std::string name = info.name;
  name.replace(name.find("SRGB"), 4, "UNORM");
  for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
    spalt_format_info other{};
    other.struct_size = sizeof other;
    spalt_query_format(spalt_known_format(i), &other);
    if (name == other.name) return spalt_known_format(i);
  }
  return format;
}

bool write_pixels(PngImage& png, const std::vector<uint8_t>& pixels, std::vector<uint8_t>& bytes) {
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&png.header, nullptr, &size, 0, pixels.data(), 0, nullptr) == 0) return false;
  bytes.resize(size);
  if (png_image_write_to_memory(&png.header, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0) return false;
  bytes.resize(size);
  return true;
}

}  // namespace

bool read_png(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error) {
  PngImage png;
  image = {};
  if (png_image_begin_read_from_memory(&png.header, bytes.data(), bytes.size()) == 0) {
    error = std::string("is no valid PNG: ") + png.header.message;
    return false;
  }
  const uint64_t texels = uint64_t{png.header.width} * png.header.height;
  if (png.header.width > kMaxImageSize || png.header.height > kMaxImageSize || texels > kMaxTexels) {
    error = "is too large: " + std::to_string(png.header.width) + " x " + std::to_string(png.header.height);
    return false;
  }
  png.header.format = PNG_FORMAT_RGBA;
  std::vector<uint8_t> pixels(texels * 4);
  if (png_image_finish_read(&png.header, nullptr, pixels.data(), 0, nullptr) == 0) {
    error = std::string("is no valid PNG: ") + png.header.message;
    return false;
  }
  image.format = kR8G8B8A8Unorm;
  image.width = png.header.width;
  image.height = png.header.height;
  image.levels.push_back(std::move(pixels));
  return true;
}

bool write_png(const ImageData& image, std::vector<uint8_t>& bytes, std::string& error) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  const bool known = spalt_query_format(image.format, &info) == SPALT_SUCCESS;
  if (!known || info.aspects != 1 || info.number == SPALT_NUMBER_UINT || info.number == SPALT_NUMBER_SINT) {
    error = std::string("cannot be PNG: ") + (known ? info.name : "an unknown format") + " has no colours of 8 bits";
    return false;
  }
  PngImage png;
  png.header.width = image.width;
  png.header.height = image.height;
  png.header.format = PNG_FORMAT_RGBA;
  if (!write_pixels(png, first_slice(image, without_srgb(image.format, info), info), bytes)) {
    error = std::string("cannot be PNG: ") + png.header.message;
    return false;
  }
  return true;
}

}  // namespace spalt_tool
