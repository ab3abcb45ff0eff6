// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "ir/function.h"
#include "ir/module.h"

namespace spalt::analysis {

/// The address of a load, store or atomic, taken apart.
struct MemoryPlace {
  ir::MemoryAccess access;
  ir::Value base;      ///< none where the storage class has no base
  ir::Value offset;    ///< none when the whole offset is constant
  uint64_t first = 0;  ///< constant part of the byte offset
  uint32_t bytes = 0;  ///< size of the accessed memory
};

/// Whether two places differ in the constant part of their offsets and their sizes at most.
inline bool same_origin(const MemoryPlace& a, const MemoryPlace& b) {
  return a.access.storage == b.access.storage && a.base == b.base && a.offset == b.offset;
}

/// Describes the memory operation `value`. A constant offset operand is counted into `first`.
MemoryPlace memory_place(const ir::Function& function, ir::Value value);

/// The value that a store or atomic writes; for atomic_compare_exchange the new value.
ir::Value stored_data(const ir::Function& function, ir::Value value);
/// Index of the offset operand of a memory operation.
inline unsigned offset_index(const ir::MemoryAccess& access) {
  return ir::has_base(access.storage) ? 1 : 0;
}

enum class Overlap : uint8_t {
  never,  ///< no byte in common
  maybe,
  always  ///< the same bytes
};

/// overlap of places whose offsets have the same variable part: apart if neither reaches into the other. Offsets of
/// shared and scratch memory wrap at 32 bits, but ranges shifted by the same amount stay apart.
inline Overlap overlap_of_ranges(const MemoryPlace& a, const MemoryPlace& b) {
  if (a.first == b.first && a.bytes == b.bytes) return Overlap::always;
  return a.first + a.bytes <= b.first || b.first + b.bytes <= a.first ? Overlap::never : Overlap::maybe;
}
/// overlap of places that differ in more than the constant part of their offsets and their sizes.
Overlap overlap_elsewhere(const ir::Function& function, std::span<const ir::Binding> bindings, const MemoryPlace& a,
                          const MemoryPlace& b);

/// Whether two places have bytes in common. `bindings` are those of the module.
///   - Different storage classes are apart, except that an address may lead into any buffer.
///   - Different bindings are the same memory only if both say `aliased` (SPIR-V, "Aliasing"); two elements of one may.
///   - Offsets do not wrap, so that x + 16 lies above 12.
///   - Places that lie at different bytes past multiples of the same power of two are apart.
inline Overlap overlap(const ir::Function& function, std::span<const ir::Binding> bindings, const MemoryPlace& a,
                       const MemoryPlace& b) {
  return same_origin(a, b) ? overlap_of_ranges(a, b) : overlap_elsewhere(function, bindings, a, b);
}

/// Whether `image`, the resource of an image operation, may be the memory of a place.
bool image_may_overlap(const ir::Function& function, std::span<const ir::Binding> bindings, ir::Value image,
                       const MemoryPlace& place);

/// True if nothing can write what the operation reads while the shader runs.
bool reads_constant_memory(const ir::MemoryAccess& access);

}  // namespace spalt::analysis
