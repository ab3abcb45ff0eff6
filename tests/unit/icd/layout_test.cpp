// SPDX-License-Identifier: MIT
//
// Set layouts as tables, and pipeline layouts as what the compiler gets.
#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

using LayoutTest = ResourceTest;

VkPipelineLayoutCreateInfo pipeline_info(const std::vector<VkDescriptorSetLayout>& sets,
                                         const std::vector<VkPushConstantRange>& ranges = {}) {
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = static_cast<uint32_t>(ranges.size());
  info.pPushConstantRanges = ranges.data();
  return info;
}

VkDescriptorSetLayoutCreateInfo set_info(const std::vector<VkDescriptorSetLayoutBinding>& bindings) {
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  return info;
}

TEST_F(LayoutTest, PlacesBindingsInOrderOfTheirNumbers) {
  VkDescriptorSetLayout handle =
      layout({binding(7, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3),
              binding(5, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 20),
              binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2),
              binding(2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2), binding(3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 0),
              binding(4, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE), binding(6, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)});
  const SetLayoutContents& contents = *from_handle<DescriptorSetLayout>(handle).contents;
  const auto offset = [&](uint32_t number) { return contents.find(number)->offset; };
  EXPECT_EQ(offset(0), 0u);
  EXPECT_EQ(offset(2), 48u);
  EXPECT_EQ(offset(3), 144u);
  EXPECT_EQ(offset(4), 144u);
  EXPECT_EQ(offset(5), 176u);
  EXPECT_EQ(offset(7), 208u) << "bindings begin at multiples of 16";
  EXPECT_EQ(contents.table_bytes, 224u);
  EXPECT_EQ(contents.dynamic_count, 3u);
  EXPECT_EQ(offset(1), 0u);
  EXPECT_EQ(offset(6), 32u) << "in the table of dynamic buffers";
  EXPECT_EQ(contents.find(6)->dynamic_index, 2u);
  EXPECT_EQ(contents.find(8), nullptr);
}

TEST_F(LayoutTest, BecomesUserData) {
  VkDescriptorSetLayout plain = layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2)});
  VkDescriptorSetLayout empty = layout({});
  VkDescriptorSetLayout dynamic = layout({binding(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)});
  VkDescriptorSetLayout both = layout(
      {binding(3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC), binding(4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2),
       binding(5, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 8), binding(6, VK_DESCRIPTOR_TYPE_SAMPLER, 0)});
  const PipelineLayoutContents contents =
      make_pipeline_layout(pipeline_info({plain, empty, dynamic, VK_NULL_HANDLE, both}, {{0, 8, 12}, {0, 0, 6}}));
  ASSERT_EQ(contents.entries.size(), 5u);
  EXPECT_EQ(contents.entries[0].table, 0u);
  EXPECT_EQ(contents.entries[0].dynamic_table, kNoEntry);
  EXPECT_EQ(contents.entries[1].table, kNoEntry);
  EXPECT_EQ(contents.entries[2].table, kNoEntry);
  EXPECT_EQ(contents.entries[2].dynamic_table, 1u);
  EXPECT_EQ(contents.entries[3].table, kNoEntry);
  EXPECT_EQ(contents.entries[4].table, 2u);
  EXPECT_EQ(contents.entries[4].dynamic_table, 3u);
  EXPECT_EQ(contents.push_constant_entry, 4u);
  EXPECT_EQ(contents.push_constant_dwords, 5u);
  EXPECT_EQ(contents.entry_count, 9u);

  const spalt_user_data_layout user_data = contents.user_data();
  EXPECT_EQ(user_data.binding_count, contents.locations.size());
  struct Row {
    uint32_t set, binding, count, entry, offset, stride, kind;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows;
  for (const spalt_binding_location& l : contents.locations) {
    rows.push_back({l.set, l.binding, l.count, l.user_data_entry, l.offset, l.stride, l.kind});
  }
  const std::vector<Row> wanted = {
      {0, 0, 2, 0, 0, 16, SPALT_BINDING_RAW_BUFFER}, {2, 0, 1, 1, 0, 16, SPALT_BINDING_RAW_BUFFER},
      {4, 3, 1, 3, 0, 16, SPALT_BINDING_RAW_BUFFER}, {4, 4, 2, 2, 0, 48, SPALT_BINDING_COMBINED_IMAGE_SAMPLER},
      {4, 4, 2, 2, 0, 48, SPALT_BINDING_IMAGE},      {4, 4, 2, 2, 32, 48, SPALT_BINDING_SAMPLER},
      {4, 5, 8, 2, 96, 1, SPALT_BINDING_INLINE_DATA}};
  EXPECT_TRUE(rows == wanted);
}

