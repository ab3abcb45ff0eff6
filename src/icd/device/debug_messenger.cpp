// SPDX-License-Identifier: MIT
#include "icd/device/debug_messenger.h"

#include <algorithm>

#include "commands.h"
#include "icd/device/instance.h"
#include "icd/object/result.h"

namespace spalt::icd {

void DebugMessengers::add(const DebugMessenger* messenger) {
  const std::lock_guard guard(mutex_);
  messengers_.push_back(messenger);
}

void DebugMessengers::remove(const DebugMessenger* messenger) {
  const std::lock_guard guard(mutex_);
  messengers_.erase(std::remove(messengers_.begin(), messengers_.end(), messenger), messengers_.end());
}

std::vector<VkDebugUtilsMessengerCreateInfoEXT> DebugMessengers::snapshot() {
  const std::lock_guard guard(mutex_);
  std::vector<VkDebugUtilsMessengerCreateInfoEXT> infos;
  for (const DebugMessenger* messenger : messengers_) infos.push_back(messenger->info);
  return infos;
}

void DebugMessengers::send(const DebugMessage& message) {
  for (const VkDebugUtilsMessengerCreateInfoEXT& messenger : snapshot()) send_to(messenger, message);
}

void DebugMessengers::forward(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT& data) {
  for (const VkDebugUtilsMessengerCreateInfoEXT& messenger : snapshot()) {
    if ((messenger.messageSeverity & severity) == 0 || (messenger.messageType & types) == 0) continue;
    messenger.pfnUserCallback(severity, types, &data, messenger.pUserData);
  }
}

namespace {

std::vector<VkDebugUtilsLabelEXT> label_structs(const std::vector<std::string>& names) {
  std::vector<VkDebugUtilsLabelEXT> labels;
  for (const std::string& name : names) {
    labels.push_back({VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name.c_str(), {}});
  }
  return labels;
}

}  // namespace

void send_to(const VkDebugUtilsMessengerCreateInfoEXT& messenger, const DebugMessage& message) {
  if ((messenger.messageSeverity & message.severity) == 0 || (messenger.messageType & message.types) == 0) return;
  std::vector<VkDebugUtilsObjectNameInfoEXT> objects;
  for (const MessageObject& object : message.objects) {
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, object.type,
                                       object.handle, object.name.empty() ? nullptr : object.name.c_str()};
    objects.push_back(info);
  }
  const std::vector<VkDebugUtilsLabelEXT> queue_labels = label_structs(message.queue_labels);
  const std::vector<VkDebugUtilsLabelEXT> command_labels = label_structs(message.command_labels);
  VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
  data.pNext = message.next;
  data.pMessageIdName = message.id;
  data.pMessage = message.text.c_str();
  data.queueLabelCount = static_cast<uint32_t>(queue_labels.size());
  data.pQueueLabels = queue_labels.data();
  data.cmdBufLabelCount = static_cast<uint32_t>(command_labels.size());
  data.pCmdBufLabels = command_labels.data();
  data.objectCount = static_cast<uint32_t>(objects.size());
  data.pObjects = objects.data();
  messenger.pfnUserCallback(message.severity, message.types, &data, messenger.pUserData);
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::CreateDebugUtilsMessengerEXT(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT* pCreateInfo,
                                    const VkAllocationCallbacks* pAllocator, VkDebugUtilsMessengerEXT* pMessenger) {
  return guarded([&] {
    auto& owner = from_handle<Instance>(instance);
    auto* messenger = create_object<DebugMessenger>(HostMemory(pAllocator, owner.host_memory()),
                                                    VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *pCreateInfo);
    owner.messengers().add(messenger);
    *pMessenger = to_handle(messenger);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                                                const VkAllocationCallbacks* pAllocator) {
  if (messenger == VK_NULL_HANDLE) return;
  auto& owner = from_handle<Instance>(instance);
  auto* object = from_nullable<DebugMessenger>(messenger);
  owner.messengers().remove(object);
  destroy_object(HostMemory(pAllocator, owner.host_memory()), object);
}

VKAPI_ATTR void VKAPI_CALL entry::SubmitDebugUtilsMessageEXT(
    VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT messageSeverity,
    VkDebugUtilsMessageTypeFlagsEXT messageTypes, const VkDebugUtilsMessengerCallbackDataEXT* pCallbackData) {
  from_handle<Instance>(instance).messengers().forward(messageSeverity, messageTypes, *pCallbackData);
}

}  // namespace spalt::icd
