// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/queue/queue.h"
#include "icd/wsi/swapchain.h"

namespace spalt::icd {
namespace {

/// What one swapchain presents is a submission of its own: it waits, then presents.
VkResult present_one(Queue& queue, Swapchain& swapchain, uint32_t index, std::vector<SemaphoreOperation> waits) {
  uint64_t frame = 0;
  const VkResult result = swapchain.begin_present(&frame);
  Submission submission;
  submission.batches.emplace_back();
  submission.batches[0].waits = std::move(waits);
  submission.batches[0].host_work = [&swapchain, index, frame] { swapchain.present(index, frame); };
  const VkResult submitted = queue.submit(std::move(submission));
  return submitted != VK_SUCCESS ? submitted : result;
}

std::vector<SemaphoreOperation> waits_of(const VkPresentInfoKHR& info) {
  std::vector<SemaphoreOperation> waits;
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    waits.push_back({from_nullable<Semaphore>(info.pWaitSemaphores[i]), 0});
  }
  return waits;
}

/// Errors before successes, losing the device before all others, and a suboptimal success before a plain one.
VkResult worse_of(VkResult a, VkResult b) {
  if (a == VK_ERROR_DEVICE_LOST || b == VK_ERROR_DEVICE_LOST) return VK_ERROR_DEVICE_LOST;
  return std::min(a, b) < 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSwapchainKHR(VkDevice device, const VkSwapchainCreateInfoKHR* pCreateInfo,
                                                         const VkAllocationCallbacks* pAllocator,
                                                         VkSwapchainKHR* pSwapchain) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    auto* swapchain = create_child<Swapchain>(owner, pAllocator, owner, *pCreateInfo, owner.next_swapchain++);
    if (auto* old = from_nullable<Swapchain>(pCreateInfo->oldSwapchain)) old->retire();
    *pSwapchain = to_handle(swapchain);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySwapchainKHR(VkDevice device, VkSwapchainKHR swapchain,
                                                      const VkAllocationCallbacks* pAllocator) {
  destroy_child<Swapchain>(from_handle<Device>(device), pAllocator, swapchain);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetSwapchainImagesKHR(VkDevice, VkSwapchainKHR swapchain,
                                                            uint32_t* pSwapchainImageCount, VkImage* pSwapchainImages) {
  const auto& object = from_handle<Swapchain>(swapchain);
  return write_array(object.image_count(), pSwapchainImageCount, pSwapchainImages,
                     [&](VkImage& image, uint32_t i) { image = object.image(i); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::AcquireNextImageKHR(VkDevice, VkSwapchainKHR swapchain, uint64_t timeout,
                                                          VkSemaphore semaphore, VkFence fence, uint32_t* pImageIndex) {
  return guarded([&] {
    return from_handle<Swapchain>(swapchain).acquire(timeout, from_nullable<Semaphore>(semaphore),
                                                     from_nullable<Fence>(fence), pImageIndex);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::AcquireNextImage2KHR(VkDevice device,
                                                           const VkAcquireNextImageInfoKHR* pAcquireInfo,
                                                           uint32_t* pImageIndex) {
  return entry::AcquireNextImageKHR(device, pAcquireInfo->swapchain, pAcquireInfo->timeout, pAcquireInfo->semaphore,
                                    pAcquireInfo->fence, pImageIndex);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR* pPresentInfo) {
  return guarded([&] {
    const VkPresentInfoKHR& info = *pPresentInfo;
    VkResult worst = VK_SUCCESS;
    for (uint32_t i = 0; i < info.swapchainCount; ++i) {
      // The queue goes in order: what the first one waits for, the others have waited for, too.
      const VkResult result =
          present_one(from_handle<Queue>(queue), from_handle<Swapchain>(info.pSwapchains[i]), info.pImageIndices[i],
                      i == 0 ? waits_of(info) : std::vector<SemaphoreOperation>{});
      if (info.pResults != nullptr) info.pResults[i] = result;
      worst = worse_of(worst, result);
    }
    return worst;
  });
}

}  // namespace spalt::icd
