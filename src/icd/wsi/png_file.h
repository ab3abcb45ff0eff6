// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "icd/resource/image.h"

namespace spalt::icd {

/// Writes an image of a presentable format as 8-bit RGBA. False: the file cannot be written.
bool write_png(const Image& image, const std::string& path);

}  // namespace spalt::icd
