// SPDX-License-Identifier: MIT
//
// Parts of graphics pipelines (VK_EXT_graphics_pipeline_library). A create info has some parts itself and takes others
// from libraries; what it makes is a pipeline when the parts are all there is to know, or a library again.
#pragma once

#include "icd/graphics/graphics_contents.h"
#include "icd/shader/pipeline.h"
#include "icd/shader/retained_stage.h"

namespace spalt::icd {

/// A pipeline that is a library has this in place of a program.
struct GraphicsLibrary {
  VkGraphicsPipelineLibraryFlagsEXT parts = 0;
  GraphicsContents contents;
  PipelineLayoutRef layout;  // nullptr: of parts that have none
  std::vector<std::shared_ptr<const RetainedStage>> stages;
};

/// A create info's own parts and those of its libraries. Points into both.
struct GraphicsParts {
  struct Stage {
    const VkPipelineShaderStageCreateInfo* info;
    const void* pipeline_chain;                     // of what is not in the stage's
    std::shared_ptr<const RetainedStage> retained;  // of a library's; nullptr: the application's

    bool is_open() const { return retained != nullptr && retained->library_code() == LibraryCode::body; }
    bool reads_barycentrics() const { return retained != nullptr && retained->reads_barycentrics(); }
  };

  VkGraphicsPipelineLibraryFlagsEXT parts = 0;
  GraphicsContents contents;
  PipelineLayoutRef layout;  // nullptr: none of the parts has one
  std::vector<Stage> stages;

  /// nullptr: there is none.
  const Stage* find(VkShaderStageFlagBits stage) const;
};

/// Throws VulkanError.
GraphicsParts gather_graphics_parts(const VkGraphicsPipelineCreateInfo& info);
/// The same for when the application's structs are gone. Throws VulkanError{VK_PIPELINE_COMPILE_REQUIRED} for a stage
/// that is known by its identifier alone, because there is no telling whether some cache will have it.
std::shared_ptr<const GraphicsLibrary> make_graphics_library(const GraphicsParts& parts, VkPipelineCreateFlags flags);

}  // namespace spalt::icd
