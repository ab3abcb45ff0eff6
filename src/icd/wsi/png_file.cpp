// SPDX-License-Identifier: MIT
#include "icd/wsi/png_file.h"

#include <png.h>

#include "icd/wsi/present_format.h"

namespace spalt::icd {
bool write_png(const Image& image, const std::string& path) {
  const spalt_image_level& level = image.planes()[0].layout.levels[0];
  const VkExtent3D extent = image.level_extent(0);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = extent.width;
  header.height = extent.height;
  header.format = is_blue_first(image.format()) ? PNG_FORMAT_BGRA : PNG_FORMAT_RGBA;
  return png_image_write_to_file(&header, path.c_str(), 0, image.binding().host() + level.offset,
                                 static_cast<png_int_32>(level.row_bytes), nullptr) != 0;
}

}  // namespace spalt::icd
