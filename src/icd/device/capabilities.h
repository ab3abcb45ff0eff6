// SPDX-License-Identifier: MIT
//
// What a physical device reports, as functions of the target and the settings.
#pragma once

#include <cstdint>

#include "icd/device/settings.h"
#include "icd/object/registry.h"
#include "spalt/spalt.h"

namespace spalt::icd {

/// What the tables are made from.
struct CapabilityInput {
  const spalt_target_info& target;
  const Settings& settings;
  uint32_t wave_size;
  uint64_t heap_bytes;
};

ExtensionSet instance_extensions();
ExtensionSet device_extensions(const CapabilityInput& input);
FeatureSet supported_features(const CapabilityInput& input);
PropertySet device_properties(const CapabilityInput& input);
/// The limits of Vulkan 1.0, which device_properties includes.
VkPhysicalDeviceLimits device_limits(const CapabilityInput& input);

}  // namespace spalt::icd
