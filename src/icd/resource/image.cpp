// SPDX-License-Identifier: MIT
#include "icd/resource/image.h"

#include <algorithm>

namespace spalt::icd {

Image::Image(Device& device, VkFormat format, VkExtent2D extent)
    : device_(&device),
      format_(format),
      extent_(extent),
      block_(device.space().allocate(Range::general, uint64_t{extent.width} * extent.height * kTexelBytes, "image")) {}

Image::~Image() {
  device_->space().release(block_);
}

const PresentFormat& present_format(VkFormat format) {
  const auto* found = std::find_if(std::begin(kPresentFormats), std::end(kPresentFormats),
                                   [&](const PresentFormat& row) { return row.format == format; });
  return found == std::end(kPresentFormats) ? kPresentFormats[0] : *found;
}

}  // namespace spalt::icd
