// SPDX-License-Identifier: MIT
//
// Headless surfaces and swapchains: what is presented arrives in a file, and images come back.
#include <png.h>

#include <array>
#include <filesystem>
#include <functional>
#include <thread>

#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

constexpr VkExtent2D kExtent{5, 3};

struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

Picture read_png(const std::string& path) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&header, path.c_str()) == 0) return {};
  header.format = PNG_FORMAT_RGBA;
  Picture picture{header.width, header.height, std::vector<uint8_t>(PNG_IMAGE_SIZE(header))};
  png_image_finish_read(&header, nullptr, picture.rgba.data(), 0, nullptr);
  return picture;
}

class SwapchainTest : public testing::Test {
 protected:
  SwapchainTest() {
    const VkHeadlessSurfaceCreateInfoEXT info{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    EXPECT_EQ(entry::CreateHeadlessSurfaceEXT(device_.instance(), &info, nullptr, &surface_), VK_SUCCESS);
    const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    EXPECT_EQ(entry::CreateCommandPool(device_.handle(), &pool_info, nullptr, &pool_), VK_SUCCESS);
  }
  ~SwapchainTest() override {
    entry::DeviceWaitIdle(device_.handle());
    entry::DestroyCommandPool(device_.handle(), pool_, nullptr);
    for (VkSwapchainKHR swapchain : swapchains_) entry::DestroySwapchainKHR(device_.handle(), swapchain, nullptr);
    entry::DestroySurfaceKHR(device_.instance(), surface_, nullptr);
  }

  VkSwapchainKHR swapchain(VkFormat format, uint32_t images, VkSwapchainKHR old = VK_NULL_HANDLE) {
    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = surface_;
    info.minImageCount = images;
    info.imageFormat = format;
    info.imageExtent = kExtent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.oldSwapchain = old;
    VkSwapchainKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateSwapchainKHR(device_.handle(), &info, nullptr, &made), VK_SUCCESS);
    swapchains_.push_back(made);
    return made;
  }

  VkImage image(VkSwapchainKHR swapchain, uint32_t index) const {
    std::array<VkImage, 8> images{};
    auto count = static_cast<uint32_t>(images.size());
    EXPECT_EQ(entry::GetSwapchainImagesKHR(device_.handle(), swapchain, &count, images.data()), VK_SUCCESS);
    return images[index];
  }

  VkResult acquire(VkSwapchainKHR swapchain, uint32_t& index, uint64_t timeout = kForever,
                   VkSemaphore semaphore = VK_NULL_HANDLE, VkFence fence = VK_NULL_HANDLE) const {
    return entry::AcquireNextImageKHR(device_.handle(), swapchain, timeout, semaphore, fence, &index);
  }

