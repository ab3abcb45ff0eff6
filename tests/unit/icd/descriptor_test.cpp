// SPDX-License-Identifier: MIT
//
// Descriptors as bits: writes, copies, templates, dynamic offsets, and what of them outlives handles.
#include "emu/memory/descriptor.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "amdgpu/isa/target.h"
#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

using DescriptorTest = ResourceTest;
constexpr DescribedBuffer kNull{};

uint64_t address_of(VkBuffer buffer) {
  return from_handle<Buffer>(buffer).address();
}

/// The emulator reads descriptors with code of its own.
TEST(BufferDescriptor, IsWhatTheEmulatorReads) {
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    const char* name = spalt_target_name(i);
    constexpr uint64_t kAddress = 0x7fff'1234'5678;
    constexpr uint32_t kSize = 0xffff'fff1;
    const auto words = spalt_api::Compiler(name).buffer_descriptor(kAddress, kSize);
    const emu::BufferDescriptor read = emu::decode_descriptor(words, *isa::find_target(name));
    EXPECT_EQ(read.base, kAddress) << name;
    EXPECT_EQ(read.num_records, kSize) << name;
    EXPECT_EQ(read.stride, 0u) << name;
    EXPECT_FALSE(read.swizzle || read.add_tid) << name;
    EXPECT_TRUE(read.oob_select == emu::kOobRaw || read.oob_select == emu::kOobByUse) << name;
  }
}

TEST(BufferDescriptor, IsRefusedWhenItDoesNotFit) {
  const spalt_api::Compiler compiler("gfx1030");
  auto info = spalt_api::sized<spalt_buffer_descriptor_info>();
  uint32_t words[4] = {1, 2, 3, 4};
  const auto write = [&] { return spalt_write_buffer_descriptor(compiler.handle(), &info, words); };
  EXPECT_EQ(spalt_write_buffer_descriptor(nullptr, &info, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_buffer_descriptor(compiler.handle(), nullptr, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_buffer_descriptor(compiler.handle(), &info, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  info.size = uint64_t{1} << 32;
  EXPECT_EQ(write(), SPALT_ERROR_INVALID_ARGUMENT);
  info.size = 4;
  info.address = uint64_t{1} << 48;
  EXPECT_EQ(write(), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(words[0], 1u) << "nothing is written on failure";
  info.size = 0;
  EXPECT_EQ(write(), SPALT_SUCCESS) << "the null descriptor has no address";
  EXPECT_EQ(std::accumulate(words, words + 4, 0u), 0u);
}

TEST(VertexBufferDescriptor, CountsTheElementsThatTheBufferHas) {
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    const char* name = spalt_target_name(i);
    const spalt_api::Compiler compiler(name);
    const auto describe = [&](uint64_t size, uint32_t stride, uint32_t element) {
      auto info = spalt_api::sized<spalt_vertex_buffer_descriptor_info>();
      info.address = 0x7fff'1234'5678;
      info.size = size;
      info.stride = stride;
      info.element_size = element;
      std::array<uint32_t, 4> words{};
      EXPECT_EQ(spalt_write_vertex_buffer_descriptor(compiler.handle(), &info, words.data()), SPALT_SUCCESS);
      return emu::decode_descriptor(words, *isa::find_target(name));
    };
    EXPECT_EQ(describe(64, 16, 16).base, 0x7fff'1234'5678) << name;
    EXPECT_EQ(describe(64, 16, 16).stride, 16u) << name;
    EXPECT_EQ(describe(64, 16, 16).num_records, 4u) << name;
    EXPECT_EQ(describe(63, 16, 16).num_records, 3u) << "the last one is not whole: " << name;
    EXPECT_EQ(describe(60, 16, 12).num_records, 4u) << "nobody reads its last bytes: " << name;
    EXPECT_EQ(describe(11, 16, 12).num_records, 0u) << name;
    EXPECT_EQ(describe(40, 0, 12).num_records, 40u) << "bytes, without a stride: " << name;
    const auto oob = describe(64, 16, 16).oob_select;
    EXPECT_TRUE(oob == emu::kOobIndex || oob == emu::kOobByUse) << name;
  }
}

TEST(VertexBufferDescriptor, IsRefusedWhenItDoesNotFit) {
  const spalt_api::Compiler compiler("gfx1030");
  auto info = spalt_api::sized<spalt_vertex_buffer_descriptor_info>();
  uint32_t words[4];
  const auto write = [&] { return spalt_write_vertex_buffer_descriptor(compiler.handle(), &info, words); };
  EXPECT_EQ(spalt_write_vertex_buffer_descriptor(nullptr, &info, words), SPALT_ERROR_INVALID_ARGUMENT);
  info.size = 4;
  info.stride = 1 << 14;
  EXPECT_EQ(write(), SPALT_ERROR_INVALID_ARGUMENT);
  info.stride = 4;
  info.address = uint64_t{1} << 48;
  EXPECT_EQ(write(), SPALT_ERROR_INVALID_ARGUMENT);
  info.address = 0;
  EXPECT_EQ(write(), SPALT_SUCCESS);
}

TEST_F(DescriptorTest, SaysWhereTheBufferIs) {
  VkDescriptorSet set = this->set(layout({binding(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4)}));
  VkBuffer buffer = bound_buffer(1000);
  write_buffer(set, 2, {buffer, 0, VK_WHOLE_SIZE}, 0);
  write_buffer(set, 2, {buffer, 100, 7}, 1);
  write_buffer(set, 2, {buffer, 900, 200}, 3);
  EXPECT_EQ(described(set, 0).address, address_of(buffer));
  EXPECT_EQ(described(set, 0).size, 1000u);
  EXPECT_EQ(described(set, 16).address, address_of(buffer) + 100);
  EXPECT_EQ(described(set, 16).size, 7u);
  EXPECT_EQ(described(set, 32), kNull) << "never written";
  EXPECT_EQ(described(set, 48).size, 100u) << "ranges end with the buffer";
}

TEST_F(DescriptorTest, OfNoBufferIsNull) {
  VkDescriptorSet set = this->set(layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)}));
  write_buffer(set, 0, {bound_buffer(64), 0, VK_WHOLE_SIZE});
  EXPECT_NE(described(set, 0), kNull);
  write_buffer(set, 0, {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE});
  EXPECT_EQ(described(set, 0), kNull);
}

TEST_F(DescriptorTest, FollowsNoHandleAfterItWasWritten) {
  VkDescriptorSetLayout layout =
      this->layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                    binding(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)});
  VkDescriptorSet first = set(layout), second = set(layout);
  DescribedBuffer before;
  {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, 256};
    VkBuffer buffer = VK_NULL_HANDLE;
    ASSERT_EQ(entry::CreateBuffer(device(), &info, nullptr, &buffer), VK_SUCCESS);
    ASSERT_EQ(entry::BindBufferMemory(device(), buffer, memory(256), 0), VK_SUCCESS);
    write_buffer(first, 0, {buffer, 0, 256});
    write_buffer(first, 2, {buffer, 0, 128}, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC);
    before = described(first, 0);
    entry::DestroyBuffer(device(), buffer, nullptr);
  }
  // Dead handles may be in a set; copying them copies bits.
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, first, 0, 0, second, 1, 0, 1};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  EXPECT_EQ(described(second, 16), before);
  const uint32_t offset = 64;
  std::byte table[16];
  write_dynamic_table(driver_device(), from_handle<DescriptorSet>(first), &offset, table);
  EXPECT_EQ(described(table).address, before.address + 64);
}

