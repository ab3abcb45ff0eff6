// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/object/link.h"

namespace spalt::object {

/// A compute shader for gfx1030 with something in most fields.
StageObject sample();
/// Its ELF; a failure of the test when there is none.
std::vector<uint8_t> written(const StageObject& shader, MetadataVersion version);

}  // namespace spalt::object
