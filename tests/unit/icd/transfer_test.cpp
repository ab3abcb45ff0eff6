// SPDX-License-Identifier: MIT
//
// Copies, fills, updates and markers, with ranges that Vulkan allows and those that it does not.
#include <array>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

class Transfers : public CommandTest {
 protected:
  Transfers() : CommandTest({{VK_AMD_BUFFER_MARKER_EXTENSION_NAME}}) {}
};

TEST_F(Transfers, CopiesHaveRegions) {
  const TestBuffer& from = buffer({1, 2, 3, 4});
  const TestBuffer& to = buffer(std::vector<uint32_t>(4));
  VkCommandBuffer commands = begin();
  const std::array regions = {VkBufferCopy{0, 8, 8}, VkBufferCopy{12, 0, 4}};
  entry::CmdCopyBuffer(commands, from.handle(), to.handle(), 2, regions.data());
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{4, 0, 1, 2}));
}

TEST_F(Transfers, CopiesOfTheSecondForm) {
  const TestBuffer& from = buffer({1, 2});
  const TestBuffer& to = buffer({0, 0});
  VkCommandBuffer commands = begin();
  const VkBufferCopy2 region{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 4, 0, 4};
  const VkCopyBufferInfo2 info{VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from.handle(), to.handle(), 1, &region};
  entry::CmdCopyBuffer2(commands, &info);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{2, 0}));
}

TEST_F(Transfers, CopiesStayInTheirBuffers) {
  const TestBuffer& from = buffer({1, 2, 3});
  const TestBuffer& to = buffer({9, 9});
  VkCommandBuffer commands = begin();
  constexpr VkDeviceSize kHuge = VkDeviceSize{1} << 62;
  const std::array regions = {VkBufferCopy{8, 4, 100}, VkBufferCopy{kHuge, 0, 4}, VkBufferCopy{0, kHuge, 4},
                              VkBufferCopy{0, 0, 0},   VkBufferCopy{12, 0, 4},    VkBufferCopy{~VkDeviceSize{0}, 0, 8}};
  entry::CmdCopyBuffer(commands, from.handle(), to.handle(), regions.size(), regions.data());
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{9, 3}));
}

TEST_F(Transfers, OverlappingCopiesMoveWhatWasThere) {
  const TestBuffer& words = buffer({1, 2, 3, 4, 5});
  VkCommandBuffer commands = begin();
  const VkBufferCopy region{0, 4, 16};
  entry::CmdCopyBuffer(commands, words.handle(), words.handle(), 1, &region);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{1, 1, 2, 3, 4}));
}

TEST_F(Transfers, FillsWriteWholeWords) {
  const TestBuffer& words = buffer(std::vector<uint32_t>(6));
  VkCommandBuffer commands = begin();
  entry::CmdFillBuffer(commands, words.handle(), 4, 8, 0x01020304);
  entry::CmdFillBuffer(commands, words.handle(), 16, VK_WHOLE_SIZE, 7);
  entry::CmdFillBuffer(commands, words.handle(), 24, VK_WHOLE_SIZE, 8);
  entry::CmdFillBuffer(commands, words.handle(), 12, 7, 0xffffffff);  // Vulkan wants a multiple of 4
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{0, 0x01020304, 0x01020304, 0xffffffff, 7, 7}));
}

TEST_F(Transfers, UpdatesCopyTheirDataAtOnce) {
  const TestBuffer& words = buffer({0, 0, 0});
  std::vector<uint32_t> data = {5, 6};
  VkCommandBuffer commands = begin();
  entry::CmdUpdateBuffer(commands, words.handle(), 4, 8, data.data());
  data = {7, 8};
  entry::CmdUpdateBuffer(commands, words.handle(), 100, 8, data.data());
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{0, 5, 6}));
}

TEST_F(Transfers, MarkersAreWords) {
  const TestBuffer& words = buffer({0, 0, 0});
  VkCommandBuffer commands = begin();
  entry::CmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, words.handle(), 0, 11);
  entry::CmdWriteBufferMarker2AMD(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, words.handle(), 8, 33);
  entry::CmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, words.handle(), 12, 44);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{11, 0, 33}));
}

TEST_F(Transfers, MemoryThatIsGoneIsAFault) {
  const TestBuffer& words = buffer({1, 2});
  TestBuffer& gone = buffer({3, 4});
  VkCommandBuffer commands = begin();
  const VkBufferCopy region{0, 0, 8};
  const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "upload", {}};
  entry::CmdFillBuffer(commands, words.handle(), 0, 4, 5);
  entry::CmdBeginDebugUtilsLabelEXT(commands, &label);
  entry::CmdCopyBuffer(commands, words.handle(), gone.handle(), 1, &region);
  entry::CmdEndDebugUtilsLabelEXT(commands);
  entry::CmdFillBuffer(commands, words.handle(), 4, 4, 6);
  end(commands);
  gone.free_memory();
  EXPECT_EQ(run(commands), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{5, 2}));
  const std::vector<Message> messages = gpu.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].text.find("stores 8 bytes"), std::string::npos) << messages[0].text;
  EXPECT_EQ(messages[0].command_labels, std::vector<std::string>{"upload"});
}

TEST(TransferFaults, MayBeCountedOnly) {
  const Environment setting("SPALT_ICD_ON_FAULT", "continue");
  class Continuing : public Transfers {
   public:
    void TestBody() override {}
    void check() {
      const TestBuffer& words = buffer({0, 0});
      TestBuffer& gone = buffer({3, 4, 5});
      VkCommandBuffer commands = begin();
      const VkBufferCopy region{0, 0, 4};
      entry::CmdFillBuffer(commands, gone.handle(), 0, VK_WHOLE_SIZE, 1);
      entry::CmdCopyBuffer(commands, gone.handle(), words.handle(), 1, &region);
      entry::CmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, gone.handle(), 0, 1);
      entry::CmdFillBuffer(commands, words.handle(), 4, 4, 7);
      end(commands);
      gone.free_memory();
      EXPECT_EQ(run(commands), VK_SUCCESS);
      EXPECT_EQ(values(words), (std::vector<uint32_t>{0, 7}));
      EXPECT_EQ(gpu.messages().size(), 3u);
    }
  };
  Continuing().check();
}

TEST_F(Transfers, BuffersWithoutMemoryHaveNoBytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 64;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer unbound = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateBuffer(device(), &info, nullptr, &unbound), VK_SUCCESS);
  const TestBuffer& words = buffer({3});
  VkCommandBuffer commands = begin();
  const VkBufferCopy region{0, 0, 4};
  entry::CmdFillBuffer(commands, unbound, 0, VK_WHOLE_SIZE, 1);
  entry::CmdCopyBuffer(commands, unbound, words.handle(), 1, &region);
  entry::CmdCopyBuffer(commands, words.handle(), unbound, 1, &region);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words.words()[0], 3u);
  entry::DestroyBuffer(device(), unbound, nullptr);
}

}  // namespace
}  // namespace spalt::icd::test
