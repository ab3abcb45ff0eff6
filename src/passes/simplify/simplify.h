// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

struct SimplifyConfig {
  /// Size of the workgroup, which bounds local invocation ids; 0 where unknown.
  std::array<uint32_t, 3> workgroup_size{0, 0, 0};
  /// Workgroups of a dispatch in each dimension, at most; bounds workgroup and global invocation ids.
  std::array<uint32_t, 3> max_workgroups{0xffffffff, 0xffffffff, 0xffffffff};
  /// Lowered stage: Module::args, for their largest values.
  std::span<const ir::EntryArg> args{};
  /// Module::bindings
  std::span<const ir::Binding> bindings{};
  /// Module::float_controls
  ir::FloatControls float_controls{};
};

/// Folds constants, applies algebraic identities, merges common subexpressions and barriers, forwards loads and drops
/// stores of what memory holds (known_memory.h), in one walk.
///
/// Requires the layout invariant; keeps the stage and the control-flow graph. Visits the blocks in layout order, which
/// puts definitions before uses (phis of loop headers apart), and each instruction once:
///   1. operands are replaced by what earlier steps found equal;
///   2. rules rewrite the instruction in place or name an existing equal value (simplify_*.cpp, one file per topic);
///   3. an equal instruction in a dominating block, found by hash, takes its place (value_numbers.cpp; of floats also
///   the
///      negation of one); loads count as equal while no write in between may touch their memory.
/// Replaced instructions are unlinked. Values that became unused stay: eliminate_dead_code takes them.
///
/// Of an undefined operand it is chosen what it is (undef.cpp).
///
/// Floating point: but for common factors of sums (float_sums.cpp) and constant factors nothing is reassociated; no
/// identity is used that changes a NaN, an infinity or the sign of a zero where the result can tell, unless the
/// instruction has that freedom (ir::fast_math). Constants keep denormals, unless the module wants those of their width
/// flushed; then no identity passes on a float that may be denormal. Cost: O(instructions), hash lookups included.
bool simplify(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
              const SimplifyConfig& config = {});

}  // namespace spalt::passes
