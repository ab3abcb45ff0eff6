// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "ir/module.h"

namespace spalt::passes {

/// Takes away what a fragment shader writes for nobody. `wanted`: a bit for each channel that has an effect, by
/// location; locations beyond stay, to be refused. Of a location where none has any, the second source of a blend goes,
/// too. Outputs stand in the last block, as the SPIR-V reader makes them. What computes them is left to others. Linear
/// in instructions of that block. Returns true if changed.
bool drop_outputs(ir::Module& module, std::span<const uint8_t> wanted);

}  // namespace spalt::passes
