// SPDX-License-Identifier: MIT
//
// The graphics pipelines of scenes as a list for `spalt bench` and `vkcompile` (tools/spalt/pipeline_list.h).
#pragma once

#include <string>
#include <vector>

#include "vkrun/shader_source.h"

namespace spalt::scenes {

/// Writes `folder`/pipelines.json and the shaders that it names. Pipelines with the same shaders and state are in it
/// once, those with a geometry shader not at all. Returns how many there are; throws Error.
size_t write_pipelines(const std::vector<std::string>& scenes, vkrun::Variant variant, const std::string& folder);

}  // namespace spalt::scenes
