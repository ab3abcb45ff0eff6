// SPDX-License-Identifier: MIT
#include "icd/transfer/image_clear.h"

namespace spalt::icd {

ImageClear make_clear(const Image& image, const ImagePlane& plane, uint32_t level, uint32_t first_layer,
                      uint32_t layer_count, const spalt_texel& value) {
  ImageClear clear{image_grid(image, plane, level), {}, {}, {}};
  const bool is_3d = image.type() == VK_IMAGE_TYPE_3D;
  clear.place.slice = is_3d ? 0 : first_layer * image.samples();
  clear.extent = {clear.grid.width, clear.grid.height, is_3d ? clear.grid.slices : layer_count * image.samples()};
  // Compressed formats have no such function, and cannot be cleared.
  if (spalt_encode_texels(plane.info.format, &value, 1, clear.block) != SPALT_SUCCESS) clear.extent = {};
  return clear;
}

}  // namespace spalt::icd
