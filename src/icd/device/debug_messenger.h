// SPDX-License-Identifier: MIT
//
// Messages to the application through VK_EXT_debug_utils.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "icd/object/handle.h"

namespace spalt::icd {

struct MessageObject {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;
  std::string name;  // the application's; may be empty
};

struct DebugMessage {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  VkDebugUtilsMessageTypeFlagsEXT types = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  const char* id = "";  // such as "spalt-fault"
  std::string text;
  std::vector<MessageObject> objects;
  std::vector<std::string> queue_labels, command_labels;  // innermost first
  const void* next = nullptr;                             // structs of extensions, for the time of the call
};

class DebugMessenger : public Object {
 public:
  using Handle = VkDebugUtilsMessengerEXT;
  explicit DebugMessenger(const VkDebugUtilsMessengerCreateInfoEXT& create_info) : info(create_info) {
    info.pNext = nullptr;
  }
  VkDebugUtilsMessengerCreateInfoEXT info;
};

/// The messengers of an instance. They are copied before one is called, and no lock is held during a call.
class DebugMessengers {
 public:
  void add(const DebugMessenger* messenger);
  void remove(const DebugMessenger* messenger);
  void send(const DebugMessage& message);
  /// Hands on what the application says (vkSubmitDebugUtilsMessageEXT).
  void forward(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
               const VkDebugUtilsMessengerCallbackDataEXT& data);

 private:
  std::vector<VkDebugUtilsMessengerCreateInfoEXT> snapshot();

  std::mutex mutex_;
  std::vector<const DebugMessenger*> messengers_;
};

/// Calls one messenger, if it wants messages of that kind.
void send_to(const VkDebugUtilsMessengerCreateInfoEXT& messenger, const DebugMessage& message);

}  // namespace spalt::icd
