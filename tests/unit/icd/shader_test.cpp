// SPDX-License-Identifier: MIT
#include "shader_test.h"

#include "../spirv/assemble.h"

namespace spalt::icd::test {
namespace {

std::vector<uint32_t> element_shader(const std::string& capability, const std::string& operation) {
  return spirv::assemble("OpCapability " + capability + R"(
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffer %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %constant SpecId 7
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%u0 = OpConstant %uint 0
%constant = OpSpecConstant %uint 5
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%block_pointer = OpTypePointer StorageBuffer %block
%word_pointer = OpTypePointer StorageBuffer %uint
%id_pointer = OpTypePointer Input %v3uint
%buffer = OpVariable %block_pointer StorageBuffer
%id = OpVariable %id_pointer Input
%main = OpFunction %void None %main_type
%entry = OpLabel
%ids = OpLoad %v3uint %id
%x = OpCompositeExtract %uint %ids 0
%place = OpAccessChain %word_pointer %buffer %u0 %x
%old = OpLoad %uint %place
%new = )" + operation + R"( %uint %old %constant
OpStore %place %new
OpReturn
OpFunctionEnd
)");
}

}  // namespace

std::vector<uint32_t> adding_shader() {
  return element_shader("Shader", "OpIAdd");
}

std::vector<uint32_t> multiplying_shader() {
  return element_shader("Shader", "OpIMul");
}

std::vector<uint32_t> unsupported_shader() {
  return element_shader("Shader OpCapability RayTracingKHR", "OpIAdd");
}

ShaderTest::ShaderTest() : layout_(make_layout(0)) {}

ShaderTest::~ShaderTest() {
  for (; !undo_.empty(); undo_.pop_back()) undo_.back()();
}

VkShaderModule ShaderTest::make_module(const std::vector<uint32_t>& words) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words.size() * sizeof(uint32_t);
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateShaderModule(device(), &info, nullptr, &module), VK_SUCCESS);
  undo_.emplace_back([=, this] { entry::DestroyShaderModule(device(), module, nullptr); });
  return module;
}

VkPipelineLayout ShaderTest::make_layout(uint32_t binding) {
  const VkDescriptorSetLayoutBinding buffer{binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                            nullptr};
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &buffer;
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateDescriptorSetLayout(device(), &set_info, nullptr, &set), VK_SUCCESS);
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreatePipelineLayout(device(), &info, nullptr, &layout), VK_SUCCESS);
  entry::DestroyDescriptorSetLayout(device(), set, nullptr);
  undo_.emplace_back([=, this] { entry::DestroyPipelineLayout(device(), layout, nullptr); });
  return layout;
}

VkPipelineCache ShaderTest::make_cache(const std::vector<char>& data) {
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreatePipelineCache(device(), &info, nullptr, &cache), VK_SUCCESS);
  undo_.emplace_back([=, this] { entry::DestroyPipelineCache(device(), cache, nullptr); });
  return cache;
}

VkResult ShaderTest::create(const PipelineWish& wish, VkPipelineCache cache, VkPipeline* pipeline) {
  const VkSpecializationMapEntry constant{7, 0, sizeof(uint32_t)};
  const uint32_t value = wish.constant.value_or(0);
  const VkSpecializationInfo constants{1, &constant, sizeof(value), &value};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, wish.next, wish.flags};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                wish.stage_next,
                wish.stage_flags,
                VK_SHADER_STAGE_COMPUTE_BIT,
                wish.module,
                wish.entry_point,
                wish.constant ? &constants : nullptr};
  info.layout = wish.layout != VK_NULL_HANDLE ? wish.layout : layout_;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = entry::CreateComputePipelines(device(), cache, 1, &info, nullptr, &made);
  EXPECT_EQ(made != VK_NULL_HANDLE, result == VK_SUCCESS);
  if (pipeline != nullptr) {
    *pipeline = made;
  } else {
    entry::DestroyPipeline(device(), made, nullptr);
  }
  return result;
}

VkPipeline ShaderTest::create_or_fail(const PipelineWish& wish, VkPipelineCache cache) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(create(wish, cache, &pipeline), VK_SUCCESS);
  undo_.emplace_back([=, this] { entry::DestroyPipeline(device(), pipeline, nullptr); });
  return pipeline;
}

bool ShaderTest::is_cached(PipelineWish wish, VkPipelineCache cache) {
  wish.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  const VkResult result = create(wish, cache);
  EXPECT_TRUE(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED) << result;
  return result == VK_SUCCESS;
}

std::vector<std::string> ShaderTest::take_messages() {
  std::vector<std::string> texts;
  for (const Message& message : gpu.messages()) texts.push_back(message.text);
  texts.erase(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(messages_taken_));
  messages_taken_ += texts.size();
  return texts;
}

std::vector<char> ShaderTest::elf_of(VkPipeline pipeline) {
  size_t size = 0;
  const auto get = [&](void* data) {
    return entry::GetShaderInfoAMD(device(), pipeline, VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_INFO_TYPE_BINARY_AMD,
                                   &size, data);
  };
  EXPECT_EQ(get(nullptr), VK_SUCCESS);
  std::vector<char> bytes(size);
  EXPECT_EQ(get(bytes.data()), VK_SUCCESS);
  return bytes;
}

std::vector<char> ShaderTest::data_of(VkPipelineCache cache) {
  size_t size = 0;
  EXPECT_EQ(entry::GetPipelineCacheData(device(), cache, &size, nullptr), VK_SUCCESS);
  std::vector<char> bytes(size);
  EXPECT_EQ(entry::GetPipelineCacheData(device(), cache, &size, bytes.data()), VK_SUCCESS);
  return bytes;
}

}  // namespace spalt::icd::test
