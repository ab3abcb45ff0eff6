// SPDX-License-Identifier: MIT
//
// An instance and a device of the driver for tests, called directly, without the loader.
#pragma once

#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <mutex>
#include <string>
#include <vector>

#include "commands.h"

namespace spalt::icd::test {

/// What a debug messenger was told.
struct Message {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity;
  std::string id, text;
  std::vector<std::string> object_names, command_labels, queue_labels;
};

/// Keeps messages, from any thread.
class MessageLog {
 public:
  VkDebugUtilsMessengerCreateInfoEXT messenger();
  std::vector<Message> all() const;

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* log);
  mutable std::mutex mutex_;
  std::vector<Message> messages_;
};

/// With VK_EXT_debug_utils and a messenger. Settings come from the environment at this moment.
class TestInstance {
 public:
  explicit TestInstance(uint32_t api_version = VK_API_VERSION_1_3);
  ~TestInstance();
  TestInstance(const TestInstance&) = delete;
  TestInstance& operator=(const TestInstance&) = delete;

  VkInstance handle() const { return handle_; }
  VkPhysicalDevice physical() const { return physical_; }
  MessageLog& log() { return log_; }

 private:
  MessageLog log_;
  VkInstance handle_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

struct DeviceOptions {
  std::vector<const char*> extensions;
  const void* features = nullptr;  // chain of VkDeviceCreateInfo
  uint32_t queues = 2;
};

VkResult create_device(VkPhysicalDevice physical, const DeviceOptions& options, VkDevice& device);

class TestDevice {
 public:
  explicit TestDevice(const DeviceOptions& options = {});
  ~TestDevice();
  TestDevice(const TestDevice&) = delete;
  TestDevice& operator=(const TestDevice&) = delete;

  VkDevice handle() const { return handle_; }
  VkPhysicalDevice physical() const { return instance_.physical(); }
  VkInstance instance() const { return instance_.handle(); }
  std::vector<Message> messages() { return instance_.log().all(); }
  VkQueue queue(uint32_t index = 0) const;

 private:
  TestInstance instance_;
  VkDevice handle_ = VK_NULL_HANDLE;
};

/// An environment variable, until the end of the scope. Only while no other thread runs.
class Environment {
 public:
  Environment(const char* name, const std::string& value);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace spalt::icd::test
