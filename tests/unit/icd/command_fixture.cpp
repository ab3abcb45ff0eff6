// SPDX-License-Identifier: MIT
#include "command_fixture.h"

namespace spalt::icd::test {

CommandTest::CommandTest(const DeviceOptions& options) : gpu(options), pool_(make_pool()) {}

CommandTest::~CommandTest() {
  entry::DeviceWaitIdle(device());
  for (; !undo_.empty(); undo_.pop_back()) undo_.back()();
  while (!kernels_.empty()) destroy(Kernel(kernels_.back()));
}

Kernel CommandTest::kernel(const std::string& glsl, const KernelOptions& options) {
  Kernel made;
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (uint32_t i = 0; i < options.bindings; ++i) {
    bindings.push_back({i, options.type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  const VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                                 options.set_flags, options.bindings, bindings.data()};
  EXPECT_EQ(entry::CreateDescriptorSetLayout(device(), &set_info, nullptr, &made.set_layout), VK_SUCCESS);
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, options.push_constant_bytes};
  const VkPipelineLayoutCreateInfo layout_info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &made.set_layout,
      options.push_constant_bytes > 0 ? 1u : 0u,     &range};
  EXPECT_EQ(entry::CreatePipelineLayout(device(), &layout_info, nullptr, &made.layout), VK_SUCCESS);

  const std::vector<uint32_t> words = compile_glsl(glsl);
  const VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size() * 4,
                                             words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateShaderModule(device(), &module_info, nullptr, &module), VK_SUCCESS);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, nullptr, options.flags};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = made.layout;
  EXPECT_EQ(entry::CreateComputePipelines(device(), VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline), VK_SUCCESS);
  entry::DestroyShaderModule(device(), module, nullptr);
  kernels_.push_back(made);
  return made;
}

void CommandTest::destroy(const Kernel& kernel) {
  std::erase_if(kernels_, [&](const Kernel& other) { return other.pipeline == kernel.pipeline; });
  entry::DestroyPipeline(device(), kernel.pipeline, nullptr);
  entry::DestroyPipelineLayout(device(), kernel.layout, nullptr);
  entry::DestroyDescriptorSetLayout(device(), kernel.set_layout, nullptr);
}

VkDescriptorSet CommandTest::set(const Kernel& kernel, const std::vector<const TestBuffer*>& buffers,
                                 VkDescriptorType type, VkDeviceSize range) {
  const VkDescriptorPoolSize size{type, static_cast<uint32_t>(buffers.size())};
  const VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateDescriptorPool(device(), &pool_info, nullptr, &pool), VK_SUCCESS);
  at_end([=, this] { entry::DestroyDescriptorPool(device(), pool, nullptr); });
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                         &kernel.set_layout};
  VkDescriptorSet made = VK_NULL_HANDLE;
  EXPECT_EQ(entry::AllocateDescriptorSets(device(), &info, &made), VK_SUCCESS);
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo described{buffers[i]->handle(), 0, range};
    const VkWriteDescriptorSet write{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, made, i, 0, 1, type, nullptr, &described, nullptr};
    entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  }
  return made;
}

VkCommandPool CommandTest::make_pool(VkCommandPoolCreateFlags flags) {
  const VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, flags, 0};
  VkCommandPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateCommandPool(device(), &info, nullptr, &pool), VK_SUCCESS);
  at_end([=, this] { entry::DestroyCommandPool(device(), pool, nullptr); });
  return pool;
}

VkCommandBuffer CommandTest::allocate(VkCommandBufferLevel level) {
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_, level, 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  EXPECT_EQ(entry::AllocateCommandBuffers(device(), &info, &commands), VK_SUCCESS);
  return commands;
}

VkCommandBuffer CommandTest::begin(VkCommandBufferLevel level) {
  VkCommandBuffer commands = allocate(level);
  begin(commands);
  return commands;
}

void CommandTest::begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags) {
  const VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags, &inheritance};
  EXPECT_EQ(entry::BeginCommandBuffer(commands, &info), VK_SUCCESS);
}

VkCommandBuffer CommandTest::end(VkCommandBuffer commands) {
  EXPECT_EQ(entry::EndCommandBuffer(commands), VK_SUCCESS);
  return commands;
}

VkResult CommandTest::run(VkCommandBuffer commands, uint32_t queue) {
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  const VkResult result = entry::QueueSubmit(gpu.queue(queue), 1, &info, VK_NULL_HANDLE);
  return result == VK_SUCCESS ? entry::QueueWaitIdle(gpu.queue(queue)) : result;
}

void CommandTest::bind(VkCommandBuffer commands, const Kernel& kernel, VkDescriptorSet set) {
  entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
  if (set == VK_NULL_HANDLE) return;
  entry::CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &set, 0, nullptr);
}

void CommandTest::barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  entry::CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                            &all, 0, nullptr, 0, nullptr);
}

}  // namespace spalt::icd::test
