// SPDX-License-Identifier: MIT
//
// One emulated processor, and the tables of what it can do. They are made once, from what the compiler says of the
// target (spalt_query_target); nothing is reported that is not true.
#pragma once

#include <string>

#include "icd/memory/heap.h"
#include "icd/object/handle.h"
#include "icd/object/registry.h"
#include "spalt/spalt.h"

namespace spalt::icd {

class Instance;

/// One heap of one memory type, which the host sees without flushes.
inline constexpr uint32_t kMemoryTypeCount = 1;
inline constexpr uint32_t kQueueFamilyCount = 1;
inline constexpr uint32_t kQueuesPerFamily = 2;
inline constexpr VkQueueFlags kQueueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

class PhysicalDevice : public Dispatchable {
 public:
  using Handle = VkPhysicalDevice;

  PhysicalDevice(Instance& instance, const spalt_target_info& target);

  Instance& instance() const { return *instance_; }
  const spalt_target_info& target() const { return target_; }
  /// Lanes of a wave when the pipeline does not ask for another number.
  uint32_t wave_size() const { return wave_size_; }
  Heap& heap() { return heap_; }
  const FeatureSet& features() const { return features_; }
  const PropertySet& properties() const { return properties_; }
  /// Device extensions only.
  const ExtensionSet& extensions() const { return extensions_; }

 private:
  Instance* instance_;
  spalt_target_info target_;
  uint32_t wave_size_;
  Heap heap_;
  ExtensionSet extensions_;
  FeatureSet features_;
  PropertySet properties_;
};

}  // namespace spalt::icd
