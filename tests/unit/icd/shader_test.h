// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "test_device.h"

namespace spalt::icd::test {

/// buffer.words[gl_GlobalInvocationID.x] += constant 7, whose default is 5; 64 invocations.
std::vector<uint32_t> adding_shader();
/// As above, but it multiplies.
std::vector<uint32_t> multiplying_shader();
/// A module that declares a capability that no target has.
std::vector<uint32_t> unsupported_shader();

/// One compute pipeline to create.
struct PipelineWish {
  VkShaderModule module = VK_NULL_HANDLE;
  const void* stage_next = nullptr;
  const void* next = nullptr;
  VkPipelineCreateFlags flags = 0;
  VkPipelineShaderStageCreateFlags stage_flags = 0;
  std::optional<uint32_t> constant;
  VkPipelineLayout layout = VK_NULL_HANDLE;  // none: that of the test
  const char* entry_point = "main";
};

/// A device with a layout of one storage buffer; destroys what it made.
class ShaderTest : public ::testing::Test {
 protected:
  ShaderTest();
  ~ShaderTest() override;

  VkShaderModule make_module(const std::vector<uint32_t>& words);
  VkPipelineLayout make_layout(uint32_t binding);
  VkPipelineCache make_cache(const std::vector<char>& data = {});
  /// `pipeline` may be nullptr.
  VkResult create(const PipelineWish& wish, VkPipelineCache cache, VkPipeline* pipeline = nullptr);
  VkPipeline create_or_fail(const PipelineWish& wish, VkPipelineCache cache = VK_NULL_HANDLE);

  std::vector<char> elf_of(VkPipeline pipeline);
  std::vector<char> data_of(VkPipelineCache cache);
  /// Whether the pipeline can be had without the compiler.
  bool is_cached(PipelineWish wish, VkPipelineCache cache);

  /// What the driver said since the last call.
  std::vector<std::string> take_messages();

  VkDevice device() const { return gpu.handle(); }

  TestDevice gpu;

 private:
  size_t messages_taken_ = 0;
  std::vector<std::function<void()>> undo_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

}  // namespace spalt::icd::test
