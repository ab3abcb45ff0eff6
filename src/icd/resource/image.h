// SPDX-License-Identifier: MIT
//
// Images that a swapchain presents: colour, one level, one layer, 32 bits a texel, rows one after another in memory.
// Shaders cannot reach them yet; they are filled by transfer commands.
#pragma once

#include "icd/device/device.h"

namespace spalt::icd {

inline constexpr uint32_t kTexelBytes = 4;

class Image : public Object {
 public:
  using Handle = VkImage;
  Image(Device& device, VkFormat format, VkExtent2D extent);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  VkFormat format() const { return format_; }
  uint32_t width() const { return extent_.width; }
  uint32_t height() const { return extent_.height; }
  std::byte* row(uint32_t y) const { return block_.host + size_t{y} * width() * kTexelBytes; }

 private:
  Device* device_;
  VkFormat format_;
  VkExtent2D extent_;
  Block block_;
};

/// What can be presented, and where its components are in a texel.
struct PresentFormat {
  VkFormat format;
  bool blue_first;
  bool srgb;
};
inline constexpr PresentFormat kPresentFormats[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, true, false},
    {VK_FORMAT_B8G8R8A8_SRGB, true, true},
    {VK_FORMAT_R8G8B8A8_UNORM, false, false},
    {VK_FORMAT_R8G8B8A8_SRGB, false, true},
};
/// Of a format in the list.
const PresentFormat& present_format(VkFormat format);

}  // namespace spalt::icd
