// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "device_options.h"
#include "recent_vulkan.h"

namespace spalt::vkrun {

/// The features that programs may use and that a device of Vulkan 1.2 or later has, and the extensions that they need
/// there. Robust buffer access, which would hide an access out of bounds, only where it is asked for.
class VulkanFeatures {
 public:
  /// Throws Error where the driver lacks what the options ask for.
  VulkanFeatures(VkPhysicalDevice device, const DeviceOptions& options);
  VulkanFeatures(const VulkanFeatures&) = delete;
  VulkanFeatures& operator=(const VulkanFeatures&) = delete;

  /// For VkDeviceCreateInfo::pNext.
  const void* chain() const { return &core_; }
  const std::vector<const char*>& extensions() const { return extensions_; }

 private:
  template <typename Struct>
  void link(Struct& features, VkStructureType type);
  template <typename Struct>
  void link_extension(Struct& features, VkStructureType type, const char* extension, bool is_core);
  void link_recent();
  bool enable(const char* extension);
  void choose_core(bool robust);
  void choose_vulkan11();
  void choose_vulkan12();

  std::vector<VkExtensionProperties> available_;
  std::vector<const char*> extensions_;
  VkPhysicalDeviceFeatures2 core_{};
  VkPhysicalDeviceVulkan11Features vulkan11_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{};
  VkPhysicalDeviceMaintenance4Features maintenance4_{};
  VkPhysicalDeviceInlineUniformBlockFeatures inline_blocks_{};
  VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures zero_initialize_{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product_{};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR explicit_layout_{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float_{};
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float2_{};
  VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image_atomic_64_{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock_{};
  VkPhysicalDeviceComputeShaderDerivativesFeaturesNV derivatives_{};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT border_color_{};
  VkPhysicalDeviceBorderColorSwizzleFeaturesEXT border_swizzle_{};
  VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT non_seamless_{};
  VkPhysicalDevice4444FormatsFeaturesEXT formats_4444_{};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2_{};
  VkPhysicalDeviceShaderExpectAssumeFeaturesKHR expect_assume_{};
  VkPhysicalDeviceShaderFloatControls2FeaturesKHR float_controls2_{};
  VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR maximal_reconvergence_{};
  VkPhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE mixed_dot_{};
  VkPhysicalDeviceShaderQuadControlFeaturesKHR quad_control_{};
  VkPhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR forward_references_{};
  VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR rotate_{};
  VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped_pointers_{};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16_{};
  VkPhysicalDeviceShaderFloat8FeaturesEXT float8_{};
};

}  // namespace spalt::vkrun
