// SPDX-License-Identifier: MIT
//
// Draws a scene on the Vulkan driver that the loader finds first.
#pragma once

#include "scene.h"
#include "scene_shaders.h"

namespace spalt::scenes {

/// Throws Error, and run::NotThere when the driver lacks what the scene needs.
Pictures render(const Scene& scene, const ShaderWords& shaders, const Ways& ways);

}  // namespace spalt::scenes
