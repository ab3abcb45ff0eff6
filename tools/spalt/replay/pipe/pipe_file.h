// SPDX-License-Identifier: MIT
//
// Files of pipelines in LLPC's text form, and the one that is being compiled: its text, what it says, the words of its
// shaders. GLSL and assembly become SPIR-V in memory; their errors name the line of the .pipe file.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "replay/pipe/pipe_state.h"
#include "replay/problem.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay::pipe {

/// A file of a run.
struct PipeFile {
  std::string path;
  PipelineKind kind = PipelineKind::graphics;
  uint64_t hash = 0;   ///< of its text and of the files that it names
  uint64_t bytes = 0;  ///< of its text
};

/// Reads enough of the file to list it. On failure `error` is a sentence without the path.
bool find_pipe(const std::string& path, PipeFile& file, std::string& error);

/// A pipeline of a file, ready to be compiled.
struct Pipeline {
  std::string text;
  PipeState state;  ///< refers to `text`
  std::array<std::vector<uint32_t>, 2> words;
  std::array<UserDataLayout, 2> layouts;  ///< of stages, when the file says where resources are
  std::vector<uint32_t> color_formats;
};
/// Problems that have a place in the file start with it.
bool load_pipeline(const PipeFile& file, uint32_t max_user_data_entries, Pipeline& pipeline, Problem& problem);

}  // namespace spalt_tool::replay::pipe
