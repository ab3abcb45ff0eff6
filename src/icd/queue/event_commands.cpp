// SPDX-License-Identifier: MIT
#include "commands.h"
#include "icd/device/device.h"
#include "icd/object/result.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {
namespace {

VkResult change(VkDevice device, VkEvent event, bool signaled) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const Monitor::Lock lock = monitor.lock();
  from_handle<Event>(event).signaled = signaled;
  monitor.notify();
  return VK_SUCCESS;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateEvent(VkDevice device, const VkEventCreateInfo*,
                                                  const VkAllocationCallbacks* pAllocator, VkEvent* pEvent) {
  return guarded([&] {
    *pEvent = to_handle(create_child<Event>(from_handle<Device>(device), pAllocator));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyEvent(VkDevice device, VkEvent event,
                                               const VkAllocationCallbacks* pAllocator) {
  destroy_child<Event>(from_handle<Device>(device), pAllocator, event);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetEventStatus(VkDevice device, VkEvent event) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const Monitor::Lock lock = monitor.lock();
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  return from_handle<Event>(event).signaled ? VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::SetEvent(VkDevice device, VkEvent event) {
  return change(device, event, true);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::ResetEvent(VkDevice device, VkEvent event) {
  return change(device, event, false);
}

}  // namespace spalt::icd
