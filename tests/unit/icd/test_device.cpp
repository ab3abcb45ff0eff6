// SPDX-License-Identifier: MIT
#include "test_device.h"

#include <cstdlib>

namespace spalt::icd::test {

VkDebugUtilsMessengerCreateInfoEXT MessageLog::messenger() {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = receive;
  info.pUserData = this;
  return info;
}

std::vector<Message> MessageLog::all() const {
  const std::lock_guard guard(mutex_);
  return messages_;
}

VKAPI_ATTR VkBool32 VKAPI_CALL MessageLog::receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                   VkDebugUtilsMessageTypeFlagsEXT,
                                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
  Message message{severity, data->pMessageIdName, data->pMessage, {}, {}, {}};
  for (uint32_t i = 0; i < data->objectCount; ++i) {
    const char* name = data->pObjects[i].pObjectName;
    message.object_names.emplace_back(name == nullptr ? "" : name);
  }
  for (uint32_t i = 0; i < data->cmdBufLabelCount; ++i) {
    message.command_labels.emplace_back(data->pCmdBufLabels[i].pLabelName);
  }
  for (uint32_t i = 0; i < data->queueLabelCount; ++i) {
    message.queue_labels.emplace_back(data->pQueueLabels[i].pLabelName);
  }
  auto* self = static_cast<MessageLog*>(log);
  const std::lock_guard guard(self->mutex_);
  self->messages_.push_back(std::move(message));
  return VK_FALSE;
}

TestInstance::TestInstance(uint32_t api_version) {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = api_version;
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  EXPECT_EQ(entry::CreateInstance(&info, nullptr, &handle_), VK_SUCCESS);
  const VkDebugUtilsMessengerCreateInfoEXT messenger = log_.messenger();
  EXPECT_EQ(entry::CreateDebugUtilsMessengerEXT(handle_, &messenger, nullptr, &messenger_), VK_SUCCESS);
  uint32_t count = 1;
  EXPECT_EQ(entry::EnumeratePhysicalDevices(handle_, &count, &physical_), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TestInstance::~TestInstance() {
  entry::DestroyDebugUtilsMessengerEXT(handle_, messenger_, nullptr);
  entry::DestroyInstance(handle_, nullptr);
}

VkResult create_device(VkPhysicalDevice physical, const DeviceOptions& options, VkDevice& device) {
  const std::vector<float> priorities(options.queues, 1.0f);
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueCount = options.queues;
  queues.pQueuePriorities = priorities.data();
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, options.features};
  info.queueCreateInfoCount = options.queues == 0 ? 0 : 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = static_cast<uint32_t>(options.extensions.size());
  info.ppEnabledExtensionNames = options.extensions.data();
  return entry::CreateDevice(physical, &info, nullptr, &device);
}

TestDevice::TestDevice(const DeviceOptions& options) {
  EXPECT_EQ(create_device(physical(), options, handle_), VK_SUCCESS);
}

TestDevice::~TestDevice() {
  entry::DestroyDevice(handle_, nullptr);
}

VkQueue TestDevice::queue(uint32_t index) const {
  VkQueue queue = VK_NULL_HANDLE;
  entry::GetDeviceQueue(handle_, 0, index, &queue);
  return queue;
}

Environment::Environment(const char* name, const std::string& value) : name_(name) {
  setenv(name, value.c_str(), 1);
}

Environment::~Environment() {
  unsetenv(name_);
}

}  // namespace spalt::icd::test
