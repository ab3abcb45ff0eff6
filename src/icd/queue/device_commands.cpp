// SPDX-License-Identifier: MIT
//
// Logical devices and their queues.
#include "commands.h"
#include "icd/object/result.h"
#include "icd/queue/queues.h"
#include "icd/shader/piece_cache.h"

namespace spalt::icd {
namespace {

const Queues& queues_of(VkDevice device) {
  return static_cast<const Queues&>(*from_handle<Device>(device).queues);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateDevice(VkPhysicalDevice physicalDevice,
                                                   const VkDeviceCreateInfo* pCreateInfo,
                                                   const VkAllocationCallbacks* pAllocator, VkDevice* pDevice) {
  return guarded([&] {
    auto& physical = from_handle<PhysicalDevice>(physicalDevice);
    const HostMemory memory(pAllocator, physical.instance().host_memory());
    auto* device = create_object<Device>(memory, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, physical, *pCreateInfo, memory);
    try {
      device->pieces = std::make_unique<PieceCache>();
      device->queues = std::make_unique<Queues>(*device, *pCreateInfo);
    } catch (...) {
      destroy_object(memory, device);
      throw;
    }
    *pDevice = to_handle(device);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyDevice(VkDevice device, const VkAllocationCallbacks* pAllocator) {
  if (device == VK_NULL_HANDLE) return;
  auto& object = from_handle<Device>(device);
  object.queues.reset();
  destroy_object(HostMemory(pAllocator, object.instance().host_memory()), &object);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceQueue(VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex,
                                                 VkQueue* pQueue) {
  *pQueue = to_handle(queues_of(device).find(queueFamilyIndex, 0, queueIndex));
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* pQueueInfo,
                                                  VkQueue* pQueue) {
  *pQueue = to_handle(queues_of(device).find(pQueueInfo->queueFamilyIndex, pQueueInfo->flags, pQueueInfo->queueIndex));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::DeviceWaitIdle(VkDevice device) {
  return guarded([&] { return queues_of(device).wait_idle(); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::QueueWaitIdle(VkQueue queue) {
  return guarded([&] { return from_handle<Queue>(queue).wait_idle(); });
}

}  // namespace spalt::icd
