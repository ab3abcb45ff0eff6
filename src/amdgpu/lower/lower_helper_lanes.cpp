// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_helper_lanes.h"

#include <algorithm>

#include "amdgpu/lower/helper_places.h"
#include "ir/ballot.h"
#include "ir/cfg_edit.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kNoPosition = 0xffffffffu;

/// A wave looks whether fragments are left where so much work, in instructions, is still to come.
constexpr uint32_t kWorthATest = 32;

/// Only fragments that count may do this.
bool changes_memory(const ir::Function& function, Value value) {
  switch (function.inst(value).op) {
    case Op::image_store:
    case Op::image_atomic:
      return true;
    case Op::store:
      break;
    default:
      if (!ir::is_atomic(function.inst(value).op)) return false;
  }
  return function.access(value).storage != ir::StorageClass::scratch;
}

/// A ballot of a quad, whose helpers answer.
bool counts_helpers(const ir::Function& function, Value value) {
  const ir::Inst& inst = function.inst(value);
  return inst.op == Op::ballot && (inst.imm & ir::kBallotOfHelpers) != 0;
}

/// Reads what other invocations may have written since the last turn of a loop.
bool reads_shared_progress(const ir::Function& function, Value value) {
  const Op op = function.inst(value).op;
  if (ir::is_atomic(op) || op == Op::image_atomic) return true;
  if (op != Op::load && op != Op::image_load) return false;
  const ir::MemoryAccess access = function.access(value);
  return (access.flags & (ir::kVolatile | ir::kCoherent)) != 0 || access.order != ir::MemoryOrder::none;
}

bool has_demotion(const ir::Function& function) {
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (function.inst(value).op == Op::demote) return true;
    }
  }
  return false;
}

/// The end of a body.
bool hands_over(const ir::Function& function) {
  const Value end = function.terminator(function.layout().back()), last = function.inst(end).prev;
  return last.valid() && function.inst(last).op == Op::hand_over;
}

class State {
 public:
  State(ir::Module& module, BlockId exit, CompileContext& context, bool exact_exports)
      : f_(module.functions[0]),
        whole_quads_(module.fragment().whole_quads),
        exact_exports_(exact_exports),
        exit_(exit),
        scratch_(context.scratch),
        places_(f_, exit, scratch_),
        insert_(f_, scratch_),
        order_(f_.layout(), &scratch_),
        position_(scratch_, f_.block_capacity(), kNoPosition),
        alive_at_end_(scratch_, f_.block_capacity()),
        loop_end_(scratch_, order_.size(), kNoPosition),
        demotes_before_(scratch_),
        waits_before_(scratch_),
        guard_(scratch_, f_.value_capacity()),
        stays_(scratch_, f_.value_capacity()),
        tails_(scratch_, f_.block_capacity()),
        layout_(scratch_),
        phis_(scratch_),
        results_(scratch_),
        code_(scratch_) {}

  void run();

 private:
  struct Phi {
    BlockId block;
    Value value;
  };
  struct Result {
    Value value, phi;
  };

  bool has_effect(Value value) const {
    return f_.inst(value).op == Op::export_to ? exact_exports_ : changes_memory(f_, value);
  }
  void survey();
  Value at_start(uint32_t position);
  Value new_phi(BlockId block);
  void walk(uint32_t position);
  void narrow_condition(Value value, unsigned operand, Value alive);
  Value visit(Value value, Value alive);
  Value let_leave(Value value, Value alive, bool quads_are_needed, uint32_t work);
  bool is_exit_of_kill(BlockId block) const;
  void leave_without_progress();
  void add_exit(BlockId block, uint32_t loop_end);
  void guard(BlockId block);
  void cut(size_t begin, size_t end);
  void leave_unless(Value stays);
  BlockId append_block() {
    layout_.push_back(f_.create_block());
    return layout_.back();
  }
  void jump(BlockId from, BlockId to) {
    ir::append_jump(f_, from);
    f_.add_edge(from, to);
  }
  void redirect_predecessors();
  void replace_results();

