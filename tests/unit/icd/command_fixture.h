// SPDX-License-Identifier: MIT
//
// Command buffers and what they execute, for tests. What a test makes here is destroyed after it.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "compute.h"
#include "test_device.h"

namespace spalt::icd::test {

/// A pipeline with the layouts that it was made with.
struct Kernel {
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
};

struct KernelOptions {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;  // of the bindings 0 and on of set 0
  uint32_t bindings = 1;
  VkDescriptorSetLayoutCreateFlags set_flags = 0;
  uint32_t push_constant_bytes = 0;
  VkPipelineCreateFlags flags = 0;
};

class CommandTest : public testing::Test {
 public:
  ~CommandTest() override;

 protected:
  explicit CommandTest(const DeviceOptions& options = {});

  VkDevice device() const { return gpu.handle(); }

  TestBuffer& buffer(std::vector<uint32_t> words, VkBufferUsageFlags more_usage = 0) {
    return buffers_.emplace_back(gpu, std::move(words), more_usage);
  }
  Kernel kernel(const std::string& glsl, const KernelOptions& options = {});
  /// Destroys it now, with its layouts.
  void destroy(const Kernel& kernel);
  VkDescriptorSet set(const Kernel& kernel, const std::vector<const TestBuffer*>& buffers,
                      VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VkDeviceSize range = VK_WHOLE_SIZE);

  VkCommandPool make_pool(VkCommandPoolCreateFlags flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  VkCommandBuffer allocate(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  /// Allocates one and begins it.
  VkCommandBuffer begin(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  static void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags = 0);
  static VkCommandBuffer end(VkCommandBuffer commands);
  /// Submits commands that have ended, and waits.
  VkResult run(VkCommandBuffer commands, uint32_t queue = 0);

  static void bind(VkCommandBuffer commands, const Kernel& kernel, VkDescriptorSet set);
  /// Separates everything before from everything after.
  static void barrier(VkCommandBuffer commands);

  void at_end(std::function<void()> undo) { undo_.push_back(std::move(undo)); }

  TestDevice gpu;

 private:
  std::deque<TestBuffer> buffers_;
  std::vector<std::function<void()>> undo_;
  std::vector<Kernel> kernels_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

/// Values of a buffer, for comparisons.
inline std::vector<uint32_t> values(const TestBuffer& buffer) {
  return {buffer.words().begin(), buffer.words().end()};
}

}  // namespace spalt::icd::test
