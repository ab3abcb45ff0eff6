// SPDX-License-Identifier: MIT
#include "scene_descriptors.h"

#include <algorithm>
#include <set>

namespace spalt::scenes {

using vkrun::check_vulkan;

SceneDescriptors::~SceneDescriptors() {
  for (VkDescriptorPool pool : pools_) vkDestroyDescriptorPool(device_, pool, nullptr);
  for (const auto& [key, layout] : layouts_) {
    vkDestroyPipelineLayout(device_, layout.pipeline, nullptr);
    for (VkDescriptorSetLayout set : layout.sets) vkDestroyDescriptorSetLayout(device_, set, nullptr);
  }
}

std::string SceneDescriptors::layout_key(const Draw& draw) {
  std::set<std::string> parts;
  for (const Binding& binding : draw.bindings) {
    parts.insert(std::to_string(binding.set) + "." + std::to_string(binding.binding) + "." +
                 std::to_string(binding.element) + ":" + std::to_string(binding.type));
  }
  std::string key = std::to_string(draw.push.size());
  for (const std::string& part : parts) key += " " + part;
  return key;
}

VkDescriptorSetLayout SceneDescriptors::make_set_layout(const Draw& draw, uint32_t set) const {
  std::map<uint32_t, VkDescriptorSetLayoutBinding> bindings;
  for (const Binding& one : draw.bindings) {
    if (one.set != set) continue;
    VkDescriptorSetLayoutBinding& binding = bindings[one.binding];
    binding.binding = one.binding;
    binding.descriptorType = one.type;
    binding.descriptorCount = std::max(binding.descriptorCount, one.element + 1);
    binding.stageFlags = kStages;
    if (one.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
  }
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (const auto& [number, binding] : bindings) list.push_back(binding);
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<uint32_t>(list.size());
  info.pBindings = list.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  check_vulkan(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout), "vkCreateDescriptorSetLayout");
  return layout;
}

const DrawLayout& SceneDescriptors::layout(const Draw& draw) {
  const auto [place, is_new] = layouts_.try_emplace(layout_key(draw));
  DrawLayout& layout = place->second;
  if (!is_new) return layout;
  uint32_t sets = 0;
  for (const Binding& binding : draw.bindings) sets = std::max(sets, binding.set + 1);
  for (uint32_t set = 0; set < sets; ++set) layout.sets.push_back(make_set_layout(draw, set));
  VkPushConstantRange range{kStages, 0, static_cast<uint32_t>(draw.push.size() * 4)};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.flags = layout_flags_;
  info.setLayoutCount = sets;
  info.pSetLayouts = layout.sets.data();
  info.pushConstantRangeCount = draw.push.empty() ? 0 : 1;
  info.pPushConstantRanges = &range;
  check_vulkan(vkCreatePipelineLayout(device_, &info, nullptr, &layout.pipeline), "vkCreatePipelineLayout");
  return layout;
}

VkDescriptorPool SceneDescriptors::make_pool(const Draw& draw, uint32_t sets) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const Binding& binding : draw.bindings) sizes.push_back({binding.type, 1});
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = sets;
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check_vulkan(vkCreateDescriptorPool(device_, &info, nullptr, &pool), "vkCreateDescriptorPool");
  return pools_.emplace_back(pool);
}

std::vector<VkDescriptorSet> SceneDescriptors::make_sets(const Pass& pass, const Draw& draw) {
  const std::vector<VkDescriptorSetLayout>& layouts = layout(draw).sets;
  if (layouts.empty()) return {};
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = make_pool(draw, static_cast<uint32_t>(layouts.size()));
  info.descriptorSetCount = static_cast<uint32_t>(layouts.size());
  info.pSetLayouts = layouts.data();
  std::vector<VkDescriptorSet> sets(layouts.size());
  check_vulkan(vkAllocateDescriptorSets(device_, &info, sets.data()), "vkAllocateDescriptorSets");
  for (const Binding& binding : draw.bindings) write(pass, binding, sets[binding.set]);
  return sets;
}

void SceneDescriptors::write(const Pass& pass, const Binding& binding, VkDescriptorSet set) {
  VkDescriptorImageInfo image{};
  VkDescriptorBufferInfo buffer{};
  VkBufferView texels = VK_NULL_HANDLE;
  switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      buffer = {resources_.buffer(binding.resource), 0, VK_WHOLE_SIZE};
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      texels = resources_.make_buffer_view(binding);
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      image.sampler = resources_.sampler(binding.sampler);
      break;
    default:
      if (binding.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        image.sampler = resources_.sampler(binding.sampler);
      image.imageView = resources_.make_view(binding);
      image.imageLayout = layout_in_pass(pass, scene_.images[binding.resource], binding.resource);
      break;
  }
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding.binding;
  write.dstArrayElement = binding.element;
  write.descriptorCount = 1;
  write.descriptorType = binding.type;
  write.pImageInfo = &image;
  write.pBufferInfo = &buffer;
  write.pTexelBufferView = &texels;
  vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
}

}  // namespace spalt::scenes
