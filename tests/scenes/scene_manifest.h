// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "scene.h"

namespace spalt::scenes {

/// Reads and validates the manifest of a scene; throws Error.
Scene load_scene(const std::string& path);

/// The same for text that is in no file; the scene has no folder.
Scene read_scene(const std::string& text, const std::string& name);

}  // namespace spalt::scenes
