// SPDX-License-Identifier: MIT
#include "icd/wsi/window.h"

#include <cstring>

namespace spalt::icd {

void pack_rows(const PresenterInfo& info, const std::byte* texels, size_t row_bytes, bool opaque, std::byte* output) {
  for (uint32_t y = 0; y < info.extent.height; ++y) {
    std::byte* row = output + y * info.row_bytes();
    std::memcpy(row, texels + y * row_bytes, info.row_bytes());
    if (!opaque) continue;
    for (size_t alpha = 3; alpha < info.row_bytes(); alpha += 4) row[alpha] = std::byte{255};
  }
}

}  // namespace spalt::icd
