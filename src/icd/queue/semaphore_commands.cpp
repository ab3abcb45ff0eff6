// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands.h"
#include "icd/device/device.h"
#include "icd/object/result.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {
namespace {

bool reached(const VkSemaphoreWaitInfo& info, uint32_t i) {
  return from_handle<Semaphore>(info.pSemaphores[i]).reached(info.pValues[i]);
}

/// With the monitor's lock: whether a wait for any, or for all, is over.
bool is_over(const VkSemaphoreWaitInfo& info) {
  const bool any = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0;
  for (uint32_t i = 0; i < info.semaphoreCount; ++i) {
    if (reached(info, i) == any) return any;
  }
  return !any;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo* pCreateInfo,
                                                      const VkAllocationCallbacks* pAllocator,
                                                      VkSemaphore* pSemaphore) {
  return guarded([&] {
    *pSemaphore = to_handle(create_child<Semaphore>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySemaphore(VkDevice device, VkSemaphore semaphore,
                                                   const VkAllocationCallbacks* pAllocator) {
  destroy_child<Semaphore>(from_handle<Device>(device), pAllocator, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore,
                                                               uint64_t* pValue) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const Monitor::Lock lock = monitor.lock();
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  *pValue = from_handle<Semaphore>(semaphore).value();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::SignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* pSignalInfo) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const Monitor::Lock lock = monitor.lock();
  from_handle<Semaphore>(pSignalInfo->semaphore).signal(pSignalInfo->value);
  monitor.notify();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* pWaitInfo,
                                                     uint64_t timeout) {
  const Deadline deadline = Deadline::after(timeout);
  Monitor& monitor = from_handle<Device>(device).monitor();
  Monitor::Lock lock = monitor.lock();
  const bool in_time = monitor.wait(lock, deadline, [&] { return is_over(*pWaitInfo); });
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  return in_time ? VK_SUCCESS : VK_TIMEOUT;
}

}  // namespace spalt::icd
