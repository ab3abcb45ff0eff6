// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/object/shader_object.h"

namespace spalt::object {

/// A compute shader for gfx1030 with something in most fields.
ShaderObject sample();
/// Its ELF; a failure of the test when there is none.
std::vector<uint8_t> written(const ShaderObject& shader, MetadataVersion version);

}  // namespace spalt::object
