// SPDX-License-Identifier: MIT
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "icd/device/capabilities.h"
#include "icd/memory/border_palette.h"
#include "icd/object/fixed_text.h"

namespace spalt::icd {
namespace {

constexpr uint32_t kVendorAmd = 0x1002;
constexpr uint32_t kManyDescriptors = 1 << 20;
constexpr uint32_t kMaxPushDescriptors = 64;

struct TargetId {
  std::string_view target;
  uint32_t device_id;
};

constexpr TargetId kTargetIds[] = {
#define TARGET(processor, device_id) {#processor, device_id},
#include "icd/device/targets.def"
#undef TARGET
};

uint32_t device_id(std::string_view target) {
  const auto* row = std::find_if(std::begin(kTargetIds), std::end(kTargetIds),
                                 [&](const TargetId& id) { return id.target == target; });
  return row == std::end(kTargetIds) ? 0 : row->device_id;
}

/// A hash of the text: it changes with each thing that the text names.
void write_uuid(uint8_t (&uuid)[VK_UUID_SIZE], std::string_view text) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(text.data(), text.size()));
  static_assert(sizeof bytes.digest == VK_UUID_SIZE);
  std::memcpy(uuid, bytes.digest, VK_UUID_SIZE);
}

VkPhysicalDeviceProperties core_properties(const CapabilityInput& input) {
  VkPhysicalDeviceProperties core{};
  core.apiVersion = kApiVersion;
  core.driverVersion = VK_MAKE_VERSION(SPALT_VERSION_MAJOR, SPALT_VERSION_MINOR, SPALT_VERSION_PATCH);
  core.vendorID = kVendorAmd;
  core.deviceID = device_id(input.target.name);
  core.deviceType = input.settings.discrete ? VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU : VK_PHYSICAL_DEVICE_TYPE_CPU;
  write_text(core.deviceName, std::string("Spalt emulated ") + input.target.name);
  write_uuid(core.pipelineCacheUUID, std::string(spalt_build_identifier()) + input.target.name);
  core.limits = device_limits(input);
  return core;
}

void set_vulkan11(VkPhysicalDeviceVulkan11Properties& properties, const CapabilityInput& input) {
  write_uuid(properties.deviceUUID, std::string("spalt device ") + input.target.name);
  write_uuid(properties.driverUUID, std::string("spalt driver ") + spalt_build_identifier());
  properties.subgroupSize = input.wave_size;
  properties.subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  if (input.settings.graphics) {
    properties.subgroupSupportedStages |= VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  }
  properties.subgroupSupportedOperations =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
      VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
      VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT | VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV |
      VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR | VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR;
  properties.pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
  properties.maxMultiviewViewCount = 6;
  properties.maxMultiviewInstanceIndex = (1 << 27) - 1;
  properties.maxPerSetDescriptors = kManyDescriptors;
  properties.maxMemoryAllocationSize = input.heap_bytes;
}

/// Hardware has one rounding and one way with denormals for 32 bits, and one for 16 and 64 bits together.
void set_float_controls(VkPhysicalDeviceVulkan12Properties& properties, const spalt_target_info& target) {
  const auto has = [&](uint32_t mode) { return (target.float_modes & mode) != 0 ? VK_TRUE : VK_FALSE; };
  properties.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  properties.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  properties.shaderSignedZeroInfNanPreserveFloat16 = properties.shaderSignedZeroInfNanPreserveFloat32 =
      properties.shaderSignedZeroInfNanPreserveFloat64 = has(SPALT_FLOAT_PRESERVE_SIGNED_ZERO_INF_NAN);
  properties.shaderDenormPreserveFloat32 = has(SPALT_FLOAT_PRESERVE_DENORMALS_32);
  properties.shaderDenormFlushToZeroFloat32 = VK_TRUE;
  properties.shaderRoundingModeRTEFloat32 = VK_TRUE;
  properties.shaderRoundingModeRTZFloat32 = has(SPALT_FLOAT_ROUND_TO_ZERO_32);
  properties.shaderDenormPreserveFloat16 = properties.shaderDenormPreserveFloat64 = VK_TRUE;
  properties.shaderDenormFlushToZeroFloat16 = properties.shaderDenormFlushToZeroFloat64 =
      has(SPALT_FLOAT_FLUSH_DENORMALS_16_64);
  properties.shaderRoundingModeRTEFloat16 = properties.shaderRoundingModeRTEFloat64 = VK_TRUE;
  properties.shaderRoundingModeRTZFloat16 = properties.shaderRoundingModeRTZFloat64 =
      has(SPALT_FLOAT_ROUND_TO_ZERO_16_64);
}

