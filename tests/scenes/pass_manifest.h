// SPDX-License-Identifier: MIT
//
// The "passes" of a manifest, with attachments, draws and descriptors.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scene.h"

namespace spalt::scenes {

/// The index of a resource by its name.
using Names = std::vector<std::string>;

/// What passes refer to by name.
struct ResourceNames {
  Names images, buffers, meshes, samplers;
  const nlohmann::json* pipelines = nullptr;  // members are pipelines
};

/// Throws Error.
size_t find_name(const Names& names, const std::string& name, const char* what);
Pass parse_pass(const nlohmann::json& object, const Scene& scene, const ResourceNames& names);

}  // namespace spalt::scenes
