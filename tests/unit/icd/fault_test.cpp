// SPDX-License-Identifier: MIT
//
// A dispatch that does something illegal ends as VK_ERROR_DEVICE_LOST in finite time, and the application is told why.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "compute.h"
#include "spalt/device.h"
#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

constexpr char kHeader[] = R"(
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
)";

std::string with_header(const std::string& body) {
  return kHeader + body;
}

const std::string kDouble = with_header("void main() { data[gl_GlobalInvocationID.x] *= 2; }");
const std::string kEndless = with_header("void main() { while (data[0] == 0) data[1] += 1; }");

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<uint32_t> counted(uint32_t size) {
  std::vector<uint32_t> words(size);
  for (uint32_t i = 0; i < size; ++i) words[i] = i;
  return words;
}

TEST(Dispatch, RunsOnBothQueues) {
  const TestDevice device;
  const TestBuffer buffer(device, counted(128));
  const TestProgram program(device, kDouble, {&buffer});
  EXPECT_EQ(run(device, program, 2, 0), VK_SUCCESS);
  EXPECT_EQ(run(device, program, 2, 1), VK_SUCCESS);
  for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(buffer.words()[i], 4 * i);
}

/// After a loss, everything that may say so does, and nothing hangs.
void expect_lost(const TestDevice& device) {
  const TestFence fence(device);
  const TestSemaphore semaphore(device, 0);
  EXPECT_EQ(submit(device.queue(0), {}, {}, fence), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(submit(device.queue(1), {}, {}, fence), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(fence.wait(), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(fence.status(), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(semaphore.wait(1), VK_ERROR_DEVICE_LOST);
  uint64_t value = 0;
  EXPECT_EQ(entry::GetSemaphoreCounterValue(device.handle(), semaphore, &value), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue(0)), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue(1)), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(entry::DeviceWaitIdle(device.handle()), VK_ERROR_DEVICE_LOST);
}

/// The one message of a device that was lost.
Message lost_message(TestDevice& device) {
  const std::vector<Message> messages = device.messages();
  EXPECT_EQ(messages.size(), 1u);
  if (messages.empty()) return {};
  EXPECT_EQ(messages[0].severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_EQ(messages[0].id, "spalt-device-lost");
  return messages[0];
}

VkDebugUtilsLabelEXT label(const char* name) {
  return {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {}};
}

/// Runs one dispatch within labels of queue and command buffer.
VkResult run_labeled(const TestDevice& device, const TestProgram& program) {
  const TestCommands commands(device);
  const VkDebugUtilsLabelEXT frame = label("frame 7"), pass = label("blur"), step = label("horizontal");
  entry::CmdBeginDebugUtilsLabelEXT(commands, &pass);
  entry::CmdBeginDebugUtilsLabelEXT(commands, &step);
  commands.dispatch(program);
  entry::CmdEndDebugUtilsLabelEXT(commands);
  entry::CmdEndDebugUtilsLabelEXT(commands);
  commands.end();
  entry::QueueBeginDebugUtilsLabelEXT(device.queue(), &frame);
  EXPECT_EQ(submit(device.queue(), commands), VK_SUCCESS);
  entry::QueueEndDebugUtilsLabelEXT(device.queue());  // too late for what was submitted
  return entry::QueueWaitIdle(device.queue());
}

TEST(Fault, AWildAddressIsToldInFull) {
  TestDevice device;
  TestBuffer buffer(device, counted(64));
  const TestProgram program(device, kDouble, {&buffer}, "doubler");
  buffer.free_memory();
  EXPECT_EQ(run_labeled(device, program), VK_ERROR_DEVICE_LOST);
  expect_lost(device);
  const Message message = lost_message(device);
  for (const char* part :
       {"frame 7", "blur", "horizontal", "doubler", "workgroup", "wave", "lane", "pc", "buffer_load"}) {
    EXPECT_TRUE(mentions(message.text, part)) << part << " in " << message.text;
  }
  EXPECT_EQ(message.queue_labels, std::vector<std::string>{"frame 7"});
  EXPECT_EQ(message.command_labels, (std::vector<std::string>{"horizontal", "blur"}));
  ASSERT_EQ(message.object_names.size(), 4u);  // pipeline, command buffer, queue, the memory that is closest
  EXPECT_EQ(message.object_names[0], "doubler");
}

TEST(Fault, EndlessLoopEndsAtTheLimit) {
  const Environment limit("SPALT_ICD_STEPS", "500000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, kEndless, {&buffer}, "spinner");
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  expect_lost(device);
  const Message message = lost_message(device);
  EXPECT_TRUE(mentions(message.text, "endless loop: executed more than 500000 instructions")) << message.text;
  EXPECT_TRUE(mentions(message.text, "spinner")) << message.text;
}

/// A mistake that applications make after a wait that has timed out. New command buffers overwrite what was freed.
TEST(Fault, IsToldInFullWhenTheCommandBufferIsGone) {
  const Environment limit("SPALT_ICD_STEPS", "3000000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, R"(
    layout(local_size_x = 1) in;
    layout(std430, set = 0, binding = 0) buffer Data { coherent volatile uint data[]; };
    void main() { while (data[0] == 0) data[1] += 1; }
  )",
                            {&buffer}, "spinner");
  const VkDebugUtilsLabelEXT wait = label("wait");
  {
    const TestCommands commands(device);
    VkDebugUtilsObjectNameInfoEXT name{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    name.objectType = VK_OBJECT_TYPE_COMMAND_BUFFER;
    name.objectHandle = reinterpret_cast<uint64_t>(static_cast<VkCommandBuffer>(commands));
    name.pObjectName = "step 12";
    entry::SetDebugUtilsObjectNameEXT(device.handle(), &name);
    entry::CmdBeginDebugUtilsLabelEXT(commands, &wait);
    commands.dispatch(program);
    commands.dispatch(program);  // never comes
    entry::CmdEndDebugUtilsLabelEXT(commands);
    commands.end();
    ASSERT_EQ(submit(device.queue(), commands), VK_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it has begun, and is not done for a while
  }
  const TestCommands others(device);
  for (int i = 0; i < 1000; ++i) entry::CmdFillBuffer(others, buffer.handle(), 0, 4, 0x55555555);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue()), VK_ERROR_DEVICE_LOST);
  const Message message = lost_message(device);
  EXPECT_TRUE(mentions(message.text, "in \"wait\": compute pipeline \"spinner\": ")) << message.text;
  ASSERT_EQ(message.object_names.size(), 3u);  // pipeline, command buffer, queue
  EXPECT_EQ(message.object_names[1], "step 12");
}

/// The same of a secondary, with the primary that executes it.
TEST(Fault, GoesOnWithASecondaryThatIsGone) {
  const Environment limit("SPALT_ICD_STEPS", "1000000");
  const Environment on_fault("SPALT_ICD_ON_FAULT", "continue");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0, 0});
  const TestProgram program(device, R"(
    layout(local_size_x = 1) in;
    layout(std430, set = 0, binding = 0) buffer Data { coherent volatile uint data[]; };
    void main() { while (data[0] == 0) data[1] += 1; }
  )",
                            {&buffer}, "spinner");
  VkCommandPool pool = VK_NULL_HANDLE;
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  ASSERT_EQ(entry::CreateCommandPool(device.handle(), &pool_info, nullptr, &pool), VK_SUCCESS);
  VkCommandBuffer secondary = VK_NULL_HANDLE;
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                         VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1};
  ASSERT_EQ(entry::AllocateCommandBuffers(device.handle(), &info, &secondary), VK_SUCCESS);
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  entry::BeginCommandBuffer(secondary, &begin);
  entry::CmdFillBuffer(secondary, buffer.handle(), 8, 4, 7);
  entry::EndCommandBuffer(secondary);
  {
    const TestCommands commands(device);
    commands.dispatch(program);
    entry::CmdExecuteCommands(commands, 1, &secondary);
    commands.end();
    ASSERT_EQ(submit(device.queue(), commands), VK_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it has begun, and is not done for a while
  }
  entry::DestroyCommandPool(device.handle(), pool, nullptr);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue()), VK_SUCCESS);
  EXPECT_EQ(buffer.words()[2], 7u);
  EXPECT_TRUE(mentions(lost_message(device).text, "spinner"));
}