void set_update_after_bind(VkPhysicalDeviceVulkan12Properties& properties) {
  properties.maxUpdateAfterBindDescriptorsInAllPools = UINT32_MAX;
  properties.shaderUniformBufferArrayNonUniformIndexingNative = VK_FALSE;
  properties.shaderStorageBufferArrayNonUniformIndexingNative = VK_FALSE;
  properties.robustBufferAccessUpdateAfterBind = VK_TRUE;
  properties.maxPerStageDescriptorUpdateAfterBindSamplers = kManyDescriptors;
  properties.maxPerStageDescriptorUpdateAfterBindUniformBuffers = kManyDescriptors;
  properties.maxPerStageDescriptorUpdateAfterBindStorageBuffers = kManyDescriptors;
  properties.maxPerStageDescriptorUpdateAfterBindSampledImages = kManyDescriptors;
  properties.maxPerStageDescriptorUpdateAfterBindStorageImages = kManyDescriptors;
  properties.maxPerStageDescriptorUpdateAfterBindInputAttachments = kManyDescriptors;
  properties.maxPerStageUpdateAfterBindResources = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindSamplers = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindUniformBuffers = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = 16;
  properties.maxDescriptorSetUpdateAfterBindStorageBuffers = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = 8;
  properties.maxDescriptorSetUpdateAfterBindSampledImages = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindStorageImages = kManyDescriptors;
  properties.maxDescriptorSetUpdateAfterBindInputAttachments = kManyDescriptors;
}

void set_vulkan12(VkPhysicalDeviceVulkan12Properties& properties, const CapabilityInput& input) {
  properties.driverID = VK_DRIVER_ID_AMD_OPEN_SOURCE;  // no number is registered for this driver
  write_text(properties.driverName, "spalt");
  write_text(properties.driverInfo, std::string("build ") + spalt_build_identifier());
  set_float_controls(properties, input.target);
  set_update_after_bind(properties);
  properties.framebufferIntegerColorSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  properties.supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  properties.supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  if (input.settings.graphics) {
    constexpr VkResolveModeFlags kModes =
        VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT | VK_RESOLVE_MODE_MAX_BIT;
    properties.supportedDepthResolveModes = kModes | VK_RESOLVE_MODE_AVERAGE_BIT;
    properties.supportedStencilResolveModes = kModes;
    properties.independentResolveNone = properties.independentResolve = VK_TRUE;
    properties.framebufferIntegerColorSampleCounts =
        VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;
  }
  const bool minmax = supported_features(input).has(Feature::samplerFilterMinmax);
  properties.filterMinmaxSingleComponentFormats = properties.filterMinmaxImageComponentMapping =
      minmax ? VK_TRUE : VK_FALSE;
  properties.maxTimelineSemaphoreValueDifference = UINT64_MAX;
}

void set_vulkan13(VkPhysicalDeviceVulkan13Properties& properties, const CapabilityInput& input) {
  const spalt_target_info& target = input.target;
  properties.minSubgroupSize = (target.wave_sizes & 32) != 0 ? 32 : 64;
  properties.maxSubgroupSize = (target.wave_sizes & 64) != 0 ? 64 : 32;
  properties.maxComputeWorkgroupSubgroups = target.max_workgroup_invocations / properties.minSubgroupSize;
  properties.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
  properties.maxInlineUniformBlockSize = 4096;
  properties.maxPerStageDescriptorInlineUniformBlocks = 64;
  properties.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks = 64;
  properties.maxDescriptorSetInlineUniformBlocks = 64;
  properties.maxDescriptorSetUpdateAfterBindInlineUniformBlocks = 64;
  properties.maxInlineUniformTotalSize = 65536;
  properties.storageTexelBufferOffsetAlignmentBytes = 4;
  properties.uniformTexelBufferOffsetAlignmentBytes = 4;
  properties.maxBufferSize = input.heap_bytes;
}

