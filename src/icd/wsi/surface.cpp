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

// Images are copied as they are presented, so that no mode needs more of them than another.
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

VkSurfaceCapabilitiesKHR capabilities(const PhysicalDevice& device, const WindowFacts& facts) {
  VkSurfaceCapabilitiesKHR result{};
  result.minImageCount = kMinImageCount;
  result.maxImageCount = kMaxImageCount;
  result.currentExtent = facts.extent;
  result.minImageExtent = facts.has_own_extent() ? facts.extent : VkExtent2D{1, 1};
  result.maxImageExtent = facts.has_own_extent() ? facts.extent : VkExtent2D{kMaxSurfaceExtent, kMaxSurfaceExtent};
  result.maxImageArrayLayers = 1;
  result.supportedTransforms = result.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  result.supportedCompositeAlpha = facts.alpha;
  result.supportedUsageFlags = usages(device);
  return result;
}

VkResult query_capabilities(VkPhysicalDevice device, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR& result) {
  WindowFacts facts;
  const VkResult found = from_handle<Surface>(surface).query(facts);
  if (found == VK_SUCCESS) result = capabilities(from_handle<PhysicalDevice>(device), facts);
  return found;
}

/// The formats that the window can show; there may be none.
struct SurfaceFormats {
  VkSurfaceFormatKHR rows[std::size(kPresentFormats)];
  uint32_t count = 0;
};

SurfaceFormats formats_of(const WindowFacts& facts) {
  SurfaceFormats formats;
  for (const PresentFormat& row : kPresentFormats) {
    if (!(row.blue_first ? facts.blue_first : facts.red_first)) continue;
    formats.rows[formats.count++] = {row.format, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
  }
  return formats;
}

}  // namespace

VkResult Surface::query(WindowFacts& facts) const {
  if (window_ != nullptr) return window_->query(facts);
  facts.blue_first = facts.red_first = true;
  return VK_SUCCESS;
}

VkResult create_surface(VkInstance instance, std::unique_ptr<Window> window, const VkAllocationCallbacks* callbacks,
                        VkSurfaceKHR* surface) {
  const HostMemory memory(callbacks, from_handle<Instance>(instance).host_memory());
  *surface = to_handle(create_object<Surface>(memory, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, std::move(window)));
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateHeadlessSurfaceEXT(VkInstance instance,
                                                               const VkHeadlessSurfaceCreateInfoEXT*,
                                                               const VkAllocationCallbacks* pAllocator,
                                                               VkSurfaceKHR* pSurface) {
  return guarded([&] { return create_surface(instance, nullptr, pAllocator, pSurface); });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySurfaceKHR(VkInstance instance, VkSurfaceKHR surface,
                                                    const VkAllocationCallbacks* pAllocator) {
  destroy_object(HostMemory(pAllocator, from_handle<Instance>(instance).host_memory()),
                 from_nullable<Surface>(surface));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice, uint32_t queueFamilyIndex,
                                                                         VkSurfaceKHR surface, VkBool32* pSupported) {
  return guarded([&] {
    WindowFacts facts;
    const VkResult found = from_handle<Surface>(surface).query(facts);
    *pSupported = queueFamilyIndex < kQueueFamilyCount && (facts.blue_first || facts.red_first) ? VK_TRUE : VK_FALSE;
    return found;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceCapabilitiesKHR(
    VkPhysicalDevice physicalDevice, VkSurfaceKHR surface, VkSurfaceCapabilitiesKHR* pSurfaceCapabilities) {
  return guarded([&] { return query_capabilities(physicalDevice, surface, *pSurfaceCapabilities); });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceCapabilities2KHR(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR* pSurfaceInfo,
    VkSurfaceCapabilities2KHR* pSurfaceCapabilities) {
  return guarded([&] {
    return query_capabilities(physicalDevice, pSurfaceInfo->surface, pSurfaceCapabilities->surfaceCapabilities);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice, VkSurfaceKHR surface,
                                                                         uint32_t* pSurfaceFormatCount,
                                                                         VkSurfaceFormatKHR* pSurfaceFormats) {
  return guarded([&] {
    WindowFacts facts;
    const VkResult found = from_handle<Surface>(surface).query(facts);
    if (found != VK_SUCCESS) return found;
    const SurfaceFormats formats = formats_of(facts);
    return write_array(formats.count, pSurfaceFormatCount, pSurfaceFormats,
                       [&](VkSurfaceFormatKHR& format, uint32_t i) { format = formats.rows[i]; });
  });
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR* pSurfaceInfo,
                                           uint32_t* pSurfaceFormatCount, VkSurfaceFormat2KHR* pSurfaceFormats) {
  return guarded([&] {
    WindowFacts facts;
    const VkResult found = from_handle<Surface>(pSurfaceInfo->surface).query(facts);
    if (found != VK_SUCCESS) return found;
    const SurfaceFormats formats = formats_of(facts);
    return write_array(formats.count, pSurfaceFormatCount, pSurfaceFormats,
                       [&](VkSurfaceFormat2KHR& format, uint32_t i) { format.surfaceFormat = formats.rows[i]; });
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice, VkSurfaceKHR,
                                                                              uint32_t* pPresentModeCount,
                                                                              VkPresentModeKHR* pPresentModes) {
  return write_array(static_cast<uint32_t>(std::size(kPresentModes)), pPresentModeCount, pPresentModes,
                     [](VkPresentModeKHR& mode, uint32_t i) { mode = kPresentModes[i]; });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice, VkSurfaceKHR surface,
                                                                            uint32_t* pRectCount, VkRect2D* pRects) {
  return guarded([&] {
    WindowFacts facts;
    const VkResult found = from_handle<Surface>(surface).query(facts);
    if (found != VK_SUCCESS) return found;
    const VkExtent2D extent = facts.has_own_extent() ? facts.extent : VkExtent2D{kMaxSurfaceExtent, kMaxSurfaceExtent};
    return write_array(1u, pRectCount, pRects, [&](VkRect2D& rectangle, uint32_t) { rectangle = {{0, 0}, extent}; });
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
