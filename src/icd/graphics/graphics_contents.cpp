// SPDX-License-Identifier: MIT
#include "icd/graphics/graphics_contents.h"

#include <algorithm>

#include "icd/graphics/render_pass.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/object/wide_format.h"

namespace spalt::icd {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertexShader =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

/// What the code may rely on; 0: only draws know.
uint32_t known_stride(const GraphicsContents& contents, uint32_t binding) {
  const bool dynamic = is_dynamic(contents.dynamic, VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  return dynamic ? 0 : contents.state.strides[binding];
}

void read_binding(const VkVertexInputBindingDescription& binding, GraphicsContents& contents) {
  const bool fits = binding.binding < SPALT_MAX_VERTEX_BINDINGS;
  if (!fits) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  const bool per_instance = binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  contents.state.strides[binding.binding] = binding.stride;
  contents.bindings.push_back({binding.binding, known_stride(contents, binding.binding), per_instance ? 1u : 0u, 1});
}

/// Of an attribute in its element.
uint32_t attribute_bytes(VkFormat format) {
  if (const uint32_t bytes = wide_format_bytes(format); bytes != 0) return bytes;
  auto info = spalt_api::sized<spalt_format_info>();
  spalt_query_format(static_cast<uint32_t>(format), &info);
  return info.block_bytes;
}

void read_attribute(const VkVertexInputAttributeDescription& attribute, GraphicsContents& contents) {
  const bool fits = attribute.binding < SPALT_MAX_VERTEX_BINDINGS && attribute.location < SPALT_MAX_VERTEX_ATTRIBUTES;
  if (!fits) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  contents.attributes.push_back(
      {attribute.location, attribute.binding, static_cast<uint32_t>(attribute.format), attribute.offset});
  contents.binding_count = std::max(contents.binding_count, attribute.binding + 1);
  // An offset beyond the stride is in an element after.
  const uint32_t stride = known_stride(contents, attribute.binding);
  const uint32_t offset = stride == 0 ? attribute.offset : attribute.offset % stride;
  uint32_t& end = contents.element_bytes[attribute.binding];
  end = std::max(end, offset + attribute_bytes(attribute.format));
}

void read_divisors(const VkPipelineVertexInputDivisorStateCreateInfoEXT& info, GraphicsContents& contents) {
  for (uint32_t i = 0; i < info.vertexBindingDivisorCount; ++i) {
    for (spalt_vertex_binding& binding : contents.bindings) {
      if (binding.binding == info.pVertexBindingDivisors[i].binding) {
        binding.divisor = info.pVertexBindingDivisors[i].divisor;
      }
    }
  }
}

void read_vertex_input(const VkPipelineVertexInputStateCreateInfo& info, GraphicsContents& contents) {
  for (uint32_t i = 0; i < info.vertexBindingDescriptionCount; ++i) {
    read_binding(info.pVertexBindingDescriptions[i], contents);
  }
  for (uint32_t i = 0; i < info.vertexAttributeDescriptionCount; ++i) {
    read_attribute(info.pVertexAttributeDescriptions[i], contents);
  }
  if (const auto* divisors = find_in_chain<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)) {
    read_divisors(*divisors, contents);
  }
}

void read_viewports(const VkPipelineViewportStateCreateInfo& info, GraphicsContents& contents) {
  GraphicsState& state = contents.state;
  if (info.viewportCount > SPALT_MAX_VIEWPORTS || info.scissorCount > SPALT_MAX_VIEWPORTS) {
    throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  }
  state.viewport_count = info.viewportCount;
  state.scissor_count = info.scissorCount;
  const bool has_viewports = !is_dynamic(contents.dynamic, VK_DYNAMIC_STATE_VIEWPORT) &&
                             !is_dynamic(contents.dynamic, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
  const bool has_scissors = !is_dynamic(contents.dynamic, VK_DYNAMIC_STATE_SCISSOR) &&
                            !is_dynamic(contents.dynamic, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
  for (uint32_t i = 0; has_viewports && i < info.viewportCount; ++i) {
    state.viewports[i] = viewport_of(info.pViewports[i]);
  }
  for (uint32_t i = 0; has_scissors && i < info.scissorCount; ++i) state.scissors[i] = rect_of(info.pScissors[i]);
  if (const auto* control = find_in_chain<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT)) {
    state.raster.negative_one_to_one = control->negativeOneToOne;
  }
}

void read_rasterization(const VkPipelineRasterizationStateCreateInfo& info, spalt_raster_state& raster) {
  raster.rasterizer_discard = info.rasterizerDiscardEnable;
  raster.polygon_mode = info.polygonMode;
  raster.cull_mode = info.cullMode;
  raster.front_face = info.frontFace;
  raster.depth_clamp = info.depthClampEnable;
  raster.depth_clip = info.depthClampEnable == VK_FALSE ? 1 : 0;
  raster.depth_bias = info.depthBiasEnable;
  raster.depth_bias_constant = info.depthBiasConstantFactor;
  raster.depth_bias_clamp = info.depthBiasClamp;
  raster.depth_bias_slope = info.depthBiasSlopeFactor;
  raster.line_width = info.lineWidth;
  if (const auto* clip = find_in_chain<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT)) {
    raster.depth_clip = clip->depthClipEnable;
  }
  if (const auto* provoking = find_in_chain<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT)) {
    raster.provoking_last = provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT ? 1 : 0;
  }
  if (const auto* line = find_in_chain<VkPipelineRasterizationLineStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)) {
    raster.line_mode = line->lineRasterizationMode;
    raster.line_stipple = line->stippledLineEnable;
    raster.line_stipple_factor = line->lineStippleFactor;
    raster.line_stipple_pattern = line->lineStipplePattern;
  }
}

