// SPDX-License-Identifier: MIT
#include "icd/transfer/image_transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace spalt::icd {
namespace {

/// The part of `area` that the image has; corners left of or above the image make it empty.
Rectangle clip(const Rectangle& area, const Image& image) {
  if (area.x < 0 || area.y < 0) return {};
  const auto left = static_cast<uint32_t>(area.x), top = static_cast<uint32_t>(area.y);
  if (left >= image.width() || top >= image.height()) return {};
  return {area.x, area.y, std::min(area.width, image.width() - left), std::min(area.height, image.height() - top)};
}

std::byte* texels_of(const Image& image, int32_t x, uint32_t y) {
  return image.row(y) + static_cast<size_t>(x) * kTexelBytes;
}

/// Calls `copy(texels of the buffer, y, bytes)` for each row that the buffer has in full.
template <typename Copy>
void for_each_row(const BufferTexels& buffer, const Rectangle& area, Copy&& copy) {
  const uint64_t bytes = uint64_t{area.width} * kTexelBytes;
  const uint64_t stride = uint64_t{buffer.row_texels} * kTexelBytes;
  for (uint32_t row = 0; row < area.height; ++row) {
    const uint64_t offset = row * stride;
    if (offset > buffer.range.size || buffer.range.size - offset < bytes) return;
    copy(buffer.range.host + offset, static_cast<uint32_t>(area.y) + row, bytes);
  }
}

float encode_srgb(float value) {
  return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

uint8_t to_unorm8(float value) {
  if (!(value > 0)) return 0;  // NaN, too
  return static_cast<uint8_t>(std::lround(std::min(value, 1.0f) * 255));
}

}  // namespace

void copy_buffer_to_image(const BufferTexels& source, const Image& destination, const Rectangle& area) {
  const Rectangle inside = clip(area, destination);
  for_each_row(source, inside, [&](const std::byte* texels, uint32_t y, uint64_t bytes) {
    std::memcpy(texels_of(destination, inside.x, y), texels, bytes);
  });
}

void copy_image_to_buffer(const Image& source, const Rectangle& area, const BufferTexels& destination) {
  const Rectangle inside = clip(area, source);
  for_each_row(destination, inside, [&](std::byte* texels, uint32_t y, uint64_t bytes) {
    std::memcpy(texels, texels_of(source, inside.x, y), bytes);
  });
}

void copy_image(const Image& source, const Rectangle& area, const Image& destination, int32_t x, int32_t y) {
  const Rectangle from = clip(area, source);
  const Rectangle to = clip({x, y, from.width, from.height}, destination);
  for (uint32_t row = 0; row < to.height; ++row) {
    std::memmove(texels_of(destination, to.x, static_cast<uint32_t>(to.y) + row),
                 texels_of(source, from.x, static_cast<uint32_t>(from.y) + row), size_t{to.width} * kTexelBytes);
  }
}

void clear_image(const Image& image, const VkClearColorValue& color) {
  const PresentFormat& format = present_format(image.format());
  std::array<uint8_t, kTexelBytes> texel{};
  for (uint32_t i = 0; i < kTexelBytes; ++i) {
    const bool is_color = i < 3;
    const float value = std::clamp(color.float32[i], 0.0f, 1.0f);
    texel[is_color && format.blue_first ? 2 - i : i] = to_unorm8(is_color && format.srgb ? encode_srgb(value) : value);
  }
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (uint32_t x = 0; x < image.width(); ++x) {
      std::memcpy(texels_of(image, static_cast<int32_t>(x), y), texel.data(), kTexelBytes);
    }
  }
}

}  // namespace spalt::icd
