// SPDX-License-Identifier: MIT
//
// Recorded documents as state. Structures of a pNext chain that are not known are refused by number: what is compiled
// would not be what was recorded.
#pragma once
#include "replay/document.h"
#include "replay/state.h"

namespace spalt_tool::replay {

bool read_application(const Document& document, ApplicationState& state, Problem& problem);
bool read_application_link(const Document& document, ApplicationLinkState& state, Problem& problem);
bool read_sampler(const Document& document, uint64_t hash, SamplerState& state, Problem& problem);
bool read_set_layout(const Document& document, uint64_t hash, SetLayoutState& state, Problem& problem);
bool read_pipeline_layout(const Document& document, uint64_t hash, PipelineLayoutState& state, Problem& problem);
bool read_shader_module(const Document& document, uint64_t hash, std::vector<uint32_t>& words, Problem& problem);
bool read_compute_pipeline(const Document& document, uint64_t hash, PipelineState& state, Problem& problem);
bool read_graphics_pipeline(const Document& document, uint64_t hash, PipelineState& state, Problem& problem);
bool read_render_pass(const Document& document, uint64_t hash, RenderPassState& state, Problem& problem);

/// A stage of a pipeline of any kind (read_pipeline.cpp).
void read_stage(Fields fields, StageState& state);
/// A structure in the pNext chain of a pipeline of any kind; refuses those that are not known.
void read_pipeline_structure(Fields next, PipelineState& state);

}  // namespace spalt_tool::replay