void read_samples(const VkPipelineMultisampleStateCreateInfo& info, spalt_raster_state& raster) {
  raster.samples = info.rasterizationSamples;
  raster.sample_mask = info.pSampleMask != nullptr ? info.pSampleMask[0] : UINT32_MAX;
  raster.min_sample_shading = info.sampleShadingEnable != VK_FALSE ? info.minSampleShading : 0;
  raster.alpha_to_coverage = info.alphaToCoverageEnable;
  raster.alpha_to_one = info.alphaToOneEnable;
}

spalt_stencil_face face_of(const VkStencilOpState& state) {
  return {static_cast<uint32_t>(state.failOp),
          static_cast<uint32_t>(state.passOp),
          static_cast<uint32_t>(state.depthFailOp),
          static_cast<uint32_t>(state.compareOp),
          state.compareMask,
          state.writeMask,
          state.reference};
}

void read_depth_stencil(const VkPipelineDepthStencilStateCreateInfo& info, spalt_raster_state& raster) {
  raster.depth_test = info.depthTestEnable;
  raster.depth_write = info.depthWriteEnable;
  raster.depth_compare_op = info.depthCompareOp;
  raster.depth_bounds_test = info.depthBoundsTestEnable;
  raster.min_depth_bounds = info.minDepthBounds;
  raster.max_depth_bounds = info.maxDepthBounds;
  raster.stencil_test = info.stencilTestEnable;
  raster.stencil_front = face_of(info.front);
  raster.stencil_back = face_of(info.back);
}

spalt_color_blend blend_of(const VkPipelineColorBlendAttachmentState& state) {
  return {state.blendEnable,
          static_cast<uint32_t>(state.srcColorBlendFactor),
          static_cast<uint32_t>(state.dstColorBlendFactor),
          static_cast<uint32_t>(state.colorBlendOp),
          static_cast<uint32_t>(state.srcAlphaBlendFactor),
          static_cast<uint32_t>(state.dstAlphaBlendFactor),
          static_cast<uint32_t>(state.alphaBlendOp),
          state.colorWriteMask};
}

/// Of the formats by location, which render pass or chain tell.
std::vector<uint32_t> color_formats(const VkGraphicsPipelineCreateInfo& info) {
  std::vector<uint32_t> formats;
  if (info.renderPass != VK_NULL_HANDLE) {
    const RenderPassContents& pass = *from_handle<RenderPass>(info.renderPass).contents;
    if (info.subpass >= pass.subpasses.size()) return formats;
    for (const AttachmentUse& use : pass.subpasses[info.subpass].colors) {
      const VkFormat format = use.is_used() ? pass.attachments[use.attachment].format : VK_FORMAT_UNDEFINED;
      formats.push_back(static_cast<uint32_t>(format));
    }
  } else if (const auto* rendering = find_in_chain<VkPipelineRenderingCreateInfo>(
                 info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)) {
    for (uint32_t i = 0; i < rendering->colorAttachmentCount; ++i) {
      formats.push_back(static_cast<uint32_t>(rendering->pColorAttachmentFormats[i]));
    }
  }
  if (formats.size() > SPALT_MAX_COLOR_TARGETS) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  return formats;
}

/// Otherwise the pointer to its state may be anything.
bool has_depth_stencil(const VkGraphicsPipelineCreateInfo& info) {
  if (info.renderPass == VK_NULL_HANDLE) return true;
  const RenderPassContents& pass = *from_handle<RenderPass>(info.renderPass).contents;
  return info.subpass < pass.subpasses.size() && pass.subpasses[info.subpass].depth_stencil.is_used();
}

/// Calls `visit(factor)` for those that a blended target has.
template <typename Visit>
void for_each_factor(const spalt_color_blend& blend, Visit&& visit) {
  if (blend.enable == 0) return;
  for (const uint32_t factor :
       {blend.src_color_factor, blend.dst_color_factor, blend.src_alpha_factor, blend.dst_alpha_factor}) {
    visit(factor);
  }
}