/// One half of the workgroup waits at the barrier for the other, which waits for what comes after it.
TEST(Fault, BarrierThatCannotCompleteEndsInSeconds) {
  const Environment limit("SPALT_ICD_STEPS", "100000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, R"(
    layout(local_size_x = 128) in;
    layout(std430, set = 0, binding = 0) buffer Data { coherent volatile uint data[]; };
    void main() {
      if (gl_LocalInvocationIndex >= 64) while (data[0] == 0) {}
      barrier();
      data[0] = 1;
    })",
                            {&buffer}, "rendezvous");
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  expect_lost(device);
  const Message message = lost_message(device);
  EXPECT_TRUE(mentions(message.text, "barrier that cannot complete")) << message.text;
  EXPECT_TRUE(mentions(message.text, "rendezvous")) << message.text;
}

TEST(Fault, ShortLimitsComeFromTheEnvironment) {
  const Environment limit("SPALT_ICD_STEPS", "1000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, kEndless, {&buffer});
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  EXPECT_TRUE(mentions(lost_message(device).text, "1000 instructions")) << lost_message(device).text;
  EXPECT_TRUE(mentions(lost_message(device).text, "SPALT_ICD_STEPS"));
}

TEST(Fault, GoesOnWhereTheEnvironmentSaysSo) {
  const Environment on_fault("SPALT_ICD_ON_FAULT", "continue"), limit("SPALT_ICD_STEPS", "1000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0, 21});
  const TestProgram endless(device, kEndless, {&buffer});
  const TestProgram after(device, with_header("void main() { if (gl_GlobalInvocationID.x == 2) data[2] *= 2; }"),
                          {&buffer});
  const TestCommands commands(device);
  commands.dispatch(endless);
  commands.dispatch(after);
  commands.dispatch(endless);
  commands.end();
  EXPECT_EQ(submit(device.queue(), commands), VK_SUCCESS);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue()), VK_SUCCESS);
  EXPECT_EQ(buffer.words()[2], 42u);
  EXPECT_EQ(device.messages().size(), 2u);
}

