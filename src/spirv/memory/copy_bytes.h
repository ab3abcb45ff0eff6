// SPDX-License-Identifier: MIT
// Internal to OpCopyMemorySized: the two places, and the units in which they are copied.
#pragma once
#include "spirv/memory/memory.h"

namespace spalt::spirv {

/// One side of a copy.
struct CopyPlace {
  Pointer pointer;
  AccessExtra extra;
};

/// The largest unit, 4 bytes at most, that both places are aligned for `at` bytes past their begin.
uint32_t copy_unit_log2(const CopyPlace& target, const CopyPlace& source, uint32_t at);
/// The integer of a unit, if the module may have it.
bool find_copy_unit(Reader& r, uint32_t log2, ir::Type& unit);
/// Loads and stores what lies `at` bytes past the begin of both places.
void copy_unit(Reader& r, const CopyPlace& target, const CopyPlace& source, ir::Type type, uint32_t at);
/// Copies a number of bytes that may be 0, in loops of the shader.
bool copy_loop(Reader& r, const CopyPlace& target, const CopyPlace& source, ir::Value bytes);

}  // namespace spalt::spirv
