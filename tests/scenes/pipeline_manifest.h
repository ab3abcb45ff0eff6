// SPDX-License-Identifier: MIT
//
// The "pipelines" of a manifest, each member with Vulkan's default.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scene.h"

namespace spalt::scenes {

/// `object` has everything: what the pipeline takes from another one, and what a draw changes. Throws Error.
Pipeline parse_pipeline(const nlohmann::json& object);

}  // namespace spalt::scenes
