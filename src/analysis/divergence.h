// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "base/id_map.h"
#include "ir/module.h"

namespace spalt::analysis {

/// Which values may differ between lanes.
///
/// A value is uniform when all lanes of a wave that execute its definition together get the same result; otherwise it
/// is divergent. Lanes execute a block together when they wait for each other at every join, in layout order, and for
/// all lanes of a loop after it: that is how lane masks are built, and every guarantee of SPIR-V is at most as strong.
///
/// A uniform value that is defined in a loop which lanes leave in different iterations holds different values for
/// different lanes once outside. The value stays uniform; its uses outside are divergent. `divergent_at` tells uses
/// apart; after passes::close_loops every such use is a phi and the distinction disappears.
class Divergence {
 public:
  /// `arena` has the tables. Nothing is divergent yet.
  explicit Divergence(Arena& arena)
      : values_(arena), branches_(arena), exits_(arena), joins_(arena), positions_(arena), divergent_loop_(arena) {}

  bool divergent(ir::Value value) const { return values_[value.index] != 0; }
  /// True if lanes may disagree about the value where `block` reads it. A phi reads in its own block here.
  bool divergent_at(const ir::Function& function, ir::Value value, ir::BlockId block) const {
    if (divergent(value)) return true;
    const ir::BlockId home = function.inst(value).block;
    if (!home.valid() || divergent_loop_.size() == 0 || divergent_loop_[home].empty()) return false;
    const Range loop = divergent_loop_[home];
    return positions_[block] < loop.first || positions_[block] > loop.last;
  }
  /// True if lanes that run the block together may leave it to different successors.
  bool divergent_branch(ir::BlockId block) const { return branches_[block] != 0; }
  /// True if lanes may leave the loop in different iterations; `header` is the header of a loop.
  bool has_divergent_exit(ir::BlockId header) const { return exits_[header] != 0; }
  /// True if lanes may arrive at the block from different predecessors at the same time.
  bool divergent_join(ir::BlockId block) const { return joins_[block] != 0; }

 private:
  friend class DivergenceAnalyzer;
  struct Range {
    uint32_t first = 1, last = 0;
    bool empty() const { return first > last; }
  };
  Vector<uint8_t> values_;
  IdMap<ir::BlockId, uint8_t> branches_, exits_, joins_;
  // Empty where no loop has a divergent exit.
  IdMap<ir::BlockId, uint32_t> positions_;
  IdMap<ir::BlockId, Range> divergent_loop_;  ///< innermost loop with divergent exit around a block; empty if none
};

/// Requires the layout invariant and no unreachable cycle. Marks from the sources (lane ids, memory that lanes own,
/// atomics, vector registers) through operands, and through control: from a divergent branch, labels are propagated in
/// layout order, and where two meet, lanes from different paths join (sync dependence as in Rosemann, Moll, Hack, "An
/// abstract interpretation for SPMD divergence on reducible control flow graphs", POPL 2021). Linear in values and
/// uses, plus for each divergent branch the blocks up to the point where its lanes are together again. The result is in
/// context.arena. `analyses` are those of the function.
Divergence analyze_divergence(const ir::Function& function, const ir::Module& module, AnalysisCache& analyses,
                              CompileContext& context);

}  // namespace spalt::analysis
