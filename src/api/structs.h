// SPDX-License-Identifier: MIT
// The structs and arrays of a caller, who may have been built with an older or a newer header.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "spalt/spalt.h"

namespace spalt::api {

/// A zero-terminated text inside of a struct that the library fills.
struct TextMember {
  size_t offset, size;  ///< bytes
};
/// The texts of a struct; those that have some specialize it.
template <class T>
inline constexpr std::array<TextMember, 0> kTextMembers{};

/// Whether the caller gave a struct at all.
template <class T>
bool is_given(const T* given) {
  return given != nullptr && given->struct_size >= sizeof(size_t);
}

/// Copies a caller's struct; the members that it is too small for are zero.
template <class T>
T read_struct(const T* given) {
  T value{};
  std::memcpy(static_cast<void*>(&value), given, std::min(given->struct_size, sizeof(T)));
  value.struct_size = sizeof(T);
  return value;
}

/// Fills as much of the caller's struct as its size allows. A text that is cut off still ends with a zero.
template <class T>
spalt_result write_struct(const T& value, T* out) {
  if (!is_given(out)) return SPALT_ERROR_INVALID_ARGUMENT;
  const size_t size = out->struct_size;
  std::memcpy(static_cast<void*>(out), &value, std::min(size, sizeof(T)));
  out->struct_size = size;
  for (const TextMember& text : kTextMembers<T>) {
    if (size > text.offset && size < text.offset + text.size) reinterpret_cast<char*>(out)[size - 1] = 0;
  }
  return SPALT_SUCCESS;
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

}  // namespace spalt::api