TEST_F(DescriptorTest, OutlivesItsLayout) {
  const VkDescriptorSetLayoutBinding one = binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1, &one};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDescriptorSetLayout(device(), &info, nullptr, &layout), VK_SUCCESS);
  VkDescriptorSet set = this->set(layout);
  entry::DestroyDescriptorSetLayout(device(), layout, nullptr);
  write_buffer(set, 0, {bound_buffer(64), 0, VK_WHOLE_SIZE});
  EXPECT_EQ(described(set, 0).size, 64u);
}

/// "Consecutive binding updates": a write runs on into the following bindings, and skips those without elements.
TEST_F(DescriptorTest, RunsOnIntoTheNextBinding) {
  VkDescriptorSet set = this->set(
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0),
              binding(4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3)}));
  VkBuffer buffer = bound_buffer(1024);
  const std::vector<VkDescriptorBufferInfo> infos = {{buffer, 0, 1}, {buffer, 0, 2}, {buffer, 0, 3}, {buffer, 0, 4}};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 1, 4,
                             VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  write.pBufferInfo = infos.data();
  entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  const auto sizes = [&] {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < 5; ++i) list.push_back(described(set, i * 16).size);
    return list;
  };
  EXPECT_EQ(sizes(), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  // Copies, too, on both sides; here within one set, where places overlap element by element.
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, set, 0, 1, set, 0, 0, 4};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  EXPECT_EQ(sizes(), (std::vector<uint32_t>{1, 2, 3, 4, 4}));
  // A write beyond the layout is invalid; what is inside gets written.
  write.dstBinding = 4;
  write.dstArrayElement = 2;
  entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  EXPECT_EQ(sizes(), (std::vector<uint32_t>{1, 2, 3, 4, 1}));
}

TEST_F(DescriptorTest, HoldsInlineBytes) {
  VkDescriptorSet set = this->set(
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 24),
              binding(2, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 8)}));
  std::vector<uint8_t> bytes(16);
  std::iota(bytes.begin(), bytes.end(), 1);
  const VkWriteDescriptorSetInlineUniformBlock block{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
                                                     nullptr, 16, bytes.data()};
  const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block, set, 1, 12, 16,
                                   VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
  entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  const std::byte* table = from_handle<DescriptorSet>(set).host;
  EXPECT_EQ(std::memcmp(table + 16 + 12, bytes.data(), 12), 0);
  EXPECT_EQ(std::memcmp(table + 48, bytes.data() + 12, 4), 0) << "the rest is in the next block";
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, set, 1, 12, set, 1, 0, 8};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  EXPECT_EQ(std::memcmp(table + 16, bytes.data(), 8), 0);
  EXPECT_EQ(described(set, 0), kNull);
}

