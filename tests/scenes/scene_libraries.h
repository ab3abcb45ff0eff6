// SPDX-License-Identifier: MIT
//
// Pipelines made from libraries (VK_EXT_graphics_pipeline_library).
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "scene.h"

namespace spalt::scenes {

/// The pipeline that `whole` describes, with nothing in its chain but the formats of dynamic rendering, linked from a
/// library for each of its parts, all of which go to `made`.
VkPipeline make_from_libraries(VkDevice device, const VkGraphicsPipelineCreateInfo& whole, Libraries libraries,
                               std::vector<VkPipeline>& made);

}  // namespace spalt::scenes
