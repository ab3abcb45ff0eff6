// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// Marks loads of storage buffers and through physical pointers as `read_only` where the shader never writes what may
/// be the same memory: then nobody writes it while the shader runs, since all invocations run this shader and other
/// work is ordered before or after it.
///   - A binding that is `aliased` may be another one; no other binding is.
///   - A pointer may lead to what other pointers write, and into bindings that are `addressed` or `aliased`.
/// Loads that are coherent, volatile or atomic, or that make memory visible, ask for what others write and stay. Two
/// walks. Returns true if changed.
bool infer_read_only(ir::Module& module, CompileContext& context);

}  // namespace spalt::passes
