// SPDX-License-Identifier: MIT
//
// Barriers that matter: a program that lacks one computes something else under some of 20 seeds, a program that has
// them all never does.
#include <functional>
#include <thread>

#include "command_fixture.h"
#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

constexpr uint32_t kCount = 256;
constexpr uint32_t kSeeds = 20;

constexpr const char* kWrite =
    "layout(local_size_x = 32) in; layout(binding = 0) buffer A { uint x[]; }; layout(binding = 1) buffer B { uint "
    "y[]; };"
    "void main() { uint i = gl_GlobalInvocationID.x; x[i] = i + 1u; }";
constexpr const char* kRead =
    "layout(local_size_x = 32) in; layout(binding = 0) buffer A { uint x[]; }; layout(binding = 1) buffer B { uint "
    "y[]; };"
    "void main() { uint i = gl_GlobalInvocationID.x; y[i] = x[255u - i]; }";

constexpr const char* kLoop =
    "layout(local_size_x = 4) in; layout(binding = 0) buffer A { uint x[]; }; layout(binding = 1) buffer B { uint "
    "y[]; };"
    "void main() { uint first = gl_GlobalInvocationID.x * 8u;"
    "  for (uint i = 0u; i < 8u; ++i) y[first + i] = ~x[first + i] + gl_NumWorkGroups.x; }";

/// A program of two steps over the buffers x and y; the result is y.
class Steps : public CommandTest {
 public:
  using CommandTest::at_end;
  using CommandTest::bind;
  using CommandTest::device;
  using CommandTest::kernel;
  using CommandTest::set;
  void TestBody() override {}

  std::vector<uint32_t> run_steps(const std::function<void(Steps&, VkCommandBuffer)>& record) {
    VkCommandBuffer commands = begin();
    record(*this, commands);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return values(y);
  }
  void dispatch(VkCommandBuffer commands, const Kernel& kernel) {
    bind(commands, kernel, set(kernel, {&x, &y}));
    entry::CmdDispatch(commands, kCount / 32, 1, 1);
  }
  void write(VkCommandBuffer commands) { dispatch(commands, kernel(kWrite, {.bindings = 2})); }
  void read(VkCommandBuffer commands) { dispatch(commands, kernel(kRead, {.bindings = 2})); }
  void fill(VkCommandBuffer commands, uint32_t word) {
    entry::CmdFillBuffer(commands, x.handle(), 0, VK_WHOLE_SIZE, word);
  }
  void copy(VkCommandBuffer commands) {
    const VkBufferCopy region{0, 0, kCount * 4};
    entry::CmdCopyBuffer(commands, x.handle(), y.handle(), 1, &region);
  }
  static void separate(VkCommandBuffer commands, VkPipelineStageFlags source, VkAccessFlags source_access,
                       VkPipelineStageFlags destination, VkAccessFlags destination_access) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, source_access, destination_access};
    entry::CmdPipelineBarrier(commands, source, destination, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }

  TestBuffer& x = buffer(std::vector<uint32_t>(kCount));
  TestBuffer& y = buffer(std::vector<uint32_t>(kCount));
};

using Record = std::function<void(Steps&, VkCommandBuffer)>;

/// How many seeds of the variable make the result another one than in plain order.
uint32_t deviations(const char* variable, const Record& record) {
  const std::vector<uint32_t> expected = Steps().run_steps(record);
  uint32_t wrong = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const Environment setting(variable, std::to_string(seed));
    wrong += Steps().run_steps(record) != expected ? 1 : 0;
  }
  return wrong;
}

constexpr const char* kOverlap = "SPALT_ICD_OVERLAP";
constexpr const char* kCaches = "SPALT_ICD_CACHES";
constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

TEST(Overlap, DispatchesWithoutABarrierRunAtOnce) {
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, BarriersSeparateDispatches) {
  EXPECT_EQ(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, BarriersOfTheWrongStageDoNot) {
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT);
                         steps.read(commands);
                       }),
            0u);
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0);
                         steps.read(commands);
                       }),
            0u);
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                                         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, BarriersSeparateNothingElse) {
  // The barrier is about the fill alone, and not about the dispatch before it.
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         entry::CmdFillBuffer(commands, steps.y.handle(), 0, VK_WHOLE_SIZE, 5);
                         Steps::separate(commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
                         steps.read(commands);
                       }),
            0u);
  // The second dispatch is not after the first one, only the copy is.
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kTransfer,
                                         VK_ACCESS_TRANSFER_READ_BIT);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, ChainsThroughOtherStagesSeparate) {
  EXPECT_EQ(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                                         VK_ACCESS_HOST_READ_BIT);
                         Steps::separate(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, TransfersAreWorkLikeDispatches) {
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         steps.copy(commands);
                       }),
            0u);
  EXPECT_GT(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.fill(commands, 4);
                         steps.read(commands);
                       }),
            0u);
  EXPECT_EQ(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.fill(commands, 4);
                         Steps::separate(commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
                         steps.write(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kTransfer,
                                         VK_ACCESS_TRANSFER_READ_BIT);
                         steps.copy(commands);
                       }),
            0u);
}

