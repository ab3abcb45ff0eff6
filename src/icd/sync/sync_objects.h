// SPDX-License-Identifier: MIT
//
// Fences, semaphores and events: states that the monitor of their device guards.
#pragma once

#include <algorithm>

#include "icd/object/chain.h"
#include "icd/object/handle.h"

namespace spalt::icd {

class Fence : public Object {
 public:
  using Handle = VkFence;
  explicit Fence(const VkFenceCreateInfo& info) : signaled((info.flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0) {}
  bool signaled;
};

/// A binary semaphore counts, too: 0 and 1.
class Semaphore : public Object {
 public:
  using Handle = VkSemaphore;
  explicit Semaphore(const VkSemaphoreCreateInfo& info) {
    const auto* type =
        find_in_chain<VkSemaphoreTypeCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    timeline_ = type != nullptr && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    if (timeline_) value_ = type->initialValue;
  }

  uint64_t value() const { return value_; }
  /// What follows takes the value of a timeline and ignores it for a binary semaphore.
  bool reached(uint64_t value) const { return value_ >= (timeline_ ? value : 1); }
  /// A timeline never goes back, whatever the application signals.
  void signal(uint64_t value) { value_ = timeline_ ? std::max(value_, value) : 1; }
  /// After a wait: a binary semaphore is unsignaled by it.
  void consume() {
    if (!timeline_) value_ = 0;
  }

 private:
  bool timeline_ = false;
  uint64_t value_ = 0;
};

class Event : public Object {
 public:
  using Handle = VkEvent;
  bool signaled = false;
};

}  // namespace spalt::icd