/// Of either source.
bool reads_source_alpha(uint32_t factor) {
  switch (factor) {
    case VK_BLEND_FACTOR_SRC_ALPHA:
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
    case VK_BLEND_FACTOR_SRC1_ALPHA:
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return true;
    default:
      return false;
  }
}

bool is_dual_source(uint32_t factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

void read_color_targets(const VkGraphicsPipelineCreateInfo& info, GraphicsContents& contents) {
  const std::vector<uint32_t> formats = color_formats(info);
  const VkPipelineColorBlendStateCreateInfo* state = formats.empty() ? nullptr : info.pColorBlendState;
  for (size_t i = 0; i < formats.size(); ++i) {
    spalt_color_blend& blend = contents.state.blends[i];
    if (state != nullptr && i < state->attachmentCount) blend = blend_of(state->pAttachments[i]);
    spalt_color_target target{formats[i], blend.write_mask, blend.enable, 0};
    for_each_factor(blend, [&](uint32_t factor) {
      if (reads_source_alpha(factor)) target.blend_reads_alpha = 1;
      if (is_dual_source(factor)) contents.dual_source_blend = 1;
    });
    contents.color_targets.push_back(target);
  }
  if (state == nullptr) return;
  contents.state.raster.logic_op_enable = state->logicOpEnable;
  contents.state.raster.logic_op = state->logicOp;
  std::copy(std::begin(state->blendConstants), std::end(state->blendConstants), contents.state.raster.blend_constants);
  if (const auto* writes = find_in_chain<VkPipelineColorWriteCreateInfoEXT>(
          state->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT)) {
    const size_t count = std::min<size_t>(writes->attachmentCount, contents.state.writes_color.size());
    for (size_t i = 0; writes->pColorWriteEnables != nullptr && i < count; ++i) {
      contents.state.writes_color[i] = writes->pColorWriteEnables[i] != VK_FALSE;
    }
  }
}

// ---- parts of a pipeline ----

using Raster = spalt_raster_state;

template <auto... members>
void copy_raster(const GraphicsContents& from, GraphicsContents& to) {
  ((to.state.raster.*members = from.state.raster.*members), ...);
}

void copy_vertex_input(const GraphicsContents& from, GraphicsContents& to) {
  copy_raster<&Raster::topology, &Raster::primitive_restart>(from, to);
  to.state.strides = from.state.strides;
  to.binding_count = from.binding_count;
  to.element_bytes = from.element_bytes;
  to.bindings = from.bindings;
  to.attributes = from.attributes;
}

void copy_vertex_shader(const GraphicsContents& from, GraphicsContents& to) {
  copy_raster<&Raster::rasterizer_discard, &Raster::polygon_mode, &Raster::cull_mode, &Raster::front_face,
              &Raster::depth_clamp, &Raster::depth_clip, &Raster::depth_bias, &Raster::depth_bias_constant,
              &Raster::depth_bias_clamp, &Raster::depth_bias_slope, &Raster::line_width, &Raster::line_mode,
              &Raster::line_stipple, &Raster::line_stipple_factor, &Raster::line_stipple_pattern,
              &Raster::provoking_last, &Raster::negative_one_to_one>(from, to);
  to.state.viewports = from.state.viewports;
  to.state.scissors = from.state.scissors;
  to.state.viewport_count = from.state.viewport_count;
  to.state.scissor_count = from.state.scissor_count;
}

/// What draws know of samples is not here: where the fragment shader depends on them, the output says the same.
void copy_fragment_shader(const GraphicsContents& from, GraphicsContents& to) {
  copy_raster<&Raster::depth_test, &Raster::depth_write, &Raster::depth_compare_op, &Raster::depth_bounds_test,
              &Raster::min_depth_bounds, &Raster::max_depth_bounds, &Raster::stencil_test, &Raster::stencil_front,
              &Raster::stencil_back>(from, to);
  to.fragment_samples = from.fragment_samples;
  to.fragment_min_sample_shading = from.fragment_min_sample_shading;
}

void copy_fragment_output(const GraphicsContents& from, GraphicsContents& to) {
  copy_raster<&Raster::samples, &Raster::sample_mask, &Raster::min_sample_shading, &Raster::alpha_to_coverage,
              &Raster::alpha_to_one, &Raster::logic_op_enable, &Raster::logic_op>(from, to);
  std::copy(std::begin(from.state.raster.blend_constants), std::end(from.state.raster.blend_constants),
            to.state.raster.blend_constants);
  to.state.blends = from.state.blends;
  to.state.writes_color = from.state.writes_color;
  to.color_targets = from.color_targets;
  to.dual_source_blend = from.dual_source_blend;
}

}  // namespace

