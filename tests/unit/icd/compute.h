// SPDX-License-Identifier: MIT
//
// Compute programs for tests: storage buffers at set 0, binding 0 and on, from GLSL.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "test_device.h"

namespace spalt::icd::test {

/// SPIR-V of a compute shader.
std::vector<uint32_t> compile_glsl(const std::string& text);

/// A storage buffer with memory of its own, mapped.
class TestBuffer {
 public:
  TestBuffer(const TestDevice& device, std::vector<uint32_t> words, VkBufferUsageFlags more_usage = 0);
  ~TestBuffer();
  TestBuffer(const TestBuffer&) = delete;
  TestBuffer& operator=(const TestBuffer&) = delete;

  VkBuffer handle() const { return buffer_; }
  VkDeviceAddress address() const;
  std::span<uint32_t> words() const { return words_; }
  /// A mistake that applications make: the buffer lives on.
  void free_memory();

 private:
  VkDevice device_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  std::span<uint32_t> words_;
};

/// A pipeline and one set for as many storage buffers as are given.
class TestProgram {
 public:
  TestProgram(const TestDevice& device, const std::string& glsl, const std::vector<const TestBuffer*>& buffers,
              const char* name = nullptr);
  ~TestProgram();
  TestProgram(const TestProgram&) = delete;
  TestProgram& operator=(const TestProgram&) = delete;

  VkPipeline pipeline() const { return pipeline_; }
  VkPipelineLayout layout() const { return layout_; }
  VkDescriptorSet set() const { return set_; }

 private:
  void create_set(const std::vector<const TestBuffer*>& buffers);
  void create_pipeline(const std::string& glsl);

  VkDevice device_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

/// A primary command buffer that is being recorded until end().
class TestCommands {
 public:
  explicit TestCommands(const TestDevice& device);
  ~TestCommands();
  TestCommands(const TestCommands&) = delete;
  TestCommands& operator=(const TestCommands&) = delete;

  operator VkCommandBuffer() const { return handle_; }
  void dispatch(const TestProgram& program, uint32_t groups = 1) const;
  void end() const;

 private:
  VkDevice device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer handle_ = VK_NULL_HANDLE;
};

VkResult submit(VkQueue queue, const TestCommands& commands, VkFence fence = VK_NULL_HANDLE);

/// Dispatches once, submits and waits for the queue: what vkQueueWaitIdle gives.
VkResult run(const TestDevice& device, const TestProgram& program, uint32_t groups = 1, uint32_t queue = 0);

}  // namespace spalt::icd::test
