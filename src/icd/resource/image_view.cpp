// SPDX-License-Identifier: MIT
#include "icd/resource/image_view.h"

#include <algorithm>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// Of the view of one plane.
uint32_t plane_format(VkFormat view_format, VkImageAspectFlags aspect) {
  auto format = spalt_api::sized<spalt_format_info>();
  if (spalt_query_format(static_cast<uint32_t>(view_format), &format) != SPALT_SUCCESS) return 0;
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) return format.depth_format;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return format.stencil_format;
  return static_cast<uint32_t>(view_format);
}

VkImageSubresourceRange resolve_range(const VkImageViewCreateInfo& info, const Image& image) {
  VkImageSubresourceRange range = info.subresourceRange;
  range.levelCount = image.level_count(range);
  if (range.layerCount == VK_REMAINING_ARRAY_LAYERS) {
    const bool slices = image.type() == VK_IMAGE_TYPE_3D && info.viewType != VK_IMAGE_VIEW_TYPE_3D;
    const uint32_t all = slices ? image.level_extent(range.baseMipLevel).depth : image.layers();
    range.layerCount = all - std::min(range.baseArrayLayer, all);
  }
  return range;
}

spalt_image_descriptor_info describe(const VkImageViewCreateInfo& info, const VkImageSubresourceRange& range,
                                     const Image& image, const ImagePlane& plane) {
  auto descriptor = spalt_api::sized<spalt_image_descriptor_info>();
  descriptor.image = &plane.info;
  descriptor.address = image.binding().address() + plane.offset;
  descriptor.format = plane_format(info.format, plane.aspect);
  descriptor.view_type = static_cast<uint32_t>(info.viewType);
  const VkComponentMapping& swizzle = info.components;
  descriptor.swizzle[0] = static_cast<uint32_t>(swizzle.r);
  descriptor.swizzle[1] = static_cast<uint32_t>(swizzle.g);
  descriptor.swizzle[2] = static_cast<uint32_t>(swizzle.b);
  descriptor.swizzle[3] = static_cast<uint32_t>(swizzle.a);
  descriptor.first_level = range.baseMipLevel;
  descriptor.level_count = range.levelCount;
  descriptor.first_layer = range.baseArrayLayer;
  descriptor.layer_count = range.layerCount;
  if (const auto* min_lod = find_in_chain<VkImageViewMinLodCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT)) {
    descriptor.min_lod = min_lod->minLod;
  }
  return descriptor;
}

/// Null for what shaders cannot use: an image without memory, or a format that the target has not in that use.
ImageWords words_of(const Device& device, const spalt_image_descriptor_info& descriptor) {
  ImageWords words{};
  const spalt_result result = spalt_write_image_descriptor(device.compiler().handle(), &descriptor, words.data());
  return result == SPALT_SUCCESS ? words : ImageWords{};
}

}  // namespace

ImageView::ImageView(const Device& device, const VkImageViewCreateInfo& info)
    : image_(from_nullable<Image>(info.image)),
      format_(info.format),
      range_(resolve_range(info, from_handle<Image>(info.image))) {
  const auto& image = from_handle<Image>(info.image);
  if (image.layouts() != nullptr) viewed_ = {image.layouts(), image.layouts()->box(info.subresourceRange)};
  const ImagePlane* plane = image.find_plane(info.subresourceRange.aspectMask);
  if (plane == nullptr || image.binding().host() == nullptr) return;
  spalt_image_descriptor_info descriptor = describe(info, range_, image, *plane);
  sampled_ = words_of(device, descriptor);
  descriptor.storage = 1;
  if ((image.usage() & VK_IMAGE_USAGE_STORAGE_BIT) != 0) storage_ = words_of(device, descriptor);
  if ((image.usage() & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT) == 0) return;
  descriptor.storage = 0;
  descriptor.view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;  // the compiler reads the layer of the fragment
  input_ = words_of(device, descriptor);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateImageView(VkDevice device, const VkImageViewCreateInfo* pCreateInfo,
                                                      const VkAllocationCallbacks* pAllocator, VkImageView* pView) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pView = to_handle(create_child<ImageView>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyImageView(VkDevice device, VkImageView imageView,
                                                   const VkAllocationCallbacks* pAllocator) {
  destroy_child<ImageView>(from_handle<Device>(device), pAllocator, imageView);
}

}  // namespace spalt::icd
