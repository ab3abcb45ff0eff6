// SPDX-License-Identifier: MIT
//
// Bindings: what a dispatch sees is what was bound when it was recorded.
#include <array>

#include "command_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr const char* kStorePushed =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
    "layout(push_constant) uniform P { uint place; uint value; } p;"
    "void main() { x[p.place] = p.value; }";

/// x[0] of binding 1 goes to binding 0, at the number of the workgroup that x[1] says.
constexpr const char* kCopy =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer A { uint to[]; }; layout(binding = 1) buffer B { uint "
    "from[]; };"
    "void main() { to[from[1]] = from[0]; }";

class Bindings : public CommandTest {
 protected:
  Bindings() : CommandTest({{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}}) {}

  void push_constants(VkCommandBuffer commands, const Kernel& kernel, uint32_t offset,
                      const std::vector<uint32_t>& words) {
    entry::CmdPushConstants(commands, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, offset,
                            static_cast<uint32_t>(words.size() * 4), words.data());
  }
  void push_buffer(VkCommandBuffer commands, const Kernel& kernel, uint32_t binding, const TestBuffer& buffer) {
    const VkDescriptorBufferInfo described{buffer.handle(), 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, binding, 0, 1,
                                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,      nullptr, &described,     nullptr};
    entry::CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &write);
  }
};

TEST_F(Bindings, PushConstantsAreThoseOfTheirTime) {
  const TestBuffer& words = buffer(std::vector<uint32_t>(4));
  const Kernel store = kernel(kStorePushed, {.push_constant_bytes = 8});
  VkCommandBuffer commands = begin();
  bind(commands, store, set(store, {&words}));
  push_constants(commands, store, 0, {1, 10});
  entry::CmdDispatch(commands, 1, 1, 1);
  push_constants(commands, store, 0, {2});  // the value stays
  entry::CmdDispatch(commands, 1, 1, 1);
  push_constants(commands, store, 4, {30});
  push_constants(commands, store, 0, {3});
  entry::CmdDispatch(commands, 1, 1, 1);
  entry::CmdPushConstants(commands, store.layout, VK_SHADER_STAGE_VERTEX_BIT, 4, 4, &words);  // of another stage
  entry::CmdDispatch(commands, 1, 1, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(words), (std::vector<uint32_t>{0, 10, 10, 30}));
}

constexpr const char* kStoreMany =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer B { uint x[]; };"
    "layout(push_constant) uniform P { uint first, second, third, index; uint more[4]; } p;"
    "void main() { x[0] = p.first; x[1] = p.second; x[2] = p.third; x[3] = p.more[x[3]]; x[4] = 9u; }";

/// Invalid, but what programs do: the layout has a part of the shader's block.
TEST_F(Bindings, PushConstantsThatTheLayoutLacksAreZero) {
  for (const uint32_t bytes : {0u, 8u}) {
    const TestBuffer& words = buffer({5, 5, 5, 2, 5});
    const Kernel store = kernel(kStoreMany, {.push_constant_bytes = bytes});
    ASSERT_NE(store.pipeline, VkPipeline{VK_NULL_HANDLE});
    VkCommandBuffer commands = begin();
    bind(commands, store, set(store, {&words}));
    push_constants(commands, store, 0, {1, 0});
    entry::CmdDispatch(commands, 1, 1, 1);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    EXPECT_EQ(values(words), (std::vector<uint32_t>{bytes == 0 ? 0u : 1u, 0, 0, 0, 9}));
  }
}

TEST_F(Bindings, GraphicsHasItsOwn) {
  const TestBuffer& words = buffer({0});
  const TestBuffer& others = buffer({0});
  const Kernel store = kernel(kStorePushed, {.push_constant_bytes = 8});
  VkCommandBuffer commands = begin();
  bind(commands, store, set(store, {&words}));
  const VkDescriptorSet other = set(store, {&others});
  entry::CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, store.layout, 0, 1, &other, 0, nullptr);
  entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE);
  push_constants(commands, store, 0, {0, 7});
  entry::CmdDispatch(commands, 1, 1, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words.words()[0], 7u);
  EXPECT_EQ(others.words()[0], 0u);
}

