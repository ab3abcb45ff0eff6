// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

/// Replaces what SPIR-V calls the shader's interface by what the hardware and the driver provide: built-ins become
/// entry registers and arithmetic on them, push constants become entry registers or loads from the spill table,
/// resources become descriptors loaded from their sets, buffer sizes become a field of the descriptor. Fills
/// Module::args. Only `builtin subgroup_invocation_id` stays, which no register holds.
///
/// Phases: (1) find what is used, (2) assign registers (abi), (3) rewrite, one walk. Linear.
Result<abi::ComputeInterface> lower_interface(ir::Module& module, const LowerConfig& config);

}  // namespace spalt::lower
