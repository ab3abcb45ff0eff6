// SPDX-License-Identifier: MIT
#include "icd/resource/image.h"

#include <algorithm>

#include "commands.h"
#include "icd/object/result.h"
#include "icd/resource/address_report.h"

namespace spalt::icd {
namespace {

uint64_t align(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

spalt_image_info plane_info(uint32_t format, const VkImageCreateInfo& info) {
  auto plane = spalt_api::sized<spalt_image_info>();
  plane.format = format;
  plane.dimensions = static_cast<uint32_t>(info.imageType) + 1;
  plane.width = info.extent.width;
  plane.height = info.extent.height;
  plane.depth = info.extent.depth;
  plane.levels = info.mipLevels;
  plane.layers = info.arrayLayers;
  plane.samples = info.samples;
  return plane;
}

}  // namespace

Image::Image(const Device& device, const VkImageCreateInfo& info)
    : format_(info.format), type_(info.imageType), usage_(info.usage) {
  auto format = spalt_api::sized<spalt_format_info>();
  if (spalt_query_format(static_cast<uint32_t>(info.format), &format) != SPALT_SUCCESS) {
    throw VulkanError{VK_ERROR_FORMAT_NOT_SUPPORTED};
  }
  if ((format.aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0) {
    add_plane(device, VK_IMAGE_ASPECT_COLOR_BIT, static_cast<uint32_t>(info.format), info);
  }
  if (format.depth_format != 0) add_plane(device, VK_IMAGE_ASPECT_DEPTH_BIT, format.depth_format, info);
  if (format.stencil_format != 0) add_plane(device, VK_IMAGE_ASPECT_STENCIL_BIT, format.stencil_format, info);
  bytes_ = align(bytes_, alignment_);
  if (bytes_ > device.physical().heap().bytes()) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  if (device.settings().check_layouts) layouts_ = std::make_shared<ImageLayouts>(*this, info);
}

Image::~Image() {
  if (layouts_ != nullptr) layouts_->forget_image();
}

void Image::add_plane(const Device& device, VkImageAspectFlags aspect, uint32_t format, const VkImageCreateInfo& info) {
  ImagePlane& plane = planes_[plane_count_++];
  plane.aspect = aspect;
  plane.info = plane_info(format, info);
  plane.format = spalt_api::sized<spalt_format_info>();
  plane.layout = spalt_api::sized<spalt_image_layout>();
  if (spalt_query_format(format, &plane.format) != SPALT_SUCCESS ||
      spalt_query_image_layout(device.compiler().handle(), &plane.info, &plane.layout) != SPALT_SUCCESS) {
    throw VulkanError{VK_ERROR_FORMAT_NOT_SUPPORTED};
  }
  alignment_ = std::max(alignment_, plane.layout.alignment);
  plane.offset = align(bytes_, plane.layout.alignment);
  bytes_ = plane.offset + plane.layout.bytes;
}

VkExtent3D Image::level_extent(uint32_t level) const {
  const spalt_image_info& info = planes_[0].info;
  const auto minify = [&](uint32_t size) { return std::max(size >> level, 1u); };
  return {minify(info.width), minify(info.height), minify(info.depth)};
}

uint32_t Image::level_count(const VkImageSubresourceRange& range) const {
  return std::min(range.levelCount, levels() - std::min(range.baseMipLevel, levels()));
}

uint32_t Image::layer_count(const VkImageSubresourceRange& range) const {
  return std::min(range.layerCount, layers() - std::min(range.baseArrayLayer, layers()));
}

const ImagePlane* Image::find_plane(VkImageAspectFlags aspects) const {
  const auto all = planes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ImagePlane& plane) { return (plane.aspect & aspects) != 0; });
  return found == all.end() ? nullptr : &*found;
}

void Image::bind(Device& device, const DeviceMemory& memory, uint64_t offset) {
  binding_.bind(device, memory, offset, {VK_OBJECT_TYPE_IMAGE, handle_value(to_handle(this)), bytes_, "image"});
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateImage(VkDevice device, const VkImageCreateInfo* pCreateInfo,
                                                  const VkAllocationCallbacks* pAllocator, VkImage* pImage) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pImage = to_handle(create_child<Image>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyImage(VkDevice device, VkImage image,
                                               const VkAllocationCallbacks* pAllocator) {
  if (image == VK_NULL_HANDLE) return;
  auto& owner = from_handle<Device>(device);
  report_binding(owner, from_handle<Image>(image).binding().owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  destroy_child<Image>(owner, pAllocator, image);
}

/// For images with linear tiling; the tiling changes nothing.
VKAPI_ATTR void VKAPI_CALL entry::GetImageSubresourceLayout(VkDevice, VkImage image,
                                                            const VkImageSubresource* pSubresource,
                                                            VkSubresourceLayout* pLayout) {
  const auto& object = from_handle<Image>(image);
  *pLayout = {};
  const ImagePlane* plane = object.find_plane(pSubresource->aspectMask);
  if (plane == nullptr || pSubresource->mipLevel >= object.levels()) return;
  const spalt_image_level& level = plane->layout.levels[pSubresource->mipLevel];
  const uint32_t depth = object.level_extent(pSubresource->mipLevel).depth;
  pLayout->arrayPitch = plane->layout.slice_bytes * object.samples();
  pLayout->depthPitch = plane->layout.slice_bytes;
  pLayout->rowPitch = level.row_bytes;
  pLayout->offset = plane->offset + level.offset + pSubresource->arrayLayer * pLayout->arrayPitch;
  pLayout->size = (depth - 1) * pLayout->depthPitch + level.rows * level.row_bytes;
}

}  // namespace spalt::icd
