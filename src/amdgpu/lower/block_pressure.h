// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: how many registers values take before there are any.
#pragma once
#include "analysis/divergence.h"
#include "analysis/loops.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Dwords of both register files.
struct RegisterDemand {
  int32_t vgprs = 0, sgprs = 0;
};

/// What the result of the instruction takes, as selection is likely to place it: what lanes disagree about and floats
/// that are computed in VGPRs, conditions in lane masks.
RegisterDemand demand_of(const ir::Function& function, const analysis::Divergence& divergence, ir::Value value,
                         unsigned wave_size);

/// An estimate of the most registers that live at a time in each block.
///
/// A value is taken to live from its definition to its last use in layout order, and to the end of each loop around the
/// use that it was not made in. So values of one side of a branch count on the other side too, if that is between; an
/// estimate is never below what the given order needs but for what is folded into other instructions. Two walks.
class BlockPressure {
 public:
  BlockPressure(const ir::Function& function, const analysis::Divergence& divergence, const analysis::Loops& loops,
                unsigned wave_size, Arena& scratch);

  /// By position in the layout.
  const RegisterDemand& at(uint32_t position) const { return peaks_[position]; }
  /// What lives at its begin.
  const RegisterDemand& at_start(uint32_t position) const { return starts_[position]; }
  /// Of all blocks.
  const RegisterDemand& peak() const { return peak_; }
  /// By value.
  const Vector<uint32_t>& use_counts() const { return uses_; }
  /// A value lives from the end of the first block on until some place in the last one, too.
  void add(uint32_t first, uint32_t last, RegisterDemand demand);

 private:
  void number(const ir::Function& function);
  void find_ends(const ir::Function& function, const analysis::Loops& loops);
  void note_use(const ir::Function& function, const analysis::Loops& loops, ir::Value value, ir::BlockId block,
                uint32_t at);
  void sweep(const ir::Function& function, const analysis::Divergence& divergence, unsigned wave_size, Arena& scratch);

  Vector<uint32_t> begin_;  ///< by position in the layout, and the end: number of the block's first instruction
  Vector<uint32_t> end_;    ///< by value: number of the instruction that reads it last
  Vector<uint32_t> uses_;   ///< by value
  Vector<RegisterDemand> peaks_, starts_;
  RegisterDemand peak_;
};

}  // namespace spalt::lower