TEST_F(LayoutTest, IndependentSetsHaveTheirPlacesWhateverTheOthersAre) {
  VkDescriptorSetLayout plain = layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
  VkDescriptorSetLayout both =
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)});
  const auto make = [](const std::vector<VkDescriptorSetLayout>& sets) {
    const std::vector<VkPushConstantRange> ranges{{VK_SHADER_STAGE_ALL, 0, 12}};
    VkPipelineLayoutCreateInfo info = pipeline_info(sets, ranges);
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    return make_pipeline_layout(info);
  };
  const PipelineLayoutContents first = make({plain, VK_NULL_HANDLE, both}), second = make({VK_NULL_HANDLE, both});
  const PipelineLayoutContents merged = merge_pipeline_layouts(first, second);
  const PipelineLayoutContents whole = make({plain, both, both});
  ASSERT_EQ(merged.sets.size(), 3u);
  EXPECT_EQ(merged.sets, whole.sets);
  EXPECT_EQ(merged.entry_count, whole.entry_count);
  EXPECT_EQ(merged.push_constant_dwords, 3u);
  for (const PipelineLayoutContents* part : {&first, &second, &merged}) {
    EXPECT_EQ(part->push_constant_entry, whole.push_constant_entry);
    for (size_t i = 0; i < part->sets.size(); ++i) {
      if (part->sets[i] == nullptr) continue;
      EXPECT_EQ(part->entries[i].table, whole.entries[i].table) << i;
      EXPECT_EQ(part->entries[i].dynamic_table, whole.entries[i].dynamic_table) << i;
    }
  }
  EXPECT_EQ(merged.locations.size(), 5u);
  EXPECT_TRUE(is_part_of(first, merged));
  EXPECT_TRUE(is_part_of(second, merged));
  EXPECT_FALSE(is_part_of(merged, first));
  EXPECT_FALSE(is_part_of(first, make_pipeline_layout(pipeline_info({plain, both, both}, {{0, 0, 12}}))))
      << "the constants come last there";
  // No two things are in one place.
  EXPECT_EQ(whole.entries[0].table, 3u);
  EXPECT_EQ(whole.entries[1].table, 5u);
  EXPECT_EQ(whole.entries[1].dynamic_table, 6u);
  EXPECT_EQ(whole.entries[2].table, 7u);
  EXPECT_EQ(whole.entries[2].dynamic_table, 8u);
}

TEST_F(LayoutTest, OutlivesTheLayoutsThatItWasMadeFrom) {
  const std::vector<VkDescriptorSetLayoutBinding> bindings = {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)};
  const VkDescriptorSetLayoutCreateInfo info = set_info(bindings);
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateDescriptorSetLayout(device(), &info, nullptr, &set), VK_SUCCESS);
  const VkPipelineLayoutCreateInfo pipeline{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set, 0, nullptr};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreatePipelineLayout(device(), &pipeline, nullptr, &layout), VK_SUCCESS);
  entry::DestroyDescriptorSetLayout(device(), set, nullptr);
  const PipelineLayoutRef contents = from_handle<PipelineLayout>(layout).contents;
  entry::DestroyPipelineLayout(device(), layout, nullptr);
  EXPECT_EQ(contents->sets[0]->table_bytes, 16u);
  EXPECT_EQ(contents->locations[0].offset, 0u);
}

