// SPDX-License-Identifier: MIT
//
// What is left of a memory heap, over all devices that share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "icd/object/result.h"

namespace spalt::icd {

/// Safe to call from all threads.
class Heap {
 public:
  explicit Heap(uint64_t bytes) : bytes_(bytes) {}
  uint64_t bytes() const { return bytes_; }
  uint64_t used() const { return used_; }
  /// False: there are not as many left.
  bool take(uint64_t bytes) {
    uint64_t used = used_;
    do {
      if (bytes > bytes_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
  }
  void give_back(uint64_t bytes) { used_ -= bytes; }

 private:
  const uint64_t bytes_;
  std::atomic<uint64_t> used_ = 0;
};

/// Bytes taken from a heap for as long as this lives.
class HeapShare {
 public:
  HeapShare() = default;
  /// Throws VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY}.
  HeapShare(Heap& heap, uint64_t bytes) : heap_(&heap), bytes_(bytes) {
    if (!heap.take(bytes)) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  }
  ~HeapShare() {
    if (heap_ != nullptr) heap_->give_back(bytes_);
  }
  HeapShare(HeapShare&& other) noexcept : heap_(std::exchange(other.heap_, nullptr)), bytes_(other.bytes_) {}
  HeapShare& operator=(HeapShare&& other) noexcept {
    std::swap(heap_, other.heap_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

 private:
  Heap* heap_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace spalt::icd
