// SPDX-License-Identifier: MIT
//
// Graphics pipelines of draws, and the dynamic state that they leave open.
#pragma once

#include <vulkan/vulkan.h>

#include <map>
#include <string>
#include <vector>

#include "render_target.h"
#include "scene.h"
#include "scene_device.h"
#include "scene_shaders.h"

namespace spalt::scenes {

class ScenePipelines {
 public:
  ScenePipelines(const SceneDevice& device, const ShaderWords& shaders, Libraries libraries)
      : device_(device), shaders_(shaders), libraries_(libraries) {}
  ~ScenePipelines();
  ScenePipelines(const ScenePipelines&) = delete;
  ScenePipelines& operator=(const ScenePipelines&) = delete;

  VkPipeline make(const Pass& pass, const Draw& draw, const RenderTarget& target, VkPipelineLayout layout);

 private:
  VkShaderModule module(const std::string& file);

  const SceneDevice& device_;
  const ShaderWords& shaders_;
  Libraries libraries_;
  std::map<std::string, VkShaderModule> modules_;
  std::vector<VkPipeline> pipelines_;
};

/// The values of all state that is dynamic in the draw's pipeline.
void record_dynamic_state(const SceneDevice& device, VkCommandBuffer commands, const Pass& pass, const Draw& draw);

}  // namespace spalt::scenes
