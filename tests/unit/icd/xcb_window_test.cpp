// SPDX-License-Identifier: MIT
//
// Windows of an X server: what is presented is what the server says is in the window.
#include <dlfcn.h>
#include <xcb/xcb.h>
// After the header of the window system.
#include <vulkan/vulkan_core.h>
#include <vulkan/vulkan_xcb.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "window_fixture.h"
#include "x_server.h"

#ifdef SPALT_ICD_XLIB
struct _XDisplay;
using Display = _XDisplay;
using Window = unsigned long;
using VisualID = unsigned long;
#include <vulkan/vulkan_xlib.h>
#endif

namespace spalt::icd::test {
namespace {

constexpr VkExtent2D kExtent{640, 480};
constexpr VkExtent2D kOtherExtent{100, 70};
constexpr VkExtent2D kLargeExtent{1200, 900};  // more than a request of 4 MiB

struct Freed {
  void operator()(void* reply) const { std::free(reply); }
};

class XcbWindowTest : public WindowTest {
 protected:
  /// Windows may outlive swapchains, not the other way round.
  ~XcbWindowTest() override {
    destroy_windows();
    if (connection_ != nullptr) xcb_disconnect(connection_);
  }

  /// False: there is no Xvfb here.
  bool start(const std::vector<std::string>& arguments = {}) {
    server_ = std::make_unique<XServer>(arguments);
    if (!server_->runs()) return false;
    connection_ = xcb_connect(server_->display().c_str(), nullptr);
    EXPECT_EQ(xcb_connection_has_error(connection_), 0);
    screen_ = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    return true;
  }

