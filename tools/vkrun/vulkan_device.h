// SPDX-License-Identifier: MIT
//
// Vulkan instance, device and queue with one owner: the first device that the loader lists.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

#include "vulkan_memory.h"

namespace spalt::vkrun {

class VulkanDevice {
 public:
  /// `application`: what the driver is told. Throws Error where there is no device. There is no VkDevice before open().
  explicit VulkanDevice(const char* application);
  ~VulkanDevice();
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  /// Chooses the first queue family that has all of `capabilities`; false: there is none.
  bool find_queue(VkQueueFlags capabilities);
  /// Makes the device with one queue of the chosen family; `features`: a chain of feature structs.
  void open(const void* features, const std::vector<const char*>& extensions);

  VkPhysicalDevice physical_device() const { return physical_device_; }
  VkDevice device() const { return device_; }
  VulkanHandles handles() const { return {physical_device_, device_}; }
  VkQueue queue() const { return queue_; }
  uint32_t queue_family() const { return queue_family_; }
  std::string name() const;

 private:
  void create_instance(const char* application);
  void choose_physical_device();

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queue_family_ = 0;
};

}  // namespace spalt::vkrun
