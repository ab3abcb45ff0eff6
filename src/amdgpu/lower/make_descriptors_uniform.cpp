// SPDX-License-Identifier: MIT
#include "amdgpu/lower/make_descriptors_uniform.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "analysis/divergence.h"
#include "ir/cfg_edit.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Divergent computations that may stand between two accesses of one loop. They run once per turn.
constexpr unsigned kMaxBetween = 16;

bool is_indexed_resource(const ir::Function& function, Value value) {
  return function.inst(value).op == Op::resource && !function.is_constant(function.operand(value, 0));
}

class State {
 public:
  State(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context)
      : f_(module.functions[0]),
        divergence_(analysis::analyze_divergence(f_, module, analyses, context)),
        old_blocks_(f_.block_capacity()),
        scratch_(context.scratch),
        needs_(scratch_, f_.value_capacity(), Need::nothing),
        tails_(scratch_, old_blocks_),
        layout_(scratch_),
        code_(scratch_),
        first_lane_(scratch_, f_.value_capacity()),
        first_lanes_(scratch_) {}

  bool run();

 private:
  enum class Need : uint8_t { nothing, first_lane, loop };

  bool find_needs(BlockId block);
  void rewrite(BlockId block);
  size_t find_group(size_t begin) const;
  void use_first_lane(Value access);
  void make_loop(size_t begin, size_t end);
  void move_terminator(BlockId block);
  void redirect_predecessors();
  void unlink_replaced();

  /// The descriptor that an instruction uses, if it is a `resource`.
  Value resource_of(Value value) const {
    const Op op = f_.inst(value).op;
    if (op != Op::buffer_size && !ir::is_memory(op)) return Value();
    const Value base = f_.operand(value, 0);
    return f_.inst(base).op == Op::resource ? base : Value();
  }
  BlockId append_block() {
    layout_.push_back(f_.create_block());
    return layout_.back();
  }
  Value append(BlockId block, Op op, ir::Type type, std::initializer_list<Value> operands, uint64_t imm = 0) {
    const Value value = f_.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm);
    f_.append(block, value);
    return value;
  }
  void jump(BlockId from, BlockId to) {
    ir::append_jump(f_, from);
    f_.add_edge(from, to);
  }

  ir::Function& f_;
  const analysis::Divergence divergence_;
  const uint32_t old_blocks_;
  Arena& scratch_;
  IdMap<Value, Need> needs_;       ///< by instruction that uses a descriptor; found before anything moves
  IdMap<BlockId, BlockId> tails_;  ///< by block that was cut: the part with its terminator
  ir::BlockList layout_;
  // The block that is being rewritten:
  Vector<Value> code_;              ///< its instructions, all unlinked when work begins
  BlockId current_;                 ///< where the next one goes
  IdMap<Value, Value> first_lane_;  ///< by resource: the one that takes the first lane's index
  Vector<Value> first_lanes_;       ///< resources that have an entry
};

bool State::run() {
  const ir::BlockList old(f_.layout(), &scratch_);
  Vector<uint8_t> to_do(scratch_);
  for (BlockId block : old) to_do.push_back(find_needs(block));
  if (std::find(to_do.begin(), to_do.end(), 1) == to_do.end()) return false;
  for (size_t i = 0; i < old.size(); ++i) {
    layout_.push_back(old[i]);
    if (to_do[i] != 0) rewrite(old[i]);
  }
  f_.edit_layout() = std::move(layout_);
  redirect_predecessors();
  unlink_replaced();
  return true;
}

/// Decides what is to be done about the descriptors that are used in `block`. True if anything is.
bool State::find_needs(BlockId block) {
  bool any = false;
  for (Value value : ir::insts(f_, block)) {
    const Value resource = resource_of(value);
    if (!resource.valid() || !is_indexed_resource(f_, resource)) continue;
    if (!divergence_.divergent_at(f_, f_.operand(resource, 0), block)) continue;
    needs_[value] = (f_.inst(resource).flags & ir::kNonUniform) != 0 ? Need::loop : Need::first_lane;
    any = true;
  }
  return any;
}

void State::rewrite(BlockId block) {
  code_.clear();
  for (Value value : ir::insts(f_, block)) code_.push_back(value);
  for (Value value : code_) f_.unlink(value);
  current_ = block;
  for (size_t i = 0; i < code_.size();) {
    if (needs_[code_[i]] == Need::loop) {
      const size_t end = find_group(i);
      make_loop(i, end);
      i = end;
      continue;
    }
    if (needs_[code_[i]] == Need::first_lane) use_first_lane(code_[i]);
    f_.append(current_, code_[i]);
    ++i;
  }
  for (Value resource : first_lanes_) first_lane_[resource] = Value();
  first_lanes_.clear();
  if (current_ != block) move_terminator(block);
}

