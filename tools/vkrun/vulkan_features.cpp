// SPDX-License-Identifier: MIT
#include "vulkan_features.h"

#include <algorithm>
#include <cstring>

#include "manifest.h"

namespace spalt::vkrun {
namespace {

constexpr const char* kWithoutFeatures[] = {VK_AMD_GCN_SHADER_EXTENSION_NAME,
                                            VK_AMD_SHADER_BALLOT_EXTENSION_NAME,
                                            VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME,
                                            VK_AMD_SHADER_IMAGE_LOAD_STORE_LOD_EXTENSION_NAME,
                                            VK_AMD_SHADER_TRINARY_MINMAX_EXTENSION_NAME,
                                            VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME,
                                            VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME};

std::vector<VkExtensionProperties> extensions_of(VkPhysicalDevice device) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
  return extensions;
}

}  // namespace

VulkanFeatures::VulkanFeatures(VkPhysicalDevice device, const DeviceOptions& options)
    : available_(extensions_of(device)) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(device, &properties);
  const bool vulkan_1_3 = properties.apiVersion >= VK_API_VERSION_1_3;
  core_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  link(vulkan11_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  link(vulkan12_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  link_extension(maintenance4_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                 VK_KHR_MAINTENANCE_4_EXTENSION_NAME, vulkan_1_3);
  link_extension(inline_blocks_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
                 VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME, vulkan_1_3);
  link_extension(zero_initialize_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
                 VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME, vulkan_1_3);
  link_extension(dot_product_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
                 VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, vulkan_1_3);
  link_extension(explicit_layout_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
                 VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, false);
  link_extension(atomic_float_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                 VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, false);
  link_extension(atomic_float2_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
                 VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, false);
  link_extension(image_atomic_64_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
                 VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, false);
  link_extension(clock_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
                 VK_KHR_SHADER_CLOCK_EXTENSION_NAME, false);
  link_extension(derivatives_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV,
                 VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME, false);
  link_extension(border_color_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                 VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, false);
  link_extension(border_swizzle_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
                 VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME, false);
  link_extension(non_seamless_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
                 VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME, false);
  link_extension(formats_4444_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT,
                 VK_EXT_4444_FORMATS_EXTENSION_NAME, false);
  if (!vulkan_1_3) enable(VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
  for (const char* extension : kWithoutFeatures) enable(extension);
  if (options.recent) link_recent();
  if (options.robust) {
    link_extension(robustness2_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                   VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, false);
  }
  vkGetPhysicalDeviceFeatures2(device, &core_);
  if (options.robust && (robustness2_.robustBufferAccess2 == 0 || robustness2_.nullDescriptor == 0)) {
    throw Error("the Vulkan device has no robustBufferAccess2 or no nullDescriptor");
  }
  robustness2_.robustImageAccess2 = VK_FALSE;
  choose_core(options.robust);
  choose_vulkan11();
  choose_vulkan12();
}

template <typename Struct>
void VulkanFeatures::link(Struct& features, VkStructureType type) {
  features.sType = type;
  features.pNext = core_.pNext;
  core_.pNext = &features;
}

template <typename Struct>
void VulkanFeatures::link_extension(Struct& features, VkStructureType type, const char* extension, bool is_core) {
  if (!is_core && !enable(extension)) return;
  link(features, type);
}

void VulkanFeatures::link_recent() {
  link_extension(expect_assume_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EXPECT_ASSUME_FEATURES_KHR,
                 "VK_KHR_shader_expect_assume", false);
  link_extension(float_controls2_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR,
                 "VK_KHR_shader_float_controls2", false);
  link_extension(maximal_reconvergence_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR,
                 "VK_KHR_shader_maximal_reconvergence", false);
  link_extension(mixed_dot_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MIXED_FLOAT_DOT_PRODUCT_FEATURES_VALVE,
                 "VK_VALVE_shader_mixed_float_dot_product", false);
  link_extension(quad_control_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_QUAD_CONTROL_FEATURES_KHR,
                 "VK_KHR_shader_quad_control", false);
  link_extension(forward_references_,
                 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR,
                 "VK_KHR_shader_relaxed_extended_instruction", false);
  link_extension(rotate_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES_KHR,
                 "VK_KHR_shader_subgroup_rotate", false);
  link_extension(bfloat16_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR, "VK_KHR_shader_bfloat16",
                 false);
  link_extension(float8_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT, "VK_EXT_shader_float8", false);
  link_extension(untyped_pointers_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
                 "VK_KHR_shader_untyped_pointers", false);
}

/// False: the device does not have it.
bool VulkanFeatures::enable(const char* extension) {
  const bool has = std::any_of(available_.begin(), available_.end(), [&](const VkExtensionProperties& one) {
    return std::strcmp(one.extensionName, extension) == 0;
  });
  if (has) extensions_.push_back(extension);
  return has;
}

void VulkanFeatures::choose_core(bool robust) {
  const VkPhysicalDeviceFeatures supported = core_.features;
  core_.features = {};
  core_.features.robustBufferAccess = robust ? VK_TRUE : VK_FALSE;  // robustBufferAccess2 wants it
  core_.features.shaderStorageBufferArrayDynamicIndexing = supported.shaderStorageBufferArrayDynamicIndexing;
  core_.features.shaderUniformBufferArrayDynamicIndexing = supported.shaderUniformBufferArrayDynamicIndexing;
  core_.features.shaderSampledImageArrayDynamicIndexing = supported.shaderSampledImageArrayDynamicIndexing;
  core_.features.shaderStorageImageArrayDynamicIndexing = supported.shaderStorageImageArrayDynamicIndexing;
  core_.features.shaderStorageImageExtendedFormats = supported.shaderStorageImageExtendedFormats;
  core_.features.shaderStorageImageReadWithoutFormat = supported.shaderStorageImageReadWithoutFormat;
  core_.features.shaderStorageImageWriteWithoutFormat = supported.shaderStorageImageWriteWithoutFormat;
  core_.features.shaderStorageImageMultisample = supported.shaderStorageImageMultisample;
  core_.features.shaderImageGatherExtended = supported.shaderImageGatherExtended;
  core_.features.shaderInt16 = supported.shaderInt16;
  core_.features.shaderResourceMinLod = supported.shaderResourceMinLod;
  core_.features.imageCubeArray = supported.imageCubeArray;
  core_.features.samplerAnisotropy = supported.samplerAnisotropy;
  core_.features.textureCompressionBC = supported.textureCompressionBC;
  core_.features.shaderInt64 = supported.shaderInt64;
  core_.features.shaderFloat64 = supported.shaderFloat64;
}

void VulkanFeatures::choose_vulkan11() {
  const VkPhysicalDeviceVulkan11Features supported = vulkan11_;
  vulkan11_ = {};
  vulkan11_.sType = supported.sType;
  vulkan11_.pNext = supported.pNext;
  vulkan11_.storageBuffer16BitAccess = supported.storageBuffer16BitAccess;
  vulkan11_.uniformAndStorageBuffer16BitAccess = supported.uniformAndStorageBuffer16BitAccess;
  vulkan11_.storagePushConstant16 = supported.storagePushConstant16;
  vulkan11_.variablePointersStorageBuffer = supported.variablePointersStorageBuffer;
  vulkan11_.variablePointers = supported.variablePointers;
}

void VulkanFeatures::choose_vulkan12() {
  const VkPhysicalDeviceVulkan12Features supported = vulkan12_;
  vulkan12_ = {};
  vulkan12_.sType = supported.sType;
  vulkan12_.pNext = supported.pNext;
  vulkan12_.shaderFloat16 = supported.shaderFloat16;
  vulkan12_.shaderInt8 = supported.shaderInt8;
  vulkan12_.storageBuffer8BitAccess = supported.storageBuffer8BitAccess;
  vulkan12_.uniformAndStorageBuffer8BitAccess = supported.uniformAndStorageBuffer8BitAccess;
  vulkan12_.storagePushConstant8 = supported.storagePushConstant8;
  vulkan12_.shaderSubgroupExtendedTypes = supported.shaderSubgroupExtendedTypes;
  vulkan12_.scalarBlockLayout = supported.scalarBlockLayout;
  vulkan12_.descriptorIndexing = supported.descriptorIndexing;
  vulkan12_.runtimeDescriptorArray = supported.runtimeDescriptorArray;
  vulkan12_.shaderStorageBufferArrayNonUniformIndexing = supported.shaderStorageBufferArrayNonUniformIndexing;
  vulkan12_.shaderUniformBufferArrayNonUniformIndexing = supported.shaderUniformBufferArrayNonUniformIndexing;
  vulkan12_.shaderSampledImageArrayNonUniformIndexing = supported.shaderSampledImageArrayNonUniformIndexing;
  vulkan12_.shaderStorageImageArrayNonUniformIndexing = supported.shaderStorageImageArrayNonUniformIndexing;
  vulkan12_.shaderUniformTexelBufferArrayDynamicIndexing = supported.shaderUniformTexelBufferArrayDynamicIndexing;
  vulkan12_.shaderUniformTexelBufferArrayNonUniformIndexing = supported.shaderUniformTexelBufferArrayNonUniformIndexing;
  vulkan12_.shaderStorageTexelBufferArrayDynamicIndexing = supported.shaderStorageTexelBufferArrayDynamicIndexing;
  vulkan12_.shaderStorageTexelBufferArrayNonUniformIndexing = supported.shaderStorageTexelBufferArrayNonUniformIndexing;
  vulkan12_.vulkanMemoryModel = supported.vulkanMemoryModel;
  vulkan12_.vulkanMemoryModelDeviceScope = supported.vulkanMemoryModelDeviceScope;
  vulkan12_.shaderBufferInt64Atomics = supported.shaderBufferInt64Atomics;
  vulkan12_.shaderSharedInt64Atomics = supported.shaderSharedInt64Atomics;
  vulkan12_.samplerMirrorClampToEdge = supported.samplerMirrorClampToEdge;
  vulkan12_.bufferDeviceAddress = supported.bufferDeviceAddress;
  vulkan12_.samplerFilterMinmax = supported.samplerFilterMinmax;
}

}  // namespace spalt::vkrun
