// SPDX-License-Identifier: MIT
//
// Lists of graphics pipelines to measure compilers with: a JSON file that names shaders and states. docs/performance.md
// ("Graphics pipelines") documents it.
#pragma once
#include <spalt/spalt.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "graphics_state.h"

namespace spalt_tool {

struct ListedPipeline {
  std::string name;
  std::vector<uint32_t> vertex, fragment;  ///< SPIR-V; without a fragment shader no words
  std::vector<spalt_specialization_entry> specialization;
  std::vector<uint32_t> specialization_data;
  GraphicsState state;
};

/// Shader files are relative to the list. A pipeline without a state gets one from its shaders
/// (GraphicsState::derive). Pipelines that cannot be read are left out and named in `problems`, a line each.
std::deque<ListedPipeline> read_pipeline_list(const std::string& path, std::string& problems);

}  // namespace spalt_tool
