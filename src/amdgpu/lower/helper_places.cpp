// SPDX-License-Identifier: MIT
#include "amdgpu/lower/helper_places.h"

#include <algorithm>

#include "ir/ballot.h"
#include "ir/builder.h"
#include "ir/cfg_edit.h"
#include "ir/image.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// A sample without these takes its level of detail from the quad.
constexpr uint8_t kExplicitLevel = ir::kImageGradients | ir::kImageLod;

/// Memory operations and turns of loops in instructions, roughly.
constexpr uint32_t kMemoryWork = 16, kTurns = 8;

}  // namespace

bool needs_quad(const ir::Function& function, Value value) {
  switch (function.inst(value).op) {
    case Op::quad_permute:
    case Op::image_query_lod:
    case Op::load_parameter:
    case Op::interpolate_quad:
      return true;
    case Op::image_sample:
      return (function.image_access(value).parts & kExplicitLevel) == 0;
    case Op::ballot:
      return (function.inst(value).imm & ir::kBallotOfHelpers) != 0;
    default:
      return false;
  }
}

bool is_kill(const ir::Function& function, BlockId block) {
  const Value last = function.terminator(block);
  if (function.inst(last).op != Op::branch) return false;
  const Value before = function.inst(last).prev;
  return before.valid() && function.inst(before).op == Op::demote &&
         function.is_constant(function.operand(before, 0), 1);
}

namespace {

bool block_needs_quads(const ir::Function& function, BlockId block) {
  for (Value value : ir::insts(function, block)) {
    if (needs_quad(function, value)) return true;
  }
  return false;
}

}  // namespace

BlockId split_end(ir::Function& function) {
  const BlockId end = function.layout().back();
  const Value last = function.terminator(end);
  if (function.inst(last).op != Op::ret) return BlockId();
  SmallVector<BlockId, 4> kills;
  for (BlockId pred : function.block(end).preds) {
    if (is_kill(function, pred)) kills.push_back(pred);
  }
  function.unlink(last);
  const BlockId exit = function.create_block();
  function.edit_layout().push_back(exit);
  ir::append_jump(function, end);
  function.add_edge(end, exit);
  ir::Builder builder(function);
  builder.set_end(exit);
  builder.ret();
  if (kills.size() == function.block(end).preds.size() || block_needs_quads(function, end)) return exit;
  for (BlockId kill : kills) ir::redirect_edge(function, kill, 0, exit, {});
  return exit;
}

bool join_demotions(ir::Function& function, Arena& scratch) {
  bool joined = false;
  for (BlockId block : function.layout()) {
    if (!is_kill(function, block) || function.block(block).preds.size() != 1) continue;
    const BlockId from = function.block(block).preds[0], to = function.block(block).succs[0];
    const Value demote = function.block(block).first, branch = function.terminator(from);
    if (function.inst(demote).op != Op::demote || function.inst(branch).op != Op::branch_if) continue;
    const auto& succs = function.block(from).succs;
    const unsigned side = succs[0] == block ? 0 : 1;
    if (succs[1 - side] != to || function.inst(function.block(to).first).op == Op::phi) continue;
    Value condition = function.operand(branch, 0);
    if (side == 1) {
      condition = function.create(Op::inot, ir::kBool, std::span<const Value>(&condition, 1));
      function.insert_before(branch, condition);
    }
    function.unlink(demote);
    function.set_operand(demote, 0, condition);
    function.insert_before(branch, demote);
    ir::make_jump(function, from, 1 - side);
    if (!function.block(from).is_loop_header()) function.edit_block(from).merge = BlockId();
    joined = true;
  }
  return joined && ir::remove_unreachable_blocks(function, scratch);
}

uint32_t HelperPlaces::work_of(const ir::Function& function, Value value) {
  const ir::OpGroup group = ir::group(function.inst(value).op);
  return group == ir::OpGroup::memory || group == ir::OpGroup::image ? kMemoryWork : 1;
}

HelperPlaces::HelperPlaces(const ir::Function& function, BlockId exit, Arena& scratch)
    : passed_(scratch, function.layout().size(), true), work_from_(scratch, function.layout().size() + 1, 0) {
  find_passed(function, exit, scratch);
  const ir::BlockList& layout = function.layout();
  for (uint32_t p = layout.size(); p-- > 0;) {
    uint32_t work = 0;
    for (Value value : ir::insts(function, layout[p])) {
      work += work_of(function, value);
      if (!needs_quad(function, value) || (last_need_.valid() && last_need_block_ != p)) continue;
      last_need_ = value;
      last_need_block_ = p;
    }
    work_from_[p] = work_from_[p + 1] + work * (passed_[p] ? 1 : kTurns);
  }
}

/// Counts at each position the edges that lead past it, and the loops around it.
void HelperPlaces::find_passed(const ir::Function& function, BlockId exit, Arena& scratch) {
  const ir::BlockList& layout = function.layout();
  IdMap<BlockId, uint32_t> position(scratch, function.block_capacity(), 0);
  for (uint32_t p = 0; p < layout.size(); ++p) position[layout[p]] = p;
  Vector<int32_t> opened(scratch, layout.size() + 1, 0);
  const auto cover = [&](uint32_t begin, uint32_t end) {
    ++opened[begin];
    --opened[end];
  };
  for (uint32_t p = 0; p < layout.size(); ++p) {
    for (BlockId succ : function.block(layout[p]).succs) {
      if (succ == exit) continue;
      const uint32_t to = position[succ];
      if (to <= p) {
        cover(to, p + 1);
      } else if (to > p + 1) {
        cover(p + 1, to);
      }
    }
  }
  int32_t open = 0;
  for (uint32_t p = 0; p < layout.size(); ++p) {
    open += opened[p];
    passed_[p] = open == 0;
  }
}

}  // namespace spalt::lower
