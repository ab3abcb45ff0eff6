// SPDX-License-Identifier: MIT
#include "icd/resource/sampler.h"

#include "commands.h"
#include "icd/object/result.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSampler(VkDevice device, const VkSamplerCreateInfo*,
                                                    const VkAllocationCallbacks* pAllocator, VkSampler* pSampler) {
  return guarded([&] {
    *pSampler = to_handle(create_child<Sampler>(from_handle<Device>(device), pAllocator));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySampler(VkDevice device, VkSampler sampler,
                                                 const VkAllocationCallbacks* pAllocator) {
  destroy_child<Sampler>(from_handle<Device>(device), pAllocator, sampler);
}

}  // namespace spalt::icd
