// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Vector loads from storage buffers and workgroup memory bring the components that are read, from the first to the
/// last one: what comes before or after costs registers and the memory's time. Loads that are volatile or atomic stay,
/// and so do those of uniform buffers and by address: most of them are scalar, where rows of whole vectors are one load
/// of sixteen dwords, and three dwords are two loads.
///
/// Runs before split_memory, when every component has 32 bits or more. Linear. Returns true if changed.
bool trim_loads(ir::Function& function, CompileContext& context);

}  // namespace spalt::lower