TEST(Overlap, IndirectCountsNeedABarrier) {
  const auto indirect = [](bool with_barrier) {
    return [with_barrier](Steps& steps, VkCommandBuffer commands) {
      const Kernel read = steps.kernel(kRead, {.bindings = 2});
      steps.fill(commands, 1);  // the counts lie in x, too
      if (with_barrier) {
        Steps::separate(commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | kCompute,
                        VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
      }
      steps.bind(commands, read, steps.set(read, {&steps.x, &steps.y}));
      entry::CmdDispatchIndirect(commands, steps.x.handle(), 0);
    };
  };
  EXPECT_GT(deviations(kOverlap, indirect(false)), 0u);
  EXPECT_EQ(deviations(kOverlap, indirect(true)), 0u);
}

TEST(Overlap, EventsSeparate) {
  EXPECT_EQ(deviations(kOverlap,
                       [](Steps& steps, VkCommandBuffer commands) {
                         VkEvent event = VK_NULL_HANDLE;
                         const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
                         EXPECT_EQ(entry::CreateEvent(steps.device(), &info, nullptr, &event), VK_SUCCESS);
                         steps.at_end([=, &steps] { entry::DestroyEvent(steps.device(), event, nullptr); });
                         const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                                      VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT};
                         steps.write(commands);
                         entry::CmdSetEvent(commands, event, kCompute);
                         entry::CmdWaitEvents(commands, 1, &event, kCompute, kCompute, 1, &memory, 0, nullptr, 0,
                                              nullptr);
                         steps.read(commands);
                       }),
            0u);
}

TEST(Overlap, QueriesStayInOrder) {
  const Environment seed(kOverlap, "7");
  class Counted : public Steps {
   public:
    void check() {
      const VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       nullptr,
                                       0,
                                       VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                       1,
                                       VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT};
      VkQueryPool queries = VK_NULL_HANDLE;
      ASSERT_EQ(entry::CreateQueryPool(device(), &info, nullptr, &queries), VK_SUCCESS);
      VkCommandBuffer commands = begin();
      entry::CmdResetQueryPool(commands, queries, 0, 1);
      write(commands);
      entry::CmdBeginQuery(commands, queries, 0, 0);
      read(commands);
      entry::CmdEndQuery(commands, queries, 0);
      write(commands);
      EXPECT_EQ(run(end(commands)), VK_SUCCESS);
      uint64_t count = 0;
      EXPECT_EQ(entry::GetQueryPoolResults(device(), queries, 0, 1, 8, &count, 8, VK_QUERY_RESULT_64_BIT), VK_SUCCESS);
      EXPECT_EQ(count, kCount);
      entry::DestroyQueryPool(device(), queries, nullptr);
    }
  };
  Counted().check();
}

TEST(Overlap, WorkEndsBeforeItsQueueWaitsForAnother) {
  const Environment seed(kOverlap, "5");
  class Answered : public Steps {
   public:
    void check() {
      VkEvent event = VK_NULL_HANDLE;
      const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
      ASSERT_EQ(entry::CreateEvent(device(), &info, nullptr, &event), VK_SUCCESS);
      const TestSemaphore timeline(gpu, 0);
      VkCommandBuffer commands = begin();
      write(commands);
      entry::CmdSetEvent(commands, event, kCompute);
      const VkCommandBufferSubmitInfo command_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr,
                                                   end(commands)};
      VkSemaphoreSubmitInfo wait_info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1};
      VkSubmitInfo2 batches[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO_2}, {VK_STRUCTURE_TYPE_SUBMIT_INFO_2}};
      batches[0].commandBufferInfoCount = 1;
      batches[0].pCommandBufferInfos = &command_info;
      batches[1].waitSemaphoreInfoCount = 1;
      batches[1].pWaitSemaphoreInfos = &wait_info;
      ASSERT_EQ(entry::QueueSubmit2(gpu.queue(), 2, batches, VK_NULL_HANDLE), VK_SUCCESS);
      while (entry::GetEventStatus(device(), event) != VK_EVENT_SET) std::this_thread::yield();
      EXPECT_EQ(x.words()[0], 1u);
      timeline.signal(1);
      EXPECT_EQ(entry::QueueWaitIdle(gpu.queue()), VK_SUCCESS);
      entry::DestroyEvent(device(), event, nullptr);
    }
  };
  Answered().check();
}

