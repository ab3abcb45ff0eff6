// SPDX-License-Identifier: MIT
//
// The parts of a .pipe file that are lists of assignments. Each function takes one section; members that code does not
// depend on are left alone, as LLPC's own reader leaves those that it does not know.
#pragma once
#include "replay/pipe/pipe_state.h"
#include "replay/pipe/sections.h"

namespace spalt_tool::replay::pipe {

/// [VsInfo] and its like: entry point, specialization, options and, in old files, places of resources.
bool read_shader_info(const Section& section, StageState& stage, PipeState& state, Problem& problem);
/// [GraphicsPipelineState].
bool read_graphics_state(const Section& section, PipeState& state, Problem& problem);
/// [ComputePipelineState].
bool read_compute_state(const Section& section, PipeState& state, Problem& problem);
/// [VertexInputState].
bool read_vertex_input_state(const Section& section, PipeState& state, Problem& problem);
/// [ResourceMapping].
bool read_resource_mapping(const Section& section, PipeState& state, Problem& problem);

/// One assignment to a member of userDataNode or descriptorRangeValue; false is "not mine" or, with a problem, an
/// error. `nodes` and `fixed` collect by index.
struct MappingReader {
  std::map<uint32_t, Node> nodes;
  std::map<uint32_t, FixedDescriptor> fixed;

  bool read(const Assignment& assignment, Problem& problem);
  /// Hands all to the state. A visibility other than 0 overrules what the file says.
  void finish(uint32_t visibility, PipeState& state);
};

}  // namespace spalt_tool::replay::pipe
