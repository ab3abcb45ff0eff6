// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Atomic operations of all lanes at one address become one of the first lane, with what the lanes have together; each
/// lane finds what was there before its own by a scan. Memory would carry them out one after another.
///
/// Relaxed ones on integers of 32 and 64 bits in buffers, behind addresses and in workgroup memory, where the result
/// does not depend on the order in which lanes come; 64 bits only where all lanes have the same operand. Not in code
/// that one lane alone runs, as far as a comparison says so.
///
/// Core stage, before lower_scans and while there are built-ins. Linear; costs nothing in a function without atomic
/// operations. Returns true if changed.
bool reduce_uniform_atomics(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                            unsigned wave_size);

}  // namespace spalt::lower
