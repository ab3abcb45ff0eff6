// SPDX-License-Identifier: MIT
//
// Fences, semaphores and events: each rule that drivers have broken before. They run under a thread sanitizer, too
// (docs/testing.md).
#include <atomic>
#include <chrono>
#include <thread>

#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Fence, BeginsAsItsInfoSays) {
  const TestDevice device;
  const TestFence signaled(device, true), fresh(device);
  EXPECT_EQ(signaled.status(), VK_SUCCESS);
  EXPECT_EQ(signaled.wait(), VK_SUCCESS);
  EXPECT_EQ(fresh.status(), VK_NOT_READY);
  EXPECT_EQ(fresh.wait(0), VK_TIMEOUT);
  EXPECT_EQ(signaled.reset(), VK_SUCCESS);
  EXPECT_EQ(signaled.status(), VK_NOT_READY);
}

TEST(Fence, IsSignaledByAnEmptySubmission) {
  const TestDevice device;
  const TestFence fence(device);
  EXPECT_EQ(entry::QueueSubmit(device.queue(), 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(fence.wait(), VK_SUCCESS);
  EXPECT_EQ(fence.reset(), VK_SUCCESS);
  EXPECT_EQ(entry::QueueSubmit2(device.queue(), 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(fence.wait(), VK_SUCCESS);
}

/// Timeouts just below the endless one must not overflow into the past.
TEST(Fence, LongTimeoutsDoNotOverflow) {
  const TestDevice device;
  for (const uint64_t timeout :
       {UINT64_MAX, UINT64_MAX - 1, uint64_t{INT64_MAX}, uint64_t{INT64_MAX} - 1, uint64_t{1} << 62}) {
    const TestFence fence(device);
    const TestSemaphore gate(device, 0);
    ASSERT_EQ(submit(device.queue(), {{gate, 1}}, {}, fence), VK_SUCCESS);
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      gate.signal(1);
    });
    EXPECT_EQ(fence.wait(timeout), VK_SUCCESS);
    opener.join();
  }
}

TEST(Fence, ShortTimeoutsEndNeitherEarlyNorNever) {
  const TestDevice device;
  const TestFence fence(device);
  const auto begin = Clock::now();
  EXPECT_EQ(fence.wait(20 * kMilliseconds), VK_TIMEOUT);
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(20));
}

TEST(Fence, WaitsForAnyOrForAll) {
  const TestDevice device;
  const TestFence first(device), second(device, true);
  const VkFence both[] = {first, second};
  EXPECT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_FALSE, kForever), VK_SUCCESS);
  EXPECT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_TRUE, 0), VK_TIMEOUT);
  ASSERT_EQ(submit(device.queue(), {}, {}, first), VK_SUCCESS);
  EXPECT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_TRUE, kForever), VK_SUCCESS);
  EXPECT_EQ(entry::ResetFences(device.handle(), 2, both), VK_SUCCESS);
  EXPECT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_FALSE, 0), VK_TIMEOUT);
}

/// Each round, two queues signal one fence each while this thread waits for any of them, then for both.
TEST(Fence, AnyOfTwoQueuesIsNeverMissed) {
  const TestDevice device;
  const TestFence first(device), second(device);
  const VkFence both[] = {first, second};
  for (int round = 0; round < 2000; ++round) {
    ASSERT_EQ(submit(device.queue(0), {}, {}, first), VK_SUCCESS);
    ASSERT_EQ(submit(device.queue(1), {}, {}, second), VK_SUCCESS);
    ASSERT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_FALSE, kForever), VK_SUCCESS);
    ASSERT_TRUE(first.status() == VK_SUCCESS || second.status() == VK_SUCCESS);
    ASSERT_EQ(entry::WaitForFences(device.handle(), 2, both, VK_TRUE, kForever), VK_SUCCESS);
    ASSERT_EQ(entry::ResetFences(device.handle(), 2, both), VK_SUCCESS);
  }
}

