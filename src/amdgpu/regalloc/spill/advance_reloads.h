// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/liveness.h"
#include "base/compile_context.h"

namespace spalt::regalloc {

/// The order of a block's instructions before it was changed.
struct GivenOrder {
  mir::BlockId block;
  mir::InstList insts;
};

/// Moves reloads of VGPRs up in their blocks, as long as at most `limit` dwords are live at each point, until their
/// latency is hidden. Nothing else moves. `slots`: one past the last dword of scratch that spills have. Returns what
/// the changed blocks were, so that the caller can take it back if registers cannot be assigned; `scratch` has the
/// result. Linear.
Vector<GivenOrder> advance_reloads(mir::Function& function, unsigned limit, uint32_t slots, Arena& scratch);

}  // namespace spalt::regalloc
