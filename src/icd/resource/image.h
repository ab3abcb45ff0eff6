// SPDX-License-Identifier: MIT
//
// Images. Whatever their tiling is, their texels are in rows (spalt_query_image_layout). A format with depth and
// stencil has two planes, one after the other in memory, each with a layout of its own.
#pragma once

#include <memory>
#include <span>

#include "icd/resource/image_layouts.h"
#include "icd/resource/memory_binding.h"
#include "spalt/descriptor.h"

namespace spalt::icd {

struct ImagePlane {
  VkImageAspectFlags aspect = 0;  // one bit
  spalt_image_info info{};
  spalt_format_info format{};
  spalt_image_layout layout{};
  uint64_t offset = 0;  // from the start of the image
};

class Image : public Object {
 public:
  using Handle = VkImage;
  /// Throws VulkanError{VK_ERROR_FORMAT_NOT_SUPPORTED} for what the target has no layout for,
  /// VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY} for what no memory can hold.
  Image(const Device& device, const VkImageCreateInfo& info);
  ~Image();

  VkFormat format() const { return format_; }
  VkImageType type() const { return type_; }
  VkImageUsageFlags usage() const { return usage_; }
  uint32_t levels() const { return planes_[0].info.levels; }
  uint32_t layers() const { return planes_[0].info.layers; }
  uint32_t samples() const { return planes_[0].info.samples; }
  /// In texels, as shaders see it: divisions round down.
  VkExtent3D level_extent(uint32_t level) const;
  /// What the range has of VK_REMAINING_..., resolved.
  uint32_t level_count(const VkImageSubresourceRange& range) const;
  uint32_t layer_count(const VkImageSubresourceRange& range) const;

  /// In the order of their aspect bits.
  std::span<const ImagePlane> planes() const { return {planes_, plane_count_}; }
  /// That of the lowest of these aspects that the image has; nullptr: it has none of them.
  const ImagePlane* find_plane(VkImageAspectFlags aspects) const;

  uint64_t bytes() const { return bytes_; }
  uint64_t alignment() const { return alignment_; }
  void bind(Device& device, const DeviceMemory& memory, uint64_t offset);
  const MemoryBinding& binding() const { return binding_; }
  /// nullptr: nobody wants to know (SPALT_ICD_LAYOUTS).
  const std::shared_ptr<ImageLayouts>& layouts() const { return layouts_; }

 private:
  void add_plane(const Device& device, VkImageAspectFlags aspect, uint32_t format, const VkImageCreateInfo& info);

  VkFormat format_;
  VkImageType type_;
  VkImageUsageFlags usage_;
  ImagePlane planes_[2];
  size_t plane_count_ = 0;
  uint64_t bytes_ = 0;
  uint64_t alignment_ = 1;
  MemoryBinding binding_;
  std::shared_ptr<ImageLayouts> layouts_;
};

}  // namespace spalt::icd
