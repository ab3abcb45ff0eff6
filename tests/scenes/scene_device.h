// SPDX-License-Identifier: MIT
//
// A Vulkan instance, device and queue for graphics with one owner.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

#include "vkrun/vulkan_memory.h"

namespace spalt::scenes {

class SceneDevice {
 public:
  /// Throws Error, and run::NotThere when the device lacks what is needed.
  explicit SceneDevice(const std::vector<std::string>& needs);
  ~SceneDevice();
  SceneDevice(const SceneDevice&) = delete;
  SceneDevice& operator=(const SceneDevice&) = delete;

  VkDevice device() const { return device_; }
  vkrun::VulkanHandles handles() const { return {physical_device_, device_}; }
  VkQueue queue() const { return queue_; }
  uint32_t queue_family() const { return queue_family_; }
  bool has_dynamic_rendering() const { return has_dynamic_rendering_; }

  /// A command of an extension; throws Error when the driver does not have it.
  template <typename Command>
  Command command(const char* name) const {
    return reinterpret_cast<Command>(find_command(name));
  }

 private:
  void create_instance();
  void choose_physical_device();
  PFN_vkVoidFunction find_command(const char* name) const;

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queue_family_ = 0;
  bool has_dynamic_rendering_ = false;
};

}  // namespace spalt::scenes
