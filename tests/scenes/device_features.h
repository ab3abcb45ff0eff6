// SPDX-License-Identifier: MIT
//
// The features and extensions that a scene needs, by the names that Vulkan gives them.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

namespace spalt::scenes {

class DeviceFeatures {
 public:
  /// Throws run::NotThere with the first need that the device does not have.
  DeviceFeatures(VkPhysicalDevice device, const std::vector<std::string>& needs);
  DeviceFeatures(const DeviceFeatures&) = delete;
  DeviceFeatures& operator=(const DeviceFeatures&) = delete;

  /// For VkDeviceCreateInfo.
  const void* chain() const { return &wanted_.core; }
  const std::vector<const char*>& extensions() const { return extensions_; }
  bool has_dynamic_rendering() const { return wanted_.dynamic_rendering.dynamicRendering != VK_FALSE; }

  /// All structs in which features may be.
  struct Structs {
    VkPhysicalDeviceFeatures2 core{};
    VkPhysicalDeviceVulkan11Features vulkan11{};
    VkPhysicalDeviceVulkan12Features vulkan12{};
    VkPhysicalDeviceDynamicRenderingFeaturesKHR dynamic_rendering{};
    VkPhysicalDeviceExtendedDynamicStateFeaturesEXT dynamic_state{};
    VkPhysicalDeviceLineRasterizationFeaturesEXT lines{};
    VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors{};
    VkPhysicalDeviceProvokingVertexFeaturesEXT provoking{};
    VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric{};
    VkPhysicalDeviceShaderDemoteToHelperInvocationFeaturesEXT demote{};
    VkPhysicalDeviceShaderTerminateInvocationFeaturesKHR terminate{};
    VkPhysicalDeviceDepthClipEnableFeaturesEXT depth_clip{};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries{};
    VkPhysicalDeviceIndexTypeUint8FeaturesEXT index_uint8{};
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT list_restart{};
    VkPhysicalDeviceMaintenance4FeaturesKHR maintenance4{};
  };

 private:
  bool has_extension(const std::string& name) const;
  /// Links the structs whose extensions are in `extensions_`, or with `all` those that the device has.
  void link(Structs& structs, bool all) const;
  void need(const std::string& name);

  std::vector<VkExtensionProperties> available_;
  std::vector<const char*> extensions_;
  Structs supported_, wanted_;
};

}  // namespace spalt::scenes
