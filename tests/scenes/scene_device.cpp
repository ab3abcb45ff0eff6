// SPDX-License-Identifier: MIT
#include "scene_device.h"

#include "device_features.h"
#include "run/support.h"
#include "scene.h"

namespace spalt::scenes {

using vkrun::check_vulkan;

SceneDevice::SceneDevice(const std::vector<std::string>& needs) {
  create_instance();
  choose_physical_device();
  const DeviceFeatures features(physical_device_, needs);
  has_dynamic_rendering_ = features.has_dynamic_rendering();
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueFamilyIndex = queue_family_;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = features.chain();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<uint32_t>(features.extensions().size());
  info.ppEnabledExtensionNames = features.extensions().data();
  check_vulkan(vkCreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
}

SceneDevice::~SceneDevice() {
  if (device_ != VK_NULL_HANDLE) vkDestroyDevice(device_, nullptr);
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

void SceneDevice::create_instance() {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "run_scenes";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  check_vulkan(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
}

void SceneDevice::choose_physical_device() {
  uint32_t count = 1;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (result != VK_INCOMPLETE) check_vulkan(result, "vkEnumeratePhysicalDevices");
  if (count == 0) throw Error("no Vulkan device was found");
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
  for (queue_family_ = 0; queue_family_ < count; ++queue_family_) {
    if ((families[queue_family_].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0) return;
  }
  throw run::NotThere("the driver has no graphics queue");
}

PFN_vkVoidFunction SceneDevice::find_command(const char* name) const {
  const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device_, name);
  if (found == nullptr) throw Error(std::string("the driver has no ") + name);
  return found;
}

}  // namespace spalt::scenes
