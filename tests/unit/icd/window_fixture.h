// SPDX-License-Identifier: MIT
//
// A swapchain of a window, and pictures to present. What a test makes of windows goes before its device.
#pragma once

#include <functional>
#include <vector>

#include "sync_objects.h"

namespace spalt::icd::test {

/// Four bytes a texel, in the order of the swapchain's format.
struct Texels {
  VkExtent2D extent{};
  std::vector<uint32_t> words;
  bool operator==(const Texels& other) const {
    return extent.width == other.extent.width && extent.height == other.extent.height && words == other.words;
  }
};

/// All texels of a row or a column differ, and `seed` tells pictures apart.
Texels gradient(VkExtent2D extent, uint32_t seed);
/// The same with other words in the place of alpha.
Texels with_alpha(Texels texels, uint32_t alpha);

struct SwapchainOptions {
  VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
  uint32_t images = 2;
  VkPresentModeKHR mode = VK_PRESENT_MODE_FIFO_KHR;
  VkCompositeAlphaFlagBitsKHR alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  VkSwapchainKHR old = VK_NULL_HANDLE;
};

class WindowTest : public testing::Test {
 protected:
  ~WindowTest() override;

  void destroy_windows();
  VkSwapchainKHR swapchain(VkSurfaceKHR surface, VkExtent2D extent, const SwapchainOptions& options = {});
  VkSurfaceCapabilitiesKHR capabilities(VkSurfaceKHR surface) const;
  std::vector<VkFormat> formats(VkSurfaceKHR surface) const;
  VkResult acquire(VkSwapchainKHR swapchain, uint32_t& index, uint64_t timeout = kForever) const;
  /// Copies the picture into an image of the swapchain and presents it; waits for the queue. What presenting says.
  VkResult present(VkSwapchainKHR swapchain, uint32_t index, const Texels& texels);
  /// Acquires an image and presents.
  VkResult show(VkSwapchainKHR swapchain, const Texels& texels);

  TestDevice device_{{.extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}}};
  std::vector<VkSurfaceKHR> surfaces_;  // destroyed after the swapchains

 private:
  std::vector<VkSwapchainKHR> swapchains_;
};

}  // namespace spalt::icd::test
