// SPDX-License-Identifier: MIT
//
// Vulkan instance, device and queue with one owner, and the helpers that need only those.
#pragma once

#include <vulkan/vulkan.h>

#include <string>

#include "vulkan_memory.h"
#include "vulkan_runner.h"

namespace spalt::vkrun {

class VulkanRunner::Device {
 public:
  /// `robust`: with robustBufferAccess2 and nullDescriptor; throws Error where the driver has not both.
  explicit Device(bool robust);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VulkanHandles handles() const { return {physical_device_, device_}; }
  VkQueue queue() const { return queue_; }
  uint32_t queue_family() const { return queue_family_; }
  std::string name() const;

 private:
  void create_instance();
  void choose_physical_device();
  void create_device(bool robust);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queue_family_ = 0;
};

}  // namespace spalt::vkrun