TEST_F(Bindings, DynamicOffsetsAreThoseOfTheirTime) {
  const TestBuffer& words = buffer(std::vector<uint32_t>(64));
  const Kernel store =
      kernel(kStorePushed, {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, .push_constant_bytes = 8});
  const VkDescriptorSet dynamic = set(store, {&words}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 16);
  VkCommandBuffer commands = begin();
  entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, store.pipeline);
  for (const uint32_t offset : {0u, 64u, 128u, 252u}) {
    entry::CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, store.layout, 0, 1, &dynamic, 1, &offset);
    push_constants(commands, store, 0, {0, offset + 1});
    entry::CmdDispatch(commands, 1, 1, 1);
    push_constants(commands, store, 0, {4, 1000});  // outside of the range: nothing is written
    entry::CmdDispatch(commands, 1, 1, 1);
  }
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(64);
  expected[0] = 1;
  expected[16] = 65;
  expected[32] = 129;
  expected[63] = 253;
  EXPECT_EQ(values(words), expected);
}

TEST_F(Bindings, PushedDescriptorsAreThoseOfTheirTime) {
  const TestBuffer& to = buffer(std::vector<uint32_t>(4));
  const TestBuffer& first = buffer({11, 0});
  const TestBuffer& second = buffer({22, 1});
  const TestBuffer& third = buffer({33, 2});
  const Kernel copy =
      kernel(kCopy, {.bindings = 2, .set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR});
  VkCommandBuffer commands = begin();
  bind(commands, copy, VK_NULL_HANDLE);
  push_buffer(commands, copy, 0, to);
  push_buffer(commands, copy, 1, third);  // replaced before it is used
  push_buffer(commands, copy, 1, first);
  entry::CmdDispatch(commands, 1, 1, 1);
  push_buffer(commands, copy, 1, second);  // binding 0 stays
  entry::CmdDispatch(commands, 1, 1, 1);
  entry::CmdDispatch(commands, 1, 1, 1);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{11, 22, 0, 0}));
}

TEST_F(Bindings, ManyPushedDescriptors) {
  constexpr uint32_t kCount = 3000;  // more than a chunk of table memory
  const TestBuffer& to = buffer(std::vector<uint32_t>(kCount));
  const TestBuffer& from = buffer({1, 0});
  const Kernel copy = kernel(
      "layout(local_size_x = 1) in; layout(binding = 0) buffer A { uint to[]; };"
      "layout(binding = 1) buffer B { uint from[]; }; void main() { atomicAdd(to[0], from[0]); }",
      {.bindings = 2, .set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR});
  VkCommandBuffer commands = allocate();
  for (uint32_t round = 1; round <= 2; ++round) {
    begin(commands);
    bind(commands, copy, VK_NULL_HANDLE);
    push_buffer(commands, copy, 0, to);
    for (uint32_t i = 0; i < kCount; ++i) {
      push_buffer(commands, copy, 1, from);
      entry::CmdDispatch(commands, 1, 1, 1);
    }
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    EXPECT_EQ(to.words()[0], kCount * round);
  }
}

TEST_F(Bindings, TemplatesPushDescriptors) {
  const TestBuffer& to = buffer(std::vector<uint32_t>(2));
  const TestBuffer& from = buffer({44, 1});
  const Kernel copy =
      kernel(kCopy, {.bindings = 2, .set_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR});
  const VkDescriptorUpdateTemplateEntry entry_of_both{
      0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, sizeof(VkDescriptorBufferInfo)};
  VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry_of_both;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
  info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  info.pipelineLayout = copy.layout;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDescriptorUpdateTemplate(device(), &info, nullptr, &update), VK_SUCCESS);
  const std::array data = {VkDescriptorBufferInfo{to.handle(), 0, VK_WHOLE_SIZE},
                           VkDescriptorBufferInfo{from.handle(), 0, VK_WHOLE_SIZE}};
  VkCommandBuffer commands = begin();
  bind(commands, copy, VK_NULL_HANDLE);
  entry::CmdPushDescriptorSetWithTemplateKHR(commands, update, copy.layout, 0, data.data());
  entry::CmdDispatch(commands, 1, 1, 1);
  entry::DestroyDescriptorUpdateTemplate(device(), update, nullptr);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{0, 44}));
}

}  // namespace
}  // namespace spalt::icd::test
