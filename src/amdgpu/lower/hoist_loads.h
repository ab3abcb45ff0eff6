// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "analysis/analysis_cache.h"
#include "analysis/divergence.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Dwords of one register file that values may take longer in a block because of what moved.
constexpr int32_t kMaxHoistedDwords = 32;

struct HoistLoadsConfig {
  const isa::Target* target = nullptr;
  unsigned wave_size = 64;
};

/// Moves loads of memory that nobody writes up into earlier blocks, so that what lies between runs while they are under
/// way, and so that loads of one buffer meet in one block, where opt/merge_memory joins them. Pure instructions that
/// make their addresses go with them.
///
///   a: ...; branch   b: ...   c: ...; load      ->   a: ...; load; branch   b: ...   c: ...
///     All lanes of `a` come to `c`: no edge leads past it (ways_past.h). Where some leave or take another way, nothing
///     says that the descriptor is valid, and vector loads would keep a wave whose lanes all leave from ending.
///
///   a: load +0; branch   b: load +16            ->   a: load +0; load +16; branch   b:
///     Scalar loads of neighbouring constant places of one buffer, whichever lanes come to `b`. That cannot fault: the
///     descriptor, which bounds it, is that of a load in `a`. Two loads of one place that meet so become one.
///
/// A load never moves into a loop, nor to a block in which a vector load that its address needs is on its way: the wave
/// would wait for it there, not after what lies between. Samples that take their level of detail from the quad may
/// move: `a` has the lanes of `c`, with the same coordinates. Values that live longer take kMaxHoistedDwords of a
/// register file at most in any block, and no more VGPRs than leave room for as many waves as the estimated peak of the
/// function does (block_pressure.h).
///
/// Lowered stage, after loops are closed; requires the layout invariant, keeps both and what is known of divergence.
/// Linear: one walk, and for each load a bounded number of blocks, of other loads and of instructions that go along.
/// Returns true if changed.
bool hoist_loads(ir::Function& function, const analysis::Divergence& divergence, analysis::AnalysisCache& analyses,
                 CompileContext& context, const HoistLoadsConfig& config);

}  // namespace spalt::lower
