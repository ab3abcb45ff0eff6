// SPDX-License-Identifier: MIT
#include "spirv/capabilities.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

/// Of stages that are not read, for built-ins of vertex and fragment shaders: accepted in these, not reported.
constexpr uint32_t kOfOtherStages[] = {
    spv::CapabilityGeometry,       // PrimitiveId and Layer
    spv::CapabilityMultiViewport,  // ViewportIndex
};
static_assert(std::is_sorted(std::begin(kOfOtherStages), std::end(kOfOtherStages)));

constexpr uint32_t kNumbers[] = {
#define SPALT_CAPABILITY(name) spv::Capability##name,
#define SPALT_RECENT_CAPABILITY(name, number) number,
#include "spirv/capabilities.def"
#undef SPALT_RECENT_CAPABILITY
#undef SPALT_CAPABILITY
};
constexpr const char* kNames[] = {
#define SPALT_CAPABILITY(name) #name,
#define SPALT_RECENT_CAPABILITY(name, number) #name,
#include "spirv/capabilities.def"
#undef SPALT_RECENT_CAPABILITY
#undef SPALT_CAPABILITY
};
static_assert(std::is_sorted(std::begin(kNumbers), std::end(kNumbers)));
constexpr const char* kExtensions[] = {
#define SPALT_EXTENSION(name) #name,
#include "spirv/extensions.def"
#undef SPALT_EXTENSION
};

}  // namespace

std::span<const uint32_t> supported_capabilities() {
  return kNumbers;
}

std::span<const char* const> supported_capability_names() {
  return kNames;
}

std::span<const char* const> supported_extension_names() {
  return kExtensions;
}

bool is_supported_capability(uint32_t capability, ir::ShaderStage stage) {
  if (std::binary_search(std::begin(kNumbers), std::end(kNumbers), capability)) return true;
  return stage != ir::ShaderStage::compute &&
         std::binary_search(std::begin(kOfOtherStages), std::end(kOfOtherStages), capability);
}

}  // namespace spalt::spirv
