// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Cuts vector loads and stores into pieces that one memory instruction can do: workgroup memory by its known alignment
/// (8 bytes need 8, 12 and 16 bytes need 16), scratch into dwords (it is interleaved between lanes by dwords), buffers
/// into at most four dwords. Linear. Returns true if changed.
bool split_memory(ir::Function& function, CompileContext& context);

}  // namespace spalt::lower
