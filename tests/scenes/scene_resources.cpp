// SPDX-License-Identifier: MIT
#include "scene_resources.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "picture.h"
#include "run/support.h"
#include "vkrun/image_texels.h"
#include "vkrun/vulkan_images.h"

namespace spalt::scenes {
namespace {

using vkrun::check_vulkan;

constexpr VkBufferUsageFlags kEveryUse = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                         VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                         VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;

VkImageUsageFlags usage_as(VkDescriptorType type) {
  if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) return VK_IMAGE_USAGE_STORAGE_BIT;
  return type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
}

/// How a pass uses an image: bits of VkImageUsageFlagBits.
VkImageUsageFlags uses_in_pass(const Pass& pass, size_t index) {
  VkImageUsageFlags uses = 0;
  for (const std::optional<Attachment>& color : pass.colors) {
    if (color && (color->image == index || color->resolve == index)) uses |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  }
  if (pass.depth && (pass.depth->image == index || pass.depth->resolve == index)) {
    uses |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  }
  for (const Draw& draw : pass.draws) {
    for (const Binding& binding : draw.bindings) {
      if (binding.aspects == 0 || binding.resource != index) continue;
      uses |= usage_as(binding.type);
    }
  }
  return uses;
}

VkImageUsageFlags usage_of(const Scene& scene, size_t index) {
  VkImageUsageFlags usage = 0;
  for (const Pass& pass : scene.passes) usage |= uses_in_pass(pass, index);
  if (!scene.images[index].desc.initial.empty()) usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const auto is_compared = [index](const Comparison& one) { return !one.buffer && one.image == index; };
  if (std::any_of(scene.comparisons.begin(), scene.comparisons.end(), is_compared)) {
    usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  }
  if (usage == 0) throw Error("the image " + scene.images[index].desc.name + " is not used");
  return usage;
}

VkImageCreateFlags flags_of(const Scene& scene, size_t index) {
  const Image& image = scene.images[index];
  VkImageCreateFlags flags = 0;
  if (image.is_cube) flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  if (image.is_3d_layered) flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  for (const Pass& pass : scene.passes) {
    for (const Draw& draw : pass.draws) {
      for (const Binding& binding : draw.bindings) {
        if (binding.aspects == 0 || binding.resource != index) continue;
        if (binding.view_format != image.view_format) flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
      }
    }
  }
  return flags;
}

/// Regions of a buffer begin at multiples of 4 and of the texel's size.
size_t staged_offset(const vkrun::ImageDesc& desc, uint32_t level) {
  size_t offset = 0;
  for (uint32_t before = 0; before < level; ++before) offset += (vkrun::level_bytes(desc, before) + 47) / 48 * 48;
  return offset;
}

VkBufferImageCopy region_of(const vkrun::ImageDesc& desc, uint32_t level, VkImageAspectFlags aspect) {
  const vkrun::LevelSize size = vkrun::level_size(desc, level);
  VkBufferImageCopy region{};
  region.imageSubresource = {aspect, level, 0, desc.layers};
  region.imageExtent = {size.width, size.height, desc.dimensions == 3 ? size.slices : 1};
  return region;
}

}  // namespace

VkImageLayout layout_in_pass(const Pass& pass, const Image& image, size_t index) {
  const bool has_depth = (image.desc.format->aspects & texel::kColor) == 0;
  switch (uses_in_pass(pass, index)) {
    case VK_IMAGE_USAGE_SAMPLED_BIT:
    case VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT:
      return has_depth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    case VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT:
      return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT:
      if (pass.depth->read_only) return VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
      return VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT:
    case VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT:
      return pass.depth->read_only ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL;
    default:
      return VK_IMAGE_LAYOUT_GENERAL;
  }
}

bool is_used_in_pass(const Pass& pass, size_t image) {
  return uses_in_pass(pass, image) != 0;
}

