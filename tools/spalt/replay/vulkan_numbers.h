// SPDX-License-Identifier: MIT
//
// The numbers of Vulkan's enumerations that recorded state has and that matter here, so that the tool needs no Vulkan
// headers. Names are those of the registry without their prefix.
#pragma once
#include <cstdint>

namespace spalt_tool::replay::vulkan {

enum DescriptorType : uint32_t {
  kSampler = 0,
  kCombinedImageSampler = 1,
  kSampledImage = 2,
  kStorageImage = 3,
  kUniformTexelBuffer = 4,
  kStorageTexelBuffer = 5,
  kUniformBuffer = 6,
  kStorageBuffer = 7,
  kUniformBufferDynamic = 8,
  kStorageBufferDynamic = 9,
  kInputAttachment = 10,
  kInlineUniformBlock = 1000138000,
  kAccelerationStructure = 1000150000,
  kMutable = 1000351000
};

enum StructureType : uint32_t {
  kRasterizationStream = 1000028002,
  kPipelineRendering = 1000044002,
  kPipelineRobustness = 1000068000,
  kConservativeRasterization = 1000101001,
  kDepthClip = 1000102001,
  kSamplerReductionMode = 1000130001,
  kSampleLocations = 1000143002,
  kSamplerYcbcrConversion = 1000156000,
  kDescriptorSetLayoutBindingFlags = 1000161000,
  kVertexInputDivisors = 1000190001,
  kRequiredSubgroupSize = 1000225001,
  kProvokingVertex = 1000254001,
  kLineRasterization = 1000259001,
  kRobustness2Features = 1000286000,
  kSamplerCustomBorderColor = 1000287000,
  kImageRobustnessFeatures = 1000335000,
  kMutableDescriptorType = 1000351002,
  kColorWrite = 1000381001,
  kSamplerBorderColorComponentMapping = 1000411001,
  kPipelineCreateFlags2 = 1000470005
};

enum ShaderStage : uint32_t { kVertex = 0x1, kFragment = 0x10, kCompute = 0x20 };

/// Those that leave open what code depends on.
enum DynamicState : uint32_t {
  kDynamicVertexInput = 1000352000,
  kDynamicRasterizerDiscard = 1000377001,
  kDynamicSamples = 1000455005,
  kDynamicAlphaToCoverage = 1000455007,
  kDynamicAlphaToOne = 1000455008,
  kDynamicBlendEnable = 1000455010,
  kDynamicBlendEquation = 1000455011,
  kDynamicWriteMask = 1000455012,
  kDynamicBlendAdvanced = 1000455018,
  kDynamicProvokingVertex = 1000455019
};

enum BlendFactor : uint32_t {
  kSourceAlpha = 6,
  kOneMinusSourceAlpha = 7,
  kSourceAlphaSaturate = 14,
  kFirstDualSource = 15,
  kLastDualSource = 18
};

constexpr uint32_t kAttachmentUnused = UINT32_MAX;
constexpr uint32_t kTriangleList = 3;

enum StageCreateFlags : uint32_t { kAllowVaryingSubgroupSize = 1, kRequireFullSubgroups = 2 };

enum RobustnessBehavior : uint32_t { kDeviceDefault = 0, kDisabled = 1, kRobust = 2, kRobust2 = 3 };

}  // namespace spalt_tool::replay::vulkan
