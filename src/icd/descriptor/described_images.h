// SPDX-License-Identifier: MIT
//
// Which images the descriptors of a table name, and in which layouts, for SPALT_ICD_LAYOUTS: the bits that shaders read
// tell neither. Command buffers share it, and look at it when they execute.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "icd/layout/set_layout.h"
#include "icd/resource/image_view.h"

namespace spalt::icd {

struct DescribedImage {
  ViewedImage image;  // no layouts: a descriptor without image
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  bool storage = false;
};

class DescribedImages {
 public:
  DescribedImages() = default;
  DescribedImages(const DescribedImages& other) : images_(other.snapshot()) {}
  DescribedImages& operator=(const DescribedImages&) = delete;

  /// Descriptors are known by where they lie in the table, in bytes.
  void set(uint32_t offset, DescribedImage image);
  DescribedImage get(uint32_t offset) const;
  /// Of all elements of a binding that have an image.
  std::vector<DescribedImage> of_binding(const SetBinding& binding) const;

 private:
  using Map = std::unordered_map<uint32_t, DescribedImage>;
  Map snapshot() const;

  mutable std::mutex mutex_;
  Map images_;
};

}  // namespace spalt::icd
