// SPDX-License-Identifier: MIT
#include "images.h"

namespace spalt::icd::test {

VkImageCreateInfo image_info(const ImageOptions& options) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.flags = options.flags;
  info.imageType = options.type;
  info.format = options.format;
  info.extent = options.extent;
  info.mipLevels = options.levels;
  info.arrayLayers = options.layers;
  info.samples = options.samples;
  info.usage = options.usage;
  return info;
}

TestImage::TestImage(const TestDevice& device, const ImageOptions& options) : device_(device) {
  const VkImageCreateInfo info = image_info(options);
  EXPECT_EQ(entry::CreateImage(device.handle(), &info, nullptr, &handle_), VK_SUCCESS);
  VkMemoryRequirements requirements{};
  entry::GetImageMemoryRequirements(device.handle(), handle_, &requirements);
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = requirements.size;
  EXPECT_EQ(entry::AllocateMemory(device.handle(), &allocate, nullptr, &memory_), VK_SUCCESS);
  EXPECT_EQ(entry::BindImageMemory(device.handle(), handle_, memory_, 0), VK_SUCCESS);
}

TestImage::~TestImage() {
  entry::DestroyImage(device_.handle(), handle_, nullptr);
  free_memory();
}

void TestImage::free_memory() {
  entry::FreeMemory(device_.handle(), memory_, nullptr);
  memory_ = VK_NULL_HANDLE;
}

VkSubresourceLayout TestImage::layout(VkImageAspectFlags aspect, uint32_t level, uint32_t layer) const {
  const VkImageSubresource subresource{aspect, level, layer};
  VkSubresourceLayout layout{};
  entry::GetImageSubresourceLayout(device_.handle(), handle_, &subresource, &layout);
  return layout;
}

}  // namespace spalt::icd::test