  /// Submits what `fill` records, and signals the semaphore after it.
  void draw(const std::function<void(VkCommandBuffer)>& fill, VkSemaphore done) {
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool_;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    ASSERT_EQ(entry::AllocateCommandBuffers(device_.handle(), &allocate, &commands), VK_SUCCESS);
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(entry::BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    fill(commands);
    ASSERT_EQ(entry::EndCommandBuffer(commands), VK_SUCCESS);
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &done;
    ASSERT_EQ(entry::QueueSubmit(device_.queue(), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  }

  VkResult present(VkSwapchainKHR swapchain, uint32_t index, VkSemaphore wait = VK_NULL_HANDLE) const {
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.waitSemaphoreCount = wait == VK_NULL_HANDLE ? 0 : 1;
    info.pWaitSemaphores = &wait;
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain;
    info.pImageIndices = &index;
    return entry::QueuePresentKHR(device_.queue(1), &info);
  }

  const std::string folder_ = std::filesystem::temp_directory_path() / ("spalt_present_" + std::to_string(getpid()));
  Environment setting_{"SPALT_ICD_PRESENT", folder_};
  TestDevice device_{{.extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}}};
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<VkSwapchainKHR> swapchains_;
};

TEST_F(SwapchainTest, PresentedImagesAreWritten) {
  std::filesystem::create_directories(folder_);
  for (const VkFormat format : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB}) {
    const VkSwapchainKHR chain = swapchain(format, 2);
    const TestSemaphore drawn(device_);
    uint32_t index = 0;
    ASSERT_EQ(acquire(chain, index), VK_SUCCESS);
    const VkClearColorValue color{{1.0f, 0.5f, 0.0f, 0.25f}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    draw(
        [&](VkCommandBuffer commands) {
          entry::CmdClearColorImage(commands, image(chain, index), VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
        },
        drawn);
    ASSERT_EQ(present(chain, index, drawn), VK_SUCCESS);
    entry::DeviceWaitIdle(device_.handle());  // before the semaphore goes
  }
  const Picture linear = read_png(folder_ + "/swapchain0_000000.png");
  const Picture encoded = read_png(folder_ + "/swapchain1_000000.png");
  std::filesystem::remove_all(folder_);
  ASSERT_EQ(linear.width, kExtent.width);
  ASSERT_EQ(linear.height, kExtent.height);
  ASSERT_EQ(encoded.rgba.size(), linear.rgba.size());
  for (size_t i = 0; i < linear.rgba.size(); i += 4) {
    EXPECT_EQ(std::vector<uint8_t>(&linear.rgba[i], &linear.rgba[i] + 4), (std::vector<uint8_t>{255, 128, 0, 64}));
    EXPECT_EQ(std::vector<uint8_t>(&encoded.rgba[i], &encoded.rgba[i] + 4), (std::vector<uint8_t>{255, 188, 0, 64}));
  }
}

TEST_F(SwapchainTest, ImagesComeBackAfterTheyWerePresented) {
  const VkSwapchainKHR chain = swapchain(VK_FORMAT_B8G8R8A8_UNORM, 2);
  const TestSemaphore drawn(device_), acquired(device_);
  const TestFence fence(device_);
  uint32_t first = 9, second = 9, third = 9;
  ASSERT_EQ(acquire(chain, first, kForever, acquired, fence), VK_SUCCESS);
  EXPECT_EQ(fence.status(), VK_SUCCESS);
  EXPECT_EQ(submit(device_.queue(), {{acquired}}, {{drawn}}), VK_SUCCESS);
  ASSERT_EQ(acquire(chain, second), VK_SUCCESS);
  EXPECT_NE(first, second);
  EXPECT_EQ(acquire(chain, third, 0), VK_NOT_READY);
  EXPECT_EQ(acquire(chain, third, 2 * kMilliseconds), VK_TIMEOUT);
  std::thread presenter([&] { EXPECT_EQ(present(chain, first, drawn), VK_SUCCESS); });
  EXPECT_EQ(acquire(chain, third), VK_SUCCESS);
  EXPECT_EQ(third, first);
  presenter.join();
}

TEST_F(SwapchainTest, AReplacedSwapchainIsOutOfDate) {
  const VkSwapchainKHR old = swapchain(VK_FORMAT_B8G8R8A8_UNORM, 1);
  uint32_t index = 0;
  ASSERT_EQ(acquire(old, index), VK_SUCCESS);
  swapchain(VK_FORMAT_B8G8R8A8_UNORM, 1, old);
  uint32_t other = 0;
  EXPECT_EQ(acquire(old, other), VK_ERROR_OUT_OF_DATE_KHR);
  EXPECT_EQ(present(old, index), VK_ERROR_OUT_OF_DATE_KHR);
}

TEST_F(SwapchainTest, CopiesAreCutToWhatBothSidesHave) {
  std::filesystem::create_directories(folder_);
  const VkSwapchainKHR chain = swapchain(VK_FORMAT_R8G8B8A8_UNORM, 2);
  const TestSemaphore drawn(device_);
  uint32_t first = 0, second = 0;
  ASSERT_EQ(acquire(chain, first), VK_SUCCESS);
  ASSERT_EQ(acquire(chain, second), VK_SUCCESS);
  const VkClearColorValue red{{1, 0, 0, 1}}, none{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const VkImageSubresourceLayers layers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkImageCopy regions[] = {
      {layers, {4, 2, 0}, layers, {0, 0, 0}, {1000, 1000, 1}},  // leaves one texel
      {layers, {-1, 0, 0}, layers, {0, 1, 0}, {1, 1, 1}},       // leaves none, as the next
      {layers, {0, 0, 0}, layers, {UINT16_MAX, 0, 0}, {1, 1, 1}},
      {layers, {0, 0, 0}, layers, {3, 1, 0}, {UINT32_MAX, UINT32_MAX, 1}},  // leaves two in each of two rows
  };
  draw(
      [&](VkCommandBuffer commands) {
        entry::CmdClearColorImage(commands, image(chain, first), VK_IMAGE_LAYOUT_GENERAL, &red, 1, &all);
        entry::CmdClearColorImage(commands, image(chain, second), VK_IMAGE_LAYOUT_GENERAL, &none, 1, &all);
        entry::CmdCopyImage(commands, image(chain, first), VK_IMAGE_LAYOUT_GENERAL, image(chain, second),
                            VK_IMAGE_LAYOUT_GENERAL, static_cast<uint32_t>(std::size(regions)), regions);
      },
      drawn);
  ASSERT_EQ(present(chain, second, drawn), VK_SUCCESS);
  EXPECT_EQ(entry::DeviceWaitIdle(device_.handle()), VK_SUCCESS);
  const Picture picture = read_png(folder_ + "/swapchain0_000000.png");
  std::filesystem::remove_all(folder_);
  ASSERT_EQ(picture.rgba.size(), size_t{kExtent.width} * kExtent.height * 4);
  std::string texels;
  for (size_t i = 0; i < picture.rgba.size(); i += 4) texels += picture.rgba[i] == 255 ? 'r' : '.';
  EXPECT_EQ(texels,
            "r...."
            "...rr"
            "...rr");
}

}  // namespace
}  // namespace spalt::icd::test
