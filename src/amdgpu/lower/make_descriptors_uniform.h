// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// The hardware takes a descriptor from scalar registers: one for all lanes of an instruction. This pass makes the
/// index of every `resource` and `sampler` uniform. Requires and keeps Stage::core; unlinks the resources that it
/// replaced. Returns true if anything changed.
///
/// - An index that divergence analysis calls divergent, but without NonUniform, is the same in all lanes that run the
///   access: Vulkan wants it dynamically uniform there, though not where it was computed. Each block that accesses the
///   buffer takes the first lane's index.
/// - With NonUniform, the accesses go into a loop that serves one index at a time:
///
///       b0:                                     ; what came before
///         branch b1
///       b1: loop merge b4, continue b3
///         %first: i32 = read_first_lane %index
///         %same: i1 = ieq %first, %index
///         branch_if %same, b2, b3
///       b2:                                     ; for the lanes that have this index
///         %buffer: resource = resource 0, %first
///         %x: i32 = load.storage %buffer, ...
///         branch b4
///       b3:                                     ; the other lanes
///         branch b1
///       b4:                                     ; what came after; all lanes are together again
///
///   Every turn serves at least the first lane, so there are as many turns as different indices. Neighbouring accesses
///   of one resource share a loop, samples those of one image and one sampler; uniform computations between them go
///   before it.
///
/// Linear in instructions and edges. `analyses` are those of the entry point.
bool make_descriptors_uniform(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context);

/// Whether a descriptor is chosen by an index that is no constant. O(instructions).
bool has_indexed_resources(const ir::Function& function);

}  // namespace spalt::lower
