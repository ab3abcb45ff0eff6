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
    {"AtomicFloat32AddEXT", Feature::shaderBufferFloat32AtomicAdd},
    {"AtomicFloat32AddEXT", Feature::shaderSharedFloat32AtomicAdd},
    {"AtomicFloat32AddEXT", Feature::shaderImageFloat32AtomicAdd},
    {"AtomicFloat32MinMaxEXT", Feature::shaderBufferFloat32AtomicMinMax},
    {"AtomicFloat32MinMaxEXT", Feature::shaderSharedFloat32AtomicMinMax},
    {"AtomicFloat32MinMaxEXT", Feature::shaderImageFloat32AtomicMinMax},
    {"AtomicFloat64AddEXT", Feature::shaderBufferFloat64Atomics},
    {"AtomicFloat64AddEXT", Feature::shaderSharedFloat64Atomics},
    {"AtomicFloat64AddEXT", Feature::shaderBufferFloat64AtomicAdd},
    {"AtomicFloat64AddEXT", Feature::shaderSharedFloat64AtomicAdd},
    {"AtomicFloat64MinMaxEXT", Feature::shaderBufferFloat64AtomicMinMax},
    {"AtomicFloat64MinMaxEXT", Feature::shaderSharedFloat64AtomicMinMax},
    {"AtomicFloat16AddEXT", Feature::shaderBufferFloat16Atomics},
    {"AtomicFloat16AddEXT", Feature::shaderBufferFloat16AtomicAdd},
    {"AtomicFloat16AddEXT", Feature::shaderSharedFloat16Atomics},
    {"AtomicFloat16AddEXT", Feature::shaderSharedFloat16AtomicAdd},
    {"AtomicFloat16MinMaxEXT", Feature::shaderBufferFloat16AtomicMinMax},
    {"AtomicFloat16MinMaxEXT", Feature::shaderSharedFloat16AtomicMinMax},
    {"StorageBuffer8BitAccess", Feature::storageBuffer8BitAccess},
    {"UniformAndStorageBuffer8BitAccess", Feature::uniformAndStorageBuffer8BitAccess},
    {"StoragePushConstant8", Feature::storagePushConstant8},
    {"StorageBuffer16BitAccess", Feature::storageBuffer16BitAccess},
    {"UniformAndStorageBuffer16BitAccess", Feature::uniformAndStorageBuffer16BitAccess},
    {"StoragePushConstant16", Feature::storagePushConstant16},
    {"BFloat16TypeKHR", Feature::shaderBFloat16Type},
    {"BFloat16DotProductKHR", Feature::shaderBFloat16DotProduct},
    {"Float8EXT", Feature::shaderFloat8},
    {"UntypedPointersKHR", Feature::shaderUntypedPointers},
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
    {"ImageCubeArray", Feature::imageCubeArray},
    {"ImageGatherExtended", Feature::shaderImageGatherExtended},
    {"Int64ImageEXT", Feature::shaderImageInt64Atomics},
    {"MinLod", Feature::shaderResourceMinLod},
    {"SparseResidency", Feature::shaderResourceResidency},
    {"StorageImageExtendedFormats", Feature::shaderStorageImageExtendedFormats},
    {"StorageImageReadWithoutFormat", Feature::shaderStorageImageReadWithoutFormat},
    {"StorageImageWriteWithoutFormat", Feature::shaderStorageImageWriteWithoutFormat},
    {"SampledImageArrayDynamicIndexing", Feature::shaderSampledImageArrayDynamicIndexing},
    {"SampledImageArrayNonUniformIndexing", Feature::shaderSampledImageArrayNonUniformIndexing},
    {"StorageImageArrayDynamicIndexing", Feature::shaderStorageImageArrayDynamicIndexing},
    {"StorageImageArrayNonUniformIndexing", Feature::shaderStorageImageArrayNonUniformIndexing},
    {"UniformTexelBufferArrayDynamicIndexing", Feature::shaderUniformTexelBufferArrayDynamicIndexing},
    {"UniformTexelBufferArrayNonUniformIndexing", Feature::shaderUniformTexelBufferArrayNonUniformIndexing},
    {"StorageTexelBufferArrayDynamicIndexing", Feature::shaderStorageTexelBufferArrayDynamicIndexing},
    {"StorageTexelBufferArrayNonUniformIndexing", Feature::shaderStorageTexelBufferArrayNonUniformIndexing},
    {"ComputeDerivativeGroupQuadsNV", Feature::computeDerivativeGroupQuads},
    {"ComputeDerivativeGroupLinearNV", Feature::computeDerivativeGroupLinear},
    {"QuadControlKHR", Feature::shaderQuadControl},
    {"ShaderClockKHR", Feature::shaderSubgroupClock},
    {"ShaderClockKHR", Feature::shaderDeviceClock},
    {"ExpectAssumeKHR", Feature::shaderExpectAssume},
    {"FloatControls2", Feature::shaderFloatControls2},
    {"DotProductFloat16AccFloat32VALVE", Feature::shaderMixedFloatDotProductFloat16AccFloat32},
    {"DotProductFloat16AccFloat16VALVE", Feature::shaderMixedFloatDotProductFloat16AccFloat16},
    {"GroupNonUniformRotateKHR", Feature::shaderSubgroupRotate},
    {"GroupNonUniformRotateKHR", Feature::shaderSubgroupRotateClustered},
    {"WorkgroupMemoryExplicitLayoutKHR", Feature::workgroupMemoryExplicitLayout},
    {"WorkgroupMemoryExplicitLayoutKHR", Feature::workgroupMemoryExplicitLayoutScalarBlockLayout},
    {"WorkgroupMemoryExplicitLayout8BitAccessKHR", Feature::workgroupMemoryExplicitLayout8BitAccess},
    {"WorkgroupMemoryExplicitLayout16BitAccessKHR", Feature::workgroupMemoryExplicitLayout16BitAccess},
};

