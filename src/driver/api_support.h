// SPDX-License-Identifier: MIT
// What every part of the public C API needs: the caller's structs, result codes, memory, texts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "base/result.h"
#include "spalt/spalt.h"

namespace spalt::driver {

inline void* default_allocate(void*, size_t size, size_t alignment) {
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}
inline void default_release(void*, void* memory) {
  std::free(memory);
}

/// Copies a caller's struct, however old its header, into the current one; missing fields stay zero.
template <class T>
T read_struct(const T* given) {
  T value{};
  std::memcpy(static_cast<void*>(&value), given, std::min(given->struct_size, sizeof(T)));
  value.struct_size = sizeof(T);
  return value;
}

/// Fills as much of the caller's struct as its size allows.
template <class T>
void write_struct(T* out, T value) {
  value.struct_size = out->struct_size;
  std::memcpy(static_cast<void*>(out), &value, std::min(value.struct_size, sizeof(T)));
}

inline spalt_result to_result(Status status) {
  switch (status) {
    case Status::ok:
      return SPALT_SUCCESS;
    case Status::invalid_argument:
      return SPALT_ERROR_INVALID_ARGUMENT;
    case Status::invalid_input:
      return SPALT_ERROR_INVALID_INPUT;
    case Status::unsupported:
      return SPALT_ERROR_UNSUPPORTED;
    case Status::limit_exceeded:
      return SPALT_ERROR_LIMIT_EXCEEDED;
    case Status::out_of_memory:
      return SPALT_ERROR_OUT_OF_MEMORY;
    case Status::internal_error:
      return SPALT_ERROR_INTERNAL;
  }
  return SPALT_ERROR_INTERNAL;
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
  char* copy_text(const std::string& text) const {
    char* copy = static_cast<char*>(allocate(text.size() + 1));
    std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
  }
};

}  // namespace spalt::driver
