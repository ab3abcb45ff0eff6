// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: loads and stores of narrow values, a part of lower_narrow.
#pragma once
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

/// See lower_narrow. Returns true if changed.
bool lower_narrow_memory(Inserter& insert);

}  // namespace spalt::lower