  ir::Function& f_;
  const bool whole_quads_;
  const bool exact_exports_;
  const BlockId exit_;
  Arena& scratch_;
  const HelperPlaces places_;
  Inserter insert_;
  const ir::BlockList order_;  ///< the layout before anything is cut
  IdMap<BlockId, uint32_t> position_;
  IdMap<BlockId, Value> alive_at_end_;
  Vector<uint32_t> loop_end_;        ///< by position of a loop header
  Vector<uint32_t> demotes_before_;  ///< prefix sums by position
  Vector<uint32_t> waits_before_;    ///< likewise, of what reads_shared_progress
  IdMap<Value, Value> guard_;        ///< by instruction with an effect: who may do it
  IdMap<Value, Value> stays_;        ///< by instruction: other lanes leave for the exit before it
  IdMap<BlockId, BlockId> tails_;    ///< by block that was cut: the part with its terminator
  ir::BlockList layout_;
  Vector<Phi> phis_;
  Vector<Result> results_;
  Value initial_;
  Value tested_;  ///< the last condition that was asked for the whole wave
  // The block that is being cut:
  Vector<Value> code_;
  BlockId current_;
};

void State::survey() {
  demotes_before_.assign(order_.size() + 1, 0);
  waits_before_.assign(order_.size() + 1, 0);
  for (uint32_t p = 0; p < order_.size(); ++p) position_[order_[p]] = p;
  for (uint32_t p = 0; p < order_.size(); ++p) {
    uint32_t demotes = 0, waits = 0;
    const bool stays = !is_exit_of_kill(order_[p]);
    for (Value value : ir::insts(f_, order_[p])) {
      demotes += f_.inst(value).op == Op::demote && stays ? 1 : 0;
      waits += reads_shared_progress(f_, value) ? 1 : 0;
    }
    demotes_before_[p + 1] = demotes_before_[p] + demotes;
    waits_before_[p + 1] = waits_before_[p] + waits;
    for (BlockId succ : f_.block(order_[p]).succs) {
      if (position_[succ] <= p) loop_end_[position_[succ]] = p;
    }
  }
}

/// Whether all lanes that come here are demoted and leave.
bool State::is_exit_of_kill(BlockId block) const {
  return exit_.valid() && is_kill(f_, block) && f_.block(block).succs[0] == exit_;
}

Value State::new_phi(BlockId block) {
  const SmallVector<Value, 4> operands = [&] {
    SmallVector<Value, 4> unknown;
    unknown.resize(static_cast<uint32_t>(f_.block(block).preds.size()), f_.undef(ir::kBool));
    return unknown;
  }();
  const Value phi = f_.create(Op::phi, ir::kBool, operands.span());
  f_.prepend_phi(block, phi);
  phis_.push_back({block, phi});
  return phi;
}

Value State::at_start(uint32_t p) {
  const BlockId block = order_[p];
  if (p == 0) return initial_;
  const uint32_t end = loop_end_[p];
  if (end != kNoPosition && demotes_before_[end + 1] != demotes_before_[p]) return new_phi(block);
  Value common;
  for (BlockId pred : f_.block(block).preds) {
    if (position_[pred] >= p) continue;  // a loop without demotions brings back what it had
    const Value alive = alive_at_end_[pred];
    if (common.valid() && common != alive) return new_phi(block);
    common = alive;
  }
  return common.valid() ? common : initial_;
}

/// The operand holds for fragments that count only.
void State::narrow_condition(Value value, unsigned operand, Value alive) {
  if (f_.is_constant(alive, 1)) return;
  insert_.before(value);
  f_.set_operand(value, operand, insert_.op(Op::iand, ir::kBool, {insert_.current(f_.operand(value, operand)), alive}));
}

/// What `alive` is after the instruction.
Value State::visit(Value value, Value alive) {
  const Op op = f_.inst(value).op;
  switch (op) {
    case Op::demote: {
      insert_.before(value);
      const Value stays = insert_.op(Op::inot, ir::kBool, {f_.operand(value, 0)});
      alive = insert_.op(Op::iand, ir::kBool, {alive, stays});
      f_.unlink(value);
      return alive;
    }
    case Op::is_helper:
      insert_.before(value);
      insert_.replace(value, insert_.op(Op::inot, ir::kBool, {alive}));
      return alive;
    case Op::any_lane:
    case Op::ballot:
    case Op::hand_over:
      if (!counts_helpers(f_, value)) narrow_condition(value, 0, alive);
      return alive;
    case Op::scan:
      narrow_condition(value, 1, alive);
      return alive;
    default:
      if (has_effect(value) && !f_.is_constant(alive, 1)) guard_[value] = alive;
      return alive;
  }
}