bool GraphicsContents::never_rasterizes() const {
  return state.raster.rasterizer_discard != 0 && !is_dynamic(dynamic, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

uint32_t GraphicsContents::primitive_shape() const {
  const uint32_t topology = state.raster.topology;
  if (topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST) return topology;
  const bool is_line = topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  return is_line ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

spalt_graphics_state GraphicsContents::compiler_state(VkShaderStageFlagBits stage) const {
  auto made = spalt_api::sized<spalt_graphics_state>();
  made.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  if (stage != VK_SHADER_STAGE_FRAGMENT_BIT) {
    made.vertex_bindings = bindings.data();
    made.vertex_binding_count = bindings.size();
    made.vertex_binding_size = sizeof(spalt_vertex_binding);
    made.vertex_attributes = attributes.data();
    made.vertex_attribute_count = attributes.size();
    made.vertex_attribute_size = sizeof(spalt_vertex_attribute);
    made.topology = state.raster.topology;
    made.provoking_last = state.raster.provoking_last;
    made.rasterizer_discard = never_rasterizes() ? 1 : 0;
    return made;
  }
  made.samples = state.raster.samples;
  made.min_sample_shading = state.raster.min_sample_shading;
  made.alpha_to_coverage = state.raster.alpha_to_coverage;
  made.alpha_to_one = state.raster.alpha_to_one;
  made.dual_source_blend = dual_source_blend;
  made.color_targets = color_targets.data();
  made.color_target_count = color_targets.size();
  made.color_target_size = sizeof(spalt_color_target);
  return made;
}

spalt_graphics_state GraphicsContents::body_state(VkShaderStageFlagBits stage) const {
  auto made = spalt_api::sized<spalt_graphics_state>();
  made.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  if (stage != VK_SHADER_STAGE_FRAGMENT_BIT) {
    made.provoking_last = state.raster.provoking_last;
    made.rasterizer_discard = never_rasterizes() ? 1 : 0;
  } else {
    made.samples = fragment_samples;
    made.min_sample_shading = fragment_min_sample_shading;
  }
  return made;
}

VkGraphicsPipelineLibraryFlagsEXT parts_of_code(VkShaderStageFlagBits stage) {
  return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? kFragmentShader | kFragmentOutput : kVertexInput | kVertexShader;
}

GraphicsContents make_graphics_contents(const VkGraphicsPipelineCreateInfo& info,
                                        VkGraphicsPipelineLibraryFlagsEXT parts) {
  GraphicsContents contents;
  spalt_raster_state& raster = contents.state.raster;
  raster = spalt_api::sized<spalt_raster_state>();
  raster.samples = 1;
  raster.sample_mask = UINT32_MAX;
  const auto has = [&](VkGraphicsPipelineLibraryFlagsEXT part) { return (parts & part) != 0; };
  contents.dynamic = dynamic_groups(info.pDynamicState, parts);
  if (has(kVertexInput) && info.pVertexInputState != nullptr) read_vertex_input(*info.pVertexInputState, contents);
  if (has(kVertexInput) && info.pInputAssemblyState != nullptr) {
    raster.topology = info.pInputAssemblyState->topology;
    raster.primitive_restart = info.pInputAssemblyState->primitiveRestartEnable;
  }
  if (has(kVertexShader) && info.pRasterizationState != nullptr) read_rasterization(*info.pRasterizationState, raster);
  // Without fragments, pointers to what they are for may be anything.
  if (contents.never_rasterizes()) return contents;
  if (has(kVertexShader) && info.pViewportState != nullptr) read_viewports(*info.pViewportState, contents);
  if (has(kFragmentShader) && info.pDepthStencilState != nullptr && has_depth_stencil(info)) {
    read_depth_stencil(*info.pDepthStencilState, raster);
  }
  if (has(kFragmentShader | kFragmentOutput) && info.pMultisampleState != nullptr) {
    read_samples(*info.pMultisampleState, raster);
    if (has(kFragmentShader)) {
      contents.fragment_samples = raster.samples;
      contents.fragment_min_sample_shading = raster.min_sample_shading;
    }
  }
  if (has(kFragmentOutput)) read_color_targets(info, contents);
  return contents;
}

void copy_parts(VkGraphicsPipelineLibraryFlagsEXT parts, const GraphicsContents& from, GraphicsContents& to) {
  if ((parts & kVertexInput) != 0) copy_vertex_input(from, to);
  if ((parts & kVertexShader) != 0) copy_vertex_shader(from, to);
  if ((parts & kFragmentShader) != 0) copy_fragment_shader(from, to);
  if ((parts & kFragmentOutput) != 0) copy_fragment_output(from, to);
  to.dynamic |= from.dynamic;
}

}  // namespace spalt::icd
