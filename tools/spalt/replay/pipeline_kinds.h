// SPDX-License-Identifier: MIT
//
// The kinds of pipelines that archives have. A kind that becomes supported gets a reader here and, in
// compile_pipeline.cpp, a way to compile it; nothing else tells kinds apart.
#pragma once
#include <span>
#include <string>

#include "replay/archive.h"
#include "replay/document.h"
#include "replay/state.h"

namespace spalt_tool::replay {

enum class PipelineKind : uint8_t { compute, graphics, ray_tracing };
constexpr unsigned kPipelineKindCount = 3;

struct KindInfo {
  PipelineKind kind;
  const char* name;  ///< in options and result files
  Tag tag;
  /// Null: pipelines of the kind are counted, and listed as unsupported.
  bool (*read)(const Document& document, uint64_t hash, PipelineState& state, Problem& problem);
};
/// In the order of the enumeration.
std::span<const KindInfo> pipeline_kinds();
const KindInfo& kind_info(PipelineKind kind);
/// Null when nothing has that name.
const KindInfo* find_kind(const std::string& name);

}  // namespace spalt_tool::replay