/// Lanes without anything more to do may leave before the instruction: where it is one that they would take part in
/// for nothing, or where paths part after it. Returns what `alive` is for those that stay.
Value State::let_leave(Value value, Value alive, bool quads_are_needed, uint32_t work) {
  if (f_.is_constant(alive, 1)) return alive;
  const auto& succs = f_.block(f_.inst(value).block).succs;
  const bool paths_part = ir::is_terminator(f_.inst(value).op) && !succs.empty() && succs[0] != exit_;
  if (!quads_are_needed) {
    if (!paths_part && !has_effect(value)) return alive;
    stays_[value] = alive;
    return f_.constant_bool(true);
  }
  if (alive == initial_ || alive == tested_ || work < kWorthATest) return alive;
  if (!paths_part && !has_effect(value) && HelperPlaces::work_of(f_, value) == 1) return alive;
  insert_.before(value);
  stays_[value] = insert_.op(Op::any_lane, ir::kBool, {alive});
  tested_ = alive;
  return alive;
}

void State::walk(uint32_t p) {
  if (order_[p] == exit_) return;
  Value alive = at_start(p);
  const bool all_pass = exit_.valid() && places_.all_pass(p);
  bool quads_are_needed = places_.last_need().valid() && p <= places_.last_need_block();
  uint32_t work = places_.work_from(p);
  for (Value value : ir::insts(f_, order_[p])) {
    if (f_.inst(value).op == Op::phi) continue;
    if (all_pass) alive = let_leave(value, alive, quads_are_needed, work);
    if (value == places_.last_need()) quads_are_needed = false;
    work -= all_pass ? HelperPlaces::work_of(f_, value) : 0;
    alive = visit(value, alive);
  }
  alive_at_end_[order_[p]] = alive;
}

/// An exit belongs to the innermost loop around it.
void State::leave_without_progress() {
  SmallVector<uint32_t, 8> around;  // headers
  for (uint32_t p = 0; p < order_.size(); ++p) {
    while (!around.empty() && loop_end_[around.back()] < p) around.pop_back();
    if (loop_end_[p] != kNoPosition) around.push_back(p);
    if (around.empty()) continue;
    const uint32_t header = around.back(), end = loop_end_[header];
    if (waits_before_[end + 1] != waits_before_[header]) add_exit(order_[p], end);
  }
}

/// The branch leaves the loop also where nobody who runs is alive.
void State::add_exit(BlockId block, uint32_t end) {
  const Value branch = f_.terminator(block);
  if (f_.inst(branch).op != Op::branch_if) return;
  const auto& succs = f_.block(block).succs;
  const bool first_leaves = position_[succs[0]] > end, second_leaves = position_[succs[1]] > end;
  if (first_leaves == second_leaves || f_.is_constant(alive_at_end_[block], 1)) return;
  insert_.before(branch);
  const Value somebody = insert_.op(Op::any_lane, ir::kBool, {alive_at_end_[block]});
  const Value condition = insert_.current(f_.operand(branch, 0));
  if (first_leaves) {
    const Value nobody = insert_.op(Op::inot, ir::kBool, {somebody});
    f_.set_operand(branch, 0, insert_.op(Op::ior, ir::kBool, {condition, nobody}));
  } else {
    f_.set_operand(branch, 0, insert_.op(Op::iand, ir::kBool, {condition, somebody}));
  }
}

/// Takes the instructions of a block apart where some of them may not be done by all lanes.
void State::guard(BlockId block) {
  code_.clear();
  bool any = false;
  for (Value value : ir::insts(f_, block)) {
    code_.push_back(value);
    any |= value.index < guard_.size() && (guard_[value].valid() || stays_[value].valid());
  }
  if (!any) return;
  ir::Block& head = f_.edit_block(block);
  const SmallVector<BlockId, 2> succs(head.succs.span());
  Vector<uint64_t> cases = std::move(head.cases);
  const BlockId merge = head.is_loop_header() ? BlockId() : head.merge;
  head.succs.clear();
  head.cases.clear();
  if (merge.valid()) head.merge = BlockId();
  for (Value value : code_) f_.unlink(value);
  current_ = block;
  const auto guard_of = [&](Value value) { return value.index < guard_.size() ? guard_[value] : Value(); };
  const auto stays_of = [&](Value value) { return value.index < stays_.size() ? stays_[value] : Value(); };
  for (size_t i = 0; i < code_.size();) {
    if (const Value stays = stays_of(code_[i]); stays.valid()) leave_unless(stays);
    const Value alive = guard_of(code_[i]);
    if (!alive.valid()) {
      f_.append(current_, code_[i++]);
      continue;
    }
    size_t end = i + 1;
    while (end < code_.size() && guard_of(code_[end]) == alive && !stays_of(code_[end]).valid()) ++end;
    cut(i, end);
    i = end;
  }
  ir::Block& tail = f_.edit_block(current_);
  tail.succs = succs;
  tail.cases = std::move(cases);
  if (merge.valid()) tail.merge = merge;
  tails_[block] = current_;
}

