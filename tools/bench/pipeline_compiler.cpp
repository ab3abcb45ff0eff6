// SPDX-License-Identifier: MIT
#include "pipeline_compiler.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "graphics_pipeline_info.h"

namespace spalt::bench {
namespace {

/// Vulkan guarantees this much; a layout may declare more than the shader reads.
constexpr uint32_t kPushConstantBytes = 128;

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(result));
}

template <class Function>
Function device_function(VkDevice device, const char* name) {
  const auto function = reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
  if (function == nullptr) throw std::runtime_error(std::string("the driver lacks ") + name);
  return function;
}

uint64_t value_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
      return static_cast<uint64_t>(statistic.value.f64);
    default:
      return statistic.value.u64;
  }
}

VkDescriptorType type_of(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::UniformBuffer:
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case DescriptorKind::StorageBuffer:
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case DescriptorKind::Sampler:
      return VK_DESCRIPTOR_TYPE_SAMPLER;
    case DescriptorKind::SampledImage:
      return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case DescriptorKind::CombinedImageSampler:
      return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case DescriptorKind::StorageImage:
      return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case DescriptorKind::UniformTexelBuffer:
      return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case DescriptorKind::StorageTexelBuffer:
      return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    case DescriptorKind::InputAttachment:
      return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  }
  throw std::runtime_error("a descriptor of an unknown kind");
}

}  // namespace

PipelineCompiler::PipelineCompiler() {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
  open_physical_device();
  create_device();
}

void PipelineCompiler::open_physical_device() {
  uint32_t count = 1;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (result != VK_INCOMPLETE) check(result, "vkEnumeratePhysicalDevices");
  if (count == 0) throw std::runtime_error("the loader finds no device");
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver};
  vkGetPhysicalDeviceProperties2(physical_device_, &properties);
  device_name_ = properties.properties.deviceName;
  driver_ = std::string(driver.driverName) + " " + driver.driverInfo;
}

void PipelineCompiler::create_device() {
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT, &executable};
  VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &divisor};
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features13};
  VkPhysicalDeviceVulkan11Features features11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &features12};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features11};
  vkGetPhysicalDeviceFeatures2(physical_device_, &features);
  if (executable.pipelineExecutableInfo == VK_FALSE) {
    throw std::runtime_error("the driver lacks VK_KHR_pipeline_executable_properties");
  }
  features.features.robustBufferAccess = VK_FALSE;
  features13.robustImageAccess = VK_FALSE;

  uint32_t family_count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &family_count, nullptr);
  std::vector<VkQueueFamilyProperties> families(family_count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device_, &family_count, families.data());
  const auto family = std::find_if(families.begin(), families.end(),
                                   [](const auto& f) { return (f.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0; });
  if (family == families.end()) throw std::runtime_error("the device has no compute queue");

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = static_cast<uint32_t>(family - families.begin());
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const char* const extensions[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                                    VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(std::size(extensions));
  info.ppEnabledExtensionNames = extensions;
  check(vkCreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  get_executables_ =
      device_function<PFN_vkGetPipelineExecutablePropertiesKHR>(device_, "vkGetPipelineExecutablePropertiesKHR");
  get_statistics_ =
      device_function<PFN_vkGetPipelineExecutableStatisticsKHR>(device_, "vkGetPipelineExecutableStatisticsKHR");
  get_representations_ = device_function<PFN_vkGetPipelineExecutableInternalRepresentationsKHR>(
      device_, "vkGetPipelineExecutableInternalRepresentationsKHR");
}

VkDescriptorSetLayout PipelineCompiler::create_set_layout(const ShaderInterface& shader, uint32_t set,
                                                          VkShaderStageFlags stages) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const Binding& binding : shader.bindings) {
    if (binding.set != set) continue;
    bindings.push_back({binding.binding, type_of(binding.kind), binding.count, stages, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout), "vkCreateDescriptorSetLayout");
  return layout;
}

VkPipelineLayout PipelineCompiler::create_layout(const ShaderInterface& shader, VkShaderStageFlags stages) {
  uint32_t set_count = 0;
  for (const Binding& binding : shader.bindings) set_count = std::max(set_count, binding.set + 1);
  std::vector<VkDescriptorSetLayout> sets;
  for (uint32_t set = 0; set < set_count; ++set) sets.push_back(create_set_layout(shader, set, stages));
  const VkPushConstantRange range{stages, 0, kPushConstantBytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = set_count;
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = shader.has_push_constants ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(vkCreatePipelineLayout(device_, &info, nullptr, &layout), "vkCreatePipelineLayout");
  return layout;
}

VkShaderModule PipelineCompiler::create_module(std::span<const uint32_t> words) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(device_, &info, nullptr, &module), "vkCreateShaderModule");
  return module;
}

VkPipeline PipelineCompiler::create_pipeline(const CompileRequest& request, const std::string& entry_point,
                                             VkPipelineLayout layout, VkPipelineCreateFlags flags) {
  VkShaderModule module = create_module(request.words);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  subgroup.requiredSubgroupSize = request.subgroup_size;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.flags = flags;
  info.layout = layout;
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.pNext = request.subgroup_size != 0 ? &subgroup : nullptr;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = entry_point.c_str();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  vkDestroyShaderModule(device_, module, nullptr);
  check(result, "vkCreateComputePipelines");
  return pipeline;
}

