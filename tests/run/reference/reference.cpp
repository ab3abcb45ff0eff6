// SPDX-License-Identifier: MIT
#include "reference.h"

namespace spalt::run {

ReferenceFunction find_reference(std::string_view name) {
  const std::span<const Reference> tables[] = {
      algorithm_references(),     grid_references(),         numeric_references(),      function_references(),
      memory_references(),        control_flow_references(), assembly_references(),     robustness_references(),
      vulkan13_references(),      wide_integer_references(), image_filter_references(), image_sampling_references(),
      image_storage_references(), image_volume_references(), narrow_references(),       half_pair_references(),
      address_references(),       small_float_references(),  double_references(),       double_conversion_references(),
      declared_references(),      float_atomic_references(), float_mode_references(),   reconvergence_references()};
  for (const auto& table : tables) {
    for (const Reference& reference : table) {
      if (name == reference.name) return reference.compute;
    }
  }
  return nullptr;
}

}  // namespace spalt::run
