// SPDX-License-Identifier: MIT
// What every part of the public C API needs: the caller's structs and arrays, result codes, memory, texts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ice.h"
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

// Structs and arrays of the caller -----------------------------------------------------------------------------------

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

/// An array of structs whose element may be larger or smaller than ours.
template <class T>
class CallerArray {
 public:
  CallerArray(const T* data, size_t count, size_t element_size) : data_(data), count_(count), size_(element_size) {}

  /// Whether the members can be read.
  bool valid() const { return count_ == 0 || (data_ != nullptr && size_ != 0); }
  size_t size() const { return count_; }
  T operator[](size_t i) const {
    T value{};
    const auto* bytes = reinterpret_cast<const unsigned char*>(data_) + i * size_;
    std::memcpy(static_cast<void*>(&value), bytes, std::min(size_, sizeof(T)));
    return value;
  }

 private:
  const T* data_;
  size_t count_, size_;
};

// Results ------------------------------------------------------------------------------------------------------------

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
    case Status::cancelled:
      return SPALT_ERROR_CANCELLED;
    case Status::internal_error:
      return SPALT_ERROR_INTERNAL;
  }
  return SPALT_ERROR_INTERNAL;
}

inline Error bad_argument(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

/// Runs `work` and turns whatever it throws into an Error, apart from lack of memory, which leaves as std::bad_alloc.
template <class Work>
Result<void> contain(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const InternalError& bug) {
    return Error{Status::internal_error, std::string("internal error: ") + bug.what() + " (" + bug.file() + ":" +
                                             std::to_string(bug.line()) + ")"};
  } catch (const std::exception& other) {
    return Error{Status::internal_error, std::string("internal error: ") + other.what()};
  } catch (...) {
    return Error{Status::internal_error, "internal error: an unknown exception"};
  }
}

/// Runs `work`, which returns a result code, and lets nothing out that is thrown.
template <class Work>
spalt_result guarded(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SPALT_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return SPALT_ERROR_INTERNAL;
  }
}

// Memory -------------------------------------------------------------------------------------------------------------

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
  allocation.callbacks = read_struct(given);
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
