// SPDX-License-Identifier: MIT
#include "commands.h"
#include "icd/object/result.h"
#include "icd/queue/queue.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::QueueSubmit(VkQueue queue, uint32_t submitCount, const VkSubmitInfo* pSubmits,
                                                  VkFence fence) {
  return guarded([&] { return from_handle<Queue>(queue).submit(make_submission(submitCount, pSubmits, fence)); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::QueueSubmit2(VkQueue queue, uint32_t submitCount, const VkSubmitInfo2* pSubmits,
                                                   VkFence fence) {
  return guarded([&] { return from_handle<Queue>(queue).submit(make_submission(submitCount, pSubmits, fence)); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::QueueBindSparse(VkQueue, uint32_t, const VkBindSparseInfo*, VkFence) {
  return VK_ERROR_FEATURE_NOT_PRESENT;  // no queue has VK_QUEUE_SPARSE_BINDING_BIT, so that no program may call it
}

}  // namespace spalt::icd