  xcb_window_t window(VkExtent2D extent) {
    const xcb_window_t id = xcb_generate_id(connection_);
    xcb_create_window(connection_, XCB_COPY_FROM_PARENT, id, screen_->root, 0, 0, static_cast<uint16_t>(extent.width),
                      static_cast<uint16_t>(extent.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen_->root_visual, 0,
                      nullptr);
    xcb_map_window(connection_, id);
    return id;
  }

  /// A window whose texels have alpha; 0: the server has none.
  xcb_window_t window_with_alpha(VkExtent2D extent) {
    for (auto depth = xcb_screen_allowed_depths_iterator(screen_); depth.rem != 0; xcb_depth_next(&depth)) {
      if (depth.data->depth != 32 || depth.data->visuals_len == 0) continue;
      const xcb_visualid_t visual = xcb_depth_visuals(depth.data)[0].visual_id;
      const xcb_colormap_t colors = xcb_generate_id(connection_);
      xcb_create_colormap(connection_, XCB_COLORMAP_ALLOC_NONE, colors, screen_->root, visual);
      const xcb_window_t id = xcb_generate_id(connection_);
      const uint32_t values[] = {0, colors};  // a border other than the parent's, which has another depth
      xcb_create_window(connection_, 32, id, screen_->root, 0, 0, static_cast<uint16_t>(extent.width),
                        static_cast<uint16_t>(extent.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, visual,
                        XCB_CW_BORDER_PIXEL | XCB_CW_COLORMAP, values);
      xcb_map_window(connection_, id);
      return id;
    }
    return XCB_NONE;
  }

  void resize(xcb_window_t window, VkExtent2D extent) {
    const uint32_t values[] = {extent.width, extent.height};
    xcb_configure_window(connection_, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, values);
  }

  /// Zeros are in the place of alpha where the window has none.
  Texels read(xcb_window_t window, VkExtent2D extent) {
    const auto cookie = xcb_get_image(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0,
                                      static_cast<uint16_t>(extent.width), static_cast<uint16_t>(extent.height), ~0u);
    const std::unique_ptr<xcb_get_image_reply_t, Freed> reply(xcb_get_image_reply(connection_, cookie, nullptr));
    Texels texels{extent, std::vector<uint32_t>(size_t{extent.width} * extent.height)};
    EXPECT_NE(reply, nullptr);
    if (reply == nullptr) return {};
    EXPECT_EQ(static_cast<size_t>(xcb_get_image_data_length(reply.get())), texels.words.size() * 4);
    std::memcpy(texels.words.data(), xcb_get_image_data(reply.get()), texels.words.size() * 4);
    return reply->depth == 32 ? texels : with_alpha(texels, 0);
  }

  VkSurfaceKHR surface(xcb_window_t window) {
    VkXcbSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
    info.connection = connection_;
    info.window = window;
    VkSurfaceKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateXcbSurfaceKHR(device_.instance(), &info, nullptr, &made), VK_SUCCESS);
    surfaces_.push_back(made);
    return made;
  }

  /// In all modes.
  void expect_exact_pictures(VkExtent2D extent) {
    const xcb_window_t id = window(extent);
    const VkSurfaceKHR target = surface(id);
    VkSwapchainKHR chain = VK_NULL_HANDLE;
    for (const VkPresentModeKHR mode :
         {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR}) {
      chain = swapchain(target, extent, {.mode = mode, .old = chain});
      for (const uint32_t seed : {1u, 2u, 3u}) {
        ASSERT_EQ(show(chain, gradient(extent, seed)), VK_SUCCESS);
        EXPECT_TRUE(read(id, extent) == with_alpha(gradient(extent, seed), 0)) << "mode " << mode << " " << seed;
      }
    }
  }

  std::unique_ptr<XServer> server_;
  xcb_connection_t* connection_ = nullptr;
  xcb_screen_t* screen_ = nullptr;
};

#define START_OR_SKIP(...) \
  if (!start(__VA_ARGS__)) GTEST_SKIP() << "Xvfb does not run here (package xvfb)"

TEST_F(XcbWindowTest, ShowsPicturesThroughSharedMemory) {
  START_OR_SKIP();
  expect_exact_pictures(kExtent);
}

TEST_F(XcbWindowTest, ShowsPicturesWithoutSharedMemoryInPieces) {
  START_OR_SKIP({"-extension", "MIT-SHM", "-maxbigreqsize", "1"});
  ASSERT_LT(xcb_get_maximum_request_length(connection_), kLargeExtent.width * kLargeExtent.height);
  expect_exact_pictures(kLargeExtent);
}

TEST_F(XcbWindowTest, CapabilitiesAreThoseOfTheWindow) {
  START_OR_SKIP();
  const VkSurfaceKHR target = surface(window(kExtent));
  const VkSurfaceCapabilitiesKHR found = capabilities(target);
  for (const VkExtent2D& extent : {found.currentExtent, found.minImageExtent, found.maxImageExtent}) {
    EXPECT_EQ(extent.width, kExtent.width);
    EXPECT_EQ(extent.height, kExtent.height);
  }
  EXPECT_EQ(formats(target), (std::vector{VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB}));
  VkBool32 supported = VK_FALSE;
  EXPECT_EQ(entry::GetPhysicalDeviceSurfaceSupportKHR(device_.physical(), 0, target, &supported), VK_SUCCESS);
  EXPECT_EQ(supported, VK_TRUE);
  const auto can_present = [&](xcb_visualid_t visual) {
    return entry::GetPhysicalDeviceXcbPresentationSupportKHR(device_.physical(), 0, connection_, visual);
  };
  EXPECT_EQ(can_present(screen_->root_visual), VK_TRUE);
  EXPECT_EQ(can_present(0), VK_FALSE);
}

TEST_F(XcbWindowTest, AnotherSizeIsSuboptimalUntilTheSwapchainIsReplaced) {
  START_OR_SKIP();
  const xcb_window_t id = window(kExtent);
  const VkSurfaceKHR target = surface(id);
  const VkSwapchainKHR old = swapchain(target, kExtent);
  ASSERT_EQ(show(old, gradient(kExtent, 1)), VK_SUCCESS);
  resize(id, kOtherExtent);
  EXPECT_EQ(capabilities(target).currentExtent.width, kOtherExtent.width);
  EXPECT_EQ(show(old, gradient(kExtent, 2)), VK_SUBOPTIMAL_KHR);
  uint32_t index = 0;
  EXPECT_EQ(acquire(old, index), VK_SUBOPTIMAL_KHR);
  const VkSwapchainKHR chain = swapchain(target, kOtherExtent, {.old = old});
  EXPECT_EQ(acquire(old, index), VK_ERROR_OUT_OF_DATE_KHR);
  ASSERT_EQ(show(chain, gradient(kOtherExtent, 3)), VK_SUCCESS);
  EXPECT_TRUE(read(id, kOtherExtent) == with_alpha(gradient(kOtherExtent, 3), 0));
}

TEST_F(XcbWindowTest, ADestroyedWindowIsALostSurface) {
  START_OR_SKIP();
  const xcb_window_t id = window(kExtent);
  const VkSurfaceKHR target = surface(id);
  const VkSwapchainKHR chain = swapchain(target, kExtent, {.images = 3});
  uint32_t first = 0, second = 0;
  ASSERT_EQ(acquire(chain, first), VK_SUCCESS);
  xcb_destroy_window(connection_, id);
  EXPECT_EQ(present(chain, first, gradient(kExtent, 1)), VK_ERROR_SURFACE_LOST_KHR);
  EXPECT_EQ(acquire(chain, second), VK_ERROR_SURFACE_LOST_KHR);
  VkSurfaceCapabilitiesKHR found{};
  EXPECT_EQ(entry::GetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), target, &found),
            VK_ERROR_SURFACE_LOST_KHR);
  EXPECT_EQ(xcb_poll_for_event(connection_), nullptr) << "an error of the driver's requests reached the application";
}

TEST_F(XcbWindowTest, AVisualWithAlphaIsOpaqueUnlessTheApplicationWantsAlpha) {
  START_OR_SKIP();
  const xcb_window_t id = window_with_alpha(kOtherExtent);
  if (id == XCB_NONE) GTEST_SKIP() << "the server has no visual with alpha";
  const VkSurfaceKHR target = surface(id);
  EXPECT_NE(capabilities(target).supportedCompositeAlpha & VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, 0u);
  const Texels texels = gradient(kOtherExtent, 1);
  const VkSwapchainKHR opaque = swapchain(target, kOtherExtent);
  ASSERT_EQ(show(opaque, texels), VK_SUCCESS);
  EXPECT_TRUE(read(id, kOtherExtent) == with_alpha(texels, 255));
  const VkSwapchainKHR mixed =
      swapchain(target, kOtherExtent, {.alpha = VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, .old = opaque});
  ASSERT_EQ(show(mixed, texels), VK_SUCCESS);
  EXPECT_TRUE(read(id, kOtherExtent) == texels);
}

#ifdef SPALT_ICD_XLIB
TEST_F(XcbWindowTest, XlibWindowsAreThoseOfTheirConnection) {
  START_OR_SKIP();
  void* library = dlopen("libX11.so.6", RTLD_NOW);
  void* bridge = dlopen("libX11-xcb.so.1", RTLD_NOW);
  if (library == nullptr || bridge == nullptr) GTEST_SKIP() << "libX11 or libX11-xcb is not installed";
  auto* open = reinterpret_cast<Display* (*)(const char*)>(dlsym(library, "XOpenDisplay"));
  auto* close = reinterpret_cast<int (*)(Display*)>(dlsym(library, "XCloseDisplay"));
  ASSERT_TRUE(open != nullptr && close != nullptr);
  const xcb_window_t id = window(kExtent);
  xcb_flush(connection_);
  read(id, kExtent);  // the window is there before the other connection asks for it
  Display* display = open(server_->display().c_str());
  ASSERT_NE(display, nullptr);
  VkXlibSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR};
  info.dpy = display;
  info.window = id;
  VkSurfaceKHR target = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateXlibSurfaceKHR(device_.instance(), &info, nullptr, &target), VK_SUCCESS);
  surfaces_.push_back(target);
  EXPECT_EQ(entry::GetPhysicalDeviceXlibPresentationSupportKHR(device_.physical(), 0, display, screen_->root_visual),
            VK_TRUE);
  ASSERT_EQ(show(swapchain(target, kExtent), gradient(kExtent, 4)), VK_SUCCESS);
  EXPECT_TRUE(read(id, kExtent) == with_alpha(gradient(kExtent, 4), 0));
  destroy_windows();
  close(display);
}
#endif

}  // namespace
}  // namespace spalt::icd::test
