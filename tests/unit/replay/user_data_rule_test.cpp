// SPDX-License-Identifier: MIT
// The tables here were worked out by hand from the rule in words.
#include "replay/user_data_rule.h"

#include <gtest/gtest.h>

#include <tuple>

#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

using namespace vulkan;

SetBindingState binding(uint32_t number, uint32_t type, uint32_t count, std::vector<uint32_t> mutable_types = {}) {
  return {number, type, count, {}, std::move(mutable_types)};
}

struct Place {
  uint32_t set, binding, kind, count, entry, offset, stride;
};
bool operator==(const spalt_binding_location& a, const Place& b) {
  return std::tie(a.set, a.binding, a.kind, a.count, a.user_data_entry, a.offset, a.stride) ==
         std::tie(b.set, b.binding, b.kind, b.count, b.entry, b.offset, b.stride);
}

void expect_places(const UserDataLayout& layout, const std::vector<Place>& places) {
  ASSERT_EQ(layout.bindings.size(), places.size());
  for (size_t i = 0; i < places.size(); ++i) EXPECT_TRUE(layout.bindings[i] == places[i]) << "place " << i;
}

/// A layout that owns its sets.
struct OwnLayout {
  std::vector<SetLayoutState> sets;
  uint32_t push_constant_bytes = 0;

  ResolvedLayout resolved() const {
    ResolvedLayout layout;
    for (const SetLayoutState& set : sets) layout.sets.push_back(set.bindings.empty() ? nullptr : &set);
    layout.push_constant_bytes = push_constant_bytes;
    return layout;
  }
};

UserDataLayout lay_out(const OwnLayout& layout) {
  UserDataLayout result;
  Problem problem;
  EXPECT_TRUE(lay_out_user_data(layout.resolved(), 128, result, problem)) << problem.message;
  return result;
}

TEST(UserDataRule, BindingsFollowEachOtherInTheTable) {
  OwnLayout layout;
  layout.sets.push_back(
      {0,
       {binding(0, kSampler, 2), binding(1, kCombinedImageSampler, 3), binding(2, kStorageBuffer, 2),
        binding(4, kSampledImage, 1), binding(5, kUniformTexelBuffer, 1), binding(6, kInlineUniformBlock, 20),
        binding(7, kStorageImage, 0), binding(9, kUniformBuffer, 1)}});
  expect_places(lay_out(layout), {{0, 0, SPALT_BINDING_SAMPLER, 2, 0, 0, 16},
                                  {0, 1, SPALT_BINDING_COMBINED_IMAGE_SAMPLER, 3, 0, 32, 48},
                                  {0, 1, SPALT_BINDING_IMAGE, 3, 0, 32, 48},
                                  {0, 1, SPALT_BINDING_SAMPLER, 3, 0, 64, 48},
                                  {0, 2, SPALT_BINDING_RAW_BUFFER, 2, 0, 176, 16},
                                  {0, 4, SPALT_BINDING_IMAGE, 1, 0, 208, 32},
                                  {0, 5, SPALT_BINDING_TYPED_BUFFER, 1, 0, 240, 16},
                                  {0, 6, SPALT_BINDING_INLINE_DATA, 20, 0, 256, 1},
                                  {0, 9, SPALT_BINDING_RAW_BUFFER, 1, 0, 288, 16}});
}

TEST(UserDataRule, DynamicBuffersHaveATableOfTheirOwn) {
  OwnLayout layout;
  layout.sets = {
      {0, {binding(0, kStorageBuffer, 1)}},
      {0, {binding(0, kUniformBufferDynamic, 2), binding(1, kStorageBuffer, 1), binding(2, kStorageBufferDynamic, 1)}},
      {},
      {0, {binding(3, kStorageBufferDynamic, 1)}},
      {0, {binding(3, kStorageBuffer, 1)}}};
  layout.push_constant_bytes = 21;
  const UserDataLayout result = lay_out(layout);
  expect_places(result, {{0, 0, SPALT_BINDING_RAW_BUFFER, 1, 0, 0, 16},
                         {1, 0, SPALT_BINDING_RAW_BUFFER, 2, 2, 0, 16},
                         {1, 1, SPALT_BINDING_RAW_BUFFER, 1, 1, 0, 16},
                         {1, 2, SPALT_BINDING_RAW_BUFFER, 1, 2, 32, 16},
                         {3, 3, SPALT_BINDING_RAW_BUFFER, 1, 3, 0, 16},
                         {4, 3, SPALT_BINDING_RAW_BUFFER, 1, 4, 0, 16}});
  EXPECT_EQ(result.push_constant_entry, 5u);
  EXPECT_EQ(result.push_constant_dwords, 6u);
}

TEST(UserDataRule, AMutableDescriptorHasAPlaceAsEachOfItsTypes) {
  OwnLayout layout;
  layout.sets.push_back(
      {0,
       {binding(0, kMutable, 4, {kSampledImage, kStorageBuffer, kUniformBuffer, kStorageImage}),
        binding(1, kMutable, 1, {kStorageBuffer, kUniformTexelBuffer}), binding(2, kStorageBuffer, 1)}});
  expect_places(lay_out(layout), {{0, 0, SPALT_BINDING_IMAGE, 4, 0, 0, 32},
                                  {0, 0, SPALT_BINDING_RAW_BUFFER, 4, 0, 0, 32},
                                  {0, 1, SPALT_BINDING_RAW_BUFFER, 1, 0, 128, 16},
                                  {0, 1, SPALT_BINDING_TYPED_BUFFER, 1, 0, 128, 16},
                                  {0, 2, SPALT_BINDING_RAW_BUFFER, 1, 0, 144, 16}});
}

std::string refusal(const OwnLayout& layout) {
  UserDataLayout result;
  Problem problem;
  EXPECT_FALSE(lay_out_user_data(layout.resolved(), 128, result, problem));
  EXPECT_EQ(problem.cause, Cause::unsupported);
  return problem.message;
}

TEST(UserDataRule, RefusesWhatHasNoPlace) {
  OwnLayout layout;
  layout.sets.push_back({0, {binding(7, kAccelerationStructure, 1)}});
  EXPECT_EQ(refusal(layout), "set 0 binding 7 is of descriptor type 1000150000, which is not supported");
  layout.sets[0] = {0, {binding(7, kStorageBuffer, UINT32_MAX)}};
  EXPECT_EQ(refusal(layout), "set 0 binding 7 ends beyond 4 GiB of the set's table");
  layout.sets[0] = {0, {binding(7, kInlineUniformBlock, UINT32_MAX)}};
  EXPECT_EQ(refusal(layout), "set 0 binding 7 has more bytes than a table can have");
  layout.sets[0] = {0, {binding(7, kMutable, 1, {kStorageBuffer, 12345})}};
  EXPECT_EQ(refusal(layout), "set 0 binding 7 may be of descriptor type 12345, which is not supported");
  layout.sets[0] = {};
  layout.push_constant_bytes = 4 * 128;
  lay_out(layout);
  layout.push_constant_bytes += 1;
  EXPECT_EQ(refusal(layout), "the pipeline layout needs 129 user-data entries of 128");
}

}  // namespace
}  // namespace spalt_tool::replay
