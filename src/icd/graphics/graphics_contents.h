// SPDX-License-Identifier: MIT
//
// What VkGraphicsPipelineCreateInfo says besides shaders and layout: the state of draws, and what the code of the
// stages depends on.
#pragma once

#include <vector>

#include "icd/graphics/graphics_state.h"

namespace spalt::icd {

struct GraphicsContents {
  GraphicsState state;
  DynamicGroups dynamic;
  uint32_t binding_count = 0;  // the highest one that an attribute reads, plus 1
  /// Bytes that an element of each binding must have: the greatest end of its attributes.
  std::array<uint32_t, SPALT_MAX_VERTEX_BINDINGS> element_bytes{};

  // For the compiler.
  std::vector<spalt_vertex_binding> bindings;
  std::vector<spalt_vertex_attribute> attributes;
  std::vector<spalt_color_target> color_targets;
  uint32_t dual_source_blend = 0;
  /// What the part with the fragment shader says of samples; 0: nothing.
  uint32_t fragment_samples = 0;
  float fragment_min_sample_shading = 0;

  /// What the code of a stage depends on; the rest is as if nothing was said, so that keys of caches do not depend on
  /// it. Points into this.
  spalt_graphics_state compiler_state(VkShaderStageFlagBits stage) const;
  /// The same of a stage without the vertex input, or without the fragment output.
  spalt_graphics_state body_state(VkShaderStageFlagBits stage) const;
  bool never_rasterizes() const;
  /// A topology for all with as many vertices in a primitive: barycentrics of points and lines differ from those of
  /// triangles.
  uint32_t primitive_shape() const;
};

/// Looks at nothing but these parts of the pipeline. Throws VulkanError{VK_ERROR_FEATURE_NOT_PRESENT} for more vertex
/// bindings, attributes or targets than there can be.
GraphicsContents make_graphics_contents(const VkGraphicsPipelineCreateInfo& info,
                                        VkGraphicsPipelineLibraryFlagsEXT parts = kAllParts);

/// The parts that compiler_state looks at.
VkGraphicsPipelineLibraryFlagsEXT parts_of_code(VkShaderStageFlagBits stage);

/// Copies what these parts say.
void copy_parts(VkGraphicsPipelineLibraryFlagsEXT parts, const GraphicsContents& from, GraphicsContents& to);

}  // namespace spalt::icd
