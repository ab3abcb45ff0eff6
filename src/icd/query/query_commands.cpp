// SPDX-License-Identifier: MIT
//
// Query pools as the host sees them.
#include "commands.h"
#include "icd/object/result.h"
#include "icd/query/query_pool.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo* pCreateInfo,
                                                      const VkAllocationCallbacks* pAllocator,
                                                      VkQueryPool* pQueryPool) {
  return guarded([&] {
    *pQueryPool = to_handle(create_child<QueryPool>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyQueryPool(VkDevice device, VkQueryPool queryPool,
                                                   const VkAllocationCallbacks* pAllocator) {
  destroy_child<QueryPool>(from_handle<Device>(device), pAllocator, queryPool);
}

VKAPI_ATTR void VKAPI_CALL entry::ResetQueryPool(VkDevice device, VkQueryPool queryPool, uint32_t firstQuery,
                                                 uint32_t queryCount) {
  const Monitor::Lock lock = from_handle<Device>(device).monitor().lock();
  from_handle<QueryPool>(queryPool).reset(firstQuery, queryCount);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetQueryPoolResults(VkDevice device, VkQueryPool queryPool, uint32_t firstQuery,
                                                          uint32_t queryCount, size_t dataSize, void* pData,
                                                          VkDeviceSize stride, VkQueryResultFlags flags) {
  Monitor& monitor = from_handle<Device>(device).monitor();
  const auto& pool = from_handle<QueryPool>(queryPool);
  Monitor::Lock lock = monitor.lock();
  if ((flags & VK_QUERY_RESULT_WAIT_BIT) != 0) {
    monitor.wait(lock, Deadline::never(), [&] { return all_available(pool, firstQuery, queryCount); });
  }
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  return write_results(pool, firstQuery, queryCount, flags, {static_cast<std::byte*>(pData), dataSize, stride});
}

}  // namespace spalt::icd
