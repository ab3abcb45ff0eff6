// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

/// Replaces what SPIR-V calls the shader's interface by what the hardware and the driver provide. Two parts share the
/// work: what all stages have in common (lower_user_data.h: resources, push constants) and a stage's own inputs and
/// outputs (lower_compute_inputs.h). Only the built-ins of ir::is_lowered_builtin stay, which no register
/// holds.
/// Raises the module to Stage::lowered.
///
/// Phases: (1) find what is used, (2) assign registers (abi), (3) rewrite, one walk. Linear.
Result<abi::StageInterface> lower_interface(ir::Module& module, analysis::AnalysisCache& analyses,
                                            CompileContext& context, const LowerConfig& config);

}  // namespace spalt::lower
