// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace spalt::icd {

/// Pages of host memory: zero until written, taken from the machine as they are touched.
class HostPages {
 public:
  HostPages() = default;
  /// Throws std::bad_alloc, also for 0 bytes.
  explicit HostPages(uint64_t size);
  ~HostPages();
  HostPages(HostPages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HostPages& operator=(HostPages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::byte* data() const { return data_; }
  /// Makes reads of what nobody wrote visible.
  void fill_with_junk();

 private:
  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace spalt::icd
