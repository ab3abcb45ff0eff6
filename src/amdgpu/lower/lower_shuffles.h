// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// A value that lanes agree about is itself in whichever lane a shuffle, quad_permute, read_lane or read_first_lane
/// looks for it, and for any_lane. A float that they agree about equals that of another lane, unless NaN counts: the
/// votes on equal values compare so.
///
/// One of the own quad, by a constant exclusive or with the own number, is a quad_permute.
///
/// `within_halves`: a wave of 64 on a target whose instruction moves values within 32 lanes only
/// (isa::Target::permutes_whole_wave). There
///
///   shuffle ..., 64  ->  near = shuffle ..., 32, and a loop for the lanes that ask for one of the other half
///
/// Each turn of the loop serves the lanes that ask for the same lane as the first one of those that are left. All lanes
/// stay in it, so that each of them can be read; its branch is uniform. Where lanes agree about the lane it is a
/// read_lane, where each names one of its own half a shuffle of 32. After lower_interface, which makes lanes of helpers
/// and of invocations the same. Linear. True if anything changed.
bool lower_shuffles(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context, bool within_halves);

}  // namespace spalt::lower
