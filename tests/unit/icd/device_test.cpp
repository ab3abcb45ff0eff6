// SPDX-License-Identifier: MIT
//
// Instances and devices: creation, refusal, destruction while work is pending.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

TEST(Instance, TenThousandComeAndGo) {
  const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  for (int i = 0; i < 10'000; ++i) {
    VkInstance instance = VK_NULL_HANDLE;
    ASSERT_EQ(entry::CreateInstance(&info, nullptr, &instance), VK_SUCCESS);
    entry::DestroyInstance(instance, nullptr);
  }
}

TEST(Instance, RefusesExtensionsThatItDoesNotHave) {
  const char* name = "VK_KHR_no_such_thing";
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &name;
  VkInstance instance = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateInstance(&info, nullptr, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
}

/// A driver of Vulkan 1.1 and later takes every version.
TEST(Instance, TakesVersionsThatItDoesNotKnow) {
  for (const uint32_t version :
       {0u, VK_API_VERSION_1_0, VK_MAKE_API_VERSION(0, 1, 9, 0), VK_MAKE_API_VERSION(0, 7, 0, 0)}) {
    const TestInstance instance(version);
    EXPECT_NE(instance.handle(), VK_NULL_HANDLE);
  }
}

TEST(Instance, TellsTheMessengerOfItsInfoWhatIsWrongWithTheEnvironment) {
  const Environment wave("SPALT_ICD_WAVE", "48"), heap("SPALT_ICD_HEAP", "2T"), target("SPALT_ICD_TARGET", "gfx1");
  MessageLog log;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = log.messenger();
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &messenger};
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  VkInstance instance = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateInstance(&info, nullptr, &instance), VK_SUCCESS);
  uint32_t count = 7;
  EXPECT_EQ(entry::EnumeratePhysicalDevices(instance, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 0u);
  entry::DestroyInstance(instance, nullptr);
  const std::vector<Message> messages = log.all();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].text, "SPALT_ICD_WAVE=48 is ignored: expected 32, 64");
  EXPECT_EQ(messages[1].text, "SPALT_ICD_HEAP=2T is ignored: expected a number with K, M, G or nothing");
  EXPECT_EQ(messages[2].text, "SPALT_ICD_TARGET=gfx1: there is no such target, so no device");
}

TEST(Device, RefusesWhatItDoesNotHave) {
  const TestInstance instance;
  VkDevice device = VK_NULL_HANDLE;
  DeviceOptions options;
  options.extensions = {"VK_KHR_no_such_thing"};
  EXPECT_EQ(create_device(instance.physical(), options, device), VK_ERROR_EXTENSION_NOT_PRESENT);
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.geometryShader = VK_TRUE;
  options = {};
  options.features = &features;
  EXPECT_EQ(create_device(instance.physical(), options, device), VK_ERROR_FEATURE_NOT_PRESENT);
}

TEST(Device, HasTheSameQueuesEachTime) {
  const TestDevice device;
  EXPECT_NE(device.queue(0), VK_NULL_HANDLE);
  EXPECT_NE(device.queue(1), VK_NULL_HANDLE);
  EXPECT_NE(device.queue(0), device.queue(1));
  VkDeviceQueueInfo2 info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  info.queueIndex = 1;
  VkQueue queue = VK_NULL_HANDLE;
  entry::GetDeviceQueue2(device.handle(), &info, &queue);
  EXPECT_EQ(queue, device.queue(1));
  info.flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  entry::GetDeviceQueue2(device.handle(), &info, &queue);
  EXPECT_EQ(queue, VK_NULL_HANDLE);
}