/// code_[begin, end) goes into a branch after the current block; what follows goes after the branch.
void State::cut(size_t begin, size_t end) {
  if (f_.block(current_).is_loop_header()) {
    const BlockId inside = append_block();
    jump(current_, inside);
    current_ = inside;
  }
  const BlockId exact = append_block(), after = append_block();
  ir::append_branch_if(f_, current_, guard_[code_[begin]]);
  f_.add_edge(current_, exact);
  f_.add_edge(current_, after);
  f_.edit_block(current_).merge = after;
  for (size_t i = begin; i < end; ++i) f_.append(exact, code_[i]);
  jump(exact, after);
  for (size_t i = begin; i < end; ++i) {
    const ir::Type type = f_.type(code_[i]);
    if (type.is_none()) continue;
    const Value operands[] = {f_.undef(type), code_[i]};
    const Value phi = f_.create(Op::phi, type, operands);
    f_.prepend_phi(after, phi);
    results_.push_back({code_[i], phi});
  }
  current_ = after;
}

/// What follows the current block is for the lanes that stay.
void State::leave_unless(Value stays) {
  const BlockId rest = append_block();
  ir::append_branch_if(f_, current_, stays);
  f_.add_edge(current_, rest);
  f_.add_edge(current_, exit_);
  f_.edit_block(current_).merge = exit_;
  current_ = rest;
}

/// Edges out of a block that was cut come from its last part. New blocks know their predecessors; the exit has those of
/// both kinds, and no phis.
void State::redirect_predecessors() {
  for (BlockId block : order_) {
    if (block == exit_) continue;
    for (BlockId& pred : f_.edit_block(block).preds) {
      if (pred.index < tails_.size() && tails_[pred].valid()) pred = tails_[pred];
    }
  }
  if (!exit_.valid()) return;
  auto& preds = f_.edit_block(exit_).preds;
  preds.clear();
  for (BlockId block : f_.layout()) {
    for (BlockId succ : f_.block(block).succs) {
      if (succ == exit_) preds.push_back(block);
    }
  }
}

/// Who used the result of a guarded operation takes that of the phi after it, which is the only one to use it now.
void State::replace_results() {
  if (results_.empty()) return;
  IdMap<Value, Value> phi_of(scratch_, f_.value_capacity());
  for (const Result& result : results_) phi_of[result.value] = result.phi;
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      for (Value& operand : f_.operands(value)) {
        if (phi_of[operand].valid() && phi_of[operand] != value) operand = phi_of[operand];
      }
    }
  }
}

void State::run() {
  survey();
  initial_ = f_.constant_bool(true);
  if (whole_quads_) {
    initial_ = f_.create(Op::covered, ir::kBool, {});
    f_.insert_before(f_.block(f_.entry()).first, initial_);
  }
  for (uint32_t p = 0; p < order_.size(); ++p) walk(p);
  for (const Phi& phi : phis_) {
    const auto& preds = f_.block(phi.block).preds;
    for (uint32_t i = 0; i < preds.size(); ++i) f_.set_operand(phi.value, i, alive_at_end_[preds[i]]);
  }
  leave_without_progress();
  insert_.finish();
  for (BlockId block : order_) {
    layout_.push_back(block);
    guard(block);
  }
  f_.edit_layout() = std::move(layout_);
  redirect_predecessors();
  replace_results();
}

}  // namespace

bool needs_whole_quads(const ir::Function& function) {
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (needs_quad(function, value)) return true;
    }
  }
  return false;
}

bool lower_helper_lanes(ir::Module& module, CompileContext& context, bool exact_exports) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  if (!module.fragment().whole_quads && !has_demotion(function)) {
    // All lanes are fragments, and stay so.
    return Inserter(function, context.scratch).replace_each([&](Value value) {
      return function.inst(value).op == Op::is_helper ? function.constant_bool(false) : Value();
    });
  }
  // The lanes that a body hands over come to its end together.
  const BlockId exit = hands_over(function) ? BlockId() : split_end(function);
  join_demotions(function, context.scratch);
  State(module, exit, context, exact_exports).run();
  return true;
}

}  // namespace spalt::lower
