// SPDX-License-Identifier: MIT
//
// Creates compute pipelines on the Vulkan driver that the loader finds, and asks it what it made of them. Nothing is
// submitted and no memory is allocated, so that a driver for a device which is not there will do.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shader_interface.h"

namespace spalt::bench {

struct Statistic {
  std::string name;
  uint64_t value = 0;
};

struct CompiledShader {
  std::vector<uint64_t> nanoseconds;  // one per repetition: vkCreateShaderModule and vkCreateComputePipelines
  std::vector<Statistic> statistics;  // of VK_KHR_pipeline_executable_properties, named by the driver
  uint32_t subgroup_size = 0;
  std::string assembly;
};

struct CompileRequest {
  std::span<const uint32_t> words;
  unsigned repeat = 1;
  uint32_t subgroup_size = 0;  // 0 leaves the choice to the driver
  bool assembly = false;
};

class PipelineCompiler {
 public:
  /// Opens the first device; throws std::runtime_error.
  PipelineCompiler();
  PipelineCompiler(const PipelineCompiler&) = delete;
  PipelineCompiler& operator=(const PipelineCompiler&) = delete;

  const std::string& device_name() const { return device_name_; }
  const std::string& driver() const { return driver_; }

  CompiledShader compile(const CompileRequest& request);

 private:
  void open_physical_device();
  void create_device();
  VkDescriptorSetLayout create_set_layout(const ShaderInterface& shader, uint32_t set);
  VkPipelineLayout create_layout(const ShaderInterface& shader);
  VkPipeline create_pipeline(const CompileRequest& request, const std::string& entry_point, VkPipelineLayout layout,
                             VkPipelineCreateFlags flags);
  void read_statistics(VkPipeline pipeline, CompiledShader& result);
  void read_assembly(VkPipeline pipeline, CompiledShader& result);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  std::string device_name_;
  std::string driver_;
  PFN_vkGetPipelineExecutablePropertiesKHR get_executables_ = nullptr;
  PFN_vkGetPipelineExecutableStatisticsKHR get_statistics_ = nullptr;
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR get_representations_ = nullptr;
};

}  // namespace spalt::bench
