// SPDX-License-Identifier: MIT
#pragma once

#include "icd/shader/program.h"

namespace spalt::icd {

/// Keeps all that it needs: the module may be destroyed at once, the layout later.
class ComputePipeline : public Object {
 public:
  using Handle = VkPipeline;
  ComputePipeline(ProgramRef compiled, PipelineLayoutRef pipeline_layout)
      : program(std::move(compiled)), layout(std::move(pipeline_layout)) {}

  const ProgramRef program;
  const PipelineLayoutRef layout;
};

}  // namespace spalt::icd
