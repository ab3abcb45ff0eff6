// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Leaves to selection the scans of whole subgroups and of clusters whose values are i32, f32 or f16, which it computes
/// in whole waves; a cluster is smaller than the wave then. Integers of 8 and 16 bits are scanned as i32. Those of
/// values of 64 bits, and of parts, become shuffles between members. A scan of a value that is the same in all
/// lanes is arithmetic on the number of members, where it is one of integers or a minimum or maximum.
///
/// Core stage, before values of 64 bits are lowered and while there are built-ins. Linear; costs nothing in a function
/// without scans. Returns true if changed.
bool lower_scans(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context, unsigned wave_size);

}  // namespace spalt::lower