void set_robustness(PropertySet& properties) {
  properties.robustness2.robustStorageBufferAccessSizeAlignment = 1;
  properties.robustness2.robustUniformBufferAccessSizeAlignment = 1;
  VkPhysicalDevicePipelineRobustnessPropertiesEXT& defaults = properties.pipelineRobustness;
  defaults.defaultRobustnessStorageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
  defaults.defaultRobustnessUniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
  defaults.defaultRobustnessVertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
  defaults.defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT;
}

/// Descriptors are as large with robust access as without (descriptor_bytes in icd/layout), and a table is one for all
/// kinds. Tables share a window of 4 GiB with pools and code.
void set_descriptor_buffer(VkPhysicalDeviceDescriptorBufferPropertiesEXT& properties) {
  constexpr VkDeviceSize kMostBytes = VkDeviceSize{1} << 30;
  constexpr size_t kBufferBytes = 16, kSamplerBytes = 16, kImageBytes = 32;
  properties.combinedImageSamplerDescriptorSingleArray = VK_TRUE;
  properties.bufferlessPushDescriptors = VK_TRUE;
  properties.descriptorBufferOffsetAlignment = 16;
  properties.maxDescriptorBufferBindings = 32;
  properties.maxResourceDescriptorBufferBindings = 32;
  properties.maxSamplerDescriptorBufferBindings = 32;
  properties.maxEmbeddedImmutableSamplerBindings = 32;
  properties.maxEmbeddedImmutableSamplers = 1 << 20;
  properties.samplerDescriptorSize = kSamplerBytes;
  properties.combinedImageSamplerDescriptorSize = kImageBytes + kSamplerBytes;
  properties.sampledImageDescriptorSize = properties.storageImageDescriptorSize = kImageBytes;
  properties.inputAttachmentDescriptorSize = kImageBytes;
  properties.uniformTexelBufferDescriptorSize = properties.robustUniformTexelBufferDescriptorSize = kBufferBytes;
  properties.storageTexelBufferDescriptorSize = properties.robustStorageTexelBufferDescriptorSize = kBufferBytes;
  properties.uniformBufferDescriptorSize = properties.robustUniformBufferDescriptorSize = kBufferBytes;
  properties.storageBufferDescriptorSize = properties.robustStorageBufferDescriptorSize = kBufferBytes;
  properties.maxSamplerDescriptorBufferRange = properties.maxResourceDescriptorBufferRange = kMostBytes;
  properties.samplerDescriptorBufferAddressSpaceSize = kMostBytes;
  properties.resourceDescriptorBufferAddressSpaceSize = kMostBytes;
  properties.descriptorBufferAddressSpaceSize = kMostBytes;
}

}  // namespace

PropertySet device_properties(const CapabilityInput& input) {
  PropertySet properties{};
  properties.core = core_properties(input);
  set_vulkan11(properties.vulkan11, input);
  set_vulkan12(properties.vulkan12, input);
  set_vulkan13(properties.vulkan13, input);
  set_robustness(properties);
  set_descriptor_buffer(properties.descriptorBuffer);
  properties.customBorderColor.maxCustomBorderColorSamplers = kMaxBorderColors;
  properties.vertexAttributeDivisor.maxVertexAttribDivisor = UINT32_MAX;
  properties.multiDraw.maxMultiDrawCount = UINT32_MAX;
  properties.lineRasterization.lineSubPixelPrecisionBits = 8;
  properties.graphicsPipelineLibrary.graphicsPipelineLibraryFastLinking = VK_TRUE;
  properties.graphicsPipelineLibrary.graphicsPipelineLibraryIndependentInterpolationDecoration = VK_TRUE;
  properties.provokingVertex.provokingVertexModePerPipeline = VK_TRUE;
  properties.externalMemoryHost.minImportedHostPointerAlignment = 4096;
  // Names the function that hashes modules (XXH3, 128 bits, seed 0), not the build: it never changes.
  write_uuid(properties.shaderModuleIdentifier.shaderModuleIdentifierAlgorithmUUID, "XXH3-128 of SPIR-V words");
  properties.pushDescriptor.maxPushDescriptors = kMaxPushDescriptors;
  return properties;
}

}  // namespace spalt::icd
