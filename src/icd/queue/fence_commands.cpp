// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands.h"
#include "icd/device/device.h"
#include "icd/object/result.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateFence(VkDevice device, const VkFenceCreateInfo* pCreateInfo,
                                                  const VkAllocationCallbacks* pAllocator, VkFence* pFence) {
  return guarded([&] {
    *pFence = to_handle(create_child<Fence>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyFence(VkDevice device, VkFence fence,
                                               const VkAllocationCallbacks* pAllocator) {
  destroy_child<Fence>(from_handle<Device>(device), pAllocator, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::ResetFences(VkDevice device, uint32_t fenceCount, const VkFence* pFences) {
  const Monitor::Lock lock = from_handle<Device>(device).monitor().lock();
  std::for_each(pFences, pFences + fenceCount, [](VkFence fence) { from_handle<Fence>(fence).signaled = false; });
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetFenceStatus(VkDevice device, VkFence fence) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const Monitor::Lock lock = monitor.lock();
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  return from_handle<Fence>(fence).signaled ? VK_SUCCESS : VK_NOT_READY;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::WaitForFences(VkDevice device, uint32_t fenceCount, const VkFence* pFences,
                                                    VkBool32 waitAll, uint64_t timeout) {
  const Deadline deadline = Deadline::after(timeout);
  Monitor& monitor = from_handle<Device>(device).monitor();
  Monitor::Lock lock = monitor.lock();
  const auto signaled = [](VkFence fence) { return from_handle<Fence>(fence).signaled; };
  const bool in_time = monitor.wait(lock, deadline, [&] {
    return waitAll != VK_FALSE ? std::all_of(pFences, pFences + fenceCount, signaled)
                               : std::any_of(pFences, pFences + fenceCount, signaled);
  });
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  return in_time ? VK_SUCCESS : VK_TIMEOUT;
}

}  // namespace spalt::icd
