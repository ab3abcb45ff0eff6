// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: instructions that become loops. The block of one is cut in two, with the blocks of its
// loop between the parts, and what read the instruction reads what the loop gives. Linear in the instructions.
#pragma once
#include "amdgpu/lower/cut_blocks.h"
#include "base/arena.h"
#include "base/vector.h"
#include "ir/builder.h"

namespace spalt::lower {

class LoopExpansion {
 public:
  LoopExpansion(ir::Builder& builder, Arena& scratch)
      : b_(builder),
        f_(builder.function()),
        cut_(f_, scratch),
        chosen_(scratch, f_.value_capacity(), 0),
        result_(scratch, f_.value_capacity()),
        layout_(scratch),
        code_(scratch) {}

  /// `needs_loop(value)` is asked of all instructions before any moves. `make_loop(value)` puts the blocks that it has
  /// from append_block() after the current one, leaves the builder in the last of them, and returns the value that
  /// takes the instruction's place. False: there was none.
  template <typename NeedsLoop, typename MakeLoop>
  bool run(const NeedsLoop& needs_loop, const MakeLoop& make_loop) {
    bool any = false;
    for (ir::BlockId block : f_.layout()) {
      for (ir::Value value : ir::insts(f_, block)) {
        chosen_[value] = needs_loop(value) ? 1 : 0;
        any |= chosen_[value] != 0;
      }
    }
    if (!any) return false;
    const ir::BlockList old = f_.layout();
    for (ir::BlockId block : old) {
      layout_.push_back(block);
      if (!take_out(block)) continue;
      for (ir::Value value : code_) {
        if (chosen_[value] != 0) {
          result_[value] = make_loop(value);
        } else {
          f_.append(b_.block(), value);
        }
      }
      cut_.move_terminator(block, b_.block());
    }
    f_.edit_layout() = std::move(layout_);
    cut_.redirect_predecessors();
    use_results();
    return true;
  }

  ir::BlockId append_block() {
    layout_.push_back(f_.create_block());
    return layout_.back();
  }

 private:
  /// The code of a block in which something becomes a loop; the block is empty then, and the current one.
  bool take_out(ir::BlockId block) {
    code_.clear();
    bool any = false;
    for (ir::Value value : ir::insts(f_, block)) {
      code_.push_back(value);
      any |= chosen_[value] != 0;
    }
    if (!any) return false;
    for (ir::Value value : code_) f_.unlink(value);
    b_.set_end(block);
    return true;
  }

  /// A loop may read what another one gave.
  void use_results() {
    for (ir::BlockId block : f_.layout()) {
      for (ir::Value value : ir::insts(f_, block)) {
        for (ir::Value& operand : f_.operands(value)) {
          if (operand.index < result_.size() && result_[operand].valid()) operand = result_[operand];
        }
      }
    }
  }

  ir::Builder& b_;
  ir::Function& f_;
  CutBlocks cut_;
  IdMap<ir::Value, uint8_t> chosen_;
  IdMap<ir::Value, ir::Value> result_;  ///< by chosen instruction: what its loop gives
  ir::BlockList layout_;
  Vector<ir::Value> code_;  ///< instructions of the block that is being rewritten
};

}  // namespace spalt::lower
