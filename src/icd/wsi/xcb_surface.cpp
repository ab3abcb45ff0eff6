// SPDX-License-Identifier: MIT
#include <xcb/xcb.h>
// After the header of the window system.
#include <vulkan/vulkan_core.h>
#include <vulkan/vulkan_xcb.h>

#include "commands.h"
#include "icd/device/queue_families.h"
#include "icd/object/result.h"
#include "icd/wsi/surface.h"
#include "icd/wsi/xcb_window.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateXcbSurfaceKHR(VkInstance instance,
                                                          const VkXcbSurfaceCreateInfoKHR* pCreateInfo,
                                                          const VkAllocationCallbacks* pAllocator,
                                                          VkSurfaceKHR* pSurface) {
  return guarded([&] {
    return create_surface(instance, make_xcb_window(pCreateInfo->connection, pCreateInfo->window), pAllocator,
                          pSurface);
  });
}

VKAPI_ATTR VkBool32 VKAPI_CALL entry::GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice,
                                                                                 uint32_t queueFamilyIndex,
                                                                                 xcb_connection_t* connection,
                                                                                 xcb_visualid_t visual_id) {
  return queueFamilyIndex < kQueueFamilyCount && can_present_to_visual(connection, visual_id) ? VK_TRUE : VK_FALSE;
}

}  // namespace spalt::icd
