// SPDX-License-Identifier: MIT
#include "icd/wsi/png_file.h"

#include <png.h>

namespace spalt::icd {

bool write_png(const Image& image, const std::string& path) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = image.width();
  header.height = image.height();
  header.format = present_format(image.format()).blue_first ? PNG_FORMAT_BGRA : PNG_FORMAT_RGBA;
  return png_image_write_to_file(&header, path.c_str(), 0, image.row(0), 0, nullptr) != 0;
}

}  // namespace spalt::icd