TEST_F(LayoutTest, RefusesWhatIsTooLarge) {
  const auto create = [&](const std::vector<VkDescriptorSetLayoutBinding>& bindings) {
    const VkDescriptorSetLayoutCreateInfo info = set_info(bindings);
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    const VkResult result = entry::CreateDescriptorSetLayout(device(), &info, nullptr, &layout);
    entry::DestroyDescriptorSetLayout(device(), layout, nullptr);
    VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    entry::GetDescriptorSetLayoutSupport(device(), &info, &support);
    EXPECT_EQ(support.supported == VK_TRUE, result == VK_SUCCESS);
    return result;
  };
  constexpr auto kImages = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  constexpr auto kDynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  EXPECT_EQ(create({binding(0, kImages, 1 << 20)}), VK_SUCCESS);
  EXPECT_EQ(create({binding(0, kImages, (1 << 20) + 1)}), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(create({binding(0, kImages, UINT32_MAX)}), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(create({binding(0, kImages, 1 << 19), binding(1, kImages, 1 << 19)}), VK_SUCCESS);
  EXPECT_EQ(create({binding(0, kImages, 1 << 19), binding(1, kImages, 1 << 19), binding(2, kImages)}),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(create({binding(0, kDynamic, 0x80000000), binding(1, kDynamic, 0x80000000)}), VK_ERROR_OUT_OF_DEVICE_MEMORY)
      << "counts must not wrap around";
  EXPECT_EQ(create({binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, UINT32_MAX)}), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_NE(create({binding(0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR)}), VK_SUCCESS);

  const std::vector<VkDescriptorSetLayout> sets(33, layout({}));
  VkPipelineLayout pipeline = VK_NULL_HANDLE;
  VkPipelineLayoutCreateInfo info = pipeline_info(sets);
  EXPECT_EQ(entry::CreatePipelineLayout(device(), &info, nullptr, &pipeline), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const VkPushConstantRange range{0, UINT32_MAX - 3, 8};
  info = pipeline_info({});
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  EXPECT_EQ(entry::CreatePipelineLayout(device(), &info, nullptr, &pipeline), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

/// All sets with both tables, and all push constants: the compiler takes it.
TEST_F(LayoutTest, FitsTheCompilerAtItsLargest) {
  VkDescriptorSetLayout both =
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)});
  const PipelineLayoutContents contents = make_pipeline_layout(
      pipeline_info(std::vector<VkDescriptorSetLayout>(kMaxBoundSets, both), {{0, 0, kMaxPushConstantBytes}}));
  EXPECT_EQ(contents.entry_count, 128u);
  EXPECT_LE(contents.entry_count, driver_device().physical().target().max_user_data_entries);
}

TEST_F(LayoutTest, TellsHowManyAVariableBindingMayHave) {
  const std::vector<VkDescriptorBindingFlags> flags = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags.data()};
  const std::vector<VkDescriptorSetLayoutBinding> bindings = {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 10),
                                                              binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 5)};
  VkDescriptorSetLayoutCreateInfo info = set_info(bindings);
  info.pNext = &flags_info;
  VkDescriptorSetVariableDescriptorCountLayoutSupport variable{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, &variable};
  entry::GetDescriptorSetLayoutSupport(device(), &info, &support);
  EXPECT_EQ(support.supported, VkBool32{VK_TRUE});
  EXPECT_EQ(variable.maxVariableDescriptorCount, (1u << 20) - 10);
  info.pNext = nullptr;
  entry::GetDescriptorSetLayoutSupport(device(), &info, &support);
  EXPECT_EQ(variable.maxVariableDescriptorCount, 0u);
}

}  // namespace
}  // namespace spalt::icd::test
