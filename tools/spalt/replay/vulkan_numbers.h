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
  kPipelineRobustness = 1000068000,
  kSamplerReductionMode = 1000130001,
  kSamplerYcbcrConversion = 1000156000,
  kDescriptorSetLayoutBindingFlags = 1000161000,
  kRequiredSubgroupSize = 1000225001,
  kRobustness2Features = 1000286000,
  kSamplerCustomBorderColor = 1000287000,
  kImageRobustnessFeatures = 1000335000,
  kMutableDescriptorType = 1000351002,
  kSamplerBorderColorComponentMapping = 1000411001,
  kPipelineCreateFlags2 = 1000470005
};

enum ShaderStage : uint32_t { kCompute = 0x20 };

enum StageCreateFlags : uint32_t { kAllowVaryingSubgroupSize = 1, kRequireFullSubgroups = 2 };

enum RobustnessBehavior : uint32_t { kDeviceDefault = 0, kDisabled = 1, kRobust = 2, kRobust2 = 3 };

}  // namespace spalt_tool::replay::vulkan
