// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

namespace spalt {

/// A vector of trivially copyable elements whose first N live inside the object.
template <class T, uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { append(std::span<const T>(values.begin(), values.size())); }
  explicit SmallVector(std::span<const T> values) { append(values); }
  SmallVector(const SmallVector& other) { append(other.span()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      size_ = 0;
      append(other.span());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }

  T* data() { return heap_ ? heap_.get() : inline_data(); }
  const T* data() const { return heap_ ? heap_.get() : inline_data(); }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }
  operator std::span<const T>() const { return span(); }
  bool operator==(const SmallVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

  void push_back(T value) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  /// `values` must not be part of this vector.
  void append(std::span<const T> values) {
    const uint32_t size = size_ + static_cast<uint32_t>(values.size());
    if (size > capacity_) grow(size);
    std::copy_n(values.data(), values.size(), data() + size_);
    size_ = size;
  }
  void resize(uint32_t size, T value = T()) {
    if (size > capacity_) grow(size);
    for (uint32_t i = size_; i < size; ++i) data()[i] = value;
    size_ = size;
  }
  void erase(uint32_t index) {
    T* base = data();
    for (uint32_t i = index + 1; i < size_; ++i) base[i - 1] = base[i];
    --size_;
  }
  void reserve(uint32_t capacity) {
    if (capacity > capacity_) move_to_heap(capacity);
  }

 private:
  /// At least doubles the capacity, so that what is added piece by piece moves a constant number of times.
  void grow(uint32_t size) { move_to_heap(std::max(size, capacity_ * 2)); }
  void move_to_heap(uint32_t capacity) {
    auto grown = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy_n(data(), size_, grown.get());
    heap_ = std::move(grown);
    capacity_ = capacity;
  }
  T* inline_data() { return reinterpret_cast<T*>(inline_); }
  const T* inline_data() const { return reinterpret_cast<const T*>(inline_); }
  void take(SmallVector& other) {
    heap_ = std::move(other.heap_);
    size_ = other.size_;
    capacity_ = other.capacity_;
    if (!heap_) std::copy_n(other.inline_data(), size_, inline_data());
    other.size_ = 0;
    other.capacity_ = N;
  }

  std::unique_ptr<T[]> heap_;
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  // Without elements until there are some; T may be a pointer. NOLINTNEXTLINE(bugprone-sizeof-expression)
  alignas(T) std::byte inline_[N * sizeof(T)];
};

}  // namespace spalt
