// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/dominance.h"
#include "analysis/loops.h"
#include "base/result.h"
#include "ir/function.h"

namespace spalt::analysis {

/// The control-flow analyses of one function. Each is computed when it is asked for, and again only after blocks, edges
/// or the layout may have changed (ir::Function::flow_epoch).
///
/// What is returned is the same object each time: a pass that edits the graph and asks again sees the new state through
/// the old reference, too. A pass that asks, edits and does not ask keeps what it had.
class AnalysisCache {
 public:
  /// `arena` (the heap if null) lives as long as the cache and has its tables. The function stays where it is.
  explicit AnalysisCache(const ir::Function& function, Arena* arena = nullptr)
      : function_(function), dominance_(arena), loops_(arena) {}

  const Dominance& dominance() {
    if (dominance_epoch_ != function_.flow_epoch()) compute(dominance_, dominance_epoch_);
    return dominance_;
  }
  const Loops& loops() {
    if (loops_epoch_ != function_.flow_epoch()) compute(loops_, loops_epoch_);
    return loops_;
  }

  /// Computes anew what would be returned as it is. Fails where that differs: something edited the graph and did not
  /// raise the epoch. For verification between passes; takes memory from the heap.
  Result<void> verify() const;

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};

  template <class Analysis>
  void compute(Analysis& analysis, uint64_t& epoch) {
    analysis.compute(function_);
    epoch = function_.flow_epoch();
  }

  const ir::Function& function_;
  Dominance dominance_;
  Loops loops_;
  uint64_t dominance_epoch_ = kNever, loops_epoch_ = kNever;
};

}  // namespace spalt::analysis
