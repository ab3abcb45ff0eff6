// SPDX-License-Identifier: MIT
#include "passes/eliminate_dead_loops.h"

#include "analysis/alias.h"
#include "base/small_vector.h"
#include "ir/cfg_edit.h"

namespace spalt::passes {

using analysis::kNoLoop;
using analysis::Loops;
using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Whether executing it can be noticed, or depends on what others do.
bool has_effect(const ir::Function& function, Value value) {
  const ir::OpInfo& info = ir::info(function.inst(value).op);
  if (info.has(ir::kWrites | ir::kBarrier)) return true;
  if (info.has(ir::kEnds)) return function.block(function.inst(value).block).succs.empty();
  return info.has(ir::kReads) && !analysis::reads_constant_memory(function.access(value));
}

class DeadLoops {
 public:
  DeadLoops(ir::Function& function, const Loops& loops, Arena& scratch)
      : f_(function), loops_(loops), live_(scratch, loops.size(), false) {}

  bool run() {
    for (BlockId block : f_.layout()) {
      for (Value value : ir::insts(f_, block)) mark(value);
    }
    bool changed = false;
    uint32_t removed_to = 0;  // Loops come in layout order, outer before inner.
    for (uint32_t loop = 0; loop < loops_.size(); ++loop) {
      if (live_[loop] || loops_[loop].first < removed_to) continue;
      if (!remove(loop)) continue;
      removed_to = loops_[loop].last + 1;
      changed = true;
    }
    return changed;
  }

 private:
  void mark(Value value);
  bool remove(uint32_t loop);
  Value brought(uint32_t loop, BlockId after, Value phi) const;

  ir::Function& f_;
  const Loops& loops_;
  Vector<bool> live_;  ///< has an effect, or a value that is used outside
};

void DeadLoops::mark(Value value) {
  const BlockId block = f_.inst(value).block;
  if (has_effect(f_, value)) {
    for (uint32_t loop = loops_.loop_of(block); loop != kNoLoop; loop = loops_[loop].parent) live_[loop] = true;
  }
  for (Value operand : f_.operands(value)) {
    const BlockId home = f_.inst(operand).block;
    if (!home.valid() || home == block) continue;
    for (uint32_t loop = loops_.loop_of(home); loop != kNoLoop && !loops_.contains(loop, block);
         loop = loops_[loop].parent) {
      live_[loop] = true;
    }
  }
}

/// What all ways out of the loop give a phi after it, or none if they differ.
Value DeadLoops::brought(uint32_t loop, BlockId after, Value phi) const {
  Value result;
  const auto& preds = f_.block(after).preds;
  for (unsigned i = 0; i < preds.size(); ++i) {
    if (!loops_.contains(loop, preds[i])) continue;
    const Value operand = f_.operand(phi, i);
    if (result.valid() && operand != result) return Value();
    result = operand;
  }
  return result;
}

bool DeadLoops::remove(uint32_t loop) {
  const auto exits = loops_.exits(loop);
  if (exits.empty()) return false;
  const BlockId after = exits.front().to, header = loops_[loop].header;
  if (loops_.position(after) < loops_[loop].first) return false;
  SmallVector<Value, 8> operands;
  for (const analysis::Edge& exit : exits) {
    if (exit.to != after) return false;
  }
  for (Value phi : ir::insts(f_, after)) {
    if (f_.inst(phi).op != Op::phi) break;
    const Value operand = brought(loop, after, phi);
    if (!operand.valid()) return false;
    operands.push_back(operand);
  }
  ir::redirect_edge(f_, header, 0, after, operands);
  ir::make_jump(f_, header, 0);
  f_.edit_block(header).merge = BlockId();
  f_.edit_block(header).continue_target = BlockId();
  return true;
}

}  // namespace

bool eliminate_dead_loops(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context) {
  const Loops& loops = analyses.loops();
  if (loops.empty()) return false;
  const ArenaScope scope(context.scratch);
  if (!DeadLoops(function, loops, context.scratch).run()) return false;
  ir::remove_unreachable_blocks(function, context.scratch);
  return true;
}

}  // namespace spalt::passes
