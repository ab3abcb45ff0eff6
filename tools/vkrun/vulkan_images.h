// SPDX-License-Identifier: MIT
//
// The images, views and samplers of a manifest on a Vulkan device. Images are in the general layout for all dispatches;
// their contents travel through buffers that the host sees.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "manifest.h"
#include "vulkan_memory.h"

namespace spalt::vkrun {

VkSampler create_sampler(VkDevice device, const SamplerDesc& desc);

class VulkanImages {
 public:
  VulkanImages(const VulkanHandles& handles, const Manifest& manifest) : handles_(handles), manifest_(manifest) {}
  ~VulkanImages();
  VulkanImages(const VulkanImages&) = delete;
  VulkanImages& operator=(const VulkanImages&) = delete;

  void create();
  /// Commands that give every image its first contents, and those that bring the last ones to the host.
  void record_upload(VkCommandBuffer commands) const;
  void record_download(VkCommandBuffer commands) const;
  std::vector<uint8_t> contents(size_t image) const;

  VkImageView view(size_t image, size_t binding) const { return images_[image].views[binding]; }
  VkSampler sampler(size_t index) const { return samplers_[index]; }

 private:
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    HostBuffer staging;
    std::vector<VkImageView> views;
  };

  void create_image(const ImageDesc& desc, Image& image);
  VkImageView create_view(const ImageDesc& desc, const ImageBinding& binding, VkImage image) const;
  void transition_all(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const;

  VulkanHandles handles_;
  const Manifest& manifest_;
  std::vector<Image> images_;
  std::vector<VkSampler> samplers_;
};

}  // namespace spalt::vkrun
