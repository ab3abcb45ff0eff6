// SPDX-License-Identifier: MIT
#include "replay/pipeline_kinds.h"

#include "replay/read_state.h"

namespace spalt_tool::replay {
namespace {

constexpr KindInfo kKinds[kPipelineKindCount] = {
    {PipelineKind::compute, "compute", Tag::compute_pipeline, read_compute_pipeline},
    {PipelineKind::graphics, "graphics", Tag::graphics_pipeline, read_graphics_pipeline},
    {PipelineKind::ray_tracing, "ray_tracing", Tag::ray_tracing_pipeline, nullptr},
};

}  // namespace

std::span<const KindInfo> pipeline_kinds() {
  return kKinds;
}

const KindInfo& kind_info(PipelineKind kind) {
  return kKinds[static_cast<unsigned>(kind)];
}

const KindInfo* find_kind(const std::string& name) {
  for (const KindInfo& kind : kKinds) {
    if (name == kind.name) return &kind;
  }
  return nullptr;
}

}  // namespace spalt_tool::replay
