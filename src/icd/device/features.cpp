// SPDX-License-Identifier: MIT
//
// Features: what the driver does by itself, and what follows from the SPIR-V capabilities that the compiler takes.
#include <algorithm>
#include <string_view>

#include "icd/device/capabilities.h"

namespace spalt::icd {
namespace {

struct CapabilityFeature {
  std::string_view capability;  // of SPIR-V
  Feature feature;
};

constexpr CapabilityFeature kShaderFeatures[] = {
    {"Int8", Feature::shaderInt8},
    {"Int16", Feature::shaderInt16},
    {"Int64", Feature::shaderInt64},
    {"Float16", Feature::shaderFloat16},
    {"Float64", Feature::shaderFloat64},
    {"Int64Atomics", Feature::shaderBufferInt64Atomics},
    {"Int64Atomics", Feature::shaderSharedInt64Atomics},
    {"StorageBuffer8BitAccess", Feature::storageBuffer8BitAccess},
    {"UniformAndStorageBuffer8BitAccess", Feature::uniformAndStorageBuffer8BitAccess},
    {"StoragePushConstant8", Feature::storagePushConstant8},
    {"StorageBuffer16BitAccess", Feature::storageBuffer16BitAccess},
    {"UniformAndStorageBuffer16BitAccess", Feature::uniformAndStorageBuffer16BitAccess},
    {"StoragePushConstant16", Feature::storagePushConstant16},
    {"VariablePointersStorageBuffer", Feature::variablePointersStorageBuffer},
    {"VariablePointers", Feature::variablePointers},
    {"UniformBufferArrayDynamicIndexing", Feature::shaderUniformBufferArrayDynamicIndexing},
    {"StorageBufferArrayDynamicIndexing", Feature::shaderStorageBufferArrayDynamicIndexing},
    {"UniformBufferArrayNonUniformIndexing", Feature::shaderUniformBufferArrayNonUniformIndexing},
    {"StorageBufferArrayNonUniformIndexing", Feature::shaderStorageBufferArrayNonUniformIndexing},
    {"RuntimeDescriptorArray", Feature::runtimeDescriptorArray},
    {"VulkanMemoryModel", Feature::vulkanMemoryModel},
    {"VulkanMemoryModelDeviceScope", Feature::vulkanMemoryModelDeviceScope},
    {"VulkanMemoryModel", Feature::vulkanMemoryModelAvailabilityVisibilityChains},
    {"PhysicalStorageBufferAddresses", Feature::bufferDeviceAddress},
    {"PhysicalStorageBufferAddresses", Feature::bufferDeviceAddressCaptureReplay},
    {"DotProductInput4x8Bit", Feature::shaderIntegerDotProduct},
    {"WorkgroupMemoryExplicitLayoutKHR", Feature::workgroupMemoryExplicitLayout},
    {"WorkgroupMemoryExplicitLayoutKHR", Feature::workgroupMemoryExplicitLayoutScalarBlockLayout},
    {"WorkgroupMemoryExplicitLayout8BitAccessKHR", Feature::workgroupMemoryExplicitLayout8BitAccess},
    {"WorkgroupMemoryExplicitLayout16BitAccessKHR", Feature::workgroupMemoryExplicitLayout16BitAccess},
};

/// Those whose work is the driver's, those of the compiler that have no capability, and those that are nobody's work as
/// long as only compute shaders run: what Vulkan 1.1 and 1.2 demand of render passes is vacuously there.
constexpr Feature kDriverFeatures[] = {
    Feature::robustBufferAccess,
    Feature::inheritedQueries,
    Feature::pipelineStatisticsQuery,
    Feature::multiview,
    Feature::imagelessFramebuffer,
    Feature::separateDepthStencilLayouts,
    Feature::shaderSubgroupExtendedTypes,
    Feature::shaderSubgroupUniformControlFlow,
    Feature::shaderZeroInitializeWorkgroupMemory,
    Feature::texelBufferAlignment,
    Feature::subgroupBroadcastDynamicId,
    Feature::scalarBlockLayout,
    Feature::uniformBufferStandardLayout,
    Feature::hostQueryReset,
    Feature::timelineSemaphore,
    Feature::conditionalRendering,
    Feature::inheritedConditionalRendering,
    Feature::descriptorBindingUniformBufferUpdateAfterBind,
    Feature::descriptorBindingStorageBufferUpdateAfterBind,
    Feature::descriptorBindingUpdateUnusedWhilePending,
    Feature::descriptorBindingPartiallyBound,
    Feature::descriptorBindingVariableDescriptorCount,
    Feature::pipelineCreationCacheControl,
    Feature::privateData,
    Feature::pipelineExecutableInfo,
    Feature::pipelineRobustness,
    Feature::shaderModuleIdentifier,
    Feature::subgroupSizeControl,
    Feature::computeFullSubgroups,
    Feature::synchronization2,
    Feature::deviceFault,
    Feature::globalPriorityQuery,
    Feature::maintenance4,
    Feature::memoryPriority,
    Feature::reportAddressBinding,
};

bool has_capability(const spalt_target_info& target, std::string_view capability) {
  const char* const* begin = target.spirv_capability_names;
  return std::find(begin, begin + target.spirv_capability_count, capability) != begin + target.spirv_capability_count;
}

bool has_binding_kind(const spalt_target_info& target, spalt_binding_kind kind) {
  return (target.binding_kinds >> kind & 1) != 0;
}

}  // namespace

FeatureSet supported_features(const CapabilityInput& input) {
  FeatureSet features;
  for (const Feature feature : kDriverFeatures) features.add(feature);
  for (const CapabilityFeature& row : kShaderFeatures) {
    if (has_capability(input.target, row.capability)) features.add(row.feature);
  }
  features.add(Feature::robustBufferAccess2, input.target.max_robustness >= SPALT_ROBUSTNESS_2);
  features.add(Feature::nullDescriptor, input.target.null_descriptors != 0);
  features.add(Feature::inlineUniformBlock, has_binding_kind(input.target, SPALT_BINDING_INLINE_DATA));
  features.add(Feature::descriptorBindingInlineUniformBlockUpdateAfterBind,
               has_binding_kind(input.target, SPALT_BINDING_INLINE_DATA));
  return features;
}

}  // namespace spalt::icd