TEST(BinarySemaphore, OrdersTwoQueuesManyTimes) {
  const TestDevice device;
  const TestSemaphore ping(device), pong(device), count(device, 0);
  const TestFence fence(device);
  constexpr uint64_t kRounds = 500;
  for (uint64_t round = 1; round <= kRounds; ++round) {
    if (round == 1) {
      ASSERT_EQ(submit(device.queue(0), {}, {{ping}}), VK_SUCCESS);
    } else {
      ASSERT_EQ(submit(device.queue(0), {{pong}}, {{ping}}), VK_SUCCESS);
    }
    ASSERT_EQ(submit(device.queue(1), {{ping}}, {{pong}, {count, round}}), VK_SUCCESS);
  }
  ASSERT_EQ(submit(device.queue(0), {{pong}}, {}, fence), VK_SUCCESS);
  EXPECT_EQ(fence.wait(), VK_SUCCESS);
  EXPECT_EQ(count.value(), kRounds);
}

/// A wait takes the signal away: the second one does not pass.
TEST(BinarySemaphore, IsUnsignaledByItsWait) {
  const TestDevice device;
  const TestSemaphore semaphore(device);
  const TestFence once(device), twice(device);
  ASSERT_EQ(submit(device.queue(0), {}, {{semaphore}}), VK_SUCCESS);
  ASSERT_EQ(submit(device.queue(0), {{semaphore}}, {}, once), VK_SUCCESS);
  EXPECT_EQ(once.wait(), VK_SUCCESS);
  ASSERT_EQ(submit(device.queue(0), {{semaphore}}, {}, twice), VK_SUCCESS);
  EXPECT_EQ(twice.wait(20 * kMilliseconds), VK_TIMEOUT);
  ASSERT_EQ(submit(device.queue(1), {}, {{semaphore}}), VK_SUCCESS);
  EXPECT_EQ(twice.wait(), VK_SUCCESS);
}

TEST(Timeline, CountsFromItsInitialValueAndNeverBack) {
  const TestDevice device;
  const TestSemaphore semaphore(device, 7);
  EXPECT_EQ(semaphore.value(), 7u);
  EXPECT_EQ(semaphore.wait(7, 0), VK_SUCCESS);
  EXPECT_EQ(semaphore.wait(8, 0), VK_TIMEOUT);
  EXPECT_EQ(semaphore.signal(UINT64_MAX - 1), VK_SUCCESS);
  EXPECT_EQ(semaphore.wait(8, 0), VK_SUCCESS);  // not only the equal value
  EXPECT_EQ(semaphore.value(), UINT64_MAX - 1);
  EXPECT_EQ(semaphore.signal(9), VK_SUCCESS);
  EXPECT_EQ(semaphore.value(), UINT64_MAX - 1);
}

TEST(Timeline, WaitMayBeSubmittedBeforeSignalOnAnotherQueue) {
  const TestDevice device;
  const TestSemaphore semaphore(device, 0);
  const TestFence waits(device), signals(device);
  ASSERT_EQ(submit(device.queue(0), {{semaphore, 2}}, {{semaphore, 3}}, waits), VK_SUCCESS);
  EXPECT_EQ(waits.wait(10 * kMilliseconds), VK_TIMEOUT);
  ASSERT_EQ(submit(device.queue(1), {{semaphore, 1}}, {{semaphore, 2}}, signals), VK_SUCCESS);
  EXPECT_EQ(signals.wait(10 * kMilliseconds), VK_TIMEOUT);
  EXPECT_EQ(semaphore.signal(1), VK_SUCCESS);
  EXPECT_EQ(waits.wait(), VK_SUCCESS);
  // The second queue may still be about to signal its fence, which must not be destroyed before.
  EXPECT_EQ(signals.wait(), VK_SUCCESS);
  EXPECT_EQ(semaphore.value(), 3u);
}

