// SPDX-License-Identifier: MIT
//
// The descriptor sets of a manifest: layouts, and sets that show its buffers, images and samplers.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "manifest.h"
#include "vulkan_images.h"
#include "vulkan_memory.h"

namespace spalt::vkrun {

class VulkanDescriptors {
 public:
  VulkanDescriptors(const VulkanHandles& handles, const Manifest& manifest);
  ~VulkanDescriptors();
  VulkanDescriptors(const VulkanDescriptors&) = delete;
  VulkanDescriptors& operator=(const VulkanDescriptors&) = delete;

  /// Buffers in the order of the manifest.
  void create(const std::vector<HostBuffer>& buffers, const VulkanImages& images);

  const std::vector<VkDescriptorSetLayout>& layouts() const { return layouts_; }
  const std::vector<VkDescriptorSet>& sets() const { return sets_; }

 private:
  /// One descriptor, and what it shows: an index in the manifest's buffers, images or samplers.
  struct Slot {
    uint32_t set, binding, element;
    VkDescriptorType type;
    uint32_t count;  // of an inline block: bytes
    size_t index;
    size_t view;  // of an image: index of its binding
  };

  void collect();
  void create_layout(uint32_t set);
  void create_pool();
  void create_buffer_view(const BufferDesc& desc, VkBuffer buffer);
  void write(const Slot& slot, const std::vector<HostBuffer>& buffers, const VulkanImages& images);

  VulkanHandles handles_;
  const Manifest& manifest_;
  std::vector<Slot> slots_;
  std::vector<VkBufferView> buffer_views_;  // one for each buffer, null where it needs none
  std::vector<VkDescriptorSetLayout> layouts_;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> sets_;
};

}  // namespace spalt::vkrun
