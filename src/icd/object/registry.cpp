// SPDX-License-Identifier: MIT
#include "icd/object/registry.h"

#include <cstddef>
#include <cstring>

namespace spalt::icd {
namespace {

struct FeatureMember {
  VkStructureType type;
  uint16_t offset;  // of a VkBool32
  Feature feature;
};

constexpr FeatureMember kFeatureMembers[] = {
#define MEMBER(struct_name, type, member) {type, offsetof(struct_name, member), Feature::member},
#define CORE_MEMBER(member) \
  {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, offsetof(VkPhysicalDeviceFeatures2, features.member), Feature::member},
#include "feature_structs.inc"
#undef CORE_MEMBER
#undef MEMBER
};

constexpr FeatureMember kCoreMembers[] = {
#define MEMBER(struct_name, type, member)
#define CORE_MEMBER(member) \
  {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, offsetof(VkPhysicalDeviceFeatures, member), Feature::member},
#include "feature_structs.inc"
#undef CORE_MEMBER
#undef MEMBER
};

struct PropertyMember {
  VkStructureType type;
  uint16_t offset, source, size;
};

constexpr PropertyMember kPropertyMembers[] = {
#define MEMBER(struct_name, type, member, place) \
  {type, offsetof(struct_name, member), offsetof(PropertySet, place), sizeof(struct_name::member)},
#include "property_structs.inc"
#undef MEMBER
};

/// Structs of a core version that the driver does not report are none of its.
bool is_unknown(VkStructureType type) {
  return kApiVersion < VK_API_VERSION_1_3 && (type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES ||
                                              type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
}

void write_flag(void* base, const FeatureMember& member, const FeatureSet& features) {
  const VkBool32 value = features.has(member.feature) ? VK_TRUE : VK_FALSE;
  std::memcpy(static_cast<char*>(base) + member.offset, &value, sizeof value);
}

void read_flag(const void* base, const FeatureMember& member, FeatureSet& features) {
  VkBool32 value = VK_FALSE;
  std::memcpy(&value, static_cast<const char*>(base) + member.offset, sizeof value);
  if (value != VK_FALSE) features.add(member.feature);
}

}  // namespace

std::optional<Extension> find_extension(std::string_view name) {
  for (size_t i = 0; i < kExtensionCount; ++i) {
    if (kExtensions[i].name == name) return static_cast<Extension>(i);
  }
  return std::nullopt;
}

ExtensionSet extensions_of(ExtensionKind kind) {
  ExtensionSet set;
  for (size_t i = 0; i < kExtensionCount; ++i) {
    if (kExtensions[i].kind == kind) set.add(static_cast<Extension>(i));
  }
  return set;
}

void write_features(const FeatureSet& features, VkBaseOutStructure* output) {
  if (is_unknown(output->sType)) return;
  for (const FeatureMember& member : kFeatureMembers) {
    if (member.type == output->sType) write_flag(output, member, features);
  }
}

void write_core_features(const FeatureSet& features, VkPhysicalDeviceFeatures& output) {
  for (const FeatureMember& member : kCoreMembers) write_flag(&output, member, features);
}

void read_features(const VkBaseInStructure* input, FeatureSet& features) {
  for (const FeatureMember& member : kFeatureMembers) {
    if (member.type == input->sType) read_flag(input, member, features);
  }
}

void read_core_features(const VkPhysicalDeviceFeatures& input, FeatureSet& features) {
  for (const FeatureMember& member : kCoreMembers) read_flag(&input, member, features);
}

void write_properties(const PropertySet& properties, VkBaseOutStructure* output) {
  if (is_unknown(output->sType)) return;
  for (const PropertyMember& member : kPropertyMembers) {
    if (member.type != output->sType) continue;
    std::memcpy(reinterpret_cast<char*>(output) + member.offset,
                reinterpret_cast<const char*>(&properties) + member.source, member.size);
  }
}

}  // namespace spalt::icd
