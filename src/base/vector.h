// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/arena.h"

namespace spalt {

/// A vector like the standard one, whose memory comes from an arena or, without one, from the heap. Three differences:
/// - sizes have 32 bits;
/// - bool is a type like any other;
/// - growing at the end of the arena moves nothing.
///
/// A vector made from another one, by copy or by move, has the same arena. Assignment and swap keep the arena of each
/// side, so that what a pass makes in its scratch memory does not end up in a program: they copy the elements where the
/// arenas differ. A vector in an arena must not be touched after the arena was reset, not even by its destructor.
template <class T>
class Vector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  Vector() = default;
  explicit Vector(Arena* arena) : arena_(arena) {}
  explicit Vector(Arena& arena) : arena_(&arena) {}
  explicit Vector(size_t size, const T& value = T(), Arena* arena = nullptr) : arena_(arena) { resize(size, value); }
  Vector(Arena& arena, size_t size, const T& value = T()) : arena_(&arena) { resize(size, value); }
  Vector(std::initializer_list<T> values) { append({values.begin(), values.size()}); }
  explicit Vector(std::span<const T> values, Arena* arena = nullptr) : arena_(arena) { append(values); }
  Vector(const Vector& other) : arena_(other.arena_) { append(other); }
  Vector(Vector&& other) noexcept : arena_(other.arena_) { take(other); }
  ~Vector() { free(); }
  Vector& operator=(const Vector& other) {
    if (this != &other) assign(std::span<const T>(other));
    return *this;
  }
  // Copies, and so may fail, where the arenas differ. NOLINTNEXTLINE(performance-noexcept-move-constructor)
  Vector& operator=(Vector&& other) {
    if (this == &other) return *this;
    if (arena_ == other.arena_) {
      free();
      take(other);
    } else {
      clear();
      reserve(other.size_);
      std::uninitialized_move(other.begin(), other.end(), data_);
      size_ = other.size_;
    }
    return *this;
  }
  void swap(Vector& other) {
    Vector moved(std::move(other));
    other = std::move(*this);
    *this = std::move(moved);
  }

  Arena* arena() const { return arena_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  uint32_t size() const { return size_; }
  uint32_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  auto rbegin() { return std::reverse_iterator(end()); }
  auto rend() { return std::reverse_iterator(begin()); }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }

  /// `value` may be an element of this vector.
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) {
      T value{std::forward<Args>(args)...};
      grow(size_t{size_} + 1);
      return *new (data_ + size_++) T(std::move(value));
    }
    return *new (data_ + size_++) T{std::forward<Args>(args)...};
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  void pop_back() { data_[--size_].~T(); }
  /// `values` must not be part of this vector.
  void append(std::span<const T> values) {
    reserve_for(size_t{size_} + values.size());
    std::uninitialized_copy(values.begin(), values.end(), data_ + size_);
    size_ += static_cast<uint32_t>(values.size());
  }
  void assign(std::span<const T> values) {
    clear();
    append(values);
  }
  void assign(size_t size, const T& value) {
    clear();
    resize(size, value);
  }
  void resize(size_t size) { resize(size, T()); }
  void resize(size_t size, const T& value) {
    if (size < size_) std::destroy(data_ + size, data_ + size_);
    if (size > size_) {
      reserve_for(size);
      fill(data_ + size_, size - size_, value);
    }
    size_ = static_cast<uint32_t>(size);
  }
  /// Elements that are new have any value until they are written.
  void resize_for_overwrite(size_t size) requires std::is_trivially_copyable_v<T> {
    if (size > size_) reserve_for(size);
    size_ = static_cast<uint32_t>(size);
  }
  void clear() {
    std::destroy(data_, data_ + size_);
    size_ = 0;
  }
  void reserve(size_t capacity) {
    if (capacity > capacity_) grow_to(capacity);
  }

  T* insert(const T* position, const T& value) {
    const T copy = value;
    return insert(position, std::span<const T>(&copy, 1));
  }
  /// `values` must not be part of this vector.
  T* insert(const T* position, std::span<const T> values) { return insert(position, values.begin(), values.end()); }
  template <std::forward_iterator It>
  T* insert(const T* position, It first, It last) {
    const auto at = position - data_;
    const auto old_end = static_cast<std::ptrdiff_t>(size_);
    const auto count = static_cast<size_t>(std::distance(first, last));
    reserve_for(size_ + count);
    size_ += static_cast<uint32_t>(count);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (old_end != at) std::memmove(data_ + at + count, data_ + at, static_cast<size_t>(old_end - at) * sizeof(T));
      std::uninitialized_copy(first, last, data_ + at);
    } else {
      std::uninitialized_copy(first, last, data_ + old_end);
      std::rotate(data_ + at, data_ + old_end, end());
    }
    return data_ + at;
  }
  T* erase(const T* first, const T* last) {
    T* to = data_ + (first - data_);
    T* new_end = std::move(data_ + (last - data_), end(), to);
    std::destroy(new_end, end());
    size_ = static_cast<uint32_t>(new_end - data_);
    return to;
  }
  T* erase(const T* position) { return erase(position, position + 1); }

  bool operator==(const Vector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  static constexpr size_t kMaxSize = UINT32_MAX;

  /// Makes `count` copies of a value, all bytes at once where they are alike, as those of zeros and of ids that name
  /// nothing are: tables begin as these.
  static void fill(T* first, size_t count, const T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>) {
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      // Equal to itself moved on by one byte.
      if (std::memcmp(bytes, bytes + 1, sizeof(T) - 1) == 0) {
        std::memset(static_cast<void*>(first), bytes[0], count * sizeof(T));
        return;
      }
    }
    std::uninitialized_fill_n(first, count, value);
  }
  void reserve_for(size_t size) {
    if (size > capacity_) grow(size);
  }
  /// Room for `size` elements, and at least twice as many as there is room for now. Rare, so kept out of those that
  /// append, which are small enough to be inlined then.
  [[gnu::noinline]] void grow(size_t size) { grow_to(std::max({size, size_t{capacity_} * 2, size_t{4}})); }
  void grow_to(size_t capacity) {
    if (capacity > kMaxSize || capacity > SIZE_MAX / 2 / sizeof(T)) throw std::bad_alloc();
    const size_t bytes = capacity * sizeof(T);
    if (arena_ == nullptr || !arena_->extend(data_, capacity_ * sizeof(T), bytes)) relocate(bytes);
    capacity_ = static_cast<uint32_t>(capacity);
  }
  void relocate(size_t bytes) {
    void* memory = arena_ != nullptr ? arena_->allocate(bytes, alignof(T)) : ::operator new(bytes);
    T* moved = static_cast<T*>(memory);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (size_ != 0) std::memcpy(memory, data_, size_ * sizeof(T));
    } else {
      std::uninitialized_move(data_, data_ + size_, moved);
      std::destroy(data_, data_ + size_);
    }
    free_memory();
    data_ = moved;
  }
  void take(Vector& other) {
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
  }
  void free() {
    std::destroy(data_, data_ + size_);
    free_memory();
  }
  void free_memory() {
    if (data_ == nullptr) return;
    if (arena_ != nullptr) {
      arena_->deallocate(data_, capacity_ * sizeof(T));
    } else {
      ::operator delete(data_);
    }
  }

  static_assert(alignof(T) <= Arena::kAlignment);
  T* data_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  Arena* arena_ = nullptr;
};

template <class T, class Predicate>
void erase_if(Vector<T>& vector, Predicate predicate) {
  vector.erase(std::remove_if(vector.begin(), vector.end(), predicate), vector.end());
}

}  // namespace spalt
