// SPDX-License-Identifier: MIT
//
// The forms of dispatches, and conditions on them.
#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr const char* kCount =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
    "void main() { atomicAdd(x[0], 1u); atomicMax(x[1], gl_WorkGroupID.x); atomicMin(x[2], gl_WorkGroupID.x);"
    "  x[3] = gl_NumWorkGroups.x; }";

class Dispatches : public CommandTest {
 protected:
  Dispatches() : CommandTest({{VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME}}) {}

  VkCommandBuffer begin_counting() {
    VkCommandBuffer commands = begin();
    const Kernel count = kernel(kCount, {.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT});
    bind(commands, count, set(count, {&result}));
    return commands;
  }
  static void begin_condition(VkCommandBuffer commands, const TestBuffer& buffer, VkDeviceSize offset,
                              VkConditionalRenderingFlagsEXT flags = 0) {
    const VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, nullptr,
                                                  buffer.handle(), offset, flags};
    entry::CmdBeginConditionalRenderingEXT(commands, &info);
  }

  TestBuffer& result = buffer({0, 0, 1000000, 0});
};

TEST_F(Dispatches, BeginAtTheirBase) {
  VkCommandBuffer commands = begin_counting();
  entry::CmdDispatchBase(commands, 10, 2, 3, 5, 2, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(result), (std::vector<uint32_t>{10, 14, 10, 5}));
}

TEST_F(Dispatches, OfNoWorkgroupDoNothing) {
  VkCommandBuffer commands = begin_counting();
  entry::CmdDispatch(commands, 0, 1, 1);
  entry::CmdDispatch(commands, 1, 0, 1);
  entry::CmdDispatchBase(commands, 3, 3, 3, 1, 1, 0);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 0u);
}

TEST_F(Dispatches, IndirectCountsAreReadAtExecution) {
  const TestBuffer& counts = buffer({9, 9, 9, 9, 9, 9});
  VkCommandBuffer commands = begin_counting();
  entry::CmdFillBuffer(commands, counts.handle(), 4, 12, 1);
  entry::CmdFillBuffer(commands, counts.handle(), 8, 4, 3);
  barrier(commands);
  entry::CmdDispatchIndirect(commands, counts.handle(), 4);
  end(commands);
  EXPECT_EQ(run(commands), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 3u);
  EXPECT_EQ(run(commands), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 6u);
}

TEST_F(Dispatches, IndirectCountsOfZeroDoNothing) {
  const TestBuffer& counts = buffer({0, 7, 7, 7, 0, 7, 7, 7, 0});
  VkCommandBuffer commands = begin_counting();
  for (VkDeviceSize offset = 0; offset < 36; offset += 12) {
    entry::CmdDispatchIndirect(commands, counts.handle(), offset);
  }
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 0u);
}

TEST_F(Dispatches, HugeIndirectCountsAreCutToTheLimit) {
  VkPhysicalDeviceProperties properties{};
  entry::GetPhysicalDeviceProperties(gpu.physical(), &properties);
  const TestBuffer& counts = buffer({UINT32_MAX, 1, 1});
  VkCommandBuffer commands = begin_counting();
  entry::CmdDispatchIndirect(commands, counts.handle(), 0);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  const uint32_t limit = properties.limits.maxComputeWorkGroupCount[0];
  EXPECT_EQ(values(result), (std::vector<uint32_t>{limit, limit - 1, 0, limit}));
}

TEST_F(Dispatches, IndirectCountsOutsideOfTheBufferDoNothing) {
  const TestBuffer& counts = buffer({1, 1, 1});
  VkCommandBuffer commands = begin_counting();
  for (const VkDeviceSize offset : {VkDeviceSize{4}, VkDeviceSize{12}, VkDeviceSize{1} << 40, ~VkDeviceSize{3}}) {
    entry::CmdDispatchIndirect(commands, counts.handle(), offset);
  }
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 0u);
}

TEST_F(Dispatches, DependOnTheirCondition) {
  const TestBuffer& conditions = buffer({0, 0x100, 0});
  VkCommandBuffer commands = begin_counting();
  const auto dispatch_if = [&](VkDeviceSize offset, VkConditionalRenderingFlagsEXT flags, uint32_t count) {
    begin_condition(commands, conditions, offset, flags);
    entry::CmdDispatch(commands, count, 1, 1);
    entry::CmdEndConditionalRenderingEXT(commands);
  };
  dispatch_if(0, 0, 1);
  dispatch_if(4, 0, 10);
  dispatch_if(0, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT, 100);
  dispatch_if(4, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT, 1000);
  entry::CmdDispatch(commands, 2, 1, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 112u);
}

TEST_F(Dispatches, OfSecondariesInheritTheCondition) {
  const TestBuffer& conditions = buffer({0});
  const Kernel count = kernel(kCount);
  VkCommandBuffer secondary = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  bind(secondary, count, set(count, {&result}));
  entry::CmdDispatch(secondary, 1, 1, 1);
  end(secondary);
  VkCommandBuffer commands = begin();
  begin_condition(commands, conditions, 0);
  entry::CmdExecuteCommands(commands, 1, &secondary);
  entry::CmdFillBuffer(commands, result.handle(), 12, 4, 8);  // copies do not depend on conditions
  entry::CmdEndConditionalRenderingEXT(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 0u);
  EXPECT_EQ(result.words()[3], 8u);
}

TEST_F(Dispatches, ConditionsEndWithTheirCommandBuffer) {
  const TestBuffer& conditions = buffer({0});
  VkCommandBuffer open = begin();
  begin_condition(open, conditions, 0);  // never ended, which Vulkan forbids
  EXPECT_EQ(run(end(open)), VK_SUCCESS);
  VkCommandBuffer commands = begin_counting();
  entry::CmdDispatch(commands, 1, 1, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(result.words()[0], 1u);
}

}  // namespace
}  // namespace spalt::icd::test
