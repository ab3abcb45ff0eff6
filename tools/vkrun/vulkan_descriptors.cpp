// SPDX-License-Identifier: MIT
#include "vulkan_descriptors.h"

#include <algorithm>
#include <map>

namespace spalt::vkrun {
namespace {

VkDescriptorType descriptor_type(BufferKind kind) {
  switch (kind) {
    case BufferKind::Storage:
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case BufferKind::Uniform:
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case BufferKind::Inline:
      return VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    case BufferKind::UniformTexel:
      return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case BufferKind::StorageTexel:
      return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  }
  return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

VkDescriptorType descriptor_type(ImageUse use) {
  switch (use) {
    case ImageUse::Sampled:
      return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case ImageUse::Storage:
      return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case ImageUse::Combined:
      return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  }
  return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

bool is_inline(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

}  // namespace

VulkanDescriptors::VulkanDescriptors(const VulkanHandles& handles, const Manifest& manifest)
    : handles_(handles), manifest_(manifest) {
  collect();
}

VulkanDescriptors::~VulkanDescriptors() {
  vkDestroyDescriptorPool(handles_.device, pool_, nullptr);
  for (VkDescriptorSetLayout layout : layouts_) vkDestroyDescriptorSetLayout(handles_.device, layout, nullptr);
  for (VkBufferView view : buffer_views_) vkDestroyBufferView(handles_.device, view, nullptr);
}

void VulkanDescriptors::collect() {
  for (size_t i = 0; i < manifest_.buffers.size(); ++i) {
    const BufferDesc& desc = manifest_.buffers[i];
    const VkDescriptorType type = descriptor_type(desc.kind);
    const uint32_t count = is_inline(type) ? static_cast<uint32_t>(desc.initial.size()) : 1;
    slots_.push_back({desc.set, desc.binding, desc.element, type, count, i, 0});
  }
  for (size_t i = 0; i < manifest_.images.size(); ++i) {
    for (size_t view = 0; view < manifest_.images[i].bindings.size(); ++view) {
      const ImageBinding& binding = manifest_.images[i].bindings[view];
      slots_.push_back({binding.set, binding.binding, binding.element, descriptor_type(binding.use), 1, i, view});
    }
  }
  for (size_t i = 0; i < manifest_.samplers.size(); ++i) {
    const SamplerDesc& desc = manifest_.samplers[i];
    if (!desc.is_bound) continue;
    slots_.push_back({desc.set, desc.binding, desc.element, VK_DESCRIPTOR_TYPE_SAMPLER, 1, i, 0});
  }
}

void VulkanDescriptors::create(const std::vector<HostBuffer>& buffers, const VulkanImages& images) {
  uint32_t set_count = 0;
  for (const Slot& slot : slots_) set_count = std::max(set_count, slot.set + 1);
  for (uint32_t set = 0; set < set_count; ++set) create_layout(set);
  for (size_t i = 0; i < buffers.size(); ++i) create_buffer_view(manifest_.buffers[i], buffers[i].buffer);
  create_pool();
  VkDescriptorSetAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocation.descriptorPool = pool_;
  allocation.descriptorSetCount = static_cast<uint32_t>(layouts_.size());
  allocation.pSetLayouts = layouts_.data();
  sets_.resize(layouts_.size());
  check_vulkan(vkAllocateDescriptorSets(handles_.device, &allocation, sets_.data()), "vkAllocateDescriptorSets");
  for (const Slot& slot : slots_) write(slot, buffers, images);
}

void VulkanDescriptors::create_layout(uint32_t set) {
  std::map<uint32_t, VkDescriptorSetLayoutBinding> bindings;
  for (const Slot& slot : slots_) {
    if (slot.set != set) continue;
    VkDescriptorSetLayoutBinding& binding = bindings[slot.binding];
    if (binding.descriptorCount != 0 && binding.descriptorType != slot.type) {
      throw Error("the elements of a descriptor array must have the same kind");
    }
    binding.binding = slot.binding;
    binding.descriptorType = slot.type;
    binding.descriptorCount = std::max(binding.descriptorCount, slot.element + slot.count);
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (const auto& [number, binding] : bindings) list.push_back(binding);
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<uint32_t>(list.size());
  info.pBindings = list.data();
  VkDescriptorSetLayout& layout = layouts_.emplace_back();
  check_vulkan(vkCreateDescriptorSetLayout(handles_.device, &info, nullptr, &layout), "vkCreateDescriptorSetLayout");
}

void VulkanDescriptors::create_pool() {
  VkDescriptorPoolInlineUniformBlockCreateInfo inline_info{};
  inline_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO;
  std::vector<VkDescriptorPoolSize> sizes;
  for (const Slot& slot : slots_) {
    if (is_inline(slot.type)) ++inline_info.maxInlineUniformBlockBindings;
    sizes.push_back({slot.type, slot.count});
  }
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  if (inline_info.maxInlineUniformBlockBindings != 0) info.pNext = &inline_info;
  info.maxSets = static_cast<uint32_t>(layouts_.size());
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  check_vulkan(vkCreateDescriptorPool(handles_.device, &info, nullptr, &pool_), "vkCreateDescriptorPool");
}

void VulkanDescriptors::create_buffer_view(const BufferDesc& desc, VkBuffer buffer) {
  VkBufferView& view = buffer_views_.emplace_back(nullptr);
  if (desc.format == nullptr) return;
  VkBufferViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = buffer;
  info.format = static_cast<VkFormat>(desc.format->vk);
  info.range = desc.initial.size() / desc.format->shape().bytes * desc.format->shape().bytes;
  check_vulkan(vkCreateBufferView(handles_.device, &info, nullptr, &view), "vkCreateBufferView");
}

void VulkanDescriptors::write(const Slot& slot, const std::vector<HostBuffer>& buffers, const VulkanImages& images) {
  VkWriteDescriptorSetInlineUniformBlock block{};
  VkDescriptorBufferInfo buffer_info{};
  VkDescriptorImageInfo image_info{};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = sets_[slot.set];
  write.dstBinding = slot.binding;
  write.dstArrayElement = slot.element;
  write.descriptorCount = slot.count;
  write.descriptorType = slot.type;
  write.pBufferInfo = &buffer_info;
  write.pImageInfo = &image_info;
  switch (slot.type) {
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      block.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
      block.dataSize = slot.count;
      block.pData = manifest_.buffers[slot.index].initial.data();
      write.pNext = &block;
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      write.pTexelBufferView = &buffer_views_[slot.index];
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      image_info.sampler = images.sampler(slot.index);
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      if (slot.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        image_info.sampler = images.sampler(manifest_.images[slot.index].bindings[slot.view].sampler);
      }
      image_info.imageView = images.view(slot.index, slot.view);
      image_info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      break;
    default: {
      const BufferDesc& desc = manifest_.buffers[slot.index];
      buffer_info = {buffers[slot.index].buffer, 0, desc.null ? VK_WHOLE_SIZE : desc.initial.size()};
      break;
    }
  }
  vkUpdateDescriptorSets(handles_.device, 1, &write, 0, nullptr);
}

}  // namespace spalt::vkrun