/// End of the accesses that share a loop with the one at `begin`. Between them are computations only: what depends on
/// the running lanes, and memory of other resources, stays outside.
size_t State::find_group(size_t begin) const {
  const Value resource = resource_of(code_[begin]);
  size_t end = begin + 1;
  unsigned between = 0;
  for (size_t i = end; i < code_.size() && between <= kMaxBetween; ++i) {
    if (resource_of(code_[i]) == resource) {
      end = i + 1;
      between = 0;
    } else if (!ir::is_pure(f_.inst(code_[i]).op) || needs_[code_[i]] != Need::nothing) {
      break;
    } else if (divergence_.divergent(code_[i])) {
      ++between;
    }
  }
  return end;
}

/// Makes the access read the first lane's descriptor. One serves all accesses of the block: the same lanes run them.
void State::use_first_lane(Value access) {
  const Value resource = resource_of(access);
  if (!first_lane_[resource].valid()) {
    const Value index = append(current_, Op::read_first_lane, ir::kI32, {f_.operand(resource, 0)});
    first_lane_[resource] = append(current_, Op::resource, ir::kResource, {index}, f_.inst(resource).imm);
    first_lanes_.push_back(resource);
  }
  f_.set_operand(access, 0, first_lane_[resource]);
}

/// Puts code_[begin, end) into a loop after the current block. What follows goes after the loop.
void State::make_loop(size_t begin, size_t end) {
  const Value resource = resource_of(code_[begin]);
  const Value index = f_.operand(resource, 0);
  const BlockId before = current_;
  const BlockId header = append_block(), body = append_block(), others = append_block(), after = append_block();
  const Value first = append(header, Op::read_first_lane, ir::kI32, {index});
  const Value same = append(header, Op::ieq, ir::kBool, {first, index});
  ir::append_branch_if(f_, header, same);
  f_.add_edge(header, body);
  f_.add_edge(header, others);
  f_.edit_block(header).merge = after;
  f_.edit_block(header).continue_target = others;
  const Value descriptor = append(body, Op::resource, ir::kResource, {first}, f_.inst(resource).imm);
  for (size_t i = begin; i < end; ++i) {
    const Value value = code_[i];
    const bool access = resource_of(value) == resource;
    // A uniform value from the loop would count as divergent after it. Its operands are uniform, so none of them is
    // defined in the loop.
    f_.append(access || divergence_.divergent(value) ? body : before, value);
    if (access) f_.set_operand(value, 0, descriptor);
  }
  jump(before, header);
  jump(body, after);
  jump(others, header);
  current_ = after;
}

/// The terminator of `block` is in the current block now; what belongs to it follows. A loop header keeps its loop.
void State::move_terminator(BlockId block) {
  ir::Block& head = f_.edit_block(block);
  ir::Block& tail = f_.edit_block(current_);
  // The jump to the first loop was added after the old edges.
  const BlockId loop = head.succs.back();
  head.succs.pop_back();
  tail.succs = std::move(head.succs);
  tail.cases = std::move(head.cases);
  head.succs.clear();
  head.succs.push_back(loop);
  head.cases.clear();
  if (!head.is_loop_header()) std::swap(head.merge, tail.merge);
  tails_[block] = current_;
}

/// Edges out of a block that was cut come from its last part. New blocks know their predecessors.
void State::redirect_predecessors() {
  for (BlockId block : f_.layout()) {
    if (block.index >= old_blocks_) continue;
    for (BlockId& pred : f_.edit_block(block).preds) {
      if (pred.index < old_blocks_ && tails_[pred].valid()) pred = tails_[pred];
    }
  }
}

/// A resource whose index is divergent has no use any more.
void State::unlink_replaced() {
  Vector<uint8_t> used(scratch_, f_.value_capacity(), 0);
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      for (Value operand : f_.operands(value)) used[operand.index] = 1;
    }
  }
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      if (used[value.index] == 0 && is_indexed_resource(f_, value)) f_.unlink(value);
    }
  }
}

}  // namespace

bool has_indexed_resources(const ir::Function& function) {
  if (!function.operations().has(Op::resource)) return false;
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (is_indexed_resource(function, value)) return true;
    }
  }
  return false;
}

bool make_descriptors_uniform(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context) {
  if (!has_indexed_resources(module.functions[0])) return false;
  const ArenaScope scope(context.scratch);
  return State(module, analyses, context).run();
}

}  // namespace spalt::lower
