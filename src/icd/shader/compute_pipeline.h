// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "icd/shader/program.h"

namespace spalt::icd {

/// Keeps all that it needs: the module may be destroyed at once, the layout and the cache later.
class ComputePipeline : public Object {
 public:
  using Handle = VkPipeline;
  ComputePipeline(ProgramRef compiled, PipelineLayoutRef pipeline_layout, std::string entry,
                  std::vector<Representation> texts)
      : program(std::move(compiled)),
        layout(std::move(pipeline_layout)),
        entry_point(std::move(entry)),
        representations(std::move(texts)) {}

  const ProgramRef program;
  const PipelineLayoutRef layout;
  const std::string entry_point;
  const std::vector<Representation> representations;  // of VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR
};

}  // namespace spalt::icd
