// SPDX-License-Identifier: MIT
//
// Descriptor pools: what they hold, how they run out, and that nothing is left behind when memory does.
#include <cstdlib>
#include <cstring>
#include <set>

#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr auto kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr auto kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr auto kBlock = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr VkDescriptorPoolCreateFlags kFree = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;

class PoolTest : public ResourceTest {
 protected:
  /// A new set, which must be there.
  VkDescriptorSet take(VkDescriptorPool pool, VkDescriptorSetLayout layout) const {
    VkDescriptorSet set = VK_NULL_HANDLE;
    EXPECT_EQ(allocate_set(pool, layout, set), VK_SUCCESS);
    return set;
  }
  VkResult failure(VkDescriptorPool pool, VkDescriptorSetLayout layout, const void* next = nullptr) const {
    VkDescriptorSet set = reinterpret_cast<VkDescriptorSet>(1);
    const VkResult result = allocate_set(pool, layout, set, next);
    EXPECT_EQ(set == VK_NULL_HANDLE, result != VK_SUCCESS);
    return result;
  }
  void give_back(VkDescriptorPool pool, VkDescriptorSet set) const {
    EXPECT_EQ(entry::FreeDescriptorSets(device(), pool, 1, &set), VK_SUCCESS);
  }
};

TEST_F(PoolTest, RunsOutOfSets) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer)});
  VkDescriptorPool pool = this->pool(2, {{kBuffer, 10}}, kFree);
  VkDescriptorSet first = take(pool, layout);
  take(pool, layout);
  EXPECT_EQ(failure(pool, layout), VK_ERROR_OUT_OF_POOL_MEMORY);
  give_back(pool, first);
  take(pool, layout);
}

TEST_F(PoolTest, RunsOutOfDescriptorsOfAType) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer, 2), binding(1, kUniform)});
  VkDescriptorPool pool = this->pool(10, {{kBuffer, 3}, {kUniform, 10}, {kBuffer, 2}}, kFree);
  VkDescriptorSet first = take(pool, layout);
  take(pool, layout);
  EXPECT_EQ(failure(pool, layout), VK_ERROR_OUT_OF_POOL_MEMORY);
  take(pool, this->layout({binding(0, kBuffer)}));
  EXPECT_EQ(failure(pool, this->layout({binding(0, kBuffer)})), VK_ERROR_OUT_OF_POOL_MEMORY);
  EXPECT_EQ(failure(pool, this->layout({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER)})), VK_ERROR_OUT_OF_POOL_MEMORY);
  give_back(pool, first);
  take(pool, layout);
}

TEST_F(PoolTest, HoldsInlineBlocksByTheirBytes) {
  const VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, nullptr, 4};
  VkDescriptorPool pool = this->pool(4, {{kBlock, 16}}, 0, &blocks);
  VkDescriptorSetLayout layout = this->layout({binding(0, kBlock, 4)});
  std::set<std::byte*> places;
  for (int i = 0; i < 4; ++i) places.insert(from_handle<DescriptorSet>(take(pool, layout)).host);
  EXPECT_EQ(places.size(), 4u) << "each has 16 bytes of its own";
  EXPECT_EQ(failure(pool, layout), VK_ERROR_OUT_OF_POOL_MEMORY);
}

TEST_F(PoolTest, MayBeEmpty) {
  VkDescriptorPool pool = this->pool(2, {});
  VkDescriptorSetLayout layout = this->layout({});
  EXPECT_NE(take(pool, layout), take(pool, layout));
  EXPECT_EQ(failure(pool, layout), VK_ERROR_OUT_OF_POOL_MEMORY);
  EXPECT_EQ(entry::ResetDescriptorPool(device(), pool, 0), VK_SUCCESS);
  take(pool, layout);
  this->pool(1, {{kBuffer, 0}});
}

