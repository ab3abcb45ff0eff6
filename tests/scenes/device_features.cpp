// SPDX-License-Identifier: MIT
#include "device_features.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "run/support.h"
#include "scene.h"

namespace spalt::scenes {
namespace {

using Structs = DeviceFeatures::Structs;

struct Extension {
  const char* name;
  VkStructureType type;
  size_t offset;
};

constexpr Extension kExtensions[] = {
    {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES_KHR,
     offsetof(Structs, dynamic_rendering)},
    {VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, offsetof(Structs, dynamic_state)},
    {VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
     offsetof(Structs, lines)},
    {VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT, offsetof(Structs, divisors)},
    {VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
     offsetof(Structs, provoking)},
    {VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES_EXT, offsetof(Structs, demote)},
    {VK_KHR_SHADER_TERMINATE_INVOCATION_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES_KHR, offsetof(Structs, terminate)},
    {VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
     offsetof(Structs, depth_clip)},
    {VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, offsetof(Structs, libraries)},
    {VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT,
     offsetof(Structs, index_uint8)},
    {VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, offsetof(Structs, list_restart)},
    {VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, offsetof(Structs, barycentric)},
    {VK_KHR_MAINTENANCE_4_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES_KHR,
     offsetof(Structs, maintenance4)},
};

struct Feature {
  const char* name;
  size_t offset;          // in Structs, of a VkBool32
  const char* extension;  // nullptr: of Vulkan 1.2
};

#define SPALT_CORE(name) \
  { #name, offsetof(Structs, core.features.name), nullptr }

constexpr Feature kFeatures[] = {
    SPALT_CORE(alphaToOne),
    SPALT_CORE(depthBiasClamp),
    SPALT_CORE(depthBounds),
    SPALT_CORE(depthClamp),
    SPALT_CORE(dualSrcBlend),
    SPALT_CORE(fillModeNonSolid),
    SPALT_CORE(fragmentStoresAndAtomics),
    SPALT_CORE(fullDrawIndexUint32),
    SPALT_CORE(geometryShader),
    SPALT_CORE(imageCubeArray),
    SPALT_CORE(independentBlend),
    SPALT_CORE(drawIndirectFirstInstance),
    SPALT_CORE(largePoints),
    SPALT_CORE(logicOp),
    SPALT_CORE(multiDrawIndirect),
    SPALT_CORE(multiViewport),
    SPALT_CORE(sampleRateShading),
    SPALT_CORE(samplerAnisotropy),
    SPALT_CORE(shaderClipDistance),
    SPALT_CORE(shaderCullDistance),
    SPALT_CORE(shaderImageGatherExtended),
    SPALT_CORE(shaderFloat64),
    SPALT_CORE(shaderInt16),
    SPALT_CORE(shaderInt64),
    SPALT_CORE(shaderStorageImageExtendedFormats),
    SPALT_CORE(vertexPipelineStoresAndAtomics),
    SPALT_CORE(wideLines),
    {"multiview", offsetof(Structs, vulkan11.multiview), nullptr},
    {"shaderDrawParameters", offsetof(Structs, vulkan11.shaderDrawParameters), nullptr},
    {"storageInputOutput16", offsetof(Structs, vulkan11.storageInputOutput16), nullptr},
    {"shaderFloat16", offsetof(Structs, vulkan12.shaderFloat16), nullptr},
    {"shaderInputAttachmentArrayDynamicIndexing", offsetof(Structs, vulkan12.shaderInputAttachmentArrayDynamicIndexing),
     nullptr},
    {"shaderInputAttachmentArrayNonUniformIndexing",
     offsetof(Structs, vulkan12.shaderInputAttachmentArrayNonUniformIndexing), nullptr},
    {"shaderOutputLayer", offsetof(Structs, vulkan12.shaderOutputLayer), nullptr},
    {"shaderOutputViewportIndex", offsetof(Structs, vulkan12.shaderOutputViewportIndex), nullptr},
    {"extendedDynamicState", offsetof(Structs, dynamic_state.extendedDynamicState),
     VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME},
    {"fragmentShaderBarycentric", offsetof(Structs, barycentric.fragmentShaderBarycentric),
     VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME},
    {"rectangularLines", offsetof(Structs, lines.rectangularLines), VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME},
    {"bresenhamLines", offsetof(Structs, lines.bresenhamLines), VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME},
    {"smoothLines", offsetof(Structs, lines.smoothLines), VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME},
    {"stippledRectangularLines", offsetof(Structs, lines.stippledRectangularLines),
     VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME},
    {"stippledBresenhamLines", offsetof(Structs, lines.stippledBresenhamLines),
     VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME},
    {"vertexAttributeInstanceRateDivisor", offsetof(Structs, divisors.vertexAttributeInstanceRateDivisor),
     VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME},
    {"vertexAttributeInstanceRateZeroDivisor", offsetof(Structs, divisors.vertexAttributeInstanceRateZeroDivisor),
     VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME},
    {"provokingVertexLast", offsetof(Structs, provoking.provokingVertexLast), VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME},
    {"shaderDemoteToHelperInvocation", offsetof(Structs, demote.shaderDemoteToHelperInvocation),
     VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME},
    {"shaderTerminateInvocation", offsetof(Structs, terminate.shaderTerminateInvocation),
     VK_KHR_SHADER_TERMINATE_INVOCATION_EXTENSION_NAME},
    {"depthClipEnable", offsetof(Structs, depth_clip.depthClipEnable), VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME},
    {"graphicsPipelineLibrary", offsetof(Structs, libraries.graphicsPipelineLibrary),
     VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME},
    {"indexTypeUint8", offsetof(Structs, index_uint8.indexTypeUint8), VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME},
    {"primitiveTopologyListRestart", offsetof(Structs, list_restart.primitiveTopologyListRestart),
     VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME},
};

VkBool32& member(Structs& structs, size_t offset) {
  return *reinterpret_cast<VkBool32*>(reinterpret_cast<char*>(&structs) + offset);
}

VkBaseOutStructure& base(Structs& structs, size_t offset) {
  return *reinterpret_cast<VkBaseOutStructure*>(reinterpret_cast<char*>(&structs) + offset);
}

std::vector<VkExtensionProperties> extensions_of(VkPhysicalDevice device) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
  return extensions;
}

}  // namespace

DeviceFeatures::DeviceFeatures(VkPhysicalDevice device, const std::vector<std::string>& needs)
    : available_(extensions_of(device)) {
  link(supported_, true);
  vkGetPhysicalDeviceFeatures2(device, &supported_.core);
  if (supported_.dynamic_rendering.dynamicRendering != VK_FALSE) {
    extensions_.push_back(VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME);
    wanted_.dynamic_rendering.dynamicRendering = VK_TRUE;
  }
  // Shaders of SPIR-V 1.6 may have LocalSizeId and vectors that match in part.
  if (supported_.maintenance4.maintenance4 != VK_FALSE) {
    extensions_.push_back(VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
    wanted_.maintenance4.maintenance4 = VK_TRUE;
  }
  for (const std::string& name : needs) need(name);
  link(wanted_, false);
}

bool DeviceFeatures::has_extension(const std::string& name) const {
  return std::any_of(available_.begin(), available_.end(),
                     [&](const VkExtensionProperties& one) { return name == one.extensionName; });
}

void DeviceFeatures::link(Structs& structs, bool all) const {
  structs.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  structs.vulkan11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  structs.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  structs.core.pNext = &structs.vulkan11;
  structs.vulkan11.pNext = &structs.vulkan12;
  void** end = &structs.vulkan12.pNext;
  for (const Extension& extension : kExtensions) {
    const bool enabled = std::any_of(extensions_.begin(), extensions_.end(),
                                     [&](const char* name) { return std::strcmp(name, extension.name) == 0; });
    if (!(all ? has_extension(extension.name) : enabled)) continue;
    VkBaseOutStructure& features = base(structs, extension.offset);
    features.sType = extension.type;
    *end = &features;
    end = reinterpret_cast<void**>(&features.pNext);
  }
}

/// A feature, or an extension without one.
void DeviceFeatures::need(const std::string& name) {
  const auto enable = [this](const char* extension) {
    if (!has_extension(extension)) throw run::NotThere(std::string("the driver has no ") + extension);
    const auto same = [extension](const char* other) { return std::strcmp(extension, other) == 0; };
    if (std::none_of(extensions_.begin(), extensions_.end(), same)) extensions_.push_back(extension);
  };
  if (name.starts_with("VK_")) return enable(name.c_str());
  for (const Feature& feature : kFeatures) {
    if (name != feature.name) continue;
    if (member(supported_, feature.offset) == VK_FALSE) throw run::NotThere("the driver has no " + name);
    if (feature.extension != nullptr) enable(feature.extension);
    member(wanted_, feature.offset) = VK_TRUE;
    return;
  }
  throw Error("unknown feature '" + name + "'");
}

}  // namespace spalt::scenes
