// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace spalt {

/// Dense side table: one T per id, addressed by the id itself. Grows only on request.
template <class IdType, class T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(size_t size, const T& value = T()) : data_(size, value) {}

  void assign(size_t size, const T& value) { data_.assign(size, value); }
  void resize(size_t size, const T& value = T()) { data_.resize(size, value); }
  IdType push_back(T value) {
    data_.push_back(std::move(value));
    return IdType(static_cast<uint32_t>(data_.size() - 1));
  }
  size_t size() const { return data_.size(); }
  bool contains(IdType id) const { return id.index < data_.size(); }

  decltype(auto) operator[](IdType id) { return data_[id.index]; }
  decltype(auto) operator[](IdType id) const { return data_[id.index]; }
  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  std::vector<T> data_;
};

}  // namespace spalt
