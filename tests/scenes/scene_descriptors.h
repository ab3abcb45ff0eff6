// SPDX-License-Identifier: MIT
//
// Descriptor sets of draws, and the pipeline layouts that go with them. Draws with the same kinds of descriptors share
// a layout, so that they can share pipelines.
#pragma once

#include <vulkan/vulkan.h>

#include <map>
#include <string>
#include <vector>

#include "scene.h"
#include "scene_resources.h"

namespace spalt::scenes {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_ALL_GRAPHICS;

struct DrawLayout {
  std::vector<VkDescriptorSetLayout> sets;
  VkPipelineLayout pipeline = VK_NULL_HANDLE;
};

class SceneDescriptors {
 public:
  /// For pipelines from libraries, layouts have independent sets.
  SceneDescriptors(VkDevice device, const Scene& scene, SceneResources& resources, Libraries libraries)
      : device_(device),
        scene_(scene),
        resources_(resources),
        layout_flags_(libraries != Libraries::None ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT : 0) {}
  ~SceneDescriptors();
  SceneDescriptors(const SceneDescriptors&) = delete;
  SceneDescriptors& operator=(const SceneDescriptors&) = delete;

  /// Equal for draws with equal layouts.
  static std::string layout_key(const Draw& draw);
  const DrawLayout& layout(const Draw& draw);
  std::vector<VkDescriptorSet> make_sets(const Pass& pass, const Draw& draw);

 private:
  VkDescriptorSetLayout make_set_layout(const Draw& draw, uint32_t set) const;
  VkDescriptorPool make_pool(const Draw& draw, uint32_t sets);
  void write(const Pass& pass, const Binding& binding, VkDescriptorSet set);

  VkDevice device_;
  const Scene& scene_;
  SceneResources& resources_;
  VkPipelineLayoutCreateFlags layout_flags_;
  std::map<std::string, DrawLayout> layouts_;
  std::vector<VkDescriptorPool> pools_;
};

}  // namespace spalt::scenes
