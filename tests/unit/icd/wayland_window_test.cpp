// SPDX-License-Identifier: MIT
//
// Surfaces of a Wayland compositor, which is one of the test's own: what is presented is what was committed.
#include <wayland-client.h>
// After the header of the window system.
#include <vulkan/vulkan_core.h>
#include <vulkan/vulkan_wayland.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "mock_compositor.h"
#include "window_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr VkExtent2D kExtent{37, 21};

class WaylandWindowTest : public WindowTest {
 protected:
  ~WaylandWindowTest() override {
    destroy_windows();
    if (surface_ != nullptr) wl_surface_destroy(surface_);
    if (compositor_ != nullptr) wl_compositor_destroy(compositor_);
    if (display_ != nullptr) wl_display_disconnect(display_);
  }

  VkSurfaceKHR start(const CompositorOptions& options = {}) {
    server_ = std::make_unique<MockCompositor>(options);
    display_ = wl_display_connect_to_fd(server_->client_socket());
    wl_registry* registry = wl_display_get_registry(display_);
    static constexpr wl_registry_listener kListener = {&add_global, [](void*, wl_registry*, uint32_t) {}};
    wl_registry_add_listener(registry, &kListener, this);
    wl_display_roundtrip(display_);
    wl_registry_destroy(registry);
    surface_ = wl_compositor_create_surface(compositor_);
    VkWaylandSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR};
    info.display = display_;
    info.surface = surface_;
    VkSurfaceKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateWaylandSurfaceKHR(device_.instance(), &info, nullptr, &made), VK_SUCCESS);
    surfaces_.push_back(made);
    return made;
  }

  static void add_global(void* test, wl_registry* registry, uint32_t name, const char* interface, uint32_t) {
    if (std::string_view(interface) != wl_compositor_interface.name) return;
    static_cast<WaylandWindowTest*>(test)->compositor_ =
        static_cast<wl_compositor*>(wl_registry_bind(registry, name, &wl_compositor_interface, 1));
  }

  void expect_committed(size_t count, const Texels& texels, uint32_t format) {
    const std::vector<CommittedBuffer> all = server_->committed(count);
    ASSERT_EQ(all.size(), count);
    EXPECT_EQ(all.back().format, format);
    const VkExtent2D extent{static_cast<uint32_t>(all.back().width), static_cast<uint32_t>(all.back().height)};
    EXPECT_TRUE((Texels{extent, all.back().words} == texels));
  }

  std::unique_ptr<MockCompositor> server_;
  wl_display* display_ = nullptr;
  wl_compositor* compositor_ = nullptr;
  wl_surface* surface_ = nullptr;
};

TEST_F(WaylandWindowTest, ShowsPicturesInAllFormats) {
  const VkSurfaceKHR target = start();
  EXPECT_EQ(formats(target), (std::vector{VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM,
                                          VK_FORMAT_R8G8B8A8_SRGB}));
  EXPECT_EQ(capabilities(target).currentExtent.width, UINT32_MAX);
  struct Row {
    VkFormat format;
    VkCompositeAlphaFlagBitsKHR alpha;
    uint32_t expected;
  };
  constexpr Row kRows[] = {
      {VK_FORMAT_B8G8R8A8_UNORM, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, WL_SHM_FORMAT_XRGB8888},
      {VK_FORMAT_B8G8R8A8_SRGB, VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, WL_SHM_FORMAT_ARGB8888},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, WL_SHM_FORMAT_XBGR8888},
      {VK_FORMAT_R8G8B8A8_SRGB, VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, WL_SHM_FORMAT_ABGR8888},
  };
  size_t committed = 0;
  VkSwapchainKHR chain = VK_NULL_HANDLE;
  for (const Row& row : kRows) {
    chain = swapchain(target, kExtent, {.format = row.format, .alpha = row.alpha, .old = chain});
    for (const uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
      ASSERT_EQ(show(chain, gradient(kExtent, seed)), VK_SUCCESS);
      expect_committed(++committed, gradient(kExtent, seed), row.expected);
    }
  }
}

TEST_F(WaylandWindowTest, ACompositorMayHaveTheMandatoryFormatsAlone) {
  const VkSurfaceKHR target = start({.red_first = false});
  EXPECT_EQ(formats(target), (std::vector{VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB}));
}

TEST_F(WaylandWindowTest, OnlyFifoWaitsForFrames) {
  const VkSurfaceKHR target = start({.has_frames = false});
  const VkSwapchainKHR mailbox = swapchain(target, kExtent, {.mode = VK_PRESENT_MODE_MAILBOX_KHR});
  for (uint32_t seed = 1; seed <= 5; ++seed) ASSERT_EQ(show(mailbox, gradient(kExtent, seed)), VK_SUCCESS);
  for (const CommittedBuffer& buffer : server_->committed(5)) EXPECT_FALSE(buffer.asked_for_frame);
  const VkSwapchainKHR fifo = swapchain(target, kExtent, {.old = mailbox});
  ASSERT_EQ(show(fifo, gradient(kExtent, 6)), VK_SUCCESS);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(show(fifo, gradient(kExtent, 7)), VK_SUCCESS);  // the driver is patient for a second, not for ever
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
  expect_committed(7, gradient(kExtent, 7), WL_SHM_FORMAT_XRGB8888);
  EXPECT_TRUE(server_->committed(7).back().asked_for_frame);
}

TEST_F(WaylandWindowTest, BuffersThatNeverComeBackDropImages) {
  const VkSurfaceKHR target = start({.gives_back = false});
  const VkSwapchainKHR chain = swapchain(target, kExtent, {.mode = VK_PRESENT_MODE_IMMEDIATE_KHR});
  for (uint32_t seed = 1; seed <= 5; ++seed) ASSERT_EQ(show(chain, gradient(kExtent, seed)), VK_SUCCESS);
  wl_display_roundtrip(display_);
  EXPECT_EQ(server_->committed(4).size(), 4u);
  expect_committed(4, gradient(kExtent, 4), WL_SHM_FORMAT_XRGB8888);
}

TEST_F(WaylandWindowTest, ABrokenConnectionIsALostSurface) {
  const VkSurfaceKHR target = start();
  const VkSwapchainKHR chain = swapchain(target, kExtent);
  ASSERT_EQ(show(chain, gradient(kExtent, 1)), VK_SUCCESS);
  server_->disconnect();
  // The break is noticed when something is sent or read.
  EXPECT_LT(wl_display_roundtrip(display_), 0);
  EXPECT_EQ(show(chain, gradient(kExtent, 2)), VK_ERROR_SURFACE_LOST_KHR);
  uint32_t index = 0;
  EXPECT_EQ(acquire(chain, index), VK_ERROR_SURFACE_LOST_KHR);
}

}  // namespace
}  // namespace spalt::icd::test
