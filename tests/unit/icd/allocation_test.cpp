// SPDX-License-Identifier: MIT
//
// Host memory through the application's callbacks: what is allocated is freed, and an allocation that fails leaves
// nothing.
#include <cstdlib>
#include <functional>

#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

/// Counts what is alive, and fails from some allocation on.
class CountedMemory {
 public:
  explicit CountedMemory(int64_t successes) : left_(successes) {}
  int64_t alive() const { return alive_; }

  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks callbacks{};
    callbacks.pUserData = this;
    callbacks.pfnAllocation = [](void* self, size_t size, size_t alignment, VkSystemAllocationScope) {
      return static_cast<CountedMemory*>(self)->allocate(size, alignment);
    };
    callbacks.pfnReallocation = [](void*, void*, size_t, size_t, VkSystemAllocationScope) -> void* { return nullptr; };
    callbacks.pfnFree = [](void* self, void* memory) { static_cast<CountedMemory*>(self)->release(memory); };
    return callbacks;
  }

 private:
  void* allocate(size_t size, size_t alignment) {
    if (left_-- <= 0) return nullptr;
    ++alive_;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  void release(void* memory) {
    if (memory != nullptr) --alive_;
    std::free(memory);
  }

  int64_t left_;
  int64_t alive_ = 0;
};

/// `attempt` makes and destroys something. Fails each of its allocations in turn.
void fail_each_allocation(const std::function<VkResult(const VkAllocationCallbacks&)>& attempt) {
  for (int64_t successes = 0; successes < 100; ++successes) {
    CountedMemory memory(successes);
    const VkResult result = attempt(memory.callbacks());
    EXPECT_EQ(memory.alive(), 0) << "with " << successes << " allocations";
    if (result == VK_SUCCESS) {
      EXPECT_GT(successes, 0) << "no allocation went through the callbacks";
      return;
    }
    ASSERT_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY) << "with " << successes << " allocations";
  }
  FAIL() << "too many allocations";
}

TEST(Allocation, OfInstances) {
  fail_each_allocation([](const VkAllocationCallbacks& callbacks) {
    const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance = VK_NULL_HANDLE;
    const VkResult result = entry::CreateInstance(&info, &callbacks, &instance);
    if (result == VK_SUCCESS) entry::DestroyInstance(instance, &callbacks);
    return result;
  });
}

/// With two queues, whose memory is the device's.
TEST(Allocation, OfDevices) {
  const TestInstance instance;
  fail_each_allocation([&](const VkAllocationCallbacks& callbacks) {
    const float priorities[] = {1, 1};
    VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queues.queueCount = 2;
    queues.pQueuePriorities = priorities;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queues;
    VkDevice device = VK_NULL_HANDLE;
    const VkResult result = entry::CreateDevice(instance.physical(), &info, &callbacks, &device);
    if (result == VK_SUCCESS) entry::DestroyDevice(device, &callbacks);
    return result;
  });
}

TEST(Allocation, OfSynchronizationObjects) {
  const TestDevice device;
  fail_each_allocation([&](const VkAllocationCallbacks& callbacks) {
    const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    const VkResult result = entry::CreateFence(device.handle(), &info, &callbacks, &fence);
    if (result == VK_SUCCESS) entry::DestroyFence(device.handle(), fence, &callbacks);
    return result;
  });
}

}  // namespace
}  // namespace spalt::icd::test
