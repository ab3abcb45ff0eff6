// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <algorithm>
#include <new>

#ifdef SPALT_ARENA_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace spalt {
namespace {

void* allocate_on_heap(void*, size_t bytes, size_t alignment) {
  return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
}

void release_on_heap(void*, void* memory, size_t) {
  ::operator delete(memory, std::align_val_t(Arena::kAlignment));
}

}  // namespace

MemoryFunctions heap_memory() {
  return {allocate_on_heap, release_on_heap, nullptr};
}

#ifdef SPALT_ARENA_POISON
// The sanitizer takes pointers. NOLINTBEGIN(performance-no-int-to-ptr)
void* Arena::open(uintptr_t begin, size_t bytes) {
  __asan_unpoison_memory_region(reinterpret_cast<void*>(begin), bytes);
  return reinterpret_cast<void*>(begin);
}

void Arena::close(uintptr_t begin, size_t bytes) {
  __asan_poison_memory_region(reinterpret_cast<void*>(begin), bytes);
}
// NOLINTEND(performance-no-int-to-ptr)
#endif

void Arena::check_count(size_t count, size_t size) {
  if (count > SIZE_MAX / 2 / size) throw std::bad_alloc();
}

/// Takes the next chunk if it is large enough, else puts a new one before it.
void* Arena::allocate_slowly(size_t bytes) {
  Chunk* next = current_ == nullptr ? first_ : current_->next;
  if (next == nullptr || next->end() - next->begin() < bytes) {
    Chunk* chunk = create_chunk(bytes);
    chunk->next = next;
    (current_ == nullptr ? first_ : current_->next) = chunk;
    next = chunk;
  }
  enter(next);
  const uintptr_t at = next_;
  next_ += bytes;
  return open(at, bytes);
}

/// Chunks double in size, so that their number stays small, up to a size at which nobody counts them.
Arena::Chunk* Arena::create_chunk(size_t payload) {
  if (payload > SIZE_MAX / 2) throw std::bad_alloc();
  const size_t usual = current_ == nullptr ? kFirstChunk : std::min(current_->bytes * 2, kLargestChunk);
  const size_t bytes = std::max(usual, (payload + sizeof(Chunk) + kAlignment - 1) / kAlignment * kAlignment);
  void* memory = memory_.allocate(memory_.user, bytes, kAlignment);
  if (memory == nullptr) throw std::bad_alloc();
  return new (memory) Chunk{nullptr, bytes};
}

void Arena::enter(Chunk* chunk) {
  current_ = chunk;
  next_ = chunk->begin();
  end_ = chunk->end();
  close(next_, end_ - next_);
}

void Arena::reset(size_t keep) {
  Chunk** link = &first_;
  size_t kept = 0;
  while (*link != nullptr && (*link)->bytes <= keep - kept) {
    kept += (*link)->bytes;
    close((*link)->begin(), (*link)->end() - (*link)->begin());
    link = &(*link)->next;
  }
  release_chunks(*link);
  *link = nullptr;
  current_ = nullptr;
  next_ = end_ = 0;
}

void Arena::release_chunks(Chunk* chunk) {
  while (chunk != nullptr) {
    Chunk* next = chunk->next;
    open(chunk->begin(), chunk->end() - chunk->begin());
    memory_.release(memory_.user, chunk, chunk->bytes);
    chunk = next;
  }
}

size_t Arena::used_bytes() const {
  if (current_ == nullptr) return 0;
  size_t sum = next_ - current_->begin();
  for (const Chunk* chunk = first_; chunk != current_; chunk = chunk->next) sum += chunk->end() - chunk->begin();
  return sum;
}

size_t Arena::reserved_bytes() const {
  size_t sum = 0;
  for (const Chunk* chunk = first_; chunk != nullptr; chunk = chunk->next) sum += chunk->bytes;
  return sum;
}

ArenaScope::~ArenaScope() {
  arena_.current_ = chunk_;
  arena_.next_ = next_;
  arena_.end_ = chunk_ == nullptr ? 0 : chunk_->end();
  if (chunk_ != nullptr) Arena::close(next_, arena_.end_ - next_);
}

}  // namespace spalt
