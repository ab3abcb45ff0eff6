// SPDX-License-Identifier: MIT
// In place of png_file.cpp where there is no libpng.
#include "image_file/image_file.h"

namespace spalt_tool {

bool read_png(const std::vector<uint8_t>&, ImageData&, std::string& error) {
  error = "is PNG, which this build cannot read: it was made without libpng";
  return false;
}

bool write_png(const ImageData&, std::vector<uint8_t>&, std::string& error) {
  error = "cannot be PNG: this build was made without libpng";
  return false;
}

}  // namespace spalt_tool