/// The memory of a dump is that from before the dispatch, which has changed it since.
TEST(Fault, DumpsHaveTheMemoryFromBefore) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("spalt_dump_" + std::to_string(getpid()));
  const Environment dumps("SPALT_ICD_DUMP", folder.string()), limit("SPALT_ICD_STEPS", "10000");
  TestDevice device;
  const TestBuffer buffer(device, {5, 0});
  const TestProgram program(device, with_header("void main() { while (data[1] == 0) data[0] = 77; }"), {&buffer});
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(buffer.words()[0], 77u);
  EXPECT_TRUE(mentions(lost_message(device).text, (folder / "fault-0" / "dispatch.json").string()));
  uint32_t first = 0;
  std::ifstream(folder / "fault-0" / "memory_0.bin", std::ios::binary).read(reinterpret_cast<char*>(&first), 4);
  EXPECT_EQ(first, 5u);
  std::filesystem::remove_all(folder);
}

TEST(Fault, AFolderThatCannotBeWrittenIsTold) {
  const Environment dumps("SPALT_ICD_DUMP", "/dev/null/dumps"), limit("SPALT_ICD_STEPS", "1000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, kEndless, {&buffer});
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  EXPECT_TRUE(mentions(lost_message(device).text, "not written")) << lost_message(device).text;
}

TEST(Fault, EndsTheProcessWhereTheEnvironmentSaysSo) {
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(20);
    const Environment on_fault("SPALT_ICD_ON_FAULT", "abort"), limit("SPALT_ICD_STEPS", "1000");
    const TestDevice device;
    const TestBuffer buffer(device, {0, 0});
    const TestProgram program(device, kEndless, {&buffer});
    run(device, program);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

/// Everybody who waits for anything hears of the loss, also on the other queue.
TEST(Fault, EveryWaitEndsWithTheDevice) {
  const Environment limit("SPALT_ICD_STEPS", "200000");
  TestDevice device;
  const TestBuffer buffer(device, {0, 0});
  const TestProgram program(device, kEndless, {&buffer});
  const TestFence fence(device);
  const TestSemaphore semaphore(device, 0);
  ASSERT_EQ(submit(device.queue(1), {{semaphore, 1}}, {}, fence), VK_SUCCESS);
  std::vector<VkResult> results(4, VK_SUCCESS);
  std::vector<std::thread> waiters;
  waiters.emplace_back([&] { results[0] = fence.wait(); });
  waiters.emplace_back([&] { results[1] = semaphore.wait(1); });
  waiters.emplace_back([&] { results[2] = entry::QueueWaitIdle(device.queue(1)); });
  waiters.emplace_back([&] { results[3] = entry::DeviceWaitIdle(device.handle()); });
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(results, std::vector<VkResult>(4, VK_ERROR_DEVICE_LOST));
}

// Of tests about something else that ends an endless shader: none that they reach.
constexpr const char* kNoStepLimit = "1000000000000";

/// A loss on one queue ends what runs on the other, before anybody hears of it.
TEST(Fault, LossOnOneQueueEndsTheOther) {
  const Environment limit("SPALT_ICD_STEPS", kNoStepLimit);
  alarm(120);  // ends the process if nothing else does
  TestDevice device;
  TestBuffer endless_data(device, {0, 0}), gone(device, counted(64));
  const TestProgram endless(device, kEndless, {&endless_data}), wild(device, kDouble, {&gone});
  gone.free_memory();
  const TestCommands spin(device);
  spin.dispatch(endless);
  spin.end();
  ASSERT_EQ(submit(device.queue(1), spin), VK_SUCCESS);
  EXPECT_EQ(run(device, wild), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue(1)), VK_ERROR_DEVICE_LOST);
  EXPECT_TRUE(mentions(lost_message(device).text, "buffer_load"));
  alarm(0);
}

/// Not what Vulkan allows, but what programs do that give up. In a child, since the objects can never be destroyed.
TEST(Fault, DestructionEndsWhatRuns) {
  const Environment limit("SPALT_ICD_STEPS", kNoStepLimit);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(120);
    const TestDevice device;
    const TestBuffer buffer(device, {0, 0});
    const TestProgram program(device, kEndless, {&buffer});
    const TestCommands commands(device);
    commands.dispatch(program);
    commands.end();
    const bool submitted = submit(device.queue(), commands) == VK_SUCCESS;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    entry::DestroyDevice(device.handle(), nullptr);
    _exit(submitted ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(DeviceFault, TellsAddressesAndTheKind) {
  VkPhysicalDeviceFaultFeaturesEXT features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT};
  features.deviceFault = VK_TRUE;
  DeviceOptions options;
  options.extensions = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME};
  options.features = &features;
  const TestDevice device(options);
  TestBuffer buffer(device, counted(64));
  VkBufferDeviceAddressInfo address_info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  address_info.buffer = buffer.handle();
  const VkDeviceAddress address = entry::GetBufferDeviceAddress(device.handle(), &address_info);
  const TestProgram program(device, kDouble, {&buffer});
  buffer.free_memory();
  EXPECT_EQ(run(device, program), VK_ERROR_DEVICE_LOST);
  VkDeviceFaultCountsEXT counts{VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
  ASSERT_EQ(entry::GetDeviceFaultInfoEXT(device.handle(), &counts, nullptr), VK_SUCCESS);
  ASSERT_EQ(counts.addressInfoCount, 2u);
  ASSERT_EQ(counts.vendorInfoCount, 1u);
  EXPECT_EQ(counts.vendorBinarySize, 0u);
  VkDeviceFaultAddressInfoEXT addresses[2]{};
  VkDeviceFaultVendorInfoEXT vendor{};
  VkDeviceFaultInfoEXT info{VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
  info.pAddressInfos = addresses;
  info.pVendorInfos = &vendor;
  ASSERT_EQ(entry::GetDeviceFaultInfoEXT(device.handle(), &counts, &info), VK_SUCCESS);
  EXPECT_EQ(addresses[0].addressType, VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT);
  EXPECT_EQ(addresses[0].reportedAddress, address);
  EXPECT_EQ(addresses[0].addressPrecision, 1u);
  EXPECT_EQ(addresses[1].addressType, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT);
  EXPECT_EQ(vendor.vendorFaultCode, uint64_t{SPALT_FAULT_UNMAPPED});
  EXPECT_TRUE(mentions(vendor.description, "buffer_load"));
  counts.addressInfoCount = 1;
  EXPECT_EQ(entry::GetDeviceFaultInfoEXT(device.handle(), &counts, &info), VK_INCOMPLETE);
  EXPECT_EQ(counts.addressInfoCount, 1u);
}

}  // namespace
}  // namespace spalt::icd::test
