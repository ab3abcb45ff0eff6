// SPDX-License-Identifier: MIT
#include "vulkan_device.h"

#include <vector>

#include "vulkan_features.h"

namespace spalt::vkrun {

VulkanRunner::Device::Device(bool robust) {
  create_instance();
  choose_physical_device();
  create_device(robust);
}

VulkanRunner::Device::~Device() {
  if (device_ != VK_NULL_HANDLE) vkDestroyDevice(device_, nullptr);
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

void VulkanRunner::Device::create_instance() {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "spalt-vkrun";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  check_vulkan(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
}

void VulkanRunner::Device::choose_physical_device() {
  uint32_t count = 0;
  check_vulkan(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  if (count == 0) throw Error("no Vulkan device was found");
  std::vector<VkPhysicalDevice> devices(count);
  check_vulkan(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
  physical_device_ = devices[0];

  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
  for (queue_family_ = 0; queue_family_ < count; ++queue_family_) {
    if ((families[queue_family_].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return;
  }
  throw Error("the Vulkan device has no compute queue");
}

void VulkanRunner::Device::create_device(bool robust) {
  const VulkanFeatures features(physical_device_, robust);
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

std::string VulkanRunner::Device::name() const {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(physical_device_, &properties);
  return properties.deviceName;
}

}  // namespace spalt::vkrun
