// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "scene.h"

namespace spalt::scenes {

/// Reads and validates the manifest of a scene; throws Error.
Scene load_scene(const std::string& path);

}  // namespace spalt::scenes
