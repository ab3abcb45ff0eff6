// SPDX-License-Identifier: MIT
#include "scene_shaders.h"

namespace spalt::scenes {

ShaderWords load_shaders(const Scene& scene, vkrun::Variant variant, bool vulkan_1_2) {
  ShaderWords shaders;
  for (const Pass& pass : scene.passes) {
    for (const Draw& draw : pass.draws) {
      for (const std::string& file : {draw.pipeline.vertex, draw.pipeline.geometry, draw.pipeline.fragment}) {
        if (file.empty() || shaders.contains(file)) continue;
        shaders[file] = vkrun::load_shader(scene.folder + "/" + file, variant, vulkan_1_2);
      }
    }
  }
  return shaders;
}

}  // namespace spalt::scenes
