// SPDX-License-Identifier: MIT
#include "spirv/capabilities.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

/// Of graphics stages, which the reader knows and the stages after it do not yet: accepted in these stages,
/// not reported.
constexpr uint32_t kGraphics[] = {
    spv::CapabilityGeometry,  // PrimitiveId and Layer in fragment shaders
    spv::CapabilityClipDistance,
    spv::CapabilityCullDistance,
    spv::CapabilitySampleRateShading,
    spv::CapabilityInputAttachment,
    spv::CapabilityInterpolationFunction,
    spv::CapabilityShaderLayer,
    spv::CapabilityShaderViewportIndex,
    spv::CapabilityDrawParameters,
    spv::CapabilityStorageInputOutput16,
    spv::CapabilityMultiView,
    spv::CapabilitySampleMaskPostDepthCoverage,
    spv::CapabilityStencilExportEXT,
    spv::CapabilityShaderViewportIndexLayerEXT,
    spv::CapabilityFragmentBarycentricKHR,
    spv::CapabilityInputAttachmentArrayDynamicIndexing,
    spv::CapabilityInputAttachmentArrayNonUniformIndexing,
};
static_assert(std::is_sorted(std::begin(kGraphics), std::end(kGraphics)));

constexpr uint32_t kNumbers[] = {
#define SPALT_CAPABILITY(name) spv::Capability##name,
#include "spirv/capabilities.def"
#undef SPALT_CAPABILITY
};
constexpr const char* kNames[] = {
#define SPALT_CAPABILITY(name) #name,
#include "spirv/capabilities.def"
#undef SPALT_CAPABILITY
};
static_assert(std::is_sorted(std::begin(kNumbers), std::end(kNumbers)));

}  // namespace

std::span<const uint32_t> supported_capabilities() {
  return kNumbers;
}

std::span<const char* const> supported_capability_names() {
  return kNames;
}

bool is_supported_capability(uint32_t capability, ir::ShaderStage stage) {
  if (std::binary_search(std::begin(kNumbers), std::end(kNumbers), capability)) return true;
  return stage != ir::ShaderStage::compute &&
         std::binary_search(std::begin(kGraphics), std::end(kGraphics), capability);
}

}  // namespace spalt::spirv
