// SPDX-License-Identifier: MIT
#include "emu/raster/index_fetch.h"

namespace spalt::emu {

uint32_t IndexBuffer::at(uint64_t i) const {
  const uint64_t width = static_cast<uint64_t>(size);
  if (i >= bytes.size() / width) return 0;
  uint32_t index = 0;
  for (uint64_t byte = 0; byte < width; ++byte) {
    index |= static_cast<uint32_t>(bytes[i * width + byte]) << (8 * byte);
  }
  return index;
}

uint32_t IndexBuffer::restart_index() const {
  return 0xffffffffu >> (32 - 8 * static_cast<unsigned>(size));
}

}  // namespace spalt::emu
