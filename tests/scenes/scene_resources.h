// SPDX-License-Identifier: MIT
//
// The images, buffers and samplers of a scene on a Vulkan device.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "scene.h"
#include "vkrun/vulkan_memory.h"

namespace spalt::scenes {

/// The layout of an image during a pass: the best one for its only use, else the general one.
VkImageLayout layout_in_pass(const Pass& pass, const Image& image, size_t index);

bool is_used_in_pass(const Pass& pass, size_t image);
bool has_input_attachments(const Pass& pass);

class SceneResources {
 public:
  SceneResources(const vkrun::VulkanHandles& handles, const Scene& scene);
  ~SceneResources();
  SceneResources(const SceneResources&) = delete;
  SceneResources& operator=(const SceneResources&) = delete;

  VkBuffer buffer(size_t index) const { return buffers_[index].buffer; }
  VkSampler sampler(size_t index) const { return samplers_[index]; }
  /// A view that lives as long as the resources.
  VkImageView make_view(const VkImageViewCreateInfo& info);
  VkImageView make_view(const Binding& binding);
  VkImageView make_attachment_view(const Attachment& attachment, size_t image, uint32_t layers);
  VkBufferView make_buffer_view(const Binding& binding);

  void record_upload(VkCommandBuffer commands);
  /// All work before is done and seen by what follows.
  static void record_barrier(VkCommandBuffer commands);
  /// The same, and gives an image its layout.
  void record_transition(VkCommandBuffer commands, size_t image, VkImageLayout layout);
  /// A render pass leaves the image in that layout.
  void set_layout(size_t image, VkImageLayout layout) { images_[image].layout = layout; }
  void record_download(VkCommandBuffer commands);
  Pictures pictures() const;

 private:
  struct ImageMemory {
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    vkrun::HostBuffer staging;
  };

  void create_image(size_t index);
  void fill_staging(const vkrun::ImageDesc& desc, ImageMemory& image) const;

  vkrun::VulkanHandles handles_;
  const Scene& scene_;
  std::vector<ImageMemory> images_;
  std::vector<vkrun::HostBuffer> buffers_;
  std::vector<vkrun::HostBuffer> downloads_;  // of the comparisons
  std::vector<VkSampler> samplers_;
  std::vector<VkImageView> views_;
  std::vector<VkBufferView> buffer_views_;
};

}  // namespace spalt::scenes
