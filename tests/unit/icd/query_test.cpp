// SPDX-License-Identifier: MIT
#include <array>
#include <ctime>
#include <thread>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr const char* kIncrement =
    "layout(local_size_x = 48) in; layout(binding = 0) buffer B { uint x[]; };"
    "void main() { atomicAdd(x[0], 1u); }";
constexpr VkQueryResultFlags k64Bits = VK_QUERY_RESULT_64_BIT;
constexpr VkQueryResultFlags kAvailability = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
constexpr uint64_t kUntouched = 0xabababababababab;

class Queries : public CommandTest {
 protected:
  Queries() : CommandTest({{VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME}}) {}

  VkQueryPool pool(VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics = 0) {
    const VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, type, count, statistics};
    VkQueryPool made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateQueryPool(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([=, this] { entry::DestroyQueryPool(device(), made, nullptr); });
    return made;
  }
  VkQueryPool timestamps(uint32_t count) { return pool(VK_QUERY_TYPE_TIMESTAMP, count); }
  /// 64-bit results; those that are not written are kUntouched.
  std::vector<uint64_t> results(VkQueryPool queries, uint32_t count, uint32_t values, VkQueryResultFlags flags,
                                VkResult expected = VK_SUCCESS) {
    std::vector<uint64_t> data(size_t{count} * values, kUntouched);
    EXPECT_EQ(entry::GetQueryPoolResults(device(), queries, 0, count, data.size() * 8, data.data(), values * 8,
                                         flags | k64Bits),
              expected);
    return data;
  }
};

TEST_F(Queries, TimestampsGrow) {
  VkQueryPool queries = timestamps(3);
  VkCommandBuffer commands = begin();
  entry::CmdResetQueryPool(commands, queries, 0, 3);
  for (uint32_t i = 0; i < 2; ++i) {
    entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
  }
  entry::CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 2);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  const auto times = results(queries, 3, 1, VK_QUERY_RESULT_WAIT_BIT);
  EXPECT_LT(0u, times[0]);
  EXPECT_LE(times[0], times[1]);
  EXPECT_LE(times[1], times[2]);
}

TEST_F(Queries, ResultsThatAreNotThere) {
  VkQueryPool queries = timestamps(2);
  VkCommandBuffer commands = begin();
  entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  auto data = results(queries, 2, 2, kAvailability, VK_NOT_READY);
  EXPECT_EQ(data[0], kUntouched);
  EXPECT_EQ(data[1], 0u);
  EXPECT_NE(data[2], kUntouched);
  EXPECT_EQ(data[3], 1u);
  data = results(queries, 2, 2, kAvailability | VK_QUERY_RESULT_PARTIAL_BIT);
  EXPECT_EQ(data[0], 0u);
  EXPECT_EQ(data[1], 0u);
  data = results(queries, 2, 1, 0, VK_NOT_READY);
  EXPECT_EQ(data[0], kUntouched);
  EXPECT_NE(data[1], kUntouched);
}

TEST_F(Queries, TheHostResets) {
  VkQueryPool queries = timestamps(3);
  VkCommandBuffer commands = begin();
  for (uint32_t i = 0; i < 3; ++i) {
    entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, i);
  }
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  entry::ResetQueryPool(device(), queries, 1, 1);
  auto data = results(queries, 3, 2, kAvailability, VK_NOT_READY);
  EXPECT_EQ((std::vector<uint64_t>{data[1], data[3], data[5]}), (std::vector<uint64_t>{1, 0, 1}));
  entry::ResetQueryPool(device(), queries, 2, UINT32_MAX);
  entry::ResetQueryPool(device(), queries, UINT32_MAX, UINT32_MAX);
  data = results(queries, 3, 2, kAvailability, VK_NOT_READY);
  EXPECT_EQ((std::vector<uint64_t>{data[1], data[3], data[5]}), (std::vector<uint64_t>{1, 0, 0}));
}

TEST_F(Queries, ResultsOf32BitsStayInTheirBytes) {
  VkQueryPool queries = pool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
                             VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                 VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  const TestBuffer& words = buffer({0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&words}));
  entry::CmdBeginQuery(commands, queries, 0, 0);
  entry::CmdDispatch(commands, 5, 1, 1);
  entry::CmdEndQuery(commands, queries, 0);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::array<uint32_t, 8> data{};
  data.fill(99);
  EXPECT_EQ(entry::GetQueryPoolResults(device(), queries, 0, 1, 12, data.data(), 12, kAvailability), VK_SUCCESS);
  EXPECT_EQ((std::vector<uint32_t>{data.begin(), data.begin() + 4}), (std::vector<uint32_t>{0, 240, 1, 99}));
  // Less room than the results need: what fits is written.
  data.fill(99);
  entry::GetQueryPoolResults(device(), queries, 0, 2, 8, data.data(), 4, kAvailability);
  EXPECT_EQ(data[2], 99u);
}

