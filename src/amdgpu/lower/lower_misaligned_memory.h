// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Loads and stores whose address is not known to be a multiple of what instructions ask for, the size of a component
/// but at most a dword, become those of vectors of bytes or of 16 bits.
bool lower_misaligned_memory(ir::Function& function, CompileContext& context);

}  // namespace spalt::lower
