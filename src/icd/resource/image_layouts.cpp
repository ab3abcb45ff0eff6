// SPDX-License-Identifier: MIT
#include "icd/resource/image_layouts.h"

#include <algorithm>

#include "icd/resource/image.h"

namespace spalt::icd {
namespace {

/// A layout, and what it is for each aspect: layouts that name both depth and stencil mean one for each.
struct LayoutRow {
  VkImageLayout layout;
  const char* name;
  VkImageLayout color, depth, stencil;
};

#define SPALT_LAYOUT(name, color, depth, stencil)                                                       \
  {                                                                                                     \
    VK_IMAGE_LAYOUT_##name, "VK_IMAGE_LAYOUT_" #name, VK_IMAGE_LAYOUT_##color, VK_IMAGE_LAYOUT_##depth, \
        VK_IMAGE_LAYOUT_##stencil                                                                       \
  }
#define SPALT_LAYOUT_OF_ALL(name) SPALT_LAYOUT(name, name, name, name)

constexpr LayoutRow kLayouts[] = {
    SPALT_LAYOUT_OF_ALL(UNDEFINED),
    SPALT_LAYOUT_OF_ALL(GENERAL),
    SPALT_LAYOUT_OF_ALL(COLOR_ATTACHMENT_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(SHADER_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(TRANSFER_SRC_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(TRANSFER_DST_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(PREINITIALIZED),
    SPALT_LAYOUT_OF_ALL(PRESENT_SRC_KHR),
    SPALT_LAYOUT_OF_ALL(SHARED_PRESENT_KHR),
    SPALT_LAYOUT_OF_ALL(DEPTH_ATTACHMENT_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(DEPTH_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(STENCIL_ATTACHMENT_OPTIMAL),
    SPALT_LAYOUT_OF_ALL(STENCIL_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT(DEPTH_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_ATTACHMENT_OPTIMAL,
                 STENCIL_ATTACHMENT_OPTIMAL),
    SPALT_LAYOUT(DEPTH_STENCIL_READ_ONLY_OPTIMAL, DEPTH_STENCIL_READ_ONLY_OPTIMAL, DEPTH_READ_ONLY_OPTIMAL,
                 STENCIL_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT(DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                 DEPTH_READ_ONLY_OPTIMAL, STENCIL_ATTACHMENT_OPTIMAL),
    SPALT_LAYOUT(DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
                 DEPTH_ATTACHMENT_OPTIMAL, STENCIL_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT(READ_ONLY_OPTIMAL, SHADER_READ_ONLY_OPTIMAL, DEPTH_READ_ONLY_OPTIMAL, STENCIL_READ_ONLY_OPTIMAL),
    SPALT_LAYOUT(ATTACHMENT_OPTIMAL, COLOR_ATTACHMENT_OPTIMAL, DEPTH_ATTACHMENT_OPTIMAL, STENCIL_ATTACHMENT_OPTIMAL),
};

#undef SPALT_LAYOUT
#undef SPALT_LAYOUT_OF_ALL

const LayoutRow* find_row(VkImageLayout layout) {
  const auto* row = std::find_if(std::begin(kLayouts), std::end(kLayouts),
                                 [&](const LayoutRow& candidate) { return candidate.layout == layout; });
  return row == std::end(kLayouts) ? nullptr : row;
}

VkImageLayout layout_of_aspect(VkImageLayout layout, VkImageAspectFlags aspect) {
  const LayoutRow* row = find_row(layout);
  if (row == nullptr) return layout;
  if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) return row->depth;
  return aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? row->stencil : row->color;
}

/// Other images and the host may write what these have, without a command that names them.
bool has_contents_of_its_own(const VkImageCreateInfo& info) {
  return info.tiling == VK_IMAGE_TILING_OPTIMAL && (info.flags & VK_IMAGE_CREATE_ALIAS_BIT) == 0;
}

}  // namespace

std::string layout_name(VkImageLayout layout) {
  const LayoutRow* row = find_row(layout);
  return row == nullptr ? "layout " + std::to_string(static_cast<int64_t>(layout)) : row->name;
}

ImageLayouts::ImageLayouts(const Image& image, const VkImageCreateInfo& info)
    : levels_(info.mipLevels),
      layers_(info.arrayLayers),
      has_one_layer_(info.imageType == VK_IMAGE_TYPE_3D),
      tracks_contents_(has_contents_of_its_own(info)),
      handle_(handle_value(&image)),
      image_(&image) {
  for (const ImagePlane& plane : image.planes()) aspects_.push_back(plane.aspect);
  subresources_.resize(aspects_.size() * levels_ * layers_, {info.initialLayout, false});
}

SubresourceBox ImageLayouts::box(const VkImageSubresourceRange& range) const {
  SubresourceBox box;
  for (size_t i = 0; i < aspects_.size(); ++i) {
    if ((aspects_[i] & range.aspectMask) != 0) box.planes |= 1u << i;
  }
  box.first_level = std::min(range.baseMipLevel, levels_);
  box.levels = std::min(range.levelCount, levels_ - box.first_level);
  box.first_layer = has_one_layer_ ? 0 : std::min(range.baseArrayLayer, layers_);
  box.layers = has_one_layer_ ? 1 : std::min(range.layerCount, layers_ - box.first_layer);
  return box;
}

SubresourceBox ImageLayouts::box(const VkImageSubresourceLayers& layers) const {
  return box(VkImageSubresourceRange{layers.aspectMask, layers.mipLevel, 1, layers.baseArrayLayer, layers.layerCount});
}

template <typename Visit>
void ImageLayouts::for_each(const SubresourceBox& box, Visit&& visit) {
  for (uint32_t plane = 0; plane < aspects_.size(); ++plane) {
    if ((box.planes >> plane & 1) == 0) continue;
    for (uint32_t level = box.first_level; level < box.first_level + box.levels; ++level) {
      for (uint32_t layer = box.first_layer; layer < box.first_layer + box.layers; ++layer) {
        visit(subresources_[(size_t{plane} * levels_ + level) * layers_ + layer], aspects_[plane], level, layer);
      }
    }
  }
}

template <typename Predicate>
std::optional<LayoutFinding> ImageLayouts::find(const SubresourceBox& box, Predicate&& predicate) {
  std::optional<LayoutFinding> first;
  const std::lock_guard guard(mutex_);
  for_each(box, [&](const Subresource& subresource, VkImageAspectFlags aspect, uint32_t level, uint32_t layer) {
    if (!predicate(subresource, aspect)) return;
    if (first) {
      ++first->others;
    } else {
      first = LayoutFinding{aspect, level, layer, subresource.layout, 0};
    }
  });
  return first;
}

std::optional<LayoutFinding> ImageLayouts::find_other_than(const SubresourceBox& box, VkImageLayout layout) {
  return find(box, [&](const Subresource& subresource, VkImageAspectFlags aspect) {
    return layout_of_aspect(subresource.layout, aspect) != layout_of_aspect(layout, aspect);
  });
}

std::optional<LayoutFinding> ImageLayouts::find_unwritten(const SubresourceBox& box) {
  if (!tracks_contents_) return std::nullopt;
  return find(box, [](const Subresource& subresource, VkImageAspectFlags) { return !subresource.written; });
}

void ImageLayouts::set_layout(const SubresourceBox& box, VkImageLayout layout) {
  const std::lock_guard guard(mutex_);
  for_each(box, [&](Subresource& subresource, VkImageAspectFlags, uint32_t, uint32_t) { subresource.layout = layout; });
}

void ImageLayouts::set_written(const SubresourceBox& box, bool written) {
  const std::lock_guard guard(mutex_);
  for_each(box,
           [&](Subresource& subresource, VkImageAspectFlags, uint32_t, uint32_t) { subresource.written = written; });
}

MessageObject ImageLayouts::describe(Device& device) {
  const std::lock_guard guard(mutex_);
  MessageObject object{VK_OBJECT_TYPE_IMAGE, handle_, {}};
  if (image_ == nullptr) return object;
  const std::lock_guard names_guard(device.names_mutex);
  object.name = image_->debug_name;
  return object;
}

void ImageLayouts::forget_image() {
  const std::lock_guard guard(mutex_);
  image_ = nullptr;
}

}  // namespace spalt::icd
