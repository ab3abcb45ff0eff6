// SPDX-License-Identifier: MIT
//
// Memory of recorded commands. It comes in chunks: of host memory for the commands, and of the window of tables for the
// descriptors that shaders read. A pool keeps the chunks that its command buffers have given back, so that recording
// again allocates nothing. As Vulkan demands of pools, one thread at a time uses the arenas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "icd/device/device.h"

namespace spalt::icd {

struct HostChunk {
  HostChunk* next;
  size_t size;  // of the bytes that follow
  std::byte* bytes() { return reinterpret_cast<std::byte*>(this + 1); }
};

struct TableChunk {
  TableChunk* next;
  Block block;
};

/// The chunks that nobody uses at the moment. Queues give some back, too, at any time.
class ChunkCache {
 public:
  explicit ChunkCache(Device& device) : device_(&device) {}
  ~ChunkCache() { trim(); }
  ChunkCache(const ChunkCache&) = delete;
  ChunkCache& operator=(const ChunkCache&) = delete;

  /// A chunk of at least that many bytes.
  HostChunk* take_host(size_t bytes);
  TableChunk* take_tables(uint64_t bytes);
  /// Takes back a whole list. What is larger than usual goes back to the system.
  void give_back(HostChunk* list) noexcept;
  void give_back(TableChunk* list) noexcept;
  /// Frees everything that is not in use.
  void trim() noexcept;

 private:
  void release(TableChunk* chunk) noexcept;

  Device* device_;
  std::mutex mutex_;
  HostChunk* host_ = nullptr;
  TableChunk* tables_ = nullptr;
};

/// Allocates host memory that lives until the next clear().
class HostArena {
 public:
  explicit HostArena(ChunkCache& cache) : cache_(&cache) {}
  ~HostArena() { clear(); }
  HostArena(const HostArena&) = delete;
  HostArena& operator=(const HostArena&) = delete;

  /// Aligned to 8.
  void* allocate(size_t bytes);
  template <typename T>
  T* allocate_array(size_t count) {
    static_assert(alignof(T) <= 8);
    return static_cast<T*>(allocate(count * sizeof(T)));  // T may be a handle. NOLINT(bugprone-sizeof-expression)
  }
  void clear() noexcept;

 private:
  ChunkCache* cache_;
  HostChunk* chunks_ = nullptr;  // the first one has room
  size_t used_ = 0;              // bytes of the first one
};

/// Memory that shaders can read as a descriptor table.
struct TableMemory {
  std::byte* host = nullptr;
  uint64_t address = 0;
};

class TableArena {
 public:
  explicit TableArena(ChunkCache& cache) : cache_(&cache) {}
  ~TableArena() { clear(); }
  TableArena(const TableArena&) = delete;
  TableArena& operator=(const TableArena&) = delete;

  /// Zeroed, aligned to 64.
  TableMemory allocate(uint64_t bytes);
  void clear() noexcept;

 private:
  ChunkCache* cache_;
  TableChunk* chunks_ = nullptr;
  uint64_t used_ = 0;
};

}  // namespace spalt::icd
