// SPDX-License-Identifier: MIT
//
// Short ways to make and submit synchronization objects.
#pragma once

#include <initializer_list>

#include "test_device.h"

namespace spalt::icd::test {

constexpr uint64_t kForever = UINT64_MAX;
constexpr uint64_t kMilliseconds = 1'000'000;

class TestFence {
 public:
  explicit TestFence(const TestDevice& device, bool signaled = false);
  ~TestFence() { entry::DestroyFence(device_, handle_, nullptr); }
  TestFence(const TestFence&) = delete;
  TestFence& operator=(const TestFence&) = delete;
  operator VkFence() const { return handle_; }
  VkResult status() const { return entry::GetFenceStatus(device_, handle_); }
  VkResult wait(uint64_t timeout = kForever) const {
    return entry::WaitForFences(device_, 1, &handle_, VK_TRUE, timeout);
  }
  VkResult reset() const { return entry::ResetFences(device_, 1, &handle_); }

 private:
  VkDevice device_;
  VkFence handle_ = VK_NULL_HANDLE;
};

class TestSemaphore {
 public:
  /// Binary.
  explicit TestSemaphore(const TestDevice& device);
  /// A timeline.
  TestSemaphore(const TestDevice& device, uint64_t initial);
  ~TestSemaphore() { entry::DestroySemaphore(device_, handle_, nullptr); }
  TestSemaphore(const TestSemaphore&) = delete;
  TestSemaphore& operator=(const TestSemaphore&) = delete;
  operator VkSemaphore() const { return handle_; }
  uint64_t value() const;
  VkResult signal(uint64_t value) const;
  VkResult wait(uint64_t value, uint64_t timeout = kForever) const;

 private:
  VkDevice device_;
  VkSemaphore handle_ = VK_NULL_HANDLE;
};

struct At {
  VkSemaphore semaphore;
  uint64_t value = 0;
};

/// A batch without commands, through vkQueueSubmit2.
VkResult submit(VkQueue queue, std::initializer_list<At> waits, std::initializer_list<At> signals,
                VkFence fence = VK_NULL_HANDLE);

}  // namespace spalt::icd::test
