// SPDX-License-Identifier: MIT
//
// Swapchains. An image is free, or the application has it, or it waits on a queue to be presented; the monitor of the
// device guards which. Presenting copies the image to the window, if the surface has one, writes a PNG file where
// SPALT_ICD_PRESENT says so, and frees the image.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "icd/resource/image.h"
#include "icd/resource/swapchain_memory.h"
#include "icd/sync/sync_objects.h"
#include "icd/wsi/window.h"

namespace spalt::icd {

class Swapchain : public SwapchainMemory {
 public:
  /// `number` tells the swapchains of a device apart in the names of files.
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, uint64_t number);

  VkImage image(uint32_t index) const { return to_handle(images_[index].get()); }

  /// Waits for a free image and hands it out; signals `semaphore` and `fence`, if there are such.
  /// VK_SUBOPTIMAL_KHR: as a success, but the window has another size by now.
  VkResult acquire(uint64_t timeout, Semaphore* semaphore, Fence* fence, uint32_t* index);
  /// The application gives the image back, for the `frame`th present, which present() does on a queue's thread.
  /// VK_ERROR_OUT_OF_DATE_KHR: the swapchain was replaced. VK_SUBOPTIMAL_KHR: the window has another size.
  VkResult begin_present(uint64_t* frame);
  void present(uint32_t index, uint64_t frame) noexcept;
  /// Another swapchain takes over the surface; images that the application has stay.
  void retire();

 private:
  enum class State : uint8_t { free, taken };

  std::string file_name(uint64_t frame) const;
  void write_file(uint32_t index, uint64_t frame);
  VkResult show(uint32_t index);
  /// VK_SUBOPTIMAL_KHR, VK_ERROR_SURFACE_LOST_KHR, or that all is well.
  VkResult compare_with_window() const;
  /// image_count(): none.
  uint32_t find_free() const;

  Device* device_;
  uint64_t number_;
  const Window* window_;  // nullptr: headless, as the next
  std::unique_ptr<Presenter> presenter_;
  std::mutex presenting_;  // two queues may present at the same time
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<State> states_;
  uint32_t next_ = 0;  // where the search for a free image begins
  uint64_t frames_ = 0;
  bool retired_ = false;
  VkResult window_state_ = VK_SUCCESS;  // as far as known: VK_SUBOPTIMAL_KHR, or an error, which stays
};

}  // namespace spalt::icd