template <class Create>
CompiledPipeline PipelineCompiler::measure(unsigned repeat, bool assembly, Create create) {
  CompiledPipeline result;
  for (unsigned i = 0; i < repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    VkPipeline pipeline = create(VkPipelineCreateFlags{0});
    const auto elapsed = std::chrono::steady_clock::now() - start;
    result.nanoseconds.push_back(
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count()));
    vkDestroyPipeline(device_, pipeline, nullptr);
  }
  // Capturing costs time, so a pipeline that no clock looks at is asked.
  VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (assembly) flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  VkPipeline pipeline = create(flags);
  read_shaders(pipeline, assembly, result);
  vkDestroyPipeline(device_, pipeline, nullptr);
  return result;
}

CompiledPipeline PipelineCompiler::compile(const CompileRequest& request) {
  const ShaderInterface shader = read_interface(request.words);
  VkPipelineLayout layout = create_layout(shader, VK_SHADER_STAGE_COMPUTE_BIT);
  return measure(request.repeat, request.assembly, [&](VkPipelineCreateFlags flags) {
    return create_pipeline(request, shader.entry_point, layout, flags);
  });
}

CompiledPipeline PipelineCompiler::compile_graphics(const spalt_tool::ListedPipeline& pipeline, unsigned repeat,
                                                    bool assembly) {
  GraphicsPipelineInfo info(pipeline);
  ShaderInterface both;
  for (const ShaderInterface& shader : info.interfaces()) {
    both.has_push_constants |= shader.has_push_constants;
    for (const Binding& binding : shader.bindings) add_binding(both.bindings, binding);
  }
  VkPipelineLayout layout = create_layout(both, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
  return measure(repeat, assembly, [&](VkPipelineCreateFlags flags) {
    VkShaderModule vertex = create_module(pipeline.vertex);
    VkShaderModule fragment = pipeline.fragment.empty() ? VK_NULL_HANDLE : create_module(pipeline.fragment);
    VkPipeline made = VK_NULL_HANDLE;
    const VkGraphicsPipelineCreateInfo& create_info = info.with(vertex, fragment, layout, flags);
    const VkResult result = vkCreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &create_info, nullptr, &made);
    vkDestroyShaderModule(device_, vertex, nullptr);
    vkDestroyShaderModule(device_, fragment, nullptr);
    check(result, "vkCreateGraphicsPipelines");
    return made;
  });
}

void PipelineCompiler::read_shaders(VkPipeline pipeline, bool assembly, CompiledPipeline& result) {
  VkPipelineInfoKHR pipeline_info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
  uint32_t count = 0;
  check(get_executables_(device_, &pipeline_info, &count, nullptr), "vkGetPipelineExecutablePropertiesKHR");
  if (count == 0) throw std::runtime_error("the driver tells nothing about the pipeline");
  std::vector<VkPipelineExecutablePropertiesKHR> list(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR});
  check(get_executables_(device_, &pipeline_info, &count, list.data()), "vkGetPipelineExecutablePropertiesKHR");
  for (uint32_t i = 0; i < count; ++i) {
    CompiledShader& shader = result.shaders.emplace_back();
    shader.stages = list[i].stages;
    shader.subgroup_size = list[i].subgroupSize;
    const VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, i};
    read_statistics(info, shader);
    if (assembly) read_assembly(info, shader);
  }
}

void PipelineCompiler::read_statistics(const VkPipelineExecutableInfoKHR& info, CompiledShader& result) {
  uint32_t count = 0;
  check(get_statistics_(device_, &info, &count, nullptr), "vkGetPipelineExecutableStatisticsKHR");
  std::vector<VkPipelineExecutableStatisticKHR> list(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  check(get_statistics_(device_, &info, &count, list.data()), "vkGetPipelineExecutableStatisticsKHR");
  for (const auto& statistic : list) result.statistics.push_back({statistic.name, value_of(statistic)});
}

void PipelineCompiler::read_assembly(const VkPipelineExecutableInfoKHR& info, CompiledShader& result) {
  uint32_t count = 0;
  check(get_representations_(device_, &info, &count, nullptr), "vkGetPipelineExecutableInternalRepresentationsKHR");
  std::vector<VkPipelineExecutableInternalRepresentationKHR> list(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
  check(get_representations_(device_, &info, &count, list.data()), "vkGetPipelineExecutableInternalRepresentationsKHR");
  std::vector<std::string> texts(count);
  for (uint32_t i = 0; i < count; ++i) {
    texts[i].resize(list[i].dataSize);
    list[i].pData = texts[i].data();
  }
  check(get_representations_(device_, &info, &count, list.data()), "vkGetPipelineExecutableInternalRepresentationsKHR");
  for (uint32_t i = 0; i < count; ++i) {
    // Drivers name it "Assembly" or "Final assembly"; the others are their intermediate forms.
    if (std::string_view(list[i].name).find("ssembly") != std::string_view::npos) result.assembly = texts[i].c_str();
  }
}

}  // namespace spalt::bench
