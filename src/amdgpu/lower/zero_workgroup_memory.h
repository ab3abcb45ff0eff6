// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Stores zeros where Module::zeroed_shared says that workgroup memory starts as zero, before anything else runs.
/// Requires and keeps Stage::core; the list is empty afterwards. Returns true if there was anything to do.
///
/// The invocations share the work, 16 bytes at a time: in round k, invocation i of n stores unit k * n + i, so that
/// neighbours write neighbouring memory. The last units, fewer than n, are stored under a condition. A barrier follows,
/// since any invocation may read what another one has stored. Up to kMaxStraightRounds rounds are straight code, more
/// are a loop.
bool zero_workgroup_memory(ir::Module& module, CompileContext& context);

}  // namespace spalt::lower
