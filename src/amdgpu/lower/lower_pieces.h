// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: the pieces that complete bodies (abi/seam.h).
#pragma once
#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

/// A shader without code, one return, becomes a prolog or an epilog, at Stage::lowered. What they fetch and export is
/// made by the same code as in a shader that is compiled as a whole (VertexInputRewriter, FragmentOutputs); the values
/// come from or go to the registers of the seam instead. Linear in the number of values.
Result<abi::StageInterface> lower_prolog(ir::Module& module, CompileContext& context, const LowerConfig& config);
Result<abi::StageInterface> lower_epilog(ir::Module& module, CompileContext& context, const LowerConfig& config);

}  // namespace spalt::lower
