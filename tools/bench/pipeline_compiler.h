// SPDX-License-Identifier: MIT
//
// Creates pipelines on the Vulkan driver that the loader finds, and asks it what it made of them. Nothing is
// submitted and no memory is allocated, so that a driver for a device which is not there will do.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shader_interface.h"
#include "spalt/pipeline_list.h"

namespace spalt::bench {

struct Statistic {
  std::string name;
  uint64_t value = 0;
};

struct CompiledShader {
  VkShaderStageFlags stages = 0;
  std::vector<Statistic> statistics;  // of VK_KHR_pipeline_executable_properties, named by the driver
  uint32_t subgroup_size = 0;
  std::string assembly;
};

struct CompiledPipeline {
  std::vector<uint64_t> nanoseconds;  // one per repetition: vkCreateShaderModule and vkCreate*Pipelines
  std::vector<CompiledShader> shaders;
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

  CompiledPipeline compile(const CompileRequest& request);
  CompiledPipeline compile_graphics(const spalt_tool::ListedPipeline& pipeline, unsigned repeat, bool assembly);

 private:
  void open_physical_device();
  void create_device();
  VkDescriptorSetLayout create_set_layout(const ShaderInterface& shader, uint32_t set, VkShaderStageFlags stages);
  VkPipelineLayout create_layout(const ShaderInterface& shader, VkShaderStageFlags stages);
  VkShaderModule create_module(std::span<const uint32_t> words);
  VkPipeline create_pipeline(const CompileRequest& request, const std::string& entry_point, VkPipelineLayout layout,
                             VkPipelineCreateFlags flags);
  /// `create` makes the pipeline with these flags.
  template <class Create>
  CompiledPipeline measure(unsigned repeat, bool assembly, Create create);
  void read_shaders(VkPipeline pipeline, bool assembly, CompiledPipeline& result);
  void read_statistics(const VkPipelineExecutableInfoKHR& info, CompiledShader& result);
  void read_assembly(const VkPipelineExecutableInfoKHR& info, CompiledShader& result);

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
