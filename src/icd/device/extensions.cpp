// SPDX-License-Identifier: MIT
#include <cstring>

#include "commands.h"
#include "icd/device/capabilities.h"
#include "icd/device/physical_device.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

struct FeatureExtension {
  Extension extension;
  Feature feature;  // without which there is no such extension
};

constexpr FeatureExtension kFeatureExtensions[] = {
    {Extension::EXT_4444_formats, Feature::formatA4R4G4B4},
    {Extension::EXT_border_color_swizzle, Feature::borderColorSwizzle},
    {Extension::EXT_color_write_enable, Feature::colorWriteEnable},
    {Extension::EXT_custom_border_color, Feature::customBorderColors},
    {Extension::EXT_depth_clip_control, Feature::depthClipControl},
    {Extension::EXT_depth_clip_enable, Feature::depthClipEnable},
    {Extension::EXT_descriptor_indexing, Feature::descriptorIndexing},
    {Extension::EXT_extended_dynamic_state, Feature::extendedDynamicState},
    {Extension::EXT_extended_dynamic_state2, Feature::extendedDynamicState2},
    {Extension::EXT_graphics_pipeline_library, Feature::graphicsPipelineLibrary},
    {Extension::EXT_image_2d_view_of_3d, Feature::image2DViewOf3D},
    {Extension::EXT_image_robustness, Feature::robustImageAccess},
    {Extension::EXT_image_view_min_lod, Feature::minLod},
    {Extension::EXT_index_type_uint8, Feature::indexTypeUint8},
    {Extension::EXT_line_rasterization, Feature::rectangularLines},
    {Extension::EXT_multi_draw, Feature::multiDraw},
    {Extension::EXT_provoking_vertex, Feature::provokingVertexLast},
    {Extension::EXT_shader_demote_to_helper_invocation, Feature::shaderDemoteToHelperInvocation},
    {Extension::EXT_shader_viewport_index_layer, Feature::shaderOutputLayer},
    {Extension::KHR_fragment_shader_barycentric, Feature::fragmentShaderBarycentric},
    {Extension::KHR_shader_terminate_invocation, Feature::shaderTerminateInvocation},
    {Extension::EXT_vertex_attribute_divisor, Feature::vertexAttributeInstanceRateDivisor},
    {Extension::KHR_create_renderpass2, Feature::dynamicRendering},
    {Extension::KHR_depth_stencil_resolve, Feature::dynamicRendering},
    {Extension::KHR_draw_indirect_count, Feature::drawIndirectCount},
    {Extension::KHR_dynamic_rendering, Feature::dynamicRendering},
    {Extension::KHR_imageless_framebuffer, Feature::dynamicRendering},
    {Extension::KHR_multiview, Feature::dynamicRendering},
    {Extension::KHR_separate_depth_stencil_layouts, Feature::dynamicRendering},
    {Extension::KHR_shader_draw_parameters, Feature::shaderDrawParameters},
    {Extension::EXT_non_seamless_cube_map, Feature::nonSeamlessCubeMap},
    {Extension::EXT_sampler_filter_minmax, Feature::samplerFilterMinmax},
    {Extension::EXT_shader_atomic_float2, Feature::shaderBufferFloat32AtomicMinMax},
    {Extension::EXT_shader_image_atomic_int64, Feature::shaderImageInt64Atomics},
    {Extension::NV_compute_shader_derivatives, Feature::computeDerivativeGroupQuads},
    {Extension::KHR_sampler_mirror_clamp_to_edge, Feature::samplerMirrorClampToEdge},
    {Extension::EXT_inline_uniform_block, Feature::inlineUniformBlock},
    {Extension::KHR_16bit_storage, Feature::storageBuffer16BitAccess},
    {Extension::KHR_8bit_storage, Feature::storageBuffer8BitAccess},
    {Extension::KHR_buffer_device_address, Feature::bufferDeviceAddress},
    {Extension::KHR_shader_atomic_int64, Feature::shaderBufferInt64Atomics},
    {Extension::KHR_shader_quad_control, Feature::shaderQuadControl},
    {Extension::KHR_shader_clock, Feature::shaderSubgroupClock},
    {Extension::KHR_shader_expect_assume, Feature::shaderExpectAssume},
    {Extension::KHR_shader_float_controls2, Feature::shaderFloatControls2},
    {Extension::KHR_shader_subgroup_rotate, Feature::shaderSubgroupRotate},
    {Extension::KHR_shader_float16_int8, Feature::shaderFloat16},
    {Extension::KHR_shader_integer_dot_product, Feature::shaderIntegerDotProduct},
    {Extension::VALVE_shader_mixed_float_dot_product, Feature::shaderMixedFloatDotProductFloat16AccFloat32},
    {Extension::KHR_shader_bfloat16, Feature::shaderBFloat16Type},
    {Extension::EXT_shader_float8, Feature::shaderFloat8},
    {Extension::KHR_shader_untyped_pointers, Feature::shaderUntypedPointers},
    {Extension::KHR_variable_pointers, Feature::variablePointersStorageBuffer},
    {Extension::KHR_vulkan_memory_model, Feature::vulkanMemoryModel},
    {Extension::KHR_workgroup_memory_explicit_layout, Feature::workgroupMemoryExplicitLayout},
};

VkResult enumerate(const ExtensionSet& extensions, uint32_t* count, VkExtensionProperties* properties) {
  const ExtensionRow* rows[kExtensionCount];
  uint32_t available = 0;
  for (size_t i = 0; i < kExtensionCount; ++i) {
    if (extensions.has(static_cast<Extension>(i))) rows[available++] = &kExtensions[i];
  }
  return write_array(available, count, properties, [&](VkExtensionProperties& property, uint32_t i) {
    property = {};
    rows[i]->name.copy(property.extensionName, VK_MAX_EXTENSION_NAME_SIZE - 1);
    property.specVersion = rows[i]->spec_version;
  });
}

}  // namespace

ExtensionSet instance_extensions() {
  return extensions_of(ExtensionKind::instance);
}

ExtensionSet device_extensions(const CapabilityInput& input) {
  ExtensionSet extensions = extensions_of(ExtensionKind::device);
  const FeatureSet features = supported_features(input);
  for (const auto& [extension, feature] : kFeatureExtensions) {
    if (!features.has(feature)) extensions.add(extension, false);
  }
  return extensions;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumerateInstanceExtensionProperties(const char* pLayerName,
                                                                           uint32_t* pPropertyCount,
                                                                           VkExtensionProperties* pProperties) {
  if (pLayerName != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(instance_extensions(), pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                         const char* pLayerName,
                                                                         uint32_t* pPropertyCount,
                                                                         VkExtensionProperties* pProperties) {
  if (pLayerName != nullptr) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(from_handle<PhysicalDevice>(physicalDevice).extensions(), pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumerateDeviceLayerProperties(VkPhysicalDevice, uint32_t* pPropertyCount,
                                                                     VkLayerProperties*) {
  *pPropertyCount = 0;
  return VK_SUCCESS;
}

}  // namespace spalt::icd
