// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "icd/resource/image.h"

namespace spalt::icd {

using ImageWords = std::array<uint32_t, 8>;

/// What a view shows, for checks of its layout.
struct ViewedImage {
  std::shared_ptr<ImageLayouts> layouts;  // nullptr: nobody wants to know
  SubresourceBox box;
};

/// A part of an image. The bits of its descriptors are made once.
class ImageView : public Object {
 public:
  using Handle = VkImageView;
  ImageView(const Device& device, const VkImageViewCreateInfo& info);

  /// For sampled images. Null, as the others, where shaders can do nothing with it.
  const ImageWords& sampled() const { return sampled_; }
  const ImageWords& storage() const { return storage_; }
  const ImageWords& input_attachment() const { return input_; }
  const ViewedImage& viewed() const { return viewed_; }

  // For attachments. A 2D view of a 3D image has depth slices as layers.
  /// Must still be there.
  const Image& image() const { return *image_; }
  VkFormat format() const { return format_; }
  /// Counts are resolved.
  const VkImageSubresourceRange& range() const { return range_; }

 private:
  const Image* image_;
  VkFormat format_;
  VkImageSubresourceRange range_;
  ImageWords sampled_{};
  ImageWords storage_{};
  ImageWords input_{};
  ViewedImage viewed_;
};

}  // namespace spalt::icd