bool has_input_attachments(const Pass& pass) {
  for (const Draw& draw : pass.draws) {
    for (const Binding& binding : draw.bindings) {
      if (binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) return true;
    }
  }
  return false;
}

SceneResources::SceneResources(const vkrun::VulkanHandles& handles, const Scene& scene)
    : handles_(handles), scene_(scene) {
  for (const Buffer& desc : scene.buffers) {
    if (desc.bytes.empty()) throw Error("the buffer " + desc.name + " is empty");
    vkrun::HostBuffer& buffer = buffers_.emplace_back();
    buffer.create(handles, desc.bytes.size(), kEveryUse);
    std::memcpy(buffer.mapped, desc.bytes.data(), desc.bytes.size());
  }
  images_.resize(scene.images.size());
  for (size_t i = 0; i < images_.size(); ++i) create_image(i);
  for (const vkrun::SamplerDesc& desc : scene.samplers) {
    samplers_.push_back(vkrun::create_sampler(handles.device, desc));
  }
  for (const Comparison& comparison : scene.comparisons) {
    if (comparison.buffer) {
      downloads_.emplace_back();  // its memory is mapped anyway
      continue;
    }
    downloads_.emplace_back().create(handles, vkrun::image_bytes(picture_desc(scene, comparison)),
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  }
}

SceneResources::~SceneResources() {
  for (VkImageView view : views_) vkDestroyImageView(handles_.device, view, nullptr);
  for (VkBufferView view : buffer_views_) vkDestroyBufferView(handles_.device, view, nullptr);
  for (VkSampler sampler : samplers_) vkDestroySampler(handles_.device, sampler, nullptr);
  for (const ImageMemory& image : images_) {
    vkDestroyImage(handles_.device, image.image, nullptr);
    vkFreeMemory(handles_.device, image.memory, nullptr);
    image.staging.destroy(handles_.device);
  }
  for (const vkrun::HostBuffer& buffer : buffers_) buffer.destroy(handles_.device);
  for (const vkrun::HostBuffer& buffer : downloads_) buffer.destroy(handles_.device);
}

void SceneResources::create_image(size_t index) {
  const vkrun::ImageDesc& desc = scene_.images[index].desc;
  ImageMemory& image = images_[index];
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.flags = flags_of(scene_, index);
  info.imageType = static_cast<VkImageType>(desc.dimensions - 1);
  info.format = static_cast<VkFormat>(desc.format->vk);
  info.extent = {desc.width, desc.height, desc.depth};
  info.mipLevels = desc.levels;
  info.arrayLayers = desc.layers;
  info.samples = static_cast<VkSampleCountFlagBits>(desc.samples);
  info.usage = usage_of(scene_, index);
  VkImageFormatProperties properties{};
  const VkResult supported = vkGetPhysicalDeviceImageFormatProperties(
      handles_.physical_device, info.format, info.imageType, info.tiling, info.usage, info.flags, &properties);
  if (supported != VK_SUCCESS || (properties.sampleCounts & info.samples) == 0) {
    throw run::NotThere("the driver has no image like " + desc.name + " (" + desc.format->name + ")");
  }
  check_vulkan(vkCreateImage(handles_.device, &info, nullptr, &image.image), "vkCreateImage");
  VkMemoryRequirements requirements{};
  vkGetImageMemoryRequirements(handles_.device, image.image, &requirements);
  image.memory = vkrun::allocate_memory(handles_, requirements, 0);
  check_vulkan(vkBindImageMemory(handles_.device, image.image, image.memory, 0), "vkBindImageMemory");
  if (!desc.initial.empty()) fill_staging(desc, image);
}

void SceneResources::fill_staging(const vkrun::ImageDesc& desc, ImageMemory& image) const {
  image.staging.create(handles_, staged_offset(desc, desc.levels), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  for (uint32_t level = 0; level < desc.levels; ++level) {
    std::memcpy(static_cast<uint8_t*>(image.staging.mapped) + staged_offset(desc, level),
                desc.initial.data() + vkrun::level_offset(desc, level), vkrun::level_bytes(desc, level));
  }
}

VkImageView SceneResources::make_view(const VkImageViewCreateInfo& info) {
  VkImageView view = VK_NULL_HANDLE;
  check_vulkan(vkCreateImageView(handles_.device, &info, nullptr, &view), "vkCreateImageView");
  return views_.emplace_back(view);
}

VkImageView SceneResources::make_view(const Binding& binding) {
  VkImageViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = images_[binding.resource].image;
  info.viewType = binding.view_type;
  info.format = binding.view_format;
  info.subresourceRange = {binding.aspects, binding.levels[0], binding.levels[1], binding.layers[0], binding.layers[1]};
  return make_view(info);
}

VkImageView SceneResources::make_attachment_view(const Attachment& attachment, size_t image, uint32_t layers) {
  const Image& desc = scene_.images[image];
  VkImageViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = images_[image].image;
  info.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  info.format = desc.view_format;
  const bool is_target = image == attachment.image;  // else it is what the target is resolved to
  info.subresourceRange = {desc.desc.format->aspects, is_target ? attachment.level : 0, 1,
                           is_target ? attachment.layer : 0, layers};
  return make_view(info);
}

VkBufferView SceneResources::make_buffer_view(const Binding& binding) {
  VkBufferViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = buffer(binding.resource);
  info.format = binding.view_format;
  info.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  check_vulkan(vkCreateBufferView(handles_.device, &info, nullptr, &view), "vkCreateBufferView");
  return buffer_views_.emplace_back(view);
}

void SceneResources::record_barrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier,
                       0, nullptr, 0, nullptr);
}

