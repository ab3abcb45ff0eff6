// SPDX-License-Identifier: MIT
//
// Memory that is taken piece by piece and given back all at once.
//
// An arena owns a list of chunks and hands out the next bytes of the current one, so that taking memory costs a few
// instructions. Chunks stay with the arena when it is reset or rewound and serve again; a compiler that keeps its arena
// asks the system for nothing from its second shader on. A block that is given back early is used again only when it
// was the last one taken, which is what a growing vector mostly is.
#pragma once
#include <cstddef>
#include <cstdint>

namespace spalt {

/// Where the chunks of an arena come from.
struct MemoryFunctions {
  /// Returns `bytes` bytes, aligned to `alignment` (a power of two), or null.
  using Allocate = void* (*)(void* user, size_t bytes, size_t alignment);
  /// Takes back what Allocate returned, with the same size.
  using Release = void (*)(void* user, void* memory, size_t bytes);

  Allocate allocate;
  Release release;
  void* user;
};

/// operator new and delete.
MemoryFunctions heap_memory();

/// Not for several threads at a time. Runs no destructors. Throws std::bad_alloc when the functions return null.
class Arena {
 public:
  static constexpr size_t kAlignment = alignof(std::max_align_t);
  static constexpr size_t kFirstChunk = size_t{32} << 10, kLargestChunk = size_t{1} << 20;

  explicit Arena(MemoryFunctions memory = heap_memory()) : memory_(memory) {}
  ~Arena() { release_chunks(first_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// `alignment` is a power of two up to kAlignment.
  void* allocate(size_t bytes, size_t alignment) {
    const uintptr_t at = (next_ + (alignment - 1)) & ~uintptr_t{alignment - 1};
    if (at > end_ || bytes > end_ - at) return allocate_slowly(bytes);
    next_ = at + bytes;
    return open(at, bytes);
  }
  /// Uninitialised memory for `count` objects.
  template <class T>
  T* allocate_array(size_t count) {
    static_assert(alignof(T) <= kAlignment);
    check_count(count, sizeof(T));
    return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
  }
  /// Makes the block at `memory` larger where it is. False if it is not the last one taken, or its chunk is full.
  bool extend(const void* memory, size_t old_bytes, size_t new_bytes) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
    if (begin + old_bytes != next_ || new_bytes > end_ - begin) return false;
    next_ = begin + new_bytes;
    open(begin, new_bytes);
    return true;
  }
  /// Gives a block back; the memory serves again if it was the last one taken.
  void deallocate(const void* memory, size_t bytes) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
    if (begin + bytes == next_) next_ = begin;
    close(begin, bytes);
  }

  /// Gives everything back. Chunks beyond `keep` bytes go back to where they came from.
  void reset(size_t keep = SIZE_MAX);

  size_t used_bytes() const;      ///< taken since the last reset, with the unused ends of chunks
  size_t reserved_bytes() const;  ///< of all chunks

 private:
  friend class ArenaScope;
  /// Stands at the start of its memory.
  struct alignas(kAlignment) Chunk {
    Chunk* next;
    size_t bytes;  ///< with this header
    uintptr_t begin() const { return reinterpret_cast<uintptr_t>(this + 1); }
    uintptr_t end() const { return reinterpret_cast<uintptr_t>(this) + bytes; }
  };

  static void check_count(size_t count, size_t size);
  // For the address sanitizer: what nobody has taken is out of bounds.
  static void* open(uintptr_t begin, size_t bytes);
  static void close(uintptr_t begin, size_t bytes);
  void* allocate_slowly(size_t bytes);
  Chunk* create_chunk(size_t payload);
  void enter(Chunk* chunk);
  void release_chunks(Chunk* chunk);

  MemoryFunctions memory_;
  uintptr_t next_ = 0, end_ = 0;  ///< of the current chunk: the first byte that is free, and the end
  Chunk* first_ = nullptr;
  Chunk* current_ = nullptr;  ///< those after it are free
};

/// Gives back, at its end, what was taken from an arena since its start. What was made before it must not take memory
/// from that arena meanwhile, as a vector that grows does.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), chunk_(arena.current_), next_(arena.next_) {}
  ~ArenaScope();
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  Arena::Chunk* chunk_;
  uintptr_t next_;
};

#if defined(__SANITIZE_ADDRESS__)
#define SPALT_ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPALT_ARENA_POISON 1
#endif
#endif

#ifndef SPALT_ARENA_POISON
inline void* Arena::open(uintptr_t begin, size_t) {
  return reinterpret_cast<void*>(begin);
}
inline void Arena::close(uintptr_t, size_t) {}
#endif

}  // namespace spalt
