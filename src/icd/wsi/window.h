// SPDX-License-Identifier: MIT
//
// A window of the window system, as surfaces and swapchains see it. Each window system is a file that derives from both
// classes, and is built only where its client library is found. Images go through memory that the window system reads;
// they are copied when they are presented, so that an image of a swapchain is free again at once.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <memory>

namespace spalt::icd {

/// What a window is at the moment.
struct WindowFacts {
  VkExtent2D extent{UINT32_MAX, UINT32_MAX};  // UINT32_MAX: the images of the swapchain decide
  bool blue_first = false;                    // whether formats with that order of components can be shown
  bool red_first = false;
  VkCompositeAlphaFlagsKHR alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;

  bool has_own_extent() const { return extent.width != UINT32_MAX; }
};

/// What shows the images of a swapchain.
struct PresenterInfo {
  VkExtent2D extent;
  VkPresentModeKHR mode;
  VkCompositeAlphaFlagBitsKHR alpha;
  bool blue_first;

  size_t row_bytes() const { return size_t{extent.width} * 4; }
  size_t bytes() const { return row_bytes() * extent.height; }
};

class Presenter {
 public:
  virtual ~Presenter() = default;
  /// Shows an image of four bytes a texel, whose rows are `row_bytes` apart. By one thread at a time.
  /// VK_ERROR_SURFACE_LOST_KHR: there is no window any more.
  virtual VkResult show(const std::byte* texels, size_t row_bytes) = 0;
};

/// From any thread.
class Window {
 public:
  virtual ~Window() = default;
  /// VK_ERROR_SURFACE_LOST_KHR: there is no window any more.
  virtual VkResult query(WindowFacts& facts) const = 0;
  virtual std::unique_ptr<Presenter> make_presenter(const PresenterInfo& info) const = 0;
};

/// Copies the rows of an image without gaps. `opaque`: the last byte of each texel, alpha, becomes 255.
void pack_rows(const PresenterInfo& info, const std::byte* texels, size_t row_bytes, bool opaque, std::byte* output);

}  // namespace spalt::icd