TEST(Device, HasASecondFamilyForComputeAndOneForTransfers) {
  const TestInstance instance;
  uint32_t count = 0;
  entry::GetPhysicalDeviceQueueFamilyProperties(instance.physical(), &count, nullptr);
  ASSERT_EQ(count, 3u);
  std::vector<VkQueueFamilyProperties> families(count);
  entry::GetPhysicalDeviceQueueFamilyProperties(instance.physical(), &count, families.data());
  constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  EXPECT_EQ(families[0].queueFlags, VK_QUEUE_GRAPHICS_BIT | kCompute);
  EXPECT_EQ(families[1].queueFlags, kCompute);
  EXPECT_EQ(families[0].queueCount, 2u);
  EXPECT_EQ(families[1].queueCount, 2u);
  EXPECT_EQ(families[2].queueFlags, VkQueueFlags{VK_QUEUE_TRANSFER_BIT});
  EXPECT_EQ(families[2].queueCount, 1u);
  const float priorities[] = {1.0f, 1.0f};
  const VkDeviceQueueCreateInfo asked[] = {{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, priorities},
                                           {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 1, 2, priorities}};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.queueCreateInfoCount = 2;
  info.pQueueCreateInfos = asked;
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDevice(instance.physical(), &info, nullptr, &device), VK_SUCCESS);
  VkQueue first = VK_NULL_HANDLE, missing = VK_NULL_HANDLE, second = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
  entry::GetDeviceQueue(device, 0, 0, &first);
  entry::GetDeviceQueue(device, 0, 1, &missing);
  entry::GetDeviceQueue(device, 1, 0, &second);
  entry::GetDeviceQueue(device, 1, 1, &other);
  EXPECT_NE(first, VK_NULL_HANDLE);
  EXPECT_EQ(missing, VK_NULL_HANDLE);
  EXPECT_NE(second, VK_NULL_HANDLE);
  EXPECT_NE(second, first);
  EXPECT_NE(second, other);
  const VkSubmitInfo nothing{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  EXPECT_EQ(entry::QueueSubmit(second, 1, &nothing, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(entry::QueueWaitIdle(second), VK_SUCCESS);
  entry::DestroyDevice(device, nullptr);
}

TEST(Device, MayHaveNoQueue) {
  DeviceOptions options;
  options.queues = 0;
  const TestDevice device(options);
  EXPECT_EQ(entry::DeviceWaitIdle(device.handle()), VK_SUCCESS);
  const TestSemaphore semaphore(device, 1);
  EXPECT_EQ(semaphore.wait(1), VK_SUCCESS);
}

TEST(Device, AThousandComeAndGoWithWorkPending) {
  const TestInstance instance;
  for (uint32_t i = 0; i < 1000; ++i) {
    VkDevice device = VK_NULL_HANDLE;
    ASSERT_EQ(create_device(instance.physical(), {}, device), VK_SUCCESS);
    VkQueue queue = VK_NULL_HANDLE;
    entry::GetDeviceQueue(device, 0, i % 2, &queue);
    for (int submission = 0; submission < 3; ++submission) ASSERT_EQ(submit(queue, {}, {}), VK_SUCCESS);
    const VkResult idle = i % 3 == 0 ? entry::QueueWaitIdle(queue) : VK_SUCCESS;
    ASSERT_EQ(idle, VK_SUCCESS);
    entry::DestroyDevice(device, nullptr);
  }
}

TEST(Device, ThreadsMakeDevicesAtOnce) {
  const TestInstance instance;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&instance] {
      for (int i = 0; i < 50; ++i) {
        VkDevice device = VK_NULL_HANDLE;
        ASSERT_EQ(create_device(instance.physical(), {}, device), VK_SUCCESS);
        VkQueue queue = VK_NULL_HANDLE;
        entry::GetDeviceQueue(device, 0, 1, &queue);
        ASSERT_EQ(submit(queue, {}, {}), VK_SUCCESS);
        ASSERT_EQ(entry::DeviceWaitIdle(device), VK_SUCCESS);
        entry::DestroyDevice(device, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Memory of one object that nobody frees before the end of the test.
struct OnePlace {
  alignas(64) std::byte bytes[512];
  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks callbacks{};
    callbacks.pUserData = this;
    callbacks.pfnAllocation = [](void* user, size_t, size_t, VkSystemAllocationScope) -> void* {
      return static_cast<OnePlace*>(user)->bytes;
    };
    callbacks.pfnFree = [](void*, void*) {};
    return callbacks;
  }
};

/// What waits for a signal that never comes ends with the device.
TEST(Device, IsDestroyedWhileAQueueWaits) {
  const TestInstance instance;
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(create_device(instance.physical(), {}, device), VK_SUCCESS);
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  OnePlace place;  // the queue knows the semaphore until the device is gone
  const VkAllocationCallbacks callbacks = place.callbacks();
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateSemaphore(device, &info, &callbacks, &semaphore), VK_SUCCESS);
  VkQueue queue = VK_NULL_HANDLE;
  entry::GetDeviceQueue(device, 0, 0, &queue);
  ASSERT_EQ(submit(queue, {{semaphore, 1}}, {}), VK_SUCCESS);
  ASSERT_EQ(submit(queue, {{semaphore, 2}}, {}), VK_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  entry::DestroyDevice(device, nullptr);
}

/// A child begins without the threads of its parent; an instance of its own works.
TEST(Device, WorksInAForkedChild) {
  const TestDevice parent;
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(20);
    bool worked = false;
    {
      const TestDevice own;
      const TestFence fence(own);
      worked = submit(own.queue(), {}, {}, fence) == VK_SUCCESS && fence.wait() == VK_SUCCESS;
    }
    _exit(worked ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// exit() runs destructors while a queue waits and nobody has destroyed anything.
TEST(Device, DoesNotHinderExit) {
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(20);
    auto* device = new TestDevice;
    auto* semaphore = new TestSemaphore(*device, 0);
    submit(device->queue(), {{*semaphore, 1}}, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace spalt::icd::test
