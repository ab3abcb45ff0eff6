// SPDX-License-Identifier: MIT
//
// The limits of Vulkan 1.0. Those of what the driver has not (graphics) have the least value that Vulkan allows.
#include <algorithm>
#include <cstdint>

#include "icd/device/capabilities.h"
#include "spalt/draw.h"
#include "spalt/graphics.h"

namespace spalt::icd {
namespace {

constexpr uint32_t kManyDescriptors = 1 << 20;
constexpr uint32_t kMaxBufferRange = UINT32_MAX & ~3u;  // a buffer descriptor has 32 bits for it

void set_image_limits(VkPhysicalDeviceLimits& limits, const FeatureSet& features) {
  limits.maxImageDimension1D = 16384;
  limits.maxImageDimension2D = 16384;
  limits.maxImageDimension3D = 2048;
  limits.maxImageDimensionCube = 16384;
  limits.maxImageArrayLayers = 2048;
  limits.maxTexelBufferElements = 1 << 27;
  limits.minTexelBufferOffsetAlignment = 4;
  limits.maxSamplerLodBias = 16;
  limits.maxSamplerAnisotropy = features.has(Feature::samplerAnisotropy) ? 16 : 1;
  limits.minTexelOffset = -32;
  limits.maxTexelOffset = 31;
  if (features.has(Feature::shaderImageGatherExtended)) {
    limits.minTexelGatherOffset = limits.minTexelOffset;
    limits.maxTexelGatherOffset = limits.maxTexelOffset;
  }
  limits.subPixelPrecisionBits = 4;
  limits.subTexelPrecisionBits = limits.mipmapPrecisionBits = 8;
  limits.framebufferColorSampleCounts = limits.framebufferDepthSampleCounts = limits.framebufferStencilSampleCounts =
      limits.framebufferNoAttachmentsSampleCounts = limits.sampledImageColorSampleCounts =
          limits.sampledImageDepthSampleCounts = limits.sampledImageStencilSampleCounts =
              VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
  limits.sampledImageIntegerSampleCounts = limits.storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.maxSampleMaskWords = 1;
  limits.optimalBufferCopyOffsetAlignment = 1;
  limits.optimalBufferCopyRowPitchAlignment = 1;
}

void set_graphics_limits(VkPhysicalDeviceLimits& limits) {
  limits.maxVertexInputAttributes = limits.maxVertexInputBindings = 16;
  limits.maxVertexInputAttributeOffset = 2047;
  limits.maxVertexInputBindingStride = 2048;
  limits.maxVertexOutputComponents = limits.maxFragmentInputComponents = 64;
  limits.maxFragmentOutputAttachments = 4;
  limits.maxFragmentCombinedOutputResources = 4;
  limits.maxDrawIndexedIndexValue = (1 << 24) - 1;
  limits.maxDrawIndirectCount = 1;
  limits.maxViewports = 1;
  limits.maxViewportDimensions[0] = limits.maxViewportDimensions[1] = 4096;
  limits.viewportBoundsRange[0] = -8192;
  limits.viewportBoundsRange[1] = 8191;
  limits.maxFramebufferWidth = limits.maxFramebufferHeight = 4096;
  limits.maxFramebufferLayers = 256;
  limits.maxColorAttachments = 4;
  limits.discreteQueuePriorities = 2;
  limits.pointSizeRange[0] = limits.pointSizeRange[1] = 1;
  limits.lineWidthRange[0] = limits.lineWidthRange[1] = 1;
}

/// What the emulated device draws with (docs/rasterization.md).
void set_drawing_limits(VkPhysicalDeviceLimits& limits) {
  constexpr VkSampleCountFlags kSamples =
      VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;
  limits.framebufferColorSampleCounts = limits.framebufferDepthSampleCounts = limits.framebufferStencilSampleCounts =
      limits.framebufferNoAttachmentsSampleCounts = limits.sampledImageColorSampleCounts =
          limits.sampledImageDepthSampleCounts = limits.sampledImageStencilSampleCounts =
              limits.sampledImageIntegerSampleCounts = kSamples;
  limits.maxVertexInputAttributes = SPALT_MAX_VERTEX_ATTRIBUTES;
  limits.maxVertexInputBindings = SPALT_MAX_VERTEX_BINDINGS;
  limits.maxVertexOutputComponents = limits.maxFragmentInputComponents = 124;  // 31 vectors besides the position
  limits.maxFragmentOutputAttachments = limits.maxColorAttachments = SPALT_MAX_COLOR_TARGETS;
  limits.maxFragmentDualSrcAttachments = 1;
  limits.maxFragmentCombinedOutputResources = kManyDescriptors;
  limits.maxDrawIndexedIndexValue = limits.maxDrawIndirectCount = UINT32_MAX;
  limits.maxViewportDimensions[0] = limits.maxViewportDimensions[1] = 16384;
  limits.viewportBoundsRange[0] = -32768;
  limits.viewportBoundsRange[1] = 32767;
  limits.maxFramebufferWidth = limits.maxFramebufferHeight = 16384;
  limits.maxFramebufferLayers = 2048;
  limits.subPixelPrecisionBits = limits.viewportSubPixelBits = 8;
  limits.minInterpolationOffset = -0.5;
  limits.maxInterpolationOffset = 0.5f - 1.0f / 16;
  limits.subPixelInterpolationOffsetBits = 4;
  limits.pointSizeRange[0] = limits.lineWidthRange[0] = 0.125;
  limits.pointSizeRange[1] = limits.lineWidthRange[1] = 8191.875;
  limits.pointSizeGranularity = limits.lineWidthGranularity = 0.125;
  limits.strictLines = limits.standardSampleLocations = VK_TRUE;
}

/// Those that go with a feature.
void set_optional_limits(VkPhysicalDeviceLimits& limits, const FeatureSet& features) {
  if (features.has(Feature::multiViewport)) limits.maxViewports = SPALT_MAX_VIEWPORTS;
  if (features.has(Feature::shaderClipDistance)) limits.maxClipDistances = 8;
  if (features.has(Feature::shaderCullDistance)) {
    limits.maxCullDistances = limits.maxCombinedClipAndCullDistances = 8;
  }
  if (features.has(Feature::shaderStorageImageMultisample)) {
    limits.storageImageSampleCounts = limits.framebufferColorSampleCounts;
  }
}

void set_descriptor_limits(VkPhysicalDeviceLimits& limits) {
  limits.maxBoundDescriptorSets = 32;
  limits.maxPerStageDescriptorSamplers = limits.maxPerStageDescriptorUniformBuffers =
      limits.maxPerStageDescriptorStorageBuffers = limits.maxPerStageDescriptorSampledImages =
          limits.maxPerStageDescriptorStorageImages = limits.maxPerStageDescriptorInputAttachments =
              limits.maxPerStageResources = kManyDescriptors;
  limits.maxDescriptorSetSamplers = limits.maxDescriptorSetUniformBuffers = limits.maxDescriptorSetStorageBuffers =
      limits.maxDescriptorSetSampledImages = limits.maxDescriptorSetStorageImages =
          limits.maxDescriptorSetInputAttachments = kManyDescriptors;
  limits.maxDescriptorSetUniformBuffersDynamic = 16;
  limits.maxDescriptorSetStorageBuffersDynamic = 8;
}

void set_compute_limits(VkPhysicalDeviceLimits& limits, const spalt_target_info& target) {
  limits.maxComputeSharedMemorySize = target.max_shared_bytes;
  std::fill(std::begin(limits.maxComputeWorkGroupCount), std::end(limits.maxComputeWorkGroupCount), 65535);
  limits.maxComputeWorkGroupInvocations = target.max_workgroup_invocations;
  std::copy(std::begin(target.max_workgroup_size), std::end(target.max_workgroup_size), limits.maxComputeWorkGroupSize);
}

void set_memory_limits(VkPhysicalDeviceLimits& limits) {
  limits.maxUniformBufferRange = kMaxBufferRange;
  limits.maxStorageBufferRange = kMaxBufferRange;
  limits.maxPushConstantsSize = 256;
  limits.maxMemoryAllocationCount = UINT32_MAX;
  limits.maxSamplerAllocationCount = kManyDescriptors;
  limits.bufferImageGranularity = 1;
  limits.minMemoryMapAlignment = 4096;
  limits.minUniformBufferOffsetAlignment = 4;
  limits.minStorageBufferOffsetAlignment = 4;
  limits.nonCoherentAtomSize = 64;
}

}  // namespace

VkPhysicalDeviceLimits device_limits(const CapabilityInput& input) {
  VkPhysicalDeviceLimits limits{};
  set_image_limits(limits, supported_features(input));
  set_graphics_limits(limits);
  if (input.settings.graphics) {
    set_drawing_limits(limits);
    set_optional_limits(limits, supported_features(input));
  }
  set_descriptor_limits(limits);
  set_compute_limits(limits, input.target);
  set_memory_limits(limits);
  limits.timestampComputeAndGraphics = VK_TRUE;
  limits.timestampPeriod = 1;
  return limits;
}

}  // namespace spalt::icd
