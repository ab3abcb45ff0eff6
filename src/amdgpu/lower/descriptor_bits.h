// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: fields of descriptors as values.
#pragma once
#include "amdgpu/abi/descriptor_fields.h"
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

/// A field of at most 32 bits of a descriptor, a vector of i32. A descriptor is uniform, so this is scalar arithmetic.
ir::Value descriptor_field(Inserter& insert, ir::Value descriptor, const abi::DescriptorField& field);

}  // namespace spalt::lower
