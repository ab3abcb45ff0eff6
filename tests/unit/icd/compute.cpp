// SPDX-License-Identifier: MIT
#include "compute.h"

#include <algorithm>

#include "shader_input/glsl.h"

namespace spalt::icd::test {

std::vector<uint32_t> compile_glsl(const std::string& text) {
  std::vector<uint32_t> words;
  std::string messages;
  EXPECT_TRUE(shader_input::compile_glsl("test.comp", "#version 450\n" + text, {}, words, messages)) << messages;
  return words;
}

TestBuffer::TestBuffer(const TestDevice& device, std::vector<uint32_t> words, VkBufferUsageFlags more_usage)
    : device_(device.handle()) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = words.size() * 4;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | more_usage;
  EXPECT_EQ(entry::CreateBuffer(device_, &info, nullptr, &buffer_), VK_SUCCESS);
  VkMemoryRequirements requirements{};
  entry::GetBufferMemoryRequirements(device_, buffer_, &requirements);
  VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  memory.allocationSize = requirements.size;
  EXPECT_EQ(entry::AllocateMemory(device_, &memory, nullptr, &memory_), VK_SUCCESS);
  EXPECT_EQ(entry::BindBufferMemory(device_, buffer_, memory_, 0), VK_SUCCESS);
  void* data = nullptr;
  EXPECT_EQ(entry::MapMemory(device_, memory_, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  words_ = {static_cast<uint32_t*>(data), words.size()};
  std::copy(words.begin(), words.end(), words_.begin());
}

TestBuffer::~TestBuffer() {
  entry::DestroyBuffer(device_, buffer_, nullptr);
  free_memory();
}

VkDeviceAddress TestBuffer::address() const {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer_};
  return entry::GetBufferDeviceAddress(device_, &info);
}

void TestBuffer::free_memory() {
  entry::FreeMemory(device_, memory_, nullptr);
  memory_ = VK_NULL_HANDLE;
}

TestProgram::TestProgram(const TestDevice& device, const std::string& glsl,
                         const std::vector<const TestBuffer*>& buffers, const char* name)
    : device_(device.handle()) {
  create_set(buffers);
  create_pipeline(glsl);
  if (name == nullptr) return;
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = VK_OBJECT_TYPE_PIPELINE;
  info.objectHandle = reinterpret_cast<uint64_t>(pipeline_);
  info.pObjectName = name;
  EXPECT_EQ(entry::SetDebugUtilsObjectNameEXT(device_, &info), VK_SUCCESS);
}

TestProgram::~TestProgram() {
  entry::DestroyPipeline(device_, pipeline_, nullptr);
  entry::DestroyPipelineLayout(device_, layout_, nullptr);
  entry::DestroyDescriptorPool(device_, pool_, nullptr);
  entry::DestroyDescriptorSetLayout(device_, set_layout_, nullptr);
}

void TestProgram::create_set(const std::vector<const TestBuffer*>& buffers) {
  const auto count = static_cast<uint32_t>(buffers.size());
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (uint32_t i = 0; i < count; ++i) {
    bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  layout.bindingCount = count;
  layout.pBindings = bindings.data();
  EXPECT_EQ(entry::CreateDescriptorSetLayout(device_, &layout, nullptr, &set_layout_), VK_SUCCESS);
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(count, 1u)};
  const VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  EXPECT_EQ(entry::CreateDescriptorPool(device_, &pool, nullptr, &pool_), VK_SUCCESS);
  const VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool_, 1,
                                             &set_layout_};
  EXPECT_EQ(entry::AllocateDescriptorSets(device_, &allocate, &set_), VK_SUCCESS);
  for (uint32_t i = 0; i < count; ++i) {
    const VkDescriptorBufferInfo buffer{buffers[i]->handle(), 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set_,    i,      0, 1,
                                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,      nullptr, &buffer, nullptr};
    entry::UpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }
}

void TestProgram::create_pipeline(const std::string& glsl) {
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout_;
  EXPECT_EQ(entry::CreatePipelineLayout(device_, &layout, nullptr, &layout_), VK_SUCCESS);
  const std::vector<uint32_t> words = compile_glsl(glsl);
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateShaderModule(device_, &module_info, nullptr, &module), VK_SUCCESS);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout_;
  EXPECT_EQ(entry::CreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_), VK_SUCCESS);
  entry::DestroyShaderModule(device_, module, nullptr);
}

TestCommands::TestCommands(const TestDevice& device) : device_(device.handle()) {
  const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  EXPECT_EQ(entry::CreateCommandPool(device_, &pool, nullptr, &pool_), VK_SUCCESS);
  const VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  EXPECT_EQ(entry::AllocateCommandBuffers(device_, &allocate, &handle_), VK_SUCCESS);
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(entry::BeginCommandBuffer(handle_, &begin), VK_SUCCESS);
}

TestCommands::~TestCommands() {
  entry::DestroyCommandPool(device_, pool_, nullptr);
}

void TestCommands::dispatch(const TestProgram& program, uint32_t groups) const {
  const VkDescriptorSet set = program.set();
  entry::CmdBindPipeline(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline());
  entry::CmdBindDescriptorSets(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout(), 0, 1, &set, 0, nullptr);
  entry::CmdDispatch(handle_, groups, 1, 1);
}

void TestCommands::end() const {
  EXPECT_EQ(entry::EndCommandBuffer(handle_), VK_SUCCESS);
}

VkResult submit(VkQueue queue, const TestCommands& commands, VkFence fence) {
  const VkCommandBuffer handle = commands;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &handle;
  return entry::QueueSubmit(queue, 1, &info, fence);
}

VkResult run(const TestDevice& device, const TestProgram& program, uint32_t groups, uint32_t queue) {
  const TestCommands commands(device);
  commands.dispatch(program, groups);
  commands.end();
  EXPECT_EQ(submit(device.queue(queue), commands), VK_SUCCESS);
  return entry::QueueWaitIdle(device.queue(queue));
}

}  // namespace spalt::icd::test
