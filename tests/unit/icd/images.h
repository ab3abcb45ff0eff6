// SPDX-License-Identifier: MIT
//
// Images with memory of their own, for tests.
#pragma once

#include "test_device.h"

namespace spalt::icd::test {

struct ImageOptions {
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkExtent3D extent{1, 1, 1};
  uint32_t levels = 1, layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImageCreateFlags flags = 0;
};

VkImageCreateInfo image_info(const ImageOptions& options);

class TestImage {
 public:
  TestImage(const TestDevice& device, const ImageOptions& options);
  ~TestImage();
  TestImage(const TestImage&) = delete;
  TestImage& operator=(const TestImage&) = delete;

  VkImage handle() const { return handle_; }
  VkDeviceMemory memory() const { return memory_; }
  /// As if it were linear; tiling changes nothing.
  VkSubresourceLayout layout(VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT, uint32_t level = 0,
                             uint32_t layer = 0) const;
  /// Frees the memory before the image is destroyed.
  void free_memory();

 private:
  const TestDevice& device_;
  VkImage handle_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

inline VkImageSubresourceLayers layers(uint32_t level = 0, uint32_t first = 0, uint32_t count = 1,
                                       VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
  return {aspect, level, first, count};
}

}  // namespace spalt::icd::test