TEST_F(DescriptorTest, OfDynamicBuffersTakesOffsets) {
  constexpr auto kDynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  VkDescriptorSet set =
      this->set(layout({binding(0, kDynamic), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(2, kDynamic, 3)}));
  VkBuffer buffer = bound_buffer(1000);
  write_buffer(set, 0, {buffer, 100, 200}, 0, kDynamic);
  write_buffer(set, 2, {buffer, 200, VK_WHOLE_SIZE}, 0, kDynamic);
  write_buffer(set, 2, {buffer, 500, 300}, 2, kDynamic);
  EXPECT_EQ(from_handle<DescriptorSet>(set).table_bytes, 16u) << "they are not in the table of the set";
  std::byte table[64];
  const auto check = [&](const std::vector<uint32_t>& offsets, const std::vector<uint32_t>& sizes) {
    write_dynamic_table(driver_device(), from_handle<DescriptorSet>(set), offsets.data(), table);
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(described(table + 16 * i).size, sizes[i]) << i;
  };
  check({0, 0, 0, 0}, {200, 800, 0, 300});
  check({64, 0, 4096, 200}, {200, 800, 0, 300});
  EXPECT_EQ(described(table).address, address_of(buffer) + 164);
  EXPECT_EQ(described(table + 48).address, address_of(buffer) + 700);
  check({800, 900, 0, 201}, {100, 0, 0, 299});
  check({UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0, 0});
}

TEST_F(DescriptorTest, ComesFromTemplates) {
  VkDescriptorSet set = this->set(
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2), binding(1, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 8),
              binding(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)}));
  VkBuffer buffer = bound_buffer(1000);
  struct Data {
    uint32_t inline_words[2];
    struct {
      VkDescriptorBufferInfo info;
      uint64_t other;
    } buffers[2];
    VkDescriptorBufferInfo dynamic;
  };
  const Data data{{11, 12}, {{{buffer, 0, 10}, 0}, {{buffer, 0, 20}, 0}}, {buffer, 8, 30}};
  const std::vector<VkDescriptorUpdateTemplateEntry> entries = {
      {0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(Data, buffers), sizeof data.buffers[0]},
      {1, 4, 4, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, offsetof(Data, inline_words) + 4, 0},
      {2, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, offsetof(Data, dynamic), 0}};
  VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = static_cast<uint32_t>(entries.size());
  info.pDescriptorUpdateEntries = entries.data();
  VkDescriptorUpdateTemplate handle = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDescriptorUpdateTemplate(device(), &info, nullptr, &handle), VK_SUCCESS);
  entry::UpdateDescriptorSetWithTemplate(device(), set, handle, &data);
  entry::DestroyDescriptorUpdateTemplate(device(), handle, nullptr);
  EXPECT_EQ(described(set, 0).size, 10u);
  EXPECT_EQ(described(set, 16).size, 20u);
  const uint32_t inline_words[2] = {0, 12};
  EXPECT_EQ(std::memcmp(from_handle<DescriptorSet>(set).host + 32, inline_words, 8), 0);
  EXPECT_EQ(from_handle<DescriptorSet>(set).dynamic[0].range.size, 30u);
}

/// Push descriptors are written the same way, into a table of the command buffer.
TEST_F(DescriptorTest, GoesToTablesOfOthers) {
  VkDescriptorSetLayout layout = this->layout({binding(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)},
                                              VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const SetLayoutRef contents = from_handle<DescriptorSetLayout>(layout).contents;
  EXPECT_TRUE(contents->push);
  std::byte bytes[16];
  const VkDescriptorBufferInfo info{bound_buffer(100), 4, 8};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, 1, 0, 1,
                             VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
  write.pBufferInfo = &info;
  write_descriptors(driver_device(), {contents.get(), bytes, 0, nullptr}, write);
  EXPECT_EQ(described(bytes).size, 8u);
}

/// The array that the type does not ask for may point anywhere.
TEST_F(DescriptorTest, LooksOnlyAtTheArrayOfItsType) {
  VkDescriptorSet set = this->set(
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
              binding(2, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)}));
  const VkDescriptorBufferInfo buffer{bound_buffer(100), 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image{};
  const VkBufferView view = VK_NULL_HANDLE;
  auto* nowhere = reinterpret_cast<void*>(8);
  std::vector<VkWriteDescriptorSet> writes(
      3, {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          static_cast<VkDescriptorImageInfo*>(nowhere), static_cast<VkDescriptorBufferInfo*>(nowhere),
          static_cast<VkBufferView*>(nowhere)});
  writes[0].pBufferInfo = &buffer;
  writes[1].dstBinding = 1;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  writes[1].pImageInfo = &image;
  writes[2].dstBinding = 2;
  writes[2].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  writes[2].pTexelBufferView = &view;
  entry::UpdateDescriptorSets(device(), 3, writes.data(), 0, nullptr);
  EXPECT_EQ(described(set, 0).size, 100u);
  for (const uint32_t offset : {16u, 32u, 48u, 64u}) EXPECT_EQ(described(set, offset), kNull);
}

}  // namespace
}  // namespace spalt::icd::test
