// SPDX-License-Identifier: MIT
#include "icd/transfer/buffer_transfer.h"

#include <algorithm>
#include <cstring>

namespace spalt::icd {

void copy_bytes(const MemoryRange& source, const MemoryRange& destination) {
  const uint64_t size = std::min(source.size, destination.size);
  if (size > 0) std::memmove(destination.host, source.host, size);
}

void fill_words(const MemoryRange& range, uint32_t word) {
  std::byte* const end = range.host + range.size / sizeof word * sizeof word;
  for (std::byte* place = range.host; place != end; place += sizeof word) std::memcpy(place, &word, sizeof word);
}

}  // namespace spalt::icd