void SceneResources::record_transition(VkCommandBuffer commands, size_t image, VkImageLayout layout) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = images_[image].layout;
  barrier.newLayout = layout;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = images_[image].image;
  barrier.subresourceRange = {scene_.images[image].desc.format->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                              VK_REMAINING_ARRAY_LAYERS};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &barrier);
  images_[image].layout = layout;
}

void SceneResources::record_upload(VkCommandBuffer commands) {
  for (size_t i = 0; i < images_.size(); ++i) {
    const vkrun::ImageDesc& desc = scene_.images[i].desc;
    if (desc.initial.empty()) continue;
    record_transition(commands, i, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    for (uint32_t level = 0; level < desc.levels; ++level) {
      VkBufferImageCopy region = region_of(desc, level, desc.format->aspects);
      region.bufferOffset = staged_offset(desc, level);
      vkCmdCopyBufferToImage(commands, images_[i].staging.buffer, images_[i].image,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    }
  }
}

void SceneResources::record_download(VkCommandBuffer commands) {
  for (size_t i = 0; i < scene_.comparisons.size(); ++i) {
    const Comparison& comparison = scene_.comparisons[i];
    if (comparison.buffer) continue;
    record_transition(commands, comparison.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const VkBufferImageCopy region =
        region_of(scene_.images[comparison.image].desc, comparison.level, comparison.aspect);
    vkCmdCopyImageToBuffer(commands, images_[comparison.image].image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           downloads_[i].buffer, 1, &region);
  }
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;  // copies, and shaders that write compared buffers
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
}

Pictures SceneResources::pictures() const {
  Pictures pictures;
  for (size_t i = 0; i < scene_.comparisons.size(); ++i) {
    const Comparison& comparison = scene_.comparisons[i];
    const auto* bytes =
        static_cast<const uint8_t*>((comparison.buffer ? buffers_[*comparison.buffer] : downloads_[i]).mapped);
    const size_t size = comparison.buffer ? scene_.buffers[*comparison.buffer].bytes.size()
                                          : vkrun::image_bytes(picture_desc(scene_, comparison));
    pictures.emplace_back(bytes, bytes + size);
  }
  return pictures;
}

}  // namespace spalt::scenes
