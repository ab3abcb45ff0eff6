// SPDX-License-Identifier: MIT
//
// Tables of descriptors in buffers of the application.
#include <cstring>

#include "command_fixture.h"
#include "icd/layout/set_layout.h"

namespace spalt::icd::test {
namespace {

constexpr VkBufferUsageFlags kDescriptors = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkDescriptorSetLayoutCreateFlags kSetFlags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr uint32_t kTableWords = 8;  // two storage buffers

constexpr const char* kAdd =
    "layout(local_size_x = 1) in; layout(binding = 0) buffer A { uint to[]; }; layout(binding = 1) buffer B { uint "
    "from[]; };"
    "void main() { to[0] += from[0]; }";

/// Each dword of binding 1 goes to the same place of binding 0.
constexpr const char* kCopyAll =
    "layout(local_size_x = 8) in; layout(binding = 0) buffer A { uint to[]; }; layout(binding = 1) buffer B { uint "
    "from[]; };"
    "void main() { to[gl_LocalInvocationIndex] = from[gl_LocalInvocationIndex]; }";

class DescriptorBufferTest : public CommandTest {
 protected:
  DescriptorBufferTest() : CommandTest({{VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME}}) {}

  Kernel table_kernel(const char* text) {
    return kernel(text, {.bindings = 2, .set_flags = kSetFlags, .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT});
  }
  /// The descriptor of a storage buffer, or of none, at that binding of the table that begins there.
  void write(const Kernel& kernel, uint32_t* table, uint32_t binding, const TestBuffer* described) {
    VkDescriptorAddressInfoEXT where{VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT};
    if (described != nullptr) {
      where.address = described->address();
      where.range = described->words().size() * 4;
    }
    VkDescriptorGetInfoEXT info{VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT};
    info.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    info.data.pStorageBuffer = described != nullptr ? &where : nullptr;
    VkDeviceSize offset = 0;
    entry::GetDescriptorSetLayoutBindingOffsetEXT(device(), kernel.set_layout, binding, &offset);
    entry::GetDescriptorEXT(device(), &info, 16, reinterpret_cast<std::byte*>(table) + offset);
  }
  static void bind_tables(VkCommandBuffer commands, const TestBuffer& tables) {
    const VkDescriptorBufferBindingInfoEXT info{VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT, nullptr,
                                                tables.address(), kDescriptors};
    entry::CmdBindDescriptorBuffersEXT(commands, 1, &info);
  }
  static void dispatch(VkCommandBuffer commands, const Kernel& kernel, VkDeviceSize offset) {
    const uint32_t index = 0;
    entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
    entry::CmdSetDescriptorBufferOffsetsEXT(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &index,
                                            &offset);
    entry::CmdDispatch(commands, 1, 1, 1);
    barrier(commands);
  }
};

TEST_F(DescriptorBufferTest, OffsetsChooseTables) {
  const TestBuffer &sum = buffer({1}), &five = buffer({5}), &seventy = buffer({70});
  const TestBuffer& tables = buffer(std::vector<uint32_t>(3 * kTableWords), kDescriptors);
  const Kernel add = table_kernel(kAdd);
  const TestBuffer* sources[] = {&five, &seventy, nullptr};
  for (uint32_t i = 0; i < 3; ++i) {
    write(add, tables.words().data() + i * kTableWords, 0, &sum);
    write(add, tables.words().data() + i * kTableWords, 1, sources[i]);
  }
  VkCommandBuffer commands = begin();
  bind_tables(commands, tables);
  for (const VkDeviceSize table : {1, 0, 2, 1}) dispatch(commands, add, table * kTableWords * 4);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(sum), std::vector<uint32_t>{1 + 70 + 5 + 0 + 70}) << "no buffer reads as 0";
}

TEST_F(DescriptorBufferTest, ShadersMayWriteDescriptors) {
  const TestBuffer &sum = buffer({1}), &nine = buffer({9});
  const TestBuffer& tables = buffer(std::vector<uint32_t>(2 * kTableWords), kDescriptors);
  const TestBuffer& made = buffer(std::vector<uint32_t>(kTableWords));
  const Kernel add = table_kernel(kAdd), copy = table_kernel(kCopyAll);
  write(add, made.words().data(), 0, &sum);
  write(add, made.words().data(), 1, &nine);
  write(copy, tables.words().data() + kTableWords, 0, &tables);
  write(copy, tables.words().data() + kTableWords, 1, &made);
  VkCommandBuffer commands = begin();
  bind_tables(commands, tables);
  dispatch(commands, copy, kTableWords * 4);
  dispatch(commands, add, 0);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(sum), std::vector<uint32_t>{10});
}

TEST_F(DescriptorBufferTest, AreAsLargeAsInSets) {
  VkPhysicalDeviceDescriptorBufferPropertiesEXT limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  entry::GetPhysicalDeviceProperties2(gpu.physical(), &properties);
  EXPECT_EQ(limits.samplerDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_SAMPLER));
  EXPECT_EQ(limits.combinedImageSamplerDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER));
  EXPECT_EQ(limits.sampledImageDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE));
  EXPECT_EQ(limits.storageImageDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE));
  EXPECT_EQ(limits.inputAttachmentDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT));
  EXPECT_EQ(limits.uniformTexelBufferDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER));
  EXPECT_EQ(limits.storageTexelBufferDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER));
  EXPECT_EQ(limits.uniformBufferDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER));
  EXPECT_EQ(limits.storageBufferDescriptorSize, descriptor_bytes(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
  EXPECT_EQ(limits.maxEmbeddedImmutableSamplers, kMaxSetDescriptors);
}

TEST_F(DescriptorBufferTest, LayoutsSayTheirPlaces) {
  const Kernel add = table_kernel(kAdd);
  VkDeviceSize size = 0, offset = 0;
  entry::GetDescriptorSetLayoutSizeEXT(device(), add.set_layout, &size);
  EXPECT_EQ(size, kTableWords * 4);
  entry::GetDescriptorSetLayoutBindingOffsetEXT(device(), add.set_layout, 1, &offset);
  EXPECT_EQ(offset, 16u);
}

}  // namespace
}  // namespace spalt::icd::test