TEST(Overlap, FaultsNameTheirDispatch) {
  const Environment seed(kOverlap, "2");
  class Faulty : public Steps {
   public:
    void check() {
      TestBuffer& gone = buffer({0});
      const Kernel culprit = kernel(kRead, {.bindings = 2});
      VkDebugUtilsObjectNameInfoEXT name{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
      name.objectType = VK_OBJECT_TYPE_PIPELINE;
      name.objectHandle = reinterpret_cast<uint64_t>(culprit.pipeline);
      name.pObjectName = "culprit";
      EXPECT_EQ(entry::SetDebugUtilsObjectNameEXT(device(), &name), VK_SUCCESS);
      const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "scene", {}};

      VkCommandBuffer commands = begin();
      write(commands);
      entry::CmdBeginDebugUtilsLabelEXT(commands, &label);
      bind(commands, culprit, set(culprit, {&gone, &gone}));
      entry::CmdDispatch(commands, 1, 1, 1);
      entry::CmdEndDebugUtilsLabelEXT(commands);
      fill(commands, 3);
      end(commands);
      gone.free_memory();
      EXPECT_EQ(run(commands), VK_ERROR_DEVICE_LOST);
      const std::vector<Message> messages = gpu.messages();
      ASSERT_EQ(messages.size(), 1u);
      EXPECT_NE(messages[0].text.find("culprit"), std::string::npos) << messages[0].text;
      EXPECT_EQ(messages[0].command_labels, std::vector<std::string>{"scene"});
    }
  };
  Faulty().check();
}

TEST(Overlap, LongListsWithoutBarriersRun) {
  const Environment seed(kOverlap, "3");
  const std::vector<uint32_t> result = Steps().run_steps([](Steps& steps, VkCommandBuffer commands) {
    for (uint32_t i = 0; i < 2000; ++i) entry::CmdFillBuffer(commands, steps.y.handle(), i % kCount * 4, 4, i % kCount);
  });
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(result[i], i);
}

TEST(Caches, BarriersWithoutAccessesLeaveStoresUnderWay) {
  EXPECT_GT(deviations(kCaches,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kCompute, 0, kCompute, 0);
                         steps.read(commands);
                       }),
            0u);
  EXPECT_GT(deviations(kCaches,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.write(commands);
                         Steps::separate(commands, kCompute, 0, kTransfer, 0);
                         steps.copy(commands);
                       }),
            0u);
}

TEST(Caches, StaleLinesStayWithoutTheAccess) {
  const auto twice = [](VkAccessFlags access) {
    return [access](Steps& steps, VkCommandBuffer commands) {
      steps.read(commands);  // x into the caches
      Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT);
      steps.fill(commands, 8);
      Steps::separate(commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kCompute, access);
      steps.read(commands);
    };
  };
  EXPECT_GT(deviations(kCaches, twice(VK_ACCESS_INDIRECT_COMMAND_READ_BIT)), 0u);
  EXPECT_EQ(deviations(kCaches, twice(VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT)), 0u);
}

TEST(Caches, BarriersMakeWritesVisible) {
  EXPECT_EQ(deviations(kCaches,
                       [](Steps& steps, VkCommandBuffer commands) {
                         steps.read(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_READ_BIT, kCompute,
                                         VK_ACCESS_SHADER_WRITE_BIT);
                         steps.write(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kCompute,
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
                         steps.read(commands);
                         Steps::separate(commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kTransfer,
                                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
                         steps.copy(commands);
                       }),
            0u);
}

TEST(Caches, EndOfASubmissionWritesEverythingBack) {
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const Environment caches(kCaches, std::to_string(seed));
    const Environment overlap(kOverlap, std::to_string(seed * 3));
    Steps steps;
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < kCount; ++i) {
      steps.x.words()[i] = i * i;
      expected.push_back(~(i * i) + kCount / 32);
    }
    EXPECT_EQ(steps.run_steps([](Steps& self, VkCommandBuffer commands) {
      self.dispatch(commands, self.kernel(kLoop, {.bindings = 2}));
    }),
              expected);
  }
}

TEST(Caches, SubmissionsSeeWhatTheHostWrote) {
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const Environment caches(kCaches, std::to_string(seed));
    const Environment overlap(kOverlap, std::to_string(seed));
    Steps steps;
    for (uint32_t round = 1; round <= 3; ++round) {
      std::fill(steps.x.words().begin(), steps.x.words().end(), round);
      const auto result = steps.run_steps([](Steps& self, VkCommandBuffer commands) { self.read(commands); });
      EXPECT_EQ(result, std::vector<uint32_t>(kCount, round));
    }
  }
}

}  // namespace
}  // namespace spalt::icd::test
