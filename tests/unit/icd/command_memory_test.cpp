// SPDX-License-Identifier: MIT
//
// Lets each heap allocation of recording, and then of execution, fail in turn: recording says
// VK_ERROR_OUT_OF_HOST_MEMORY at its end, execution loses the device, and everything can be destroyed afterwards. The
// sanitizers see what leaks.
#include "command_fixture.h"
#include "failing_new.h"

namespace spalt::icd::test {
namespace {

using spalt::test::left_to_failure;

constexpr const char* kIncrement =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
    "layout(push_constant) uniform P { uint step; } p; void main() { x[0] += p.step; }";

class ShortOfMemory : public CommandTest {
 public:
  ShortOfMemory() : CommandTest({{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}}) {
    VkDebugUtilsObjectNameInfoEXT name{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    name.objectType = VK_OBJECT_TYPE_PIPELINE;
    name.objectHandle = reinterpret_cast<uint64_t>(increment_.pipeline);
    name.pObjectName = "increment";
    entry::SetDebugUtilsObjectNameEXT(device(), &name);
  }
  void TestBody() override {}

  /// Whether an allocation failed.
  bool record_with(long fail_at) {
    left_to_failure = fail_at;
    VkCommandPool pool = VK_NULL_HANDLE;
    const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkResult result = entry::CreateCommandPool(device(), &pool_info, nullptr, &pool);
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                           VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    if (result == VK_SUCCESS) result = entry::AllocateCommandBuffers(device(), &info, &commands);
    if (result == VK_SUCCESS) result = record(commands);
    const bool failed = left_to_failure.exchange(-1) < 0;
    EXPECT_EQ(result, failed ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS) << fail_at;
    entry::DestroyCommandPool(device(), pool, nullptr);
    return failed;
  }
  bool execute_with(long fail_at) {
    VkCommandBuffer commands = allocate();
    EXPECT_EQ(record(commands), VK_SUCCESS);
    left_to_failure = fail_at;
    const VkResult result = run(commands);
    const bool failed = left_to_failure.exchange(-1) < 0;
    EXPECT_TRUE(result == VK_SUCCESS ||
                (failed && (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_DEVICE_LOST)))
        << fail_at << ": " << result;
    EXPECT_TRUE(failed || words_.words()[0] == 33) << words_.words()[0];
    return failed;
  }

 private:
  VkResult record(VkCommandBuffer commands) {
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDebugUtilsLabelEXT label{
        VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "a label that is long enough", {}};
    const VkDescriptorBufferInfo buffer{words_.handle(), 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, 0,      0, 1,
                                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,      nullptr, &buffer,        nullptr};
    const uint32_t step = 3, thirty = 30;
    const VkBufferCopy region{4, 8, 4};
    entry::BeginCommandBuffer(commands, &info);
    entry::CmdBeginDebugUtilsLabelEXT(commands, &label);
    entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, increment_.pipeline);
    entry::CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, increment_.layout, 0, 1, &write);
    entry::CmdPushConstants(commands, increment_.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &step);
    entry::CmdUpdateBuffer(commands, words_.handle(), 0, 4, &thirty);
    barrier(commands);
    entry::CmdDispatch(commands, 1, 1, 1);
    barrier(commands);
    entry::CmdCopyBuffer(commands, words_.handle(), words_.handle(), 1, &region);
    entry::CmdEndDebugUtilsLabelEXT(commands);
    return entry::EndCommandBuffer(commands);
  }

  const Kernel increment_ = kernel(
      kIncrement, {.set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, .push_constant_bytes = 4});
  TestBuffer& words_ = buffer({0, 0, 0});
};

TEST(CommandMemory, RecordingMayRunOut) {
  ShortOfMemory test;
  long fail_at = 0;
  while (test.record_with(fail_at)) ++fail_at;
  EXPECT_GT(fail_at, 4);
}

TEST(CommandMemory, ExecutionMayRunOut) {
  for (const char* seed : {"", "5"}) {
    const Environment overlap("SPALT_ICD_OVERLAP", seed);
    const Environment caches("SPALT_ICD_CACHES", seed);
    long fail_at = 0;
    while (ShortOfMemory().execute_with(fail_at)) ++fail_at;
    EXPECT_GT(fail_at, 2);
  }
}

}  // namespace
}  // namespace spalt::icd::test
