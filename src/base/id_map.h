// SPDX-License-Identifier: MIT
#pragma once
#include "base/vector.h"

namespace spalt {

/// Dense side table: one T per id, addressed by the id itself. Grows only on request. Its memory comes from an arena or
/// from the heap, as that of a Vector does.
template <class IdType, class T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(Arena* arena) : data_(arena) {}
  explicit IdMap(Arena& arena) : data_(arena) {}
  explicit IdMap(size_t size, const T& value = T()) { data_.resize(size, value); }
  IdMap(Arena& arena, size_t size, const T& value = T()) : data_(arena) { data_.resize(size, value); }
  IdMap(Arena* arena, size_t size, const T& value) : data_(arena) { data_.resize(size, value); }

  void assign(size_t size, const T& value) { data_.assign(size, value); }
  void resize(size_t size) { data_.resize(size); }
  void resize(size_t size, const T& value) { data_.resize(size, value); }
  void reserve(size_t capacity) { data_.reserve(capacity); }
  IdType push_back(T value) {
    data_.push_back(std::move(value));
    return IdType(data_.size() - 1);
  }
  /// The same where a call and a copy would cost more than the element: in place, and inlined.
  [[gnu::always_inline]] IdType emplace_back(T&& value) {
    data_.emplace_back(std::move(value));
    return IdType(data_.size() - 1);
  }
  size_t size() const { return data_.size(); }
  bool contains(IdType id) const { return id.index < data_.size(); }

  T& operator[](IdType id) { return data_[id.index]; }
  const T& operator[](IdType id) const { return data_[id.index]; }
  bool operator==(const IdMap& other) const = default;

  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  Vector<T> data_;
};

}  // namespace spalt
