// SPDX-License-Identifier: MIT
#include "icd/graphics/attachment.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace spalt::icd {
namespace {

uint32_t plane_format(VkFormat view_format, const ImagePlane& plane) {
  return plane.aspect == VK_IMAGE_ASPECT_COLOR_BIT ? static_cast<uint32_t>(view_format) : plane.info.format;
}

/// Negative offsets are in no image.
BlockPlace place_of(const VkOffset2D& offset) {
  const auto coordinate = [](int32_t value) { return value < 0 ? UINT32_MAX : static_cast<uint32_t>(value); };
  return {coordinate(offset.x), coordinate(offset.y), 0};
}

}  // namespace

Attachment make_attachment(const ImageView* view, VkImageAspectFlags aspect) {
  Attachment attachment;
  if (view == nullptr) return attachment;
  const ImagePlane* plane = view->image().find_plane(aspect);
  if (plane == nullptr) return attachment;
  attachment.texels = texel_image(view->image(), *plane, view->range().baseMipLevel);
  attachment.texels.format = plane_format(view->format(), *plane);
  attachment.aspect = plane->aspect;
  attachment.samples = view->image().samples();
  attachment.first_slice = view->range().baseArrayLayer * attachment.samples;
  const uint32_t slices = attachment.texels.grid.slices;
  const uint32_t left = slices - std::min(attachment.first_slice, slices);
  attachment.layers = std::min(view->range().layerCount, left / attachment.samples);
  return attachment;
}

spalt_attachment describe(const Attachment& attachment) {
  spalt_attachment described{};
  if (!attachment.exists()) return described;
  const BlockGrid& grid = attachment.texels.grid;
  described.address = grid.range.address + attachment.first_slice * grid.slice_bytes;
  described.format = attachment.texels.format;
  described.width = grid.width;
  described.height = grid.height;
  described.layers = attachment.layers;
  described.samples = attachment.samples;
  described.row_bytes = grid.row_bytes;
  described.slice_bytes = grid.slice_bytes;
  return described;
}

void AttachmentClear::run() const {
  std::byte block[kMaxBlockBytes];
  if (spalt_encode_texels(attachment.texels.format, &value, 1, block) != SPALT_SUCCESS) return;
  layers.for_each([&](uint32_t layer) {
    if (layer >= attachment.layers) return;
    BlockPlace place = place_of(area.offset);
    place.slice = attachment.first_slice + layer * attachment.samples;
    fill_blocks(attachment.texels.grid, place, {area.extent.width, area.extent.height, attachment.samples}, block);
  });
}

void AttachmentResolve::run() const {
  ImageResolve resolve;
  resolve.source = from.texels;
  resolve.destination = to.texels;
  resolve.samples = from.samples;
  resolve.merge = merge;
  resolve.extent = {area.extent.width, area.extent.height, 1};
  layers.for_each([&](uint32_t layer) {
    if (layer >= from.layers || layer >= to.layers) return;
    resolve.from = resolve.to = place_of(area.offset);
    resolve.from.slice = from.first_slice + layer * from.samples;
    resolve.to.slice = to.first_slice + layer;
    resolve.run();
  });
}

spalt_texel clear_texel(const VkClearValue& value, VkImageAspectFlags aspect) {
  spalt_texel texel{};
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    texel.rgba[0] = std::bit_cast<uint32_t>(value.depthStencil.depth);
  } else if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) {
    texel.rgba[0] = value.depthStencil.stencil & 0xff;
  } else {
    std::memcpy(texel.rgba, &value.color, sizeof texel.rgba);
  }
  return texel;
}

SampleMerge merge_of(VkResolveModeFlagBits mode) {
  switch (mode) {
    case VK_RESOLVE_MODE_AVERAGE_BIT:
      return SampleMerge::average;
    case VK_RESOLVE_MODE_MIN_BIT:
      return SampleMerge::minimum;
    case VK_RESOLVE_MODE_MAX_BIT:
      return SampleMerge::maximum;
    default:
      return SampleMerge::first;
  }
}

}  // namespace spalt::icd