TEST_F(Queries, StatisticsCountInvocationsBetweenBeginAndEnd) {
  VkQueryPool queries =
      pool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 3, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  const TestBuffer& words = buffer({0});
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer secondary = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  bind(secondary, increment, set(increment, {&words}));
  entry::CmdDispatch(secondary, 1, 1, 1);
  end(secondary);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&words}));
  entry::CmdResetQueryPool(commands, queries, 0, 3);
  entry::CmdDispatch(commands, 7, 1, 1);
  entry::CmdBeginQuery(commands, queries, 0, 0);
  entry::CmdEndQuery(commands, queries, 0);
  entry::CmdBeginQuery(commands, queries, 1, 0);
  entry::CmdDispatch(commands, 2, 2, 1);
  entry::CmdExecuteCommands(commands, 1, &secondary);
  entry::CmdEndQuery(commands, queries, 1);
  entry::CmdEndQuery(commands, queries, 2);  // never begun, which Vulkan forbids
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(results(queries, 3, 1, 0), (std::vector<uint64_t>{0, 5 * 48, 0}));
}

TEST_F(Queries, ResultsAreCopiedIntoBuffers) {
  VkQueryPool queries =
      pool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 2, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  const TestBuffer& words = buffer({0});
  const TestBuffer& results = buffer(std::vector<uint32_t>(8, 99));
  const Kernel increment = kernel(kIncrement);
  VkCommandBuffer commands = begin();
  bind(commands, increment, set(increment, {&words}));
  entry::CmdBeginQuery(commands, queries, 0, 0);
  entry::CmdDispatch(commands, 1, 1, 1);
  entry::CmdEndQuery(commands, queries, 0);
  entry::CmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle(), 4, 8, VK_QUERY_RESULT_WAIT_BIT);
  entry::CmdCopyQueryPoolResults(commands, queries, 0, 2, results.handle(), 12, 8, kAvailability);
  entry::CmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle(), 30, 8, k64Bits);  // does not fit
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(results), (std::vector<uint32_t>{99, 48, 99, 48, 1, 99, 0, 99}));
}

TEST_F(Queries, TheHostWaitsForResults) {
  VkQueryPool queries = timestamps(1);
  VkEvent event = VK_NULL_HANDLE;
  const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  ASSERT_EQ(entry::CreateEvent(device(), &info, nullptr, &event), VK_SUCCESS);
  at_end([=, this] { entry::DestroyEvent(device(), event, nullptr); });
  VkCommandBuffer commands = begin();
  entry::CmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr,
                       0, nullptr, 0, nullptr);
  entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  end(commands);
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(results(queries, 1, 1, 0, VK_NOT_READY)[0], kUntouched);
    entry::SetEvent(device(), event);
  });
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  EXPECT_EQ(entry::QueueSubmit(gpu.queue(), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_NE(results(queries, 1, 1, VK_QUERY_RESULT_WAIT_BIT)[0], kUntouched);
  setter.join();
}

TEST_F(Queries, PoolsOfOtherKindsGiveZero) {
  VkQueryPool queries = pool(VK_QUERY_TYPE_OCCLUSION, 1);
  VkCommandBuffer commands = begin();
  entry::CmdBeginQuery(commands, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  entry::CmdEndQuery(commands, queries, 0);
  entry::CmdResetQueryPool(commands, queries, 5, 1);  // outside of the pool
  entry::CmdEndQuery(commands, queries, 9);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(results(queries, 1, 1, VK_QUERY_RESULT_WAIT_BIT), (std::vector<uint64_t>{0}));
}

TEST_F(Queries, CalibratedTimestampsAreOfOneMoment) {
  uint32_t count = 0;
  EXPECT_EQ(entry::GetPhysicalDeviceCalibrateableTimeDomainsEXT(gpu.physical(), &count, nullptr), VK_SUCCESS);
  std::vector<VkTimeDomainEXT> domains(count);
  EXPECT_EQ(entry::GetPhysicalDeviceCalibrateableTimeDomainsEXT(gpu.physical(), &count, domains.data()), VK_SUCCESS);
  EXPECT_EQ(domains.at(0), VK_TIME_DOMAIN_DEVICE_EXT);
  std::vector<VkCalibratedTimestampInfoEXT> infos;
  for (const VkTimeDomainEXT domain : domains) {
    infos.push_back({VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, domain});
  }
  std::vector<uint64_t> times(count);
  uint64_t deviation = 0;
  EXPECT_EQ(entry::GetCalibratedTimestampsEXT(device(), count, infos.data(), times.data(), &deviation), VK_SUCCESS);
  EXPECT_GT(deviation, 0u);
  // The clock of the device is the monotonic one of the host.
  EXPECT_LE(times[1] - times[0], deviation);
}

TEST(InstructionClock, CountsInstructions) {
  class Clocked : public Queries {
   public:
    Clocked() = default;
    uint64_t measure() {
      VkQueryPool queries = timestamps(3);
      const TestBuffer& words = buffer({0});
      const Kernel increment = kernel(kIncrement);
      VkCommandBuffer commands = begin();
      bind(commands, increment, set(increment, {&words}));
      entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
      entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
      entry::CmdDispatch(commands, 3, 1, 1);
      entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 2);
      EXPECT_EQ(run(end(commands)), VK_SUCCESS);
      const auto times = results(queries, 3, 1, 0);
      EXPECT_EQ(times[0], 0u);
      EXPECT_EQ(times[1], 0u);
      return times[2];
    }
    void TestBody() override {}
  };
  const Environment clock("SPALT_ICD_CLOCK", "instructions");
  const uint64_t first = Clocked().measure();
  EXPECT_GT(first, 0u);
  EXPECT_EQ(first % 3, 0u);  // of three workgroups that do the same
  EXPECT_EQ(Clocked().measure(), first);
}

}  // namespace
}  // namespace spalt::icd::test
