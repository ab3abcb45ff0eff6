// SPDX-License-Identifier: MIT
#include "amdgpu/abi/seam.h"

#include <bit>

#include "amdgpu/abi/vertex_interface.h"

namespace spalt::abi {

unsigned VertexSeam::values() const {
  unsigned count = 0;
  for (const AttributeRead& read : reads) count += static_cast<unsigned>(std::popcount(read.components));
  return count;
}

unsigned first_attribute_vgpr(bool primitive_shader, const isa::Target& target) {
  const VertexHardware& hardware = vertex_hardware(target);
  constexpr unsigned kVertexStageVgprs = 4;
  return primitive_shader ? hardware.merged_instance_id + 1u : kVertexStageVgprs;
}

}  // namespace spalt::abi
