// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "base/arena.h"

namespace spalt {

/// The heap with a count of what is out, and a limit after which there is no memory.
struct CountedMemory {
  unsigned allocations = 0, releases = 0;
  size_t bytes_out = 0;
  unsigned allowed = ~0u;

  MemoryFunctions functions() { return {allocate, release, this}; }

 private:
  static void* allocate(void* user, size_t bytes, size_t alignment) {
    auto& self = *static_cast<CountedMemory*>(user);
    if (self.allocations == self.allowed) return nullptr;
    ++self.allocations;
    self.bytes_out += bytes;
    const MemoryFunctions heap = heap_memory();
    return heap.allocate(heap.user, bytes, alignment);
  }
  static void release(void* user, void* memory, size_t bytes) {
    auto& self = *static_cast<CountedMemory*>(user);
    ++self.releases;
    self.bytes_out -= bytes;
    const MemoryFunctions heap = heap_memory();
    heap.release(heap.user, memory, bytes);
  }
};

}  // namespace spalt
