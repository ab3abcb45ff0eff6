// SPDX-License-Identifier: MIT
//
// A Vulkan device with a queue for graphics and the features that a scene needs.
#pragma once

#include <string>
#include <vector>

#include "vkrun/vulkan_device.h"

namespace spalt::scenes {

class SceneDevice : public vkrun::VulkanDevice {
 public:
  /// Throws Error, and run::NotThere when the device lacks what is needed.
  explicit SceneDevice(const std::vector<std::string>& needs);

  bool has_dynamic_rendering() const { return has_dynamic_rendering_; }

  /// A command of an extension; throws Error when the driver does not have it.
  template <typename Command>
  Command command(const char* name) const {
    return reinterpret_cast<Command>(find_command(name));
  }

 private:
  PFN_vkVoidFunction find_command(const char* name) const;

  bool has_dynamic_rendering_ = false;
};

}  // namespace spalt::scenes