/// Those whose work is the driver's, those of the compiler that have no capability, and those that are nobody's work as
/// long as only compute shaders run: what Vulkan 1.1 to 1.3 demand of render passes and fragment shaders is vacuously
/// there.
constexpr Feature kDriverFeatures[] = {
    Feature::robustBufferAccess,
    Feature::inheritedQueries,
    Feature::pipelineStatisticsQuery,
    Feature::multiview,
    Feature::imagelessFramebuffer,
    Feature::separateDepthStencilLayouts,
    Feature::dynamicRendering,
    Feature::shaderDemoteToHelperInvocation,
    Feature::shaderTerminateInvocation,
    Feature::shaderMaximalReconvergence,
    Feature::shaderRelaxedExtendedInstruction,
    Feature::shaderSubgroupExtendedTypes,
    Feature::shaderSubgroupUniformControlFlow,
    Feature::shaderZeroInitializeWorkgroupMemory,
    Feature::shaderBufferFloat32Atomics,
    Feature::shaderSharedFloat32Atomics,
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
    Feature::mutableDescriptorType,
    Feature::descriptorBuffer,
    Feature::descriptorBufferPushDescriptors,
    Feature::reportAddressBinding,
};

/// Of a device with graphics.
constexpr Feature kGraphicsFeatures[] = {
    Feature::alphaToOne,
    Feature::colorWriteEnable,
    Feature::depthBiasClamp,
    Feature::depthBounds,
    Feature::depthClamp,
    Feature::depthClipControl,
    Feature::depthClipEnable,
    Feature::drawIndirectCount,
    Feature::drawIndirectFirstInstance,
    Feature::dualSrcBlend,
    Feature::extendedDynamicState,
    Feature::extendedDynamicState2,
    Feature::extendedDynamicState2LogicOp,
    Feature::fillModeNonSolid,
    Feature::fullDrawIndexUint32,
    Feature::graphicsPipelineLibrary,
    Feature::independentBlend,
    Feature::indexTypeUint8,
    Feature::largePoints,
    Feature::logicOp,
    Feature::multiDraw,
    Feature::multiDrawIndirect,
    Feature::occlusionQueryPrecise,
    Feature::provokingVertexLast,
    Feature::rectangularLines,
    Feature::bresenhamLines,
    Feature::stippledRectangularLines,
    Feature::stippledBresenhamLines,
    Feature::vertexAttributeInstanceRateDivisor,
    Feature::vertexAttributeInstanceRateZeroDivisor,
    Feature::wideLines,
};
/// Where both stages can be compiled: what shaders do with them.
constexpr Feature kGraphicsShaderFeatures[] = {
    Feature::fragmentShaderBarycentric,
    Feature::fragmentStoresAndAtomics,
    Feature::multiViewport,
    Feature::sampleRateShading,
    Feature::shaderInputAttachmentArrayDynamicIndexing,
    Feature::shaderInputAttachmentArrayNonUniformIndexing,
    Feature::shaderClipDistance,
    Feature::shaderCullDistance,
    Feature::shaderDrawParameters,
    Feature::shaderOutputLayer,
    Feature::shaderOutputViewportIndex,
    Feature::shaderStorageImageMultisample,
    Feature::storageInputOutput16,
    Feature::vertexPipelineStoresAndAtomics,
};
constexpr uint32_t kGraphicsStages = 1u << SPALT_STAGE_VERTEX | 1u << SPALT_STAGE_FRAGMENT;

