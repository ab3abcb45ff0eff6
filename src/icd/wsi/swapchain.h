// SPDX-License-Identifier: MIT
//
// Swapchains. An image is free, or the application has it, or it waits on a queue to be presented; the monitor of the
// device guards which. Presenting writes a PNG file where SPALT_ICD_PRESENT says so, and frees the image.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icd/resource/image.h"
#include "icd/resource/swapchain_memory.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {

class Swapchain : public SwapchainMemory {
 public:
  /// `number` tells the swapchains of a device apart in the names of files.
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, uint64_t number);

  VkImage image(uint32_t index) const { return to_handle(images_[index].get()); }

  /// Waits for a free image and hands it out; signals `semaphore` and `fence`, if there are such.
  VkResult acquire(uint64_t timeout, Semaphore* semaphore, Fence* fence, uint32_t* index);
  /// The application gives the image back, for the `frame`th present, which present() does on a queue's thread.
  /// VK_ERROR_OUT_OF_DATE_KHR: the swapchain was replaced.
  VkResult begin_present(uint64_t* frame);
  void present(uint32_t index, uint64_t frame) noexcept;
  /// Another swapchain takes over the surface; images that the application has stay.
  void retire();

 private:
  enum class State : uint8_t { free, taken };

  std::string file_name(uint64_t frame) const;
  /// image_count(): none.
  uint32_t find_free() const;

  Device* device_;
  uint64_t number_;
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<State> states_;
  uint32_t next_ = 0;  // where the search for a free image begins
  uint64_t frames_ = 0;
  bool retired_ = false;
};

}  // namespace spalt::icd
