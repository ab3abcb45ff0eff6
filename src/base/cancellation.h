// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>

namespace spalt {

/// Ends a compilation that nobody wants any more. Caught where the compilation began; everything on the way gives up
/// its memory, as it does when there is none left.
struct Cancelled {};

/// A flag of the caller's, which another thread makes anything but 0.
class Cancellation {
 public:
  /// Null: it never comes.
  explicit Cancellation(const uint32_t* flag = nullptr) : flag_(flag) {}

  /// Throws Cancelled if it has come. Costs a load and a branch: called between passes, and in long ones once for each
  /// block, loop or round.
  void poll() const {
    if (flag_ == nullptr) return;
    // An atomic_ref to const comes with a later standard.
    const std::atomic_ref<uint32_t> flag(*const_cast<uint32_t*>(flag_));
    if (flag.load(std::memory_order_relaxed) != 0) throw Cancelled();
  }

 private:
  const uint32_t* flag_;
};

}  // namespace spalt
