// SPDX-License-Identifier: MIT
#include "vulkan_device.h"

#include "manifest.h"

namespace spalt::vkrun {

VulkanDevice::VulkanDevice(const char* application) {
  create_instance(application);
  choose_physical_device();
}

VulkanDevice::~VulkanDevice() {
  if (device_ != VK_NULL_HANDLE) vkDestroyDevice(device_, nullptr);
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

void VulkanDevice::create_instance(const char* name) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = name;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  check_vulkan(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
}

void VulkanDevice::choose_physical_device() {
  uint32_t count = 1;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (result != VK_INCOMPLETE) check_vulkan(result, "vkEnumeratePhysicalDevices");
  if (count == 0) throw Error("no Vulkan device was found");
}

bool VulkanDevice::find_queue(VkQueueFlags capabilities) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
  for (queue_family_ = 0; queue_family_ < count; ++queue_family_) {
    if ((families[queue_family_].queueFlags & capabilities) == capabilities) return true;
  }
  return false;
}

void VulkanDevice::open(const void* features, const std::vector<const char*>& extensions) {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueFamilyIndex = queue_family_;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check_vulkan(vkCreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
}

std::string VulkanDevice::name() const {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(physical_device_, &properties);
  return properties.deviceName;
}

}  // namespace spalt::vkrun
