// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scene.h"
#include "vkrun/shader_source.h"

namespace spalt::scenes {

/// SPIR-V words by shader name as the pipelines spell it.
using ShaderWords = std::map<std::string, std::vector<uint32_t>>;

/// All shaders of a scene; throws Error. `vulkan_1_2`: as for vkrun::load_shader.
ShaderWords load_shaders(const Scene& scene, vkrun::Variant variant, bool vulkan_1_2);

}  // namespace spalt::scenes