TEST(Timeline, ValuesOfTheOlderSubmitStructCount) {
  const TestDevice device;
  const TestSemaphore timeline(device, 0), binary(device);
  const VkSemaphore signals[] = {binary, timeline};
  const uint64_t values[] = {99, 5};  // that of a binary semaphore is ignored
  VkTimelineSemaphoreSubmitInfo timelines{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timelines.signalSemaphoreValueCount = 2;
  timelines.pSignalSemaphoreValues = values;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &timelines};
  info.signalSemaphoreCount = 2;
  info.pSignalSemaphores = signals;
  ASSERT_EQ(entry::QueueSubmit(device.queue(), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(timeline.wait(5), VK_SUCCESS);
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo second{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  second.waitSemaphoreCount = 1;
  second.pWaitSemaphores = signals;
  second.pWaitDstStageMask = &stage;
  const TestFence fence(device);
  ASSERT_EQ(entry::QueueSubmit(device.queue(), 1, &second, fence), VK_SUCCESS);
  EXPECT_EQ(fence.wait(), VK_SUCCESS);
}

/// Three timelines; a thread each signals one in every round, and this one waits for any, then for all.
TEST(Timeline, AnyAndAllAreNeverMissed) {
  const TestDevice device;
  const TestSemaphore a(device, 0), b(device, 0), c(device, 0);
  const TestSemaphore* all[] = {&a, &b, &c};
  const VkSemaphore handles[] = {a, b, c};
  static constexpr uint64_t kRounds = 500;
  std::atomic<uint64_t> round = 0;
  std::vector<std::thread> signalers;
  for (const TestSemaphore* semaphore : all) {
    signalers.emplace_back([&round, semaphore] {
      for (uint64_t next = 1; next <= kRounds; ++next) {
        while (round.load() < next) std::this_thread::yield();
        semaphore->signal(next);
      }
    });
  }
  for (uint64_t next = 1; next <= kRounds; ++next) {
    const uint64_t values[] = {next, next, next};
    VkSemaphoreWaitInfo info{
        VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, VK_SEMAPHORE_WAIT_ANY_BIT, 3, handles, values};
    EXPECT_EQ(entry::WaitSemaphores(device.handle(), &info, 0), VK_TIMEOUT);
    round = next;
    EXPECT_EQ(entry::WaitSemaphores(device.handle(), &info, kForever), VK_SUCCESS);
    info.flags = 0;
    EXPECT_EQ(entry::WaitSemaphores(device.handle(), &info, kForever), VK_SUCCESS);
  }
  for (std::thread& signaler : signalers) signaler.join();
}

TEST(Event, IsSetAndResetByTheHost) {
  const TestDevice device;
  const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateEvent(device.handle(), &info, nullptr, &event), VK_SUCCESS);
  EXPECT_EQ(entry::GetEventStatus(device.handle(), event), VK_EVENT_RESET);
  EXPECT_EQ(entry::SetEvent(device.handle(), event), VK_SUCCESS);
  EXPECT_EQ(entry::GetEventStatus(device.handle(), event), VK_EVENT_SET);
  EXPECT_EQ(entry::ResetEvent(device.handle(), event), VK_SUCCESS);
  EXPECT_EQ(entry::GetEventStatus(device.handle(), event), VK_EVENT_RESET);
  entry::DestroyEvent(device.handle(), event, nullptr);
}

/// As Vulkan allows: each queue by its own thread, semaphores and waits from all.
TEST(Queue, TwoQueuesFromManyThreads) {
  const TestDevice device;
  static constexpr uint64_t kRounds = 300;
  std::vector<std::thread> threads;
  for (uint32_t index = 0; index < 2; ++index) {
    threads.emplace_back([&device, index] {
      const TestSemaphore own(device, 0);
      for (uint64_t round = 1; round <= kRounds; ++round) {
        const TestFence fence(device);
        ASSERT_EQ(submit(device.queue(index), {{own, round - 1}}, {{own, round}}, fence), VK_SUCCESS);
        const VkResult idle = round % 3 == 0 ? entry::QueueWaitIdle(device.queue(index)) : VK_SUCCESS;
        ASSERT_EQ(idle, VK_SUCCESS);
        ASSERT_EQ(fence.wait(), VK_SUCCESS);
      }
      EXPECT_EQ(own.value(), kRounds);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(entry::DeviceWaitIdle(device.handle()), VK_SUCCESS);
}

TEST(Queue, IdleMeansThatEverythingSubmittedIsDone) {
  const TestDevice device;
  const TestSemaphore gate(device, 0), done(device, 0);
  ASSERT_EQ(submit(device.queue(1), {{gate, 1}}, {{done, 1}}), VK_SUCCESS);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    gate.signal(1);
  });
  EXPECT_EQ(entry::DeviceWaitIdle(device.handle()), VK_SUCCESS);
  EXPECT_EQ(done.value(), 1u);
  opener.join();
}

}  // namespace
}  // namespace spalt::icd::test
