// SPDX-License-Identifier: MIT
//
// Extensions, features and properties as the Vulkan registry lists them: each once, however many structs tell it.
// Generated from the registry for the extensions of src/icd/extensions.txt (tools/gen/gen_vulkan.py).
#pragma once

#include <vulkan/vulkan.h>

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "recent_vulkan.h"

namespace spalt::icd {

/// The version that the driver reports: the highest one whose mandatory features are all there.
inline constexpr uint32_t kApiVersion = VK_MAKE_API_VERSION(0, 1, SPALT_ICD_API_MINOR, VK_HEADER_VERSION);

enum class Extension : uint8_t {
#define EXTENSION(name, kind, spec_version) name,
#include "extensions.inc"
#undef EXTENSION
};

enum class ExtensionKind : uint8_t { instance, device };

struct ExtensionRow {
  std::string_view name;  // "VK_KHR_swapchain"
  ExtensionKind kind;
  uint32_t spec_version;
};

inline constexpr ExtensionRow kExtensions[] = {
#define EXTENSION(name, kind, spec_version) {"VK_" #name, ExtensionKind::kind, spec_version},
#include "extensions.inc"
#undef EXTENSION
};
inline constexpr size_t kExtensionCount = std::size(kExtensions);

std::optional<Extension> find_extension(std::string_view name);

enum class Feature : uint16_t {
#define FEATURE(name) name,
#include "features.inc"
#undef FEATURE
};

inline constexpr size_t kFeatureCount = 0
#define FEATURE(name) +1
#include "features.inc"
#undef FEATURE
    ;

/// A set of values of an enum that counts from 0.
template <typename Enum, size_t count>
class EnumSet {
 public:
  EnumSet() = default;
  EnumSet(std::initializer_list<Enum> values) {
    for (const Enum value : values) add(value);
  }
  bool has(Enum value) const { return bits_.test(static_cast<size_t>(value)); }
  void add(Enum value, bool present = true) { bits_.set(static_cast<size_t>(value), present); }
  bool contains(const EnumSet& other) const { return (other.bits_ & ~bits_).none(); }
  bool operator==(const EnumSet&) const = default;

 private:
  std::bitset<count> bits_;
};

using ExtensionSet = EnumSet<Extension, kExtensionCount>;
ExtensionSet extensions_of(ExtensionKind kind);

using FeatureSet = EnumSet<Feature, kFeatureCount>;

/// Writes the features into the struct, if it is one that has some.
void write_features(const FeatureSet& features, VkBaseOutStructure* output);
void write_core_features(const FeatureSet& features, VkPhysicalDeviceFeatures& output);
/// Adds the features that the struct asks for.
void read_features(const VkBaseInStructure* input, FeatureSet& features);
void read_core_features(const VkPhysicalDeviceFeatures& input, FeatureSet& features);

/// All properties, each once.
struct PropertySet {
#include "property_set.inc"
};

/// Fills the struct, if it is one of properties.
void write_properties(const PropertySet& properties, VkBaseOutStructure* output);

}  // namespace spalt::icd
