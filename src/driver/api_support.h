// SPDX-License-Identifier: MIT
// What every part of the compiler's C API needs besides src/api: memory, handles, diagnostics.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "api/results.h"
#include "api/structs.h"

namespace spalt::driver {

inline void* default_allocate(void*, size_t size, size_t alignment) {
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}
inline void default_release(void*, void* memory) {
  std::free(memory);
}

struct Allocation {
  spalt_allocation_callbacks callbacks{sizeof(spalt_allocation_callbacks), nullptr, default_allocate, default_release};

  void* allocate(size_t size, size_t alignment = alignof(std::max_align_t)) const {
    void* memory = callbacks.allocate(callbacks.user, std::max<size_t>(size, 1), alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void release(void* memory) const {
    if (memory != nullptr) callbacks.release(callbacks.user, memory);
  }
};

/// The caller's callbacks, or malloc and free when there are none. False when they are incomplete.
inline bool read_allocation(const spalt_allocation_callbacks* given, Allocation& allocation) {
  if (given == nullptr) return true;
  allocation.callbacks = api::read_struct(given);
  return allocation.callbacks.allocate != nullptr && allocation.callbacks.release != nullptr;
}

/// For containers inside of handles: their memory comes from the callbacks.
template <class T>
struct HandleAllocator {
  using value_type = T;
  const Allocation* allocation;

  explicit HandleAllocator(const Allocation& a) : allocation(&a) {}
  template <class U>
  HandleAllocator(const HandleAllocator<U>& other) : allocation(other.allocation) {}
  T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocation->allocate(count * sizeof(T), alignof(std::max_align_t)));
  }
  void deallocate(T* memory, size_t) { allocation->release(memory); }
  template <class U>
  bool operator==(const HandleAllocator<U>& other) const {
    return allocation == other.allocation;
  }
};
template <class T>
using HandleVector = std::vector<T, HandleAllocator<T>>;
using HandleText = std::basic_string<char, std::char_traits<char>, HandleAllocator<char>>;
/// Code and other bytes. A string, because it copies them all at once: a vector with an allocator of its own makes one
/// after the other.
using HandleBytes = HandleText;
inline void keep_bytes(HandleBytes& kept, std::span<const uint8_t> bytes) {
  kept.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// A handle of type T, whose first constructor argument is its Allocation and which keeps that as `allocation`.
template <class T>
T* create_handle(const Allocation& allocation) {
  void* memory = allocation.allocate(sizeof(T), alignof(T));
  return new (memory) T(allocation);
}
template <class T>
void destroy_handle(T* handle) {
  if (handle == nullptr) return;
  const Allocation allocation = handle->allocation;
  handle->~T();
  allocation.release(handle);
}

/// A diagnostic inside of a handle.
struct KeptDiagnostic {
  KeptDiagnostic(const Allocation& allocation, const Error& error, spalt_severity what)
      : message(error.message.begin(), error.message.end(), HandleAllocator<char>(allocation)),
        source_file(error.source_file.begin(), error.source_file.end(), HandleAllocator<char>(allocation)),
        word_offset(error.offset),
        source_line(error.source_line),
        severity(what) {}

  spalt_diagnostic describe() const {
    spalt_diagnostic value{};
    value.message = message.c_str();
    value.word_offset = word_offset;
    value.source_file = source_file.empty() ? nullptr : source_file.c_str();
    value.source_line = source_line;
    value.severity = static_cast<uint32_t>(severity);
    return value;
  }

  HandleText message, source_file;
  uint32_t word_offset, source_line;
  spalt_severity severity;
};

}  // namespace spalt::driver
