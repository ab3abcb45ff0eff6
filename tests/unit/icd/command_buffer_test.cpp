// SPDX-License-Identifier: MIT
#include <array>
#include <atomic>
#include <cstdlib>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr const char* kIncrement =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
    "void main() { atomicAdd(x[0], 1u); }";

using CommandBuffers = CommandTest;

TEST_F(CommandBuffers, AnEmptyListExecutes) {
  EXPECT_EQ(run(end(begin())), VK_SUCCESS);
}

TEST_F(CommandBuffers, ExecutesAsOftenAsItIsSubmitted) {
  const TestBuffer& count = buffer({0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&count}));
  entry::CmdDispatch(commands, 3, 1, 1);
  end(commands);
  const std::array twice = {commands, commands};
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 2;
  info.pCommandBuffers = twice.data();
  EXPECT_EQ(entry::QueueSubmit(gpu.queue(0), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(entry::QueueSubmit(gpu.queue(1), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(entry::DeviceWaitIdle(device()), VK_SUCCESS);
  EXPECT_EQ(count.words()[0], 12u);
}

TEST_F(CommandBuffers, OutlivePipelineAndLayouts) {
  const TestBuffer& count = buffer({0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&count}));
  entry::CmdDispatch(commands, 1, 1, 1);
  end(commands);
  destroy(increment);
  // Another program takes the place of the first one in memory, if that has been given back.
  kernel("layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; }; void main() { x[0] = 77u; }");
  EXPECT_EQ(run(commands), VK_SUCCESS);
  EXPECT_EQ(count.words()[0], 1u);
}

TEST_F(CommandBuffers, BeginningAgainForgetsWhatWasRecorded) {
  const TestBuffer& words = buffer({0, 0});
  VkCommandBuffer commands = begin();
  entry::CmdFillBuffer(commands, words.handle(), 0, 4, 1);
  end(commands);
  begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  entry::CmdFillBuffer(commands, words.handle(), 4, 4, 2);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{0, 2}));
}

TEST_F(CommandBuffers, ResettingForgetsBindings) {
  const TestBuffer& count = buffer({0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&count}));
  end(commands);
  EXPECT_EQ(entry::ResetCommandBuffer(commands, VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT), VK_SUCCESS);
  begin(commands);
  entry::CmdDispatch(commands, 1, 1, 1);  // without a pipeline, which Vulkan forbids
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(count.words()[0], 0u);
}

TEST_F(CommandBuffers, PoolsResetTrimAndDestroyAllTheirs) {
  VkCommandPool pool = VK_NULL_HANDLE;
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  ASSERT_EQ(entry::CreateCommandPool(device(), &pool_info, nullptr, &pool), VK_SUCCESS);
  std::array<VkCommandBuffer, 3> buffers{};
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 3};
  ASSERT_EQ(entry::AllocateCommandBuffers(device(), &info, buffers.data()), VK_SUCCESS);
  const TestBuffer& words = buffer(std::vector<uint32_t>(16384));
  const std::vector<uint32_t> update(16384, 9);
  for (int round = 0; round < 3; ++round) {
    for (VkCommandBuffer commands : buffers) {
      begin(commands);
      // More than a chunk of memory at once, and many small commands.
      entry::CmdUpdateBuffer(commands, words.handle(), 0, update.size() * 4, update.data());
      for (int i = 0; i < 1000; ++i) entry::CmdFillBuffer(commands, words.handle(), 0, 4, 1);
      end(commands);
    }
    EXPECT_EQ(run(buffers[1]), VK_SUCCESS);
    EXPECT_EQ(words.words()[0], 1u);
    EXPECT_EQ(words.words()[16383], 9u);
    EXPECT_EQ(entry::ResetCommandPool(device(), pool, round % 2), VK_SUCCESS);
    entry::TrimCommandPool(device(), pool, 0);
  }
  const std::array some = {buffers[1], VkCommandBuffer{VK_NULL_HANDLE}, buffers[0]};
  entry::FreeCommandBuffers(device(), pool, 3, some.data());
  entry::DestroyCommandPool(device(), pool, nullptr);
  entry::DestroyCommandPool(device(), VK_NULL_HANDLE, nullptr);
}