TEST_F(PoolTest, CountsWhatAVariableBindingHas) {
  const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
  const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flags};
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer, 1000)}, 0, &flags_info);
  VkDescriptorPool pool = this->pool(10, {{kBuffer, 10}}, kFree);
  const auto counted = [](const uint32_t& count) {
    return VkDescriptorSetVariableDescriptorCountAllocateInfo{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO, nullptr, 1, &count};
  };
  const uint32_t none = 0, six = 6, seven = 7, four = 4;
  const auto info_none = counted(none), info_six = counted(six), info_seven = counted(seven), info_four = counted(four);
  VkDescriptorSet set = VK_NULL_HANDLE, large = VK_NULL_HANDLE;
  EXPECT_EQ(allocate_set(pool, layout, set), VK_SUCCESS) << "no count: none";
  EXPECT_EQ(from_handle<DescriptorSet>(set).table_bytes, 0u);
  EXPECT_EQ(allocate_set(pool, layout, set, &info_none), VK_SUCCESS);
  EXPECT_EQ(allocate_set(pool, layout, large, &info_six), VK_SUCCESS);
  EXPECT_EQ(from_handle<DescriptorSet>(large).table_bytes, 96u);
  EXPECT_EQ(failure(pool, layout, &info_seven), VK_ERROR_OUT_OF_POOL_MEMORY);
  EXPECT_EQ(allocate_set(pool, layout, set, &info_four), VK_SUCCESS);
  give_back(pool, large);
  EXPECT_EQ(allocate_set(pool, layout, set, &info_six), VK_SUCCESS);
}

TEST_F(PoolTest, FragmentsOnlyByFreeing) {
  VkDescriptorSetLayout one = layout({binding(0, kBuffer)}), two = layout({binding(0, kBuffer, 2)});
  VkDescriptorPool pool = this->pool(8, {{kBuffer, 8}}, kFree);
  std::vector<VkDescriptorSet> sets;
  for (int i = 0; i < 8; ++i) sets.push_back(take(pool, one));
  // The slab has 16 bytes to spare for each set, which come after them: fill those first.
  for (const size_t i : {0u, 2u, 4u, 6u}) give_back(pool, sets[i]);
  for (int i = 0; i < 2; ++i) take(pool, two);
  for (const size_t i : {1u, 5u}) give_back(pool, sets[i]);
  take(pool, two);
  EXPECT_EQ(entry::ResetDescriptorPool(device(), pool, 0), VK_SUCCESS);
  for (int i = 0; i < 4; ++i) take(pool, two);
  EXPECT_EQ(failure(pool, one), VK_ERROR_OUT_OF_POOL_MEMORY);
}

TEST_F(PoolTest, SaysWhenItIsFragmented) {
  VkDescriptorSetLayout large = layout({binding(0, kBuffer, 64)}), half = layout({binding(0, kBuffer, 32)});
  VkDescriptorPool pool = this->pool(4, {{kBuffer, 128}}, kFree);
  std::vector<VkDescriptorSet> sets;
  for (int i = 0; i < 4; ++i) sets.push_back(take(pool, half));
  give_back(pool, sets[0]);
  give_back(pool, sets[2]);
  EXPECT_EQ(failure(pool, large), VK_ERROR_FRAGMENTED_POOL);
  give_back(pool, sets[1]);
  take(pool, large);
}

/// Sets of one size never fragment a pool, in whatever order they come and go.
TEST_F(PoolTest, TakesEqualSetsInAnyOrder) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer, 3)});
  VkDescriptorPool pool = this->pool(16, {{kBuffer, 48}}, kFree);
  std::vector<VkDescriptorSet> sets;
  uint32_t random = 1;
  for (int step = 0; step < 5000; ++step) {
    random = random * 1664525 + 1013904223;
    if (sets.size() == 16 || (!sets.empty() && random >> 31 != 0)) {
      const size_t victim = (random >> 8) % sets.size();
      give_back(pool, sets[victim]);
      sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(victim));
    } else {
      sets.push_back(take(pool, layout));
      std::memset(from_handle<DescriptorSet>(sets.back()).host, static_cast<int>(step), 48);
    }
    std::set<std::byte*> places;
    for (VkDescriptorSet set : sets) places.insert(from_handle<DescriptorSet>(set).host);
    ASSERT_EQ(places.size(), sets.size());
  }
}