/// Those of the driver for what shaders do with a kind of bindings.
struct BindingFeature {
  spalt_binding_kind kind;
  Feature feature;
};

constexpr BindingFeature kBindingFeatures[] = {
    {SPALT_BINDING_INLINE_DATA, Feature::inlineUniformBlock},
    {SPALT_BINDING_INLINE_DATA, Feature::descriptorBindingInlineUniformBlockUpdateAfterBind},
    {SPALT_BINDING_TYPED_BUFFER, Feature::descriptorBindingUniformTexelBufferUpdateAfterBind},
    {SPALT_BINDING_TYPED_BUFFER, Feature::descriptorBindingStorageTexelBufferUpdateAfterBind},
    {SPALT_BINDING_IMAGE, Feature::descriptorBindingStorageImageUpdateAfterBind},
    {SPALT_BINDING_IMAGE, Feature::shaderImageFloat32Atomics},
    {SPALT_BINDING_IMAGE, Feature::robustImageAccess},
    {SPALT_BINDING_IMAGE, Feature::robustImageAccess2},
    {SPALT_BINDING_IMAGE, Feature::image2DViewOf3D},
    {SPALT_BINDING_SAMPLER, Feature::descriptorBindingSampledImageUpdateAfterBind},
    {SPALT_BINDING_SAMPLER, Feature::borderColorSwizzle},
    {SPALT_BINDING_SAMPLER, Feature::borderColorSwizzleFromImage},
    {SPALT_BINDING_SAMPLER, Feature::customBorderColors},
    {SPALT_BINDING_SAMPLER, Feature::customBorderColorWithoutFormat},
    {SPALT_BINDING_SAMPLER, Feature::formatA4B4G4R4},
    {SPALT_BINDING_SAMPLER, Feature::formatA4R4G4B4},
    {SPALT_BINDING_SAMPLER, Feature::minLod},
    {SPALT_BINDING_SAMPLER, Feature::nonSeamlessCubeMap},
    {SPALT_BINDING_SAMPLER, Feature::sampler2DViewOf3D},
    {SPALT_BINDING_SAMPLER, Feature::samplerAnisotropy},
    {SPALT_BINDING_SAMPLER, Feature::samplerFilterMinmax},
    {SPALT_BINDING_SAMPLER, Feature::samplerMirrorClampToEdge},
    {SPALT_BINDING_SAMPLER, Feature::textureCompressionBC},
};

/// Together they are descriptorIndexing.
constexpr Feature kDescriptorIndexing[] = {
    Feature::shaderSampledImageArrayNonUniformIndexing,
    Feature::shaderStorageBufferArrayNonUniformIndexing,
    Feature::shaderUniformTexelBufferArrayDynamicIndexing,
    Feature::shaderStorageTexelBufferArrayDynamicIndexing,
    Feature::shaderUniformTexelBufferArrayNonUniformIndexing,
    Feature::descriptorBindingSampledImageUpdateAfterBind,
    Feature::descriptorBindingStorageImageUpdateAfterBind,
    Feature::descriptorBindingStorageBufferUpdateAfterBind,
    Feature::descriptorBindingUniformTexelBufferUpdateAfterBind,
    Feature::descriptorBindingStorageTexelBufferUpdateAfterBind,
    Feature::descriptorBindingUpdateUnusedWhilePending,
    Feature::descriptorBindingPartiallyBound,
    Feature::runtimeDescriptorArray,
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
  if (input.settings.graphics) {
    for (const Feature feature : kGraphicsFeatures) features.add(feature);
    const bool shaders = (input.target.stages & kGraphicsStages) == kGraphicsStages;
    for (const Feature feature : kGraphicsShaderFeatures) features.add(feature, shaders);
  }
  features.add(Feature::robustBufferAccess2, input.target.max_robustness >= SPALT_ROBUSTNESS_2);
  features.add(Feature::nullDescriptor, input.target.null_descriptors != 0);
  for (const BindingFeature& row : kBindingFeatures) {
    if (has_binding_kind(input.target, row.kind)) features.add(row.feature);
  }
  features.add(Feature::descriptorIndexing, std::all_of(std::begin(kDescriptorIndexing), std::end(kDescriptorIndexing),
                                                        [&](Feature feature) { return features.has(feature); }));
  return features;
}

}  // namespace spalt::icd