/// Allocates until a number of allocations is reached, and counts what lives.
struct LimitedMemory {
  int left = 0, alive = 0;
  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks result{};
    result.pUserData = this;
    result.pfnAllocation = [](void* self, size_t size, size_t alignment, VkSystemAllocationScope) -> void* {
      auto& memory = *static_cast<LimitedMemory*>(self);
      if (memory.left == 0) return nullptr;
      --memory.left;
      ++memory.alive;
      return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    };
    result.pfnFree = [](void* self, void* place) {
      if (place != nullptr) --static_cast<LimitedMemory*>(self)->alive;
      std::free(place);
    };
    return result;
  }
};

TEST_F(CommandBuffers, AllOrNoneAreAllocated) {
  LimitedMemory memory{3, 0};
  const VkAllocationCallbacks callbacks = memory.callbacks();
  VkCommandPool pool = VK_NULL_HANDLE;
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  ASSERT_EQ(entry::CreateCommandPool(device(), &pool_info, &callbacks, &pool), VK_SUCCESS);
  std::array<VkCommandBuffer, 4> buffers{};
  buffers.fill(reinterpret_cast<VkCommandBuffer>(this));
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 4};
  EXPECT_EQ(entry::AllocateCommandBuffers(device(), &info, buffers.data()), VK_ERROR_OUT_OF_HOST_MEMORY);
  for (VkCommandBuffer commands : buffers) EXPECT_EQ(commands, VK_NULL_HANDLE);
  EXPECT_EQ(memory.alive, 1);
  entry::DestroyCommandPool(device(), pool, &callbacks);
  EXPECT_EQ(memory.alive, 0);
}

TEST_F(CommandBuffers, SecondariesExecuteByReference) {
  const TestBuffer& words = buffer({0, 0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer inner = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  bind(inner, increment, set(increment, {&words}));
  entry::CmdDispatch(inner, 1, 1, 1);
  end(inner);
  VkCommandBuffer middle = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const std::array inner_twice = {inner, inner};
  entry::CmdExecuteCommands(middle, 2, inner_twice.data());
  end(middle);
  VkCommandBuffer commands = begin();
  const std::array both = {middle, inner};
  entry::CmdExecuteCommands(commands, 2, both.data());
  entry::CmdExecuteCommands(commands, 0, nullptr);
  entry::CmdFillBuffer(commands, words.handle(), 4, 4, 5);  // after them
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{3, 5}));
}

TEST_F(CommandBuffers, SecondariesExecuteInOrder) {
  const TestBuffer& words = buffer({0});
  std::vector<VkCommandBuffer> secondaries;
  for (uint32_t i = 1; i <= 5; ++i) {
    secondaries.push_back(begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY));
    entry::CmdFillBuffer(secondaries.back(), words.handle(), 0, 4, i);
    end(secondaries.back());
  }
  VkCommandBuffer commands = begin();
  entry::CmdExecuteCommands(commands, 5, secondaries.data());
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words.words()[0], 5u);
}

TEST_F(CommandBuffers, ExecutingEachOtherEndsInALostDevice) {
  VkCommandBuffer first = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBuffer second = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const std::array second_twice = {second, second};
  entry::CmdExecuteCommands(first, 2, second_twice.data());
  entry::CmdExecuteCommands(second, 1, &first);
  end(first);
  end(second);
  VkCommandBuffer commands = begin();
  entry::CmdExecuteCommands(commands, 1, &first);
  EXPECT_EQ(run(end(commands)), VK_ERROR_DEVICE_LOST);
}

}  // namespace
}  // namespace spalt::icd::test
