// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/dominance.h"
#include "analysis/escapes.h"
#include "analysis/loops.h"
#include "analysis/uses.h"
#include "ir/function.h"

namespace spalt::passes {

/// Gives values that are used after their loop phis where the exits of the loop arrive. The graph does not change, so
/// the analyses stay valid. Inner loops must be closed before outer ones.
///
/// After the loop, the version of a value that reaches a block is that of its predecessors, or a phi where they
/// disagree or come from the loop. Which block that phi is in depends on the loop alone, so it is found once per loop,
/// in one walk in layout order: no edge leads back to a place where versions could change. Phis are made on demand.
class LoopCloser {
 public:
  LoopCloser(ir::Function& function, const analysis::Dominance& dominance, const analysis::Loops& loops, Arena& scratch)
      : function_(function),
        dominance_(dominance),
        loops_(loops),
        uses_(function, true, &scratch),
        escapes_(function, loops, uses_, &scratch),
        source_(scratch),
        versions_(scratch),
        escaping_(scratch),
        phis_(scratch),
        phi_uses_(scratch),
        open_phis_(scratch) {}

  /// False if something escapes that no phi may carry.
  bool can_close(uint32_t loop);
  /// Returns true if a phi was needed.
  bool close(uint32_t loop);

 private:
  struct Use {
    ir::Value user;
    unsigned operand;
  };
  struct Version {
    ir::BlockId block;
    ir::Value phi;
  };
  void find_versions(uint32_t position);
  ir::BlockId place_of(const Use& use) const;
  bool escapes(const Use& use) const { return !loops_.contains(loop_, place_of(use)); }
  bool is_open(uint32_t phi) const;
  bool close_phis();
  void collect_uses(ir::Value value);
  void close_value(ir::Value value);
  ir::Value version(ir::Value value, ir::BlockId block);
  void fill(ir::Value value, const Version& version);

  ir::Function& function_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  analysis::Uses uses_;
  analysis::Escapes escapes_;
  uint32_t loop_ = analysis::kNoLoop;
  /// Block whose phi, if any, reaches the block, for the current loop: known from the loop's end up to `next_`.
  IdMap<ir::BlockId, ir::BlockId> source_;
  uint32_t next_ = 0;
  Vector<Version> versions_;  ///< of the current value
  size_t filled_ = 0;
  Vector<Use> escaping_;  ///< operands that read the current value after the loop
  /// Phis made so far and their uses, which uses_ does not know.
  Vector<ir::Value> phis_;
  Vector<Vector<Use>> phi_uses_;
  /// Those of phis_ that are read outside the innermost loop around them, where an outer loop may have to be closed.
  Vector<uint32_t> open_phis_;
};

}  // namespace spalt::passes
