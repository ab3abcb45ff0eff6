// SPDX-License-Identifier: MIT
#include "ir/cfg_edit.h"

#include <algorithm>

#include "base/ice.h"

namespace spalt::ir {
namespace {

void remove_pred(Function& function, BlockId block, unsigned index) {
  function.block(block).preds.erase(index);
  for (Value phi : insts(function, block)) {
    if (function.inst(phi).op != Op::phi) break;
    SmallVector<Value, 16> operands(function.operands(phi));
    operands.erase(index);
    function.set_operands(phi, operands);
  }
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

void remove_edge(Function& function, BlockId from, unsigned succ) {
  const BlockId to = function.block(from).succs[succ];
  remove_pred(function, to, pred_index(function, to, from));
  function.block(from).succs.erase(succ);
}

void redirect_edge(Function& function, BlockId from, unsigned succ, BlockId to, std::span<const Value> operands) {
  const BlockId old = function.block(from).succs[succ];
  remove_pred(function, old, pred_index(function, old, from));
  function.block(from).succs[succ] = to;
  function.block(to).preds.push_back(from);
  size_t next = 0;
  for (Value phi : insts(function, to)) {
    if (function.inst(phi).op != Op::phi) break;
    SmallVector<Value, 16> grown(function.operands(phi));
    grown.push_back(operands[next++]);
    function.set_operands(phi, grown);
  }
}

void make_jump(Function& function, BlockId block, unsigned succ) {
  for (unsigned i = function.block(block).succs.size(); i-- > 0;) {
    if (i != succ) remove_edge(function, block, i);
  }
  function.block(block).cases.clear();
  function.unlink(function.terminator(block));
  append_jump(function, block);
}

BlockId split_edge(Function& function, BlockId from, unsigned succ) {
  const BlockId middle = function.create_block();
  const BlockId to = function.block(from).succs[succ];
  function.block(to).preds[pred_index(function, to, from)] = middle;
  function.block(from).succs[succ] = middle;
  function.block(middle).preds.push_back(from);
  function.block(middle).succs.push_back(to);
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

bool remove_unreachable_blocks(Function& function) {
  IdMap<BlockId, uint8_t> reached(function.block_capacity(), 0);
  std::vector<BlockId> stack{function.entry()};
  reached[function.entry()] = 1;
  while (!stack.empty()) {
    const BlockId block = stack.back();
    stack.pop_back();
    for (BlockId succ : function.block(block).succs) {
      if (reached[succ] == 0) stack.push_back(succ);
      reached[succ] = 1;
    }
  }
  auto& layout = function.layout();
  const auto dead = [&](BlockId block) { return reached[block] == 0; };
  if (std::none_of(layout.begin(), layout.end(), dead)) return false;

  for (BlockId block : layout) {
    if (dead(block)) {
      while (!function.block(block).succs.empty()) remove_edge(function, block, function.block(block).succs.size() - 1);
      unlink_all(function, block);
    } else {
      Block& info = function.block(block);
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
