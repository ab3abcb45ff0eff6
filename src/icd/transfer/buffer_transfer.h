// SPDX-License-Identifier: MIT
//
// Copies, fills and updates of buffers, on the host. Ranges lie in their buffers (buffer_range), so that nothing here
// leaves them.
#pragma once

#include "icd/resource/buffer.h"

namespace spalt::icd {

/// As many bytes as both ranges have. Ranges may overlap: then the destination gets what the source held before.
void copy_bytes(const MemoryRange& source, const MemoryRange& destination);
/// Whole words; the rest of the last one stays.
void fill_words(const MemoryRange& range, uint32_t word);

}  // namespace spalt::icd
