// SPDX-License-Identifier: MIT
#include "ir/cfg_edit.h"

#include <algorithm>

#include "base/ice.h"

namespace spalt::ir {
namespace {

/// Removes the predecessors for which `gone(index)` holds, together with their phi operands. One pass, so that removing
/// many costs no more than removing one.
template <class Gone>
void remove_preds(Function& function, BlockId block, Gone gone) {
  SmallVector<uint32_t, 16> kept;
  for (uint32_t i = 0, count = function.block(block).preds.size(); i < count; ++i) {
    if (!gone(i)) kept.push_back(i);
  }
  if (kept.size() == function.block(block).preds.size()) return;
  auto& preds = function.edit_block(block).preds;
  for (uint32_t i = 0; i < kept.size(); ++i) preds[i] = preds[kept[i]];
  preds.resize(kept.size());
  for (Value phi : insts(function, block)) {
    if (function.inst(phi).op != Op::phi) break;
    const auto operands = function.operands(phi);
    for (uint32_t i = 0; i < kept.size(); ++i) operands[i] = operands[kept[i]];
    function.set_operands(phi, operands.first(kept.size()));
  }
}

void remove_pred(Function& function, BlockId block, unsigned index) {
  remove_preds(function, block, [&](uint32_t i) { return i == index; });
}

void unlink_all(Function& function, BlockId block) {
  while (function.block(block).first.valid()) function.unlink(function.block(block).first);
}

}  // namespace

unsigned pred_index(const Function& function, BlockId to, BlockId from) {
  const auto& preds = function.block(to).preds;
  for (unsigned i = 0; i < preds.size(); ++i) {
    if (preds[i] == from) return i;
  }
  SPALT_ICE("edge is missing from the predecessors of its target");
}

EdgeSlots edge_slots(const Function& function, Arena* arena) {
  return EdgeSlots(
      function.block_capacity(), function.layout(), [&](BlockId id) { return function.block(id).preds.span(); },
      [&](BlockId id) { return function.block(id).succs.span(); }, arena);
}

void remove_edge(Function& function, BlockId from, unsigned succ) {
  const BlockId to = function.block(from).succs[succ];
  remove_pred(function, to, pred_index(function, to, from));
  function.edit_block(from).succs.erase(succ);
}

void redirect_edge(Function& function, BlockId from, unsigned succ, BlockId to, std::span<const Value> operands) {
  const BlockId old = function.block(from).succs[succ];
  remove_pred(function, old, pred_index(function, old, from));
  function.edit_block(from).succs[succ] = to;
  function.edit_block(to).preds.push_back(from);
  size_t next = 0;
  for (Value phi : insts(function, to)) {
    if (function.inst(phi).op != Op::phi) break;
    function.push_operand(phi, operands[next++]);
  }
}

void remove_successors(Function& function, BlockId from) {
  SmallVector<BlockId, 8> targets(function.block(from).succs.span());
  std::sort(targets.begin(), targets.end());
  targets.resize(static_cast<uint32_t>(std::unique(targets.begin(), targets.end()) - targets.begin()));
  for (BlockId target : targets) {
    const auto& preds = function.block(target).preds;
    remove_preds(function, target, [&](uint32_t i) { return preds[i] == from; });
  }
  function.edit_block(from).succs.clear();
}

void make_jump(Function& function, BlockId block, unsigned succ) {
  const BlockId target = function.block(block).succs[succ];
  const unsigned kept = pred_index(function, target, block);
  // Hidden while all other edges go.
  function.edit_block(target).preds[kept] = BlockId();
  remove_successors(function, block);
  function.edit_block(target).preds[pred_index(function, target, BlockId())] = block;
  function.edit_block(block).succs.push_back(target);
  function.edit_block(block).cases.clear();
  function.unlink(function.terminator(block));
  append_jump(function, block);
}

BlockId split_edge(Function& function, BlockId from, unsigned succ, unsigned slot) {
  const BlockId middle = function.create_block();
  const BlockId to = function.block(from).succs[succ];
  SPALT_ASSERT(function.block(to).preds[slot] == from);
  function.edit_block(to).preds[slot] = middle;
  function.edit_block(from).succs[succ] = middle;
  function.edit_block(middle).preds.push_back(from);
  function.edit_block(middle).succs.push_back(to);
  append_jump(function, middle);
  return middle;
}

Value append_jump(Function& function, BlockId block) {
  const Value jump = function.create(Op::branch, kVoid, {});
  function.append(block, jump);
  return jump;
}

Value append_branch_if(Function& function, BlockId block, Value condition) {
  const Value branch = function.create(Op::branch_if, kVoid, {&condition, 1});
  function.append(block, branch);
  return branch;
}

bool remove_unreachable_blocks(Function& function, Arena& scratch) {
  const ArenaScope scope(scratch);
  IdMap<BlockId, uint8_t> reached(scratch, function.block_capacity(), 0);
  reached[function.entry()] = 1;
  bool all = true;
  for (BlockId block : function.layout()) {
    if (reached[block] == 0) {
      all = false;
      continue;
    }
    for (BlockId succ : function.block(block).succs) reached[succ] = 1;
  }
  if (all) return false;
  const auto dead = [&](BlockId block) { return reached[block] == 0; };
  BlockList& layout = function.edit_layout();

  for (BlockId block : layout) {
    Block& info = function.edit_block(block);
    if (dead(block)) {
      unlink_all(function, block);
      info.preds.clear();
      info.succs.clear();
      info.cases.clear();
    } else {
      remove_preds(function, block, [&](uint32_t i) { return dead(info.preds[i]); });
      if (info.merge.valid() && dead(info.merge)) info.merge = BlockId();
      if (info.continue_target.valid() && dead(info.continue_target)) {
        info.continue_target = BlockId();
        info.merge = BlockId();
      }
    }
  }
  layout.erase(std::remove_if(layout.begin(), layout.end(), dead), layout.end());
  return true;
}

}  // namespace spalt::ir
