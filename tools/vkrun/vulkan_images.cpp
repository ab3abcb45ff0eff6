// SPDX-License-Identifier: MIT
#include "vulkan_images.h"

#include <algorithm>
#include <cstring>

#include "image_texels.h"

namespace spalt::vkrun {
namespace {

VkImageUsageFlags usage_of(const ImageDesc& desc) {
  VkImageUsageFlags usage = 0;
  for (const ImageBinding& binding : desc.bindings) {
    usage |= binding.use == ImageUse::Storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
  }
  if (desc.samples == 1) usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  return usage;
}

VkImageCreateFlags flags_of(const ImageDesc& desc) {
  VkImageCreateFlags flags = 0;
  for (const ImageBinding& binding : desc.bindings) {
    const bool is_cube =
        binding.view_type == VK_IMAGE_VIEW_TYPE_CUBE || binding.view_type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    if (is_cube) flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    if (binding.format == desc.format) continue;
    flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    if (desc.format->shape().is_compressed()) flags |= VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
  }
  return flags;
}

VkImageSubresourceRange whole(const ImageDesc& desc) {
  return {desc.format->aspects, 0, desc.levels, 0, desc.layers};
}

/// Where a level is in the staging buffer: offsets of regions must be multiples of 4 and of the texel's size (12 and 16
/// among them), while in contents the levels of small formats may begin in between.
size_t staged_offset(const ImageDesc& desc, uint32_t level) {
  size_t offset = 0;
  for (uint32_t before = 0; before < level; ++before) offset += (level_bytes(desc, before) + 47) / 48 * 48;
  return offset;
}

/// A region for each level.
std::vector<VkBufferImageCopy> regions_of(const ImageDesc& desc) {
  std::vector<VkBufferImageCopy> regions;
  for (uint32_t level = 0; level < desc.levels; ++level) {
    const LevelSize size = level_size(desc, level);
    VkBufferImageCopy region{};
    region.bufferOffset = staged_offset(desc, level);
    region.imageSubresource = {desc.format->aspects, level, 0, desc.layers};
    region.imageExtent = {size.width, size.height, desc.dimensions == 3 ? size.slices : 1};
    regions.push_back(region);
  }
  return regions;
}

}  // namespace

VulkanImages::~VulkanImages() {
  for (const Image& image : images_) {
    for (VkImageView view : image.views) vkDestroyImageView(handles_.device, view, nullptr);
    vkDestroyImage(handles_.device, image.image, nullptr);
    vkFreeMemory(handles_.device, image.memory, nullptr);
    image.staging.destroy(handles_.device);
  }
  for (VkSampler sampler : samplers_) vkDestroySampler(handles_.device, sampler, nullptr);
}

void VulkanImages::create() {
  for (const ImageDesc& desc : manifest_.images) {
    Image& image = images_.emplace_back();
    create_image(desc, image);
    for (const ImageBinding& binding : desc.bindings) image.views.push_back(create_view(desc, binding, image.image));
    if (desc.initial.empty()) continue;
    image.staging.create(handles_, staged_offset(desc, desc.levels),
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t level = 0; level < desc.levels; ++level) {
      std::memcpy(static_cast<uint8_t*>(image.staging.mapped) + staged_offset(desc, level),
                  desc.initial.data() + level_offset(desc, level), level_bytes(desc, level));
    }
  }
  for (const SamplerDesc& desc : manifest_.samplers) samplers_.push_back(create_sampler(handles_.device, desc));
}

void VulkanImages::create_image(const ImageDesc& desc, Image& image) {
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.flags = flags_of(desc);
  info.imageType = static_cast<VkImageType>(desc.dimensions - 1);
  info.format = static_cast<VkFormat>(desc.format->vk);
  info.extent = {desc.width, desc.height, desc.depth};
  info.mipLevels = desc.levels;
  info.arrayLayers = desc.layers;
  info.samples = static_cast<VkSampleCountFlagBits>(desc.samples);
  info.usage = usage_of(desc);
  VkImageFormatProperties properties{};
  const VkResult supported = vkGetPhysicalDeviceImageFormatProperties(
      handles_.physical_device, info.format, info.imageType, info.tiling, info.usage, info.flags, &properties);
  if (supported != VK_SUCCESS || (properties.sampleCounts & info.samples) == 0) {
    throw Error("the Vulkan device has no image like " + desc.name);
  }
  check_vulkan(vkCreateImage(handles_.device, &info, nullptr, &image.image), "vkCreateImage");
  VkMemoryRequirements requirements{};
  vkGetImageMemoryRequirements(handles_.device, image.image, &requirements);
  image.memory = allocate_memory(handles_, requirements, 0);
  check_vulkan(vkBindImageMemory(handles_.device, image.image, image.memory, 0), "vkBindImageMemory");
}

VkImageView VulkanImages::create_view(const ImageDesc& desc, const ImageBinding& binding, VkImage image) const {
  // A view of another format may have fewer uses than the image.
  VkImageViewUsageCreateInfo usage{};
  usage.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO;
  usage.usage = binding.use == ImageUse::Storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImageViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.pNext = &usage;
  info.image = image;
  info.viewType = static_cast<VkImageViewType>(binding.view_type);
  info.format = static_cast<VkFormat>(binding.format->vk);
  info.components = {
      static_cast<VkComponentSwizzle>(binding.swizzle[0]), static_cast<VkComponentSwizzle>(binding.swizzle[1]),
      static_cast<VkComponentSwizzle>(binding.swizzle[2]), static_cast<VkComponentSwizzle>(binding.swizzle[3])};
  info.subresourceRange = {desc.format->aspects, binding.first_level, binding.level_count, binding.first_layer,
                           binding.layer_count};
  VkImageView view = VK_NULL_HANDLE;
  check_vulkan(vkCreateImageView(handles_.device, &info, nullptr, &view), "vkCreateImageView");
  return view;
}

VkSampler create_sampler(VkDevice device, const SamplerDesc& desc) {
  VkSamplerReductionModeCreateInfo reduction{};
  reduction.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO;
  reduction.reductionMode = static_cast<VkSamplerReductionMode>(desc.reduction);
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  if (desc.reduction != 0) info.pNext = &reduction;
  VkSamplerCustomBorderColorCreateInfoEXT border{};
  border.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT;
  if (desc.custom_border) {
    std::copy(desc.custom_border->begin(), desc.custom_border->end(), border.customBorderColor.uint32);
    border.pNext = info.pNext;
    info.pNext = &border;
  }
  if (desc.non_seamless) info.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
  info.magFilter = static_cast<VkFilter>(desc.mag_filter);
  info.minFilter = static_cast<VkFilter>(desc.min_filter);
  info.mipmapMode = static_cast<VkSamplerMipmapMode>(desc.mipmap_mode);
  info.addressModeU = static_cast<VkSamplerAddressMode>(desc.address_modes[0]);
  info.addressModeV = static_cast<VkSamplerAddressMode>(desc.address_modes[1]);
  info.addressModeW = static_cast<VkSamplerAddressMode>(desc.address_modes[2]);
  info.mipLodBias = desc.lod_bias;
  info.anisotropyEnable = desc.anisotropy > 1.0f ? VK_TRUE : VK_FALSE;
  info.maxAnisotropy = desc.anisotropy;
  info.compareEnable = desc.compare_op ? VK_TRUE : VK_FALSE;
  info.compareOp = static_cast<VkCompareOp>(desc.compare_op.value_or(0));
  info.minLod = desc.min_lod;
  info.maxLod = desc.max_lod;
  info.borderColor = static_cast<VkBorderColor>(desc.border_color);
  info.unnormalizedCoordinates = desc.unnormalized ? VK_TRUE : VK_FALSE;
  VkSampler sampler = VK_NULL_HANDLE;
  check_vulkan(vkCreateSampler(device, &info, nullptr, &sampler), "vkCreateSampler");
  return sampler;
}

void VulkanImages::transition_all(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const {
  std::vector<VkImageMemoryBarrier> barriers;
  for (size_t i = 0; i < images_.size(); ++i) {
    // The contents of multisampled images do not travel: they go to the general layout at once.
    const bool travels = !manifest_.images[i].initial.empty();
    if (!travels && to != VK_IMAGE_LAYOUT_GENERAL) continue;
    VkImageMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcAccessMask = from == VK_IMAGE_LAYOUT_UNDEFINED ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = to == VK_IMAGE_LAYOUT_GENERAL ? VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
                                                          : VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.oldLayout = travels ? from : VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = images_[i].image;
    barrier.subresourceRange = whole(manifest_.images[i]);
    barriers.push_back(barrier);
  }
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr,
                       static_cast<uint32_t>(barriers.size()), barriers.data());
}

void VulkanImages::record_upload(VkCommandBuffer commands) const {
  if (images_.empty()) return;
  transition_all(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  for (size_t i = 0; i < images_.size(); ++i) {
    const ImageDesc& desc = manifest_.images[i];
    if (desc.initial.empty()) continue;
    const std::vector<VkBufferImageCopy> regions = regions_of(desc);
    vkCmdCopyBufferToImage(commands, images_[i].staging.buffer, images_[i].image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           static_cast<uint32_t>(regions.size()), regions.data());
  }
  transition_all(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
}

void VulkanImages::record_download(VkCommandBuffer commands) const {
  if (images_.empty()) return;
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                       0, nullptr, 0, nullptr);
  for (size_t i = 0; i < images_.size(); ++i) {
    const ImageDesc& desc = manifest_.images[i];
    if (desc.initial.empty()) continue;
    const std::vector<VkBufferImageCopy> regions = regions_of(desc);
    vkCmdCopyImageToBuffer(commands, images_[i].image, VK_IMAGE_LAYOUT_GENERAL, images_[i].staging.buffer,
                           static_cast<uint32_t>(regions.size()), regions.data());
  }
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                       0, nullptr);
}

std::vector<uint8_t> VulkanImages::contents(size_t image) const {
  const ImageDesc& desc = manifest_.images[image];
  std::vector<uint8_t> bytes(desc.initial.size());
  for (uint32_t level = 0; level < desc.levels && !bytes.empty(); ++level) {
    std::memcpy(bytes.data() + level_offset(desc, level),
                static_cast<const uint8_t*>(images_[image].staging.mapped) + staged_offset(desc, level),
                level_bytes(desc, level));
  }
  return bytes;
}

}  // namespace spalt::vkrun
