// SPDX-License-Identifier: MIT
//
// Events in command buffers.
#include <chrono>
#include <thread>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

class Events : public CommandTest {
 protected:
  VkEvent event() {
    VkEvent made = VK_NULL_HANDLE;
    const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    EXPECT_EQ(entry::CreateEvent(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([=, this] { entry::DestroyEvent(device(), made, nullptr); });
    return made;
  }
  static void wait(VkCommandBuffer commands, std::vector<VkEvent> events) {
    entry::CmdWaitEvents(commands, static_cast<uint32_t>(events.size()), events.data(),
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  }
  VkResult submit(VkCommandBuffer commands, uint32_t queue) {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    return entry::QueueSubmit(gpu.queue(queue), 1, &info, VK_NULL_HANDLE);
  }
  void wait_until_set(VkEvent set) {
    while (entry::GetEventStatus(device(), set) != VK_EVENT_SET) std::this_thread::yield();
  }
};

TEST_F(Events, AreSetAndResetInOrder) {
  VkEvent first = event(), second = event();
  VkCommandBuffer commands = begin();
  entry::CmdSetEvent(commands, first, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  const VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  entry::CmdSetEvent2(commands, second, &dependency);
  const VkEvent both[] = {first, second};
  const VkDependencyInfo dependencies[] = {dependency, dependency};
  entry::CmdWaitEvents2(commands, 2, both, dependencies);
  entry::CmdResetEvent(commands, first, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(entry::GetEventStatus(device(), first), VK_EVENT_RESET);
  EXPECT_EQ(entry::GetEventStatus(device(), second), VK_EVENT_SET);
  commands = begin();
  entry::CmdResetEvent2(commands, second, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(entry::GetEventStatus(device(), second), VK_EVENT_RESET);
}

TEST_F(Events, TheHostAnswersTheQueue) {
  VkEvent question = event(), answer = event();
  const TestBuffer& words = buffer({0});
  VkCommandBuffer commands = begin();
  entry::CmdSetEvent(commands, question, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  wait(commands, {answer});
  entry::CmdFillBuffer(commands, words.handle(), 0, 4, 1);
  ASSERT_EQ(submit(end(commands), 0), VK_SUCCESS);
  wait_until_set(question);
  EXPECT_EQ(words.words()[0], 0u);
  EXPECT_EQ(entry::SetEvent(device(), answer), VK_SUCCESS);
  EXPECT_EQ(entry::QueueWaitIdle(gpu.queue()), VK_SUCCESS);
  EXPECT_EQ(words.words()[0], 1u);
}

TEST_F(Events, WaitForAll) {
  VkEvent first = event(), second = event();
  const TestBuffer& words = buffer({0});
  VkCommandBuffer commands = begin();
  wait(commands, {first, second});
  entry::CmdFillBuffer(commands, words.handle(), 0, 4, 1);
  ASSERT_EQ(submit(end(commands), 0), VK_SUCCESS);
  entry::SetEvent(device(), second);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(words.words()[0], 0u);
  entry::SetEvent(device(), first);
  EXPECT_EQ(entry::QueueWaitIdle(gpu.queue()), VK_SUCCESS);
  EXPECT_EQ(words.words()[0], 1u);
}

}  // namespace
}  // namespace spalt::icd::test
