// SPDX-License-Identifier: MIT
#include "commands.h"
#include "icd/object/result.h"
#include "icd/queue/queue.h"

namespace spalt::icd {

// These cannot fail: a label for which there is no memory is not there.

VKAPI_ATTR void VKAPI_CALL entry::QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* pLabelInfo) {
  guarded([&] {
    from_handle<Queue>(queue).labels().open(pLabelInfo->pLabelName);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::QueueEndDebugUtilsLabelEXT(VkQueue queue) {
  from_handle<Queue>(queue).labels().close();
}

VKAPI_ATTR void VKAPI_CALL entry::QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* pLabelInfo) {
  guarded([&] {
    from_handle<Queue>(queue).labels().insert(pLabelInfo->pLabelName);
    return VK_SUCCESS;
  });
}

}  // namespace spalt::icd
