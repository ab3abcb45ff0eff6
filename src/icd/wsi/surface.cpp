// SPDX-License-Identifier: MIT
#include "icd/wsi/surface.h"

#include "commands.h"
#include "icd/device/format_features.h"
#include "icd/device/instance.h"
#include "icd/device/physical_device.h"
#include "icd/device/queue_families.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/wsi/present_format.h"

namespace spalt::icd {
namespace {

// Nobody watches: all modes do the same.
constexpr VkPresentModeKHR kPresentModes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR,
                                              VK_PRESENT_MODE_MAILBOX_KHR};

/// What images of all formats that can be presented can be used for.
VkImageUsageFlags usages(const PhysicalDevice& device) {
  VkFormatFeatureFlags2 features = ~VkFormatFeatureFlags2{0};
  for (const PresentFormat& row : kPresentFormats) {
    features &=
        format_features(device.compiler(), device.target(), device.instance().settings().graphics, row.format).optimal;
  }
  VkImageUsageFlags usages = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if ((features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) != 0) usages |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if ((features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT) != 0) {
    usages |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  }
  return usages;
}

VkSurfaceCapabilitiesKHR capabilities(VkPhysicalDevice device) {
  VkSurfaceCapabilitiesKHR result{};
  result.minImageCount = kMinImageCount;
  result.maxImageCount = kMaxImageCount;
  result.currentExtent = {UINT32_MAX, UINT32_MAX};  // the swapchain decides
  result.minImageExtent = {1, 1};
  result.maxImageExtent = {kMaxSurfaceExtent, kMaxSurfaceExtent};
  result.maxImageArrayLayers = 1;
  result.supportedTransforms = result.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  result.supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  result.supportedUsageFlags = usages(from_handle<PhysicalDevice>(device));
  return result;
}

VkSurfaceFormatKHR surface_format(uint32_t index) {
  return {kPresentFormats[index].format, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateHeadlessSurfaceEXT(VkInstance instance,
                                                               const VkHeadlessSurfaceCreateInfoEXT*,
                                                               const VkAllocationCallbacks* pAllocator,
                                                               VkSurfaceKHR* pSurface) {
  return guarded([&] {
    const HostMemory memory(pAllocator, from_handle<Instance>(instance).host_memory());
    *pSurface = to_handle(create_object<Surface>(memory, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySurfaceKHR(VkInstance instance, VkSurfaceKHR surface,
                                                    const VkAllocationCallbacks* pAllocator) {
  destroy_object(HostMemory(pAllocator, from_handle<Instance>(instance).host_memory()),
                 from_nullable<Surface>(surface));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice, uint32_t queueFamilyIndex,
                                                                         VkSurfaceKHR, VkBool32* pSupported) {
  *pSupported = queueFamilyIndex < kQueueFamilyCount ? VK_TRUE : VK_FALSE;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceCapabilitiesKHR(
    VkPhysicalDevice physicalDevice, VkSurfaceKHR, VkSurfaceCapabilitiesKHR* pSurfaceCapabilities) {
  *pSurfaceCapabilities = capabilities(physicalDevice);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR*,
                                                VkSurfaceCapabilities2KHR* pSurfaceCapabilities) {
  pSurfaceCapabilities->surfaceCapabilities = capabilities(physicalDevice);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                                         uint32_t* pSurfaceFormatCount,
                                                                         VkSurfaceFormatKHR* pSurfaceFormats) {
  return write_array(static_cast<uint32_t>(std::size(kPresentFormats)), pSurfaceFormatCount, pSurfaceFormats,
                     [](VkSurfaceFormatKHR& format, uint32_t i) { format = surface_format(i); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice,
                                                                          const VkPhysicalDeviceSurfaceInfo2KHR*,
                                                                          uint32_t* pSurfaceFormatCount,
                                                                          VkSurfaceFormat2KHR* pSurfaceFormats) {
  return write_array(static_cast<uint32_t>(std::size(kPresentFormats)), pSurfaceFormatCount, pSurfaceFormats,
                     [](VkSurfaceFormat2KHR& format, uint32_t i) { format.surfaceFormat = surface_format(i); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                                              uint32_t* pPresentModeCount,
                                                                              VkPresentModeKHR* pPresentModes) {
  return write_array(static_cast<uint32_t>(std::size(kPresentModes)), pPresentModeCount, pPresentModes,
                     [](VkPresentModeKHR& mode, uint32_t i) { mode = kPresentModes[i]; });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                                            uint32_t* pRectCount, VkRect2D* pRects) {
  return write_array(1u, pRectCount, pRects, [](VkRect2D& rectangle, uint32_t) {
    rectangle = {{0, 0}, {kMaxSurfaceExtent, kMaxSurfaceExtent}};
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetDeviceGroupPresentCapabilitiesKHR(
    VkDevice, VkDeviceGroupPresentCapabilitiesKHR* pDeviceGroupPresentCapabilities) {
  VkDeviceGroupPresentCapabilitiesKHR& group = *pDeviceGroupPresentCapabilities;
  std::fill(std::begin(group.presentMask), std::end(group.presentMask), 0);
  group.presentMask[0] = 1;
  group.modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetDeviceGroupSurfacePresentModesKHR(VkDevice, VkSurfaceKHR,
                                                                           VkDeviceGroupPresentModeFlagsKHR* pModes) {
  *pModes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

}  // namespace spalt::icd
