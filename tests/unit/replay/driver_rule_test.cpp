// SPDX-License-Identifier: MIT
// The rule of `spalt replay` is that of the Vulkan driver, which has its own code for it: random pipeline layouts
// become the same user data.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>

#include "icd/layout/pipeline_layout.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay {
namespace {

constexpr VkDescriptorType kTypes[] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
    VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
};

/// One set in both forms.
struct Set {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  SetLayoutState state;
  std::unique_ptr<spalt::icd::DescriptorSetLayout> object;
};

Set random_set(std::mt19937& random) {
  const auto pick = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  Set set;
  uint32_t number = 0;
  for (uint32_t i = pick(6); i > 0; --i) {
    number += 1 + pick(3);
    const VkDescriptorType type = kTypes[pick(std::size(kTypes))];
    const uint32_t count = type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 4 * pick(20) : pick(5);
    set.bindings.push_back({number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    set.state.bindings.push_back({number, static_cast<uint32_t>(type), count, {}, {}});
  }
  // An application gives them in any order; the state is in the order of numbers.
  std::shuffle(set.bindings.begin(), set.bindings.end(), random);
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<uint32_t>(set.bindings.size());
  info.pBindings = set.bindings.data();
  set.object = std::make_unique<spalt::icd::DescriptorSetLayout>(info);
  return set;
}

std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>> rows_of(
    const std::vector<spalt_binding_location>& locations) {
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>> rows;
  for (const spalt_binding_location& l : locations) {
    rows.emplace_back(l.set, l.binding, l.kind, l.count, l.user_data_entry, l.offset, l.stride);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(UserDataRule, IsThatOfTheDriver) {
  std::mt19937 random(1);
  size_t places = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    std::vector<Set> sets;
    std::vector<VkDescriptorSetLayout> handles;
    ResolvedLayout resolved;
    for (unsigned i = random() % 5; i > 0; --i) sets.push_back(random_set(random));
    for (const Set& set : sets) {
      const bool null = random() % 8 == 0;
      handles.push_back(null ? VK_NULL_HANDLE : spalt::icd::to_handle(set.object.get()));
      resolved.sets.push_back(null ? nullptr : &set.state);
    }
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, static_cast<uint32_t>(4 * (random() % 8)),
                                    static_cast<uint32_t>(1 + random() % 64)};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = static_cast<uint32_t>(handles.size());
    info.pSetLayouts = handles.data();
    info.pushConstantRangeCount = round % 2;
    info.pPushConstantRanges = &range;
    resolved.push_constant_bytes = round % 2 == 1 ? range.offset + range.size : 0;

    const spalt::icd::PipelineLayoutContents theirs = spalt::icd::make_pipeline_layout(info);
    UserDataLayout ours;
    Problem problem;
    ASSERT_TRUE(lay_out_user_data(resolved, 128, ours, problem)) << problem.message;
    ASSERT_EQ(rows_of(ours.bindings), rows_of(theirs.locations)) << "round " << round;
    EXPECT_EQ(ours.push_constant_entry, theirs.push_constant_entry);
    EXPECT_EQ(ours.push_constant_dwords, theirs.push_constant_dwords);
    EXPECT_EQ(ours.entry_count(), theirs.entry_count);
    places += ours.bindings.size();
  }
  EXPECT_GT(places, 5000u);
}

}  // namespace
}  // namespace spalt_tool::replay
