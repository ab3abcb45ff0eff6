// SPDX-License-Identifier: MIT
#include "icd/device/physical_device.h"

#include <new>

#include "icd/device/capabilities.h"
#include "icd/device/instance.h"

namespace spalt::icd {
namespace {

uint32_t choose_wave_size(const spalt_target_info& target, uint32_t wanted) {
  const bool possible = (wanted == 32 || wanted == 64) && (target.wave_sizes & wanted) != 0;
  return possible ? wanted : target.default_wave_size;
}

}  // namespace

PhysicalDevice::PhysicalDevice(Instance& instance, const spalt_target_info& target)
    : instance_(&instance),
      target_(target),
      compiler_(target.name),
      wave_size_(choose_wave_size(target, instance.settings().wave_size)),
      heap_(instance.settings().heap_bytes) {
  if (!compiler_.ok()) throw std::bad_alloc();
  const CapabilityInput input{target_, instance.settings(), wave_size_, heap_.bytes()};
  extensions_ = device_extensions(input);
  features_ = supported_features(input);
  properties_ = device_properties(input);
}

uint32_t PhysicalDevice::memory_type_count() const {
  return instance_->settings().non_coherent ? 2 : 1;
}

}  // namespace spalt::icd
