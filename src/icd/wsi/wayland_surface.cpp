// SPDX-License-Identifier: MIT
#include <vulkan/vulkan_core.h>
// What this one needs of the window system's header.
struct wl_display;
struct wl_surface;
#include <vulkan/vulkan_wayland.h>

#include "commands.h"
#include "icd/device/queue_families.h"
#include "icd/object/result.h"
#include "icd/wsi/surface.h"
#include "icd/wsi/wayland_window.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateWaylandSurfaceKHR(VkInstance instance,
                                                              const VkWaylandSurfaceCreateInfoKHR* pCreateInfo,
                                                              const VkAllocationCallbacks* pAllocator,
                                                              VkSurfaceKHR* pSurface) {
  return guarded([&] {
    return create_surface(instance, make_wayland_window(pCreateInfo->display, pCreateInfo->surface), pAllocator,
                          pSurface);
  });
}

VKAPI_ATTR VkBool32 VKAPI_CALL entry::GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice,
                                                                                     uint32_t queueFamilyIndex,
                                                                                     wl_display*) {
  return queueFamilyIndex < kQueueFamilyCount ? VK_TRUE : VK_FALSE;
}

}  // namespace spalt::icd