TEST_F(PoolTest, GivesZeroedTables) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer, 4)});
  VkDescriptorPool pool = this->pool(1, {{kBuffer, 4}});
  VkDescriptorSet set = take(pool, layout);
  std::memset(from_handle<DescriptorSet>(set).host, 0xff, 64);
  EXPECT_EQ(entry::ResetDescriptorPool(device(), pool, 0), VK_SUCCESS);
  set = take(pool, layout);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(from_handle<DescriptorSet>(set).host[i], std::byte{0});
}

TEST_F(PoolTest, GivesAllSetsOrNone) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer)});
  VkDescriptorPool pool = this->pool(3, {{kBuffer, 3}});
  const std::vector<VkDescriptorSetLayout> four(4, layout);
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 4, four.data()};
  std::vector<VkDescriptorSet> sets(4, reinterpret_cast<VkDescriptorSet>(1));
  EXPECT_EQ(entry::AllocateDescriptorSets(device(), &info, sets.data()), VK_ERROR_OUT_OF_POOL_MEMORY);
  for (VkDescriptorSet set : sets) EXPECT_EQ(set, VkDescriptorSet{VK_NULL_HANDLE});
  info.descriptorSetCount = 3;
  EXPECT_EQ(entry::AllocateDescriptorSets(device(), &info, sets.data()), VK_SUCCESS) << "the first three came back";
}

TEST_F(PoolTest, FreesNullHandles) {
  VkDescriptorPool pool = this->pool(1, {{kBuffer, 1}}, kFree);
  VkDescriptorSet set = take(pool, layout({binding(0, kBuffer)}));
  const VkDescriptorSet sets[] = {VK_NULL_HANDLE, set, VK_NULL_HANDLE};
  EXPECT_EQ(entry::FreeDescriptorSets(device(), pool, 3, sets), VK_SUCCESS);
  entry::DestroyDescriptorPool(device(), VK_NULL_HANDLE, nullptr);
}

TEST_F(PoolTest, MayNotBeLargerThanTheWindow) {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, UINT32_MAX};
  const std::vector<VkDescriptorPoolSize> sizes(8, size);
  const VkDescriptorPoolCreateInfo info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, UINT32_MAX, 8, sizes.data()};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateDescriptorPool(device(), &info, nullptr, &pool), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

/// Host memory that ends after some allocations.
struct Limited {
  int left = 0;
  int live = 0;

  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks callbacks{};
    callbacks.pUserData = this;
    callbacks.pfnAllocation = [](void* user, size_t size, size_t alignment, VkSystemAllocationScope) -> void* {
      auto* self = static_cast<Limited*>(user);
      if (self->left-- <= 0) return nullptr;
      ++self->live;
      return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    };
    callbacks.pfnReallocation = [](void*, void*, size_t, size_t, VkSystemAllocationScope) -> void* { return nullptr; };
    callbacks.pfnFree = [](void* user, void* memory) {
      if (memory != nullptr) --static_cast<Limited*>(user)->live;
      std::free(memory);
    };
    return callbacks;
  }
};

TEST_F(PoolTest, LeavesNothingBehindWhenHostMemoryEnds) {
  VkDescriptorSetLayout layout = this->layout({binding(0, kBuffer)});
  const VkDescriptorPoolSize size{kBuffer, 3};
  const VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 3, 1, &size};
  const std::vector<VkDescriptorSetLayout> layouts(3, layout);
  int successes = 0;
  for (int limit = 0; limit < 8; ++limit) {
    Limited limited{limit};
    const VkAllocationCallbacks callbacks = limited.callbacks();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkResult result = entry::CreateDescriptorPool(device(), &info, &callbacks, &pool);
    if (result == VK_SUCCESS) {
      const VkDescriptorSetAllocateInfo sets_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 3,
                                                  layouts.data()};
      VkDescriptorSet sets[3];
      result = entry::AllocateDescriptorSets(device(), &sets_info, sets);
      if (result != VK_SUCCESS) {
        EXPECT_EQ(limited.live, 1) << "the pool alone";
      }
      entry::DestroyDescriptorPool(device(), pool, &callbacks);
    }
    EXPECT_TRUE(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
    successes += result == VK_SUCCESS;
    EXPECT_EQ(limited.live, 0);
  }
  EXPECT_EQ(successes, 4) << "a pool with three sets takes four allocations";
}

}  // namespace
}  // namespace spalt::icd::test
