// SPDX-License-Identifier: MIT
//
// Debug names and private data of objects, by type and handle.
#include <algorithm>
#include <atomic>

#include "commands.h"
#include "icd/device/device.h"
#include "icd/device/instance.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

bool is_dispatchable(VkObjectType type) {
  return type == VK_OBJECT_TYPE_INSTANCE || type == VK_OBJECT_TYPE_PHYSICAL_DEVICE || type == VK_OBJECT_TYPE_DEVICE ||
         type == VK_OBJECT_TYPE_QUEUE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
}

/// nullptr: an object of the loader's, which this driver does not see.
Object* find_object(VkObjectType type, uint64_t handle) {
  if (handle == 0 || type == VK_OBJECT_TYPE_SURFACE_KHR) return nullptr;
  if (is_dispatchable(type)) return &from_handle_value<Dispatchable>(handle)->object;
  return from_handle_value<Object>(handle);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::SetDebugUtilsObjectNameEXT(VkDevice device,
                                                                 const VkDebugUtilsObjectNameInfoEXT* pNameInfo) {
  return guarded([&] {
    const std::lock_guard guard(from_handle<Device>(device).names_mutex);
    if (Object* object = find_object(pNameInfo->objectType, pNameInfo->objectHandle)) {
      object->debug_name = pNameInfo->pObjectName == nullptr ? "" : pNameInfo->pObjectName;
    }
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) {
  return VK_SUCCESS;  // tags are for tools that look into objects; nothing here shows them
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreatePrivateDataSlot(VkDevice device, const VkPrivateDataSlotCreateInfo*,
                                                            const VkAllocationCallbacks* pAllocator,
                                                            VkPrivateDataSlot* pPrivateDataSlot) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pPrivateDataSlot = to_handle(create_child<PrivateDataSlot>(owner, pAllocator, owner.next_private_data_id++));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot privateDataSlot,
                                                         const VkAllocationCallbacks* pAllocator) {
  destroy_child<PrivateDataSlot>(from_handle<Device>(device), pAllocator, privateDataSlot);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::SetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                                                     VkPrivateDataSlot privateDataSlot, uint64_t data) {
  return guarded([&] {
    const std::lock_guard guard(from_handle<Device>(device).names_mutex);
    Object* object = find_object(objectType, objectHandle);
    if (object == nullptr) return VK_SUCCESS;
    const uint64_t id = from_handle<PrivateDataSlot>(privateDataSlot).id;
    const auto found = std::find_if(object->private_data.begin(), object->private_data.end(),
                                    [&](const auto& entry) { return entry.first == id; });
    if (found != object->private_data.end()) {
      found->second = data;
    } else {
      object->private_data.emplace_back(id, data);
    }
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::GetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                                                 VkPrivateDataSlot privateDataSlot, uint64_t* pData) {
  const std::lock_guard guard(from_handle<Device>(device).names_mutex);
  *pData = 0;
  const Object* object = find_object(objectType, objectHandle);
  if (object == nullptr) return;
  const uint64_t id = from_handle<PrivateDataSlot>(privateDataSlot).id;
  for (const auto& [slot, data] : object->private_data) {
    if (slot == id) *pData = data;
  }
}

}  // namespace spalt::icd
