// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icd/shader/program.h"

namespace spalt::icd {

struct GraphicsContents;
struct GraphicsLibrary;

/// A stage of a pipeline for those who ask about it.
struct PipelineStage {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  std::string entry_point;
  spalt_statistics statistics{};
  std::vector<Representation> representations;  // of VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR
};

/// Keeps all that it needs: the modules may be destroyed at once, the layout and the cache later.
class Pipeline : public Object {
 public:
  using Handle = VkPipeline;
  Pipeline(ProgramRef linked, PipelineLayoutRef pipeline_layout, std::vector<PipelineStage> all_stages,
           std::shared_ptr<const GraphicsContents> state = nullptr)
      : program(std::move(linked)),
        layout(std::move(pipeline_layout)),
        stages(std::move(all_stages)),
        graphics(std::move(state)) {}
  /// A library of parts of graphics pipelines.
  explicit Pipeline(std::shared_ptr<const GraphicsLibrary> parts) : library(std::move(parts)) {}

  const ProgramRef program;  // nullptr: a library
  const PipelineLayoutRef layout;
  const std::vector<PipelineStage> stages;
  const std::shared_ptr<const GraphicsContents> graphics;  // nullptr: a compute pipeline, or a library
  const std::shared_ptr<const GraphicsLibrary> library;
};

}  // namespace spalt::icd
