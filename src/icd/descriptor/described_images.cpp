// SPDX-License-Identifier: MIT
#include "icd/descriptor/described_images.h"

namespace spalt::icd {

void DescribedImages::set(uint32_t offset, DescribedImage image) {
  const std::lock_guard guard(mutex_);
  if (image.image.layouts == nullptr) {
    images_.erase(offset);
  } else {
    images_[offset] = std::move(image);
  }
}

DescribedImage DescribedImages::get(uint32_t offset) const {
  const std::lock_guard guard(mutex_);
  const auto found = images_.find(offset);
  return found == images_.end() ? DescribedImage{} : found->second;
}

std::vector<DescribedImage> DescribedImages::of_binding(const SetBinding& binding) const {
  std::vector<DescribedImage> images;
  for (uint32_t i = 0; i < binding.count; ++i) {
    DescribedImage image = get(binding.offset + i * binding.stride);
    if (image.image.layouts != nullptr) images.push_back(std::move(image));
  }
  return images;
}

DescribedImages::Map DescribedImages::snapshot() const {
  const std::lock_guard guard(mutex_);
  return images_;
}

}  // namespace spalt::icd
