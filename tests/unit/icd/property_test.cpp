// SPDX-License-Identifier: MIT
//
// Structs that applications chain to queries: every member of every one is written, whatever was there before.
#include <cstddef>
#include <cstring>
#include <map>
#include <vector>

#include "icd/object/registry.h"
#include "test_device.h"

namespace spalt::icd::test {
namespace {

struct Member {
  std::string name;
  size_t offset, size;
};
using Structs = std::map<VkStructureType, std::vector<Member>>;

Structs feature_structs() {
  Structs structs;
#define MEMBER(struct_name, type, member) \
  structs[type].push_back({#struct_name "::" #member, offsetof(struct_name, member), sizeof(VkBool32)});
#define CORE_MEMBER(member)
#include "feature_structs.inc"
#undef CORE_MEMBER
#undef MEMBER
  return structs;
}

Structs property_structs() {
  Structs structs;
#define MEMBER(struct_name, type, member, place) \
  structs[type].push_back({#struct_name "::" #member, offsetof(struct_name, member), sizeof(struct_name::member)});
#include "property_structs.inc"
#undef MEMBER
  return structs;
}

/// A struct of any type, full of one byte.
struct Storage {
  explicit Storage(VkStructureType type, uint8_t junk) {
    std::memset(bytes, junk, sizeof bytes);
    base()->sType = type;
    base()->pNext = nullptr;
  }
  VkBaseOutStructure* base() { return reinterpret_cast<VkBaseOutStructure*>(bytes); }
  alignas(8) std::byte bytes[4096];
};

/// Structs of Vulkan 1.3 mean nothing to a device of an earlier version.
bool is_known(VkStructureType type) {
  return kApiVersion >= VK_API_VERSION_1_3 || (type != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES &&
                                               type != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
}

template <typename Query>
void expect_all_written(const Structs& structs, Query&& query) {
  ASSERT_FALSE(structs.empty());
  for (const auto& [type, members] : structs) {
    Storage first(type, 0x00), second(type, 0xa5);
    query(first.base());
    query(second.base());
    for (const Member& member : members) {
      const bool same = std::memcmp(first.bytes + member.offset, second.bytes + member.offset, member.size) == 0;
      EXPECT_EQ(same, is_known(type)) << member.name;
    }
  }
}

TEST(Properties, EveryMemberOfEveryStructIsWritten) {
  const TestInstance instance;
  expect_all_written(property_structs(), [&](VkBaseOutStructure* chain) {
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain};
    entry::GetPhysicalDeviceProperties2(instance.physical(), &properties);
  });
}

TEST(Features, EveryMemberOfEveryStructIsWritten) {
  const TestInstance instance;
  expect_all_written(feature_structs(), [&](VkBaseOutStructure* chain) {
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain};
    entry::GetPhysicalDeviceFeatures2(instance.physical(), &features);
  });
}

/// Each feature alone makes a device when it is there, and VK_ERROR_FEATURE_NOT_PRESENT when not, from every struct.
TEST(Features, AreRefusedWhereTheyAreNotThere) {
  const TestInstance instance;
  for (const auto& [type, members] : feature_structs()) {
    if (!is_known(type)) continue;
    Storage reported(type, 0);
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, reported.base()};
    entry::GetPhysicalDeviceFeatures2(instance.physical(), &features);
    for (const Member& member : members) {
      Storage wanted(type, 0);
      const VkBool32 on = VK_TRUE;
      std::memcpy(wanted.bytes + member.offset, &on, sizeof on);
      VkBool32 present = VK_FALSE;
      std::memcpy(&present, reported.bytes + member.offset, sizeof present);
      DeviceOptions options;
      options.features = wanted.base();
      options.queues = 0;
      VkDevice device = VK_NULL_HANDLE;
      const VkResult result = create_device(instance.physical(), options, device);
      EXPECT_EQ(result, present != VK_FALSE ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT) << member.name;
      if (result == VK_SUCCESS) entry::DestroyDevice(device, nullptr);
    }
  }
}

}  // namespace
}  // namespace spalt::icd::test
