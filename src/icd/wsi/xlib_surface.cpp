// SPDX-License-Identifier: MIT
//
// A display of Xlib has a connection of xcb inside; everything goes through that. libX11-xcb, which tells it, is loaded
// when it is asked, so that the driver does without Xlib where the application does.
#include <dlfcn.h>

#include "commands.h"
// vulkan_xlib.h needs this, and what commands.h declares, of Xlib's headers, which define macros with the names of half
// the language.
using Window = unsigned long;
#include <vulkan/vulkan_xlib.h>

#include "icd/device/queue_families.h"
#include "icd/object/result.h"
#include "icd/wsi/surface.h"
#include "icd/wsi/xcb_window.h"

namespace spalt::icd {
namespace {

/// nullptr: there is no libX11-xcb.
xcb_connection_t* connection_of(Display* display) {
  void* library = dlopen("libX11-xcb.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  using GetConnection = xcb_connection_t*(Display*);
  auto* get_connection = reinterpret_cast<GetConnection*>(dlsym(library, "XGetXCBConnection"));
  xcb_connection_t* connection = get_connection == nullptr ? nullptr : get_connection(display);
  dlclose(library);  // the connection belongs to libX11
  return connection;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateXlibSurfaceKHR(VkInstance instance,
                                                           const VkXlibSurfaceCreateInfoKHR* pCreateInfo,
                                                           const VkAllocationCallbacks* pAllocator,
                                                           VkSurfaceKHR* pSurface) {
  return guarded([&] {
    xcb_connection_t* connection = connection_of(pCreateInfo->dpy);
    if (connection == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    return create_surface(instance, make_xcb_window(connection, static_cast<uint32_t>(pCreateInfo->window)), pAllocator,
                          pSurface);
  });
}

VKAPI_ATTR VkBool32 VKAPI_CALL entry::GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice,
                                                                                  uint32_t queueFamilyIndex,
                                                                                  Display* dpy, VisualID visualID) {
  xcb_connection_t* connection = connection_of(dpy);
  const bool supported = queueFamilyIndex < kQueueFamilyCount && connection != nullptr &&
                         can_present_to_visual(connection, static_cast<uint32_t>(visualID));
  return supported ? VK_TRUE : VK_FALSE;
}

}  // namespace spalt::icd
