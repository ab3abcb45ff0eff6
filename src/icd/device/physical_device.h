// SPDX-License-Identifier: MIT
//
// One emulated processor, and the tables of what it can do. They are made once, from what the compiler says of the
// target (spalt_query_target); nothing is reported that is not true.
#pragma once

#include <string>

#include "icd/memory/heap.h"
#include "icd/object/handle.h"
#include "icd/object/registry.h"
#include "spalt/spalt.hpp"

namespace spalt::icd {

class Instance;

class PhysicalDevice : public Dispatchable {
 public:
  using Handle = VkPhysicalDevice;

  PhysicalDevice(Instance& instance, const spalt_target_info& target);

  Instance& instance() const { return *instance_; }
  const spalt_target_info& target() const { return target_; }
  /// For questions about formats; devices have compilers of their own.
  const spalt_api::Compiler& compiler() const { return compiler_; }
  /// Lanes of a wave when the pipeline does not ask for another number.
  uint32_t wave_size() const { return wave_size_; }
  Heap& heap() { return heap_; }
  /// Types of memory in that heap, all visible to the host. The last one is coherent; with SPALT_ICD_NON_COHERENT there
  /// is one before it that is not.
  uint32_t memory_type_count() const;
  bool is_coherent(uint32_t memory_type) const { return memory_type + 1 == memory_type_count(); }
  uint32_t all_memory_types() const { return (1u << memory_type_count()) - 1; }
  uint32_t coherent_memory_types() const { return 1u << (memory_type_count() - 1); }
  const FeatureSet& features() const { return features_; }
  const PropertySet& properties() const { return properties_; }
  /// Device extensions only.
  const ExtensionSet& extensions() const { return extensions_; }

 private:
  Instance* instance_;
  spalt_target_info target_;
  spalt_api::Compiler compiler_;
  uint32_t wave_size_;
  Heap heap_;
  ExtensionSet extensions_;
  FeatureSet features_;
  PropertySet properties_;
};

}  // namespace spalt::icd
