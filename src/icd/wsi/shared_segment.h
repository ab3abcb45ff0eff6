// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>

namespace spalt::icd {

/// A System V shared memory segment of this user alone, which goes when everybody has detached it or ended.
class SharedSegment {
 public:
  SharedSegment() = default;
  /// Not attached: the host has no such memory.
  explicit SharedSegment(size_t bytes);
  ~SharedSegment();
  SharedSegment(SharedSegment&& other) noexcept : id_(other.id_), data_(std::exchange(other.data_, nullptr)) {}
  SharedSegment& operator=(SharedSegment&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(data_, other.data_);
    return *this;
  }

  bool attached() const { return data_ != nullptr; }
  unsigned id() const { return static_cast<unsigned>(id_); }
  std::byte* data() const { return data_; }

 private:
  int id_ = -1;
  std::byte* data_ = nullptr;
};

}  // namespace spalt::icd
