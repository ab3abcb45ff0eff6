// SPDX-License-Identifier: MIT
#include "scene_device.h"

#include "device_features.h"
#include "run/support.h"
#include "scene.h"

namespace spalt::scenes {

SceneDevice::SceneDevice(const std::vector<std::string>& needs) : VulkanDevice("run_scenes") {
  if (!find_queue(VK_QUEUE_GRAPHICS_BIT)) throw run::NotThere("the driver has no graphics queue");
  const DeviceFeatures features(physical_device(), needs);
  has_dynamic_rendering_ = features.has_dynamic_rendering();
  open(features.chain(), features.extensions());
}

PFN_vkVoidFunction SceneDevice::find_command(const char* name) const {
  const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device(), name);
  if (found == nullptr) throw Error(std::string("the driver has no ") + name);
  return found;
}

}  // namespace spalt::scenes
