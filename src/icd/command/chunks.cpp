// SPDX-License-Identifier: MIT
#include "icd/command/chunks.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace spalt::icd {
namespace {

constexpr size_t kHostChunkBytes = 16384 - sizeof(HostChunk);
constexpr uint64_t kTableChunkBytes = 65536;
constexpr uint64_t kTableAlignment = 64;

uint64_t round_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

HostChunk* ChunkCache::take_host(size_t bytes) {
  if (bytes <= kHostChunkBytes) {
    const std::lock_guard guard(mutex_);
    if (HostChunk* chunk = host_) {
      host_ = chunk->next;
      return chunk;
    }
  }
  const size_t size = std::max(bytes, kHostChunkBytes);
  return new (::operator new(sizeof(HostChunk) + size)) HostChunk{nullptr, size};
}

TableChunk* ChunkCache::take_tables(uint64_t bytes) {
  if (bytes <= kTableChunkBytes) {
    const std::lock_guard guard(mutex_);
    if (TableChunk* chunk = tables_) {
      tables_ = chunk->next;
      return chunk;
    }
  }
  auto chunk = std::make_unique<TableChunk>();
  chunk->block = device_->space().allocate(Range::tables, std::max(bytes, kTableChunkBytes), "command buffer tables");
  return chunk.release();
}

void ChunkCache::give_back(HostChunk* list) noexcept {
  const std::lock_guard guard(mutex_);
  while (list != nullptr) {
    HostChunk* chunk = list;
    list = chunk->next;
    if (chunk->size > kHostChunkBytes) {
      ::operator delete(chunk);
    } else {
      chunk->next = host_;
      host_ = chunk;
    }
  }
}

void ChunkCache::give_back(TableChunk* list) noexcept {
  const std::lock_guard guard(mutex_);
  while (list != nullptr) {
    TableChunk* chunk = list;
    list = chunk->next;
    if (chunk->block.size > kTableChunkBytes) {
      release(chunk);
    } else {
      chunk->next = tables_;
      tables_ = chunk;
    }
  }
}

void ChunkCache::release(TableChunk* chunk) noexcept {
  device_->space().release(chunk->block);
  delete chunk;
}

void ChunkCache::trim() noexcept {
  const std::lock_guard guard(mutex_);
  while (host_ != nullptr) {
    HostChunk* chunk = host_;
    host_ = chunk->next;
    ::operator delete(chunk);
  }
  while (tables_ != nullptr) {
    TableChunk* chunk = tables_;
    tables_ = chunk->next;
    release(chunk);
  }
}

void* HostArena::allocate(size_t bytes) {
  const size_t size = round_up(bytes, 8);
  if (size < bytes) throw std::bad_alloc();
  if (chunks_ == nullptr || size > chunks_->size - used_) {
    HostChunk* chunk = cache_->take_host(size);
    chunk->next = chunks_;
    chunks_ = chunk;
    used_ = 0;
  }
  void* place = chunks_->bytes() + used_;
  used_ += size;
  return place;
}

void HostArena::clear() noexcept {
  cache_->give_back(chunks_);
  chunks_ = nullptr;
  used_ = 0;
}

TableMemory TableArena::allocate(uint64_t bytes) {
  const uint64_t size = round_up(bytes, kTableAlignment);
  if (chunks_ == nullptr || size > chunks_->block.size - used_) {
    TableChunk* chunk = cache_->take_tables(size);
    chunk->next = chunks_;
    chunks_ = chunk;
    used_ = 0;
  }
  const TableMemory memory{chunks_->block.host + used_, chunks_->block.address + used_};
  std::memset(memory.host, 0, size);
  used_ += size;
  return memory;
}

void TableArena::clear() noexcept {
  cache_->give_back(chunks_);
  chunks_ = nullptr;
  used_ = 0;
}

}  // namespace spalt::icd
