// SPDX-License-Identifier: MIT
#include "window_fixture.h"

#include <array>
#include <cstring>

namespace spalt::icd::test {

Texels gradient(VkExtent2D extent, uint32_t seed) {
  Texels texels{extent, {}};
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      texels.words.push_back(((x * 7 + seed) & 0xff) | ((y * 5 + x / 256) & 0xff) << 8 | ((x ^ y) & 0xff) << 16 |
                             ((y + seed) & 0xff) << 24);
    }
  }
  return texels;
}

Texels with_alpha(Texels texels, uint32_t alpha) {
  for (uint32_t& word : texels.words) word = (word & 0xffffff) | alpha << 24;
  return texels;
}

WindowTest::~WindowTest() {
  destroy_windows();
}

void WindowTest::destroy_windows() {
  entry::DeviceWaitIdle(device_.handle());
  for (VkSwapchainKHR swapchain : swapchains_) entry::DestroySwapchainKHR(device_.handle(), swapchain, nullptr);
  for (VkSurfaceKHR surface : surfaces_) entry::DestroySurfaceKHR(device_.instance(), surface, nullptr);
  swapchains_.clear();
  surfaces_.clear();
}

VkSwapchainKHR WindowTest::swapchain(VkSurfaceKHR surface, VkExtent2D extent, const SwapchainOptions& options) {
  VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = surface;
  info.minImageCount = options.images;
  info.imageFormat = options.format;
  info.imageExtent = extent;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  info.compositeAlpha = options.alpha;
  info.presentMode = options.mode;
  info.oldSwapchain = options.old;
  VkSwapchainKHR made = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateSwapchainKHR(device_.handle(), &info, nullptr, &made), VK_SUCCESS);
  swapchains_.push_back(made);
  return made;
}

VkSurfaceCapabilitiesKHR WindowTest::capabilities(VkSurfaceKHR surface) const {
  VkSurfaceCapabilitiesKHR found{};
  EXPECT_EQ(entry::GetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), surface, &found), VK_SUCCESS);
  return found;
}

std::vector<VkFormat> WindowTest::formats(VkSurfaceKHR surface) const {
  std::array<VkSurfaceFormatKHR, 8> found{};
  auto count = static_cast<uint32_t>(found.size());
  EXPECT_EQ(entry::GetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface, &count, found.data()), VK_SUCCESS);
  std::vector<VkFormat> formats;
  for (uint32_t i = 0; i < count; ++i) formats.push_back(found[i].format);
  return formats;
}

VkResult WindowTest::acquire(VkSwapchainKHR swapchain, uint32_t& index, uint64_t timeout) const {
  return entry::AcquireNextImageKHR(device_.handle(), swapchain, timeout, VK_NULL_HANDLE, VK_NULL_HANDLE, &index);
}

VkResult WindowTest::present(VkSwapchainKHR swapchain, uint32_t index, const Texels& texels) {
  const VkDevice device = device_.handle();
  std::array<VkImage, 8> images{};
  auto count = static_cast<uint32_t>(images.size());
  EXPECT_EQ(entry::GetSwapchainImagesKHR(device, swapchain, &count, images.data()), VK_SUCCESS);
  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = texels.words.size() * sizeof texels.words[0];
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  memory_info.allocationSize = buffer_info.size;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(entry::AllocateMemory(device, &memory_info, nullptr, &memory), VK_SUCCESS);
  const VkBindBufferMemoryInfo bind{VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, buffer, memory, 0};
  EXPECT_EQ(entry::BindBufferMemory2(device, 1, &bind), VK_SUCCESS);
  void* place = nullptr;
  EXPECT_EQ(entry::MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &place), VK_SUCCESS);
  std::memcpy(place, texels.words.data(), buffer_info.size);

  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateCommandPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  EXPECT_EQ(entry::AllocateCommandBuffers(device, &allocate, &commands), VK_SUCCESS);
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(entry::BeginCommandBuffer(commands, &begin), VK_SUCCESS);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {texels.extent.width, texels.extent.height, 1};
  entry::CmdCopyBufferToImage(commands, buffer, images[index], VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  EXPECT_EQ(entry::EndCommandBuffer(commands), VK_SUCCESS);

  const TestSemaphore drawn(device_);
  const VkSemaphore semaphore = drawn;
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &semaphore;
  EXPECT_EQ(entry::QueueSubmit(device_.queue(), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &semaphore;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain;
  info.pImageIndices = &index;
  const VkResult presented = entry::QueuePresentKHR(device_.queue(1), &info);
  entry::DeviceWaitIdle(device);
  entry::DestroyCommandPool(device, pool, nullptr);
  entry::DestroyBuffer(device, buffer, nullptr);
  entry::FreeMemory(device, memory, nullptr);
  return presented;
}

VkResult WindowTest::show(VkSwapchainKHR swapchain, const Texels& texels) {
  uint32_t index = 0;
  const VkResult acquired = acquire(swapchain, index);
  return acquired < 0 ? acquired : present(swapchain, index, texels);
}

}  // namespace spalt::icd::test
