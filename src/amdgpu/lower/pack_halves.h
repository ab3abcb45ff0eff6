// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Two operations on f16 or i16 whose results end up as the halves of one dword become one operation on a pair
/// (ir/packed.h), which the vector unit computes by one instruction (v_pk_fma_f16 and the like), where that takes fewer
/// instructions. Integers that all lanes agree about stay apart. Runs when memory moves dwords (lower_narrow) and
/// before dead code goes. Linear. Returns true if changed.
bool pack_halves(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context);

}  // namespace spalt::lower
