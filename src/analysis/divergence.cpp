// SPDX-License-Identifier: MIT
#include "analysis/divergence.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/alias.h"
#include "analysis/escapes.h"
#include "analysis/loops.h"
#include "analysis/uses.h"
#include "ir/scan.h"

namespace spalt::analysis {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kNowhere = 0xffffffffu;
/// After so many walks over the instructions their users are looked up.
constexpr unsigned kMaxWalks = 3;
constexpr uint32_t kNoLabel = 0xffffffffu;
constexpr uint32_t kSeveral = 0xfffffffeu;

/// Divergent by itself, whatever its operands.
bool is_source(const ir::Function& function, const ir::Module& module, Value value) {
  const ir::Inst& inst = function.inst(value);
  if (ir::is_atomic(inst.op) || inst.op == Op::image_atomic) return true;
  switch (inst.op) {
    case Op::param:
      return true;  // the caller is unknown
    case Op::bits_below:
    case Op::scan_part:
      return true;
    case Op::scan:
      return ir::ScanForm::unpack(inst.imm).kind != ir::ScanKind::reduce;
    case Op::builtin:
      return ir::builtin_info(ir::builtin_of(inst.imm)).per_lane;
    case Op::input:
    case Op::is_helper:
    case Op::covered:
    case Op::parameter:
    case Op::load_parameter:
      return true;
    case Op::arg:
      return inst.imm < module.args.size() && module.args[inst.imm].file == ir::EntryArg::File::vgpr;
    case Op::load:
    case Op::image_load: {
      // One instruction reads an address once for all lanes, so racing writers cannot make plain loads disagree. Memory
      // that others write on purpose, and memory that every lane has for itself, can.
      const ir::MemoryAccess access = function.access(value);
      return access.storage == ir::StorageClass::scratch || (access.flags & ir::kVolatile) != 0 ||
             access.order != ir::MemoryOrder::none;
    }
    default:
      return false;
  }
}

/// What one lane reads of another: lanes agree where they agree about either.
bool agrees_by_one_operand(Op op) {
  return op == Op::shuffle;
}

/// The same for all lanes that run it, whatever its operands.
bool is_uniform(const ir::Inst& inst) {
  if (inst.op == Op::scan) return ir::ScanForm::unpack(inst.imm).kind == ir::ScanKind::reduce;
  return inst.op == Op::read_first_lane || inst.op == Op::any_lane || inst.op == Op::ballot || inst.op == Op::read_lane;
}

}  // namespace

class DivergenceAnalyzer {
 public:
  DivergenceAnalyzer(const ir::Function& function, const ir::Module& module, const Loops& loops,
                     CompileContext& context)
      : function_(function),
        module_(module),
        loops_(loops),
        cancellation_(context.cancellation),
        scratch_(context.scratch),
        result_(context.arena),
        values_(scratch_),
        branches_(scratch_),
        exits_(scratch_),
        label_(scratch_),
        header_label_(scratch_),
        exit_label_(scratch_),
        labelled_(scratch_),
        touched_loops_(scratch_) {
    const uint32_t blocks = function.block_capacity();
    result_.values_.assign(function.value_capacity(), 0);
    result_.branches_.assign(blocks, 0);
    result_.exits_.assign(blocks, 0);
    result_.joins_.assign(blocks, 0);
    label_.assign(blocks, kNoLabel);
    header_label_.assign(loops_.size(), kNoLabel);
    exit_label_.assign(loops_.size(), kNoLabel);
    budget_ = 256 * static_cast<uint64_t>(blocks) + 65536;
  }

  Divergence run() {
    for (Value param : function_.params) result_.values_[param.index] = 1;
    restart_ = 0;
    for (unsigned walks = 0; restart_ != kNowhere; ++walks) {
      if (walks == kMaxWalks) {
        follow_users();
        break;
      }
      walk_instructions();
      propagate();
    }
    finish();
    return std::move(result_);
  }

 private:
  void walk_instructions();
  void visit(Value value, BlockId block);
  bool reads_divergent(Value value, BlockId block) const;
  /// Lanes that run the block disagree about the operand.
  bool is_divergent_in(Value operand, BlockId block) const {
    return result_.divergent(operand) || (left_loops_ && was_left_divergently(operand, block));
  }
  bool was_left_divergently(Value operand, BlockId block) const;
  void check_headers();
  void propagate();
  void follow_users();
  void finish();
  void mark(Value value);
  void mark_branch(BlockId block);
  void mark_user(Value user);
  /// Which predecessors of a block lanes come from that meet there.
  enum Join : uint8_t { kEntries = 1, kAllWays = 3 };
  void mark_join(BlockId block, Join join);
  void mark_loop(uint32_t loop);
  void leave_loop(uint32_t loop);
  void propagate_branch(BlockId block);
  void propagate_exits(uint32_t loop);
  void follow(BlockId from, BlockId to, uint32_t label, uint32_t position);
  void walk(uint32_t position);
  bool covered_by_branch(BlockId block);
  bool close_loops_before(uint32_t position);
  void reset_labels();
  void give_up();

  const ir::Function& function_;
  const ir::Module& module_;
  const Loops& loops_;
  const Cancellation& cancellation_;
  Arena& scratch_;
  std::optional<Escapes> escapes_;  ///< once a loop has a divergent exit and users are followed
  Divergence result_;
  Vector<Value> values_;      ///< divergent values whose users were not visited yet, when following users
  Vector<BlockId> branches_;  ///< divergent branches whose labels were not propagated yet
  Vector<uint32_t> exits_;    ///< the same for loops with divergent exit
  std::optional<Uses> uses_;  ///< when following users
  uint32_t restart_ = 0;      ///< layout position from where there may be more to mark
  bool left_loops_ = false;   ///< some loop has a divergent exit
  // State of one propagation.
  IdMap<BlockId, uint32_t> label_;
  Vector<uint32_t> header_label_, exit_label_;  ///< per loop: label that goes back, label that leaves
  Vector<BlockId> labelled_;
  Vector<uint32_t> touched_loops_;
  uint32_t pending_ = 0;  ///< labelled blocks that were not walked yet
  uint32_t headers_reached_ = 0;
  uint32_t start_loop_ = kNoLoop;  ///< innermost loop around the start that was not closed yet
  uint32_t start_ = 0;             ///< layout position of the start
  bool gave_up_ = false;
  uint64_t budget_;
};

/// Marks what follows from the marks so far, from `restart_` on. Definitions come before their uses, so that one walk
/// is enough, but for phis of loop headers and what they lead to.
void DivergenceAnalyzer::walk_instructions() {
  const ir::BlockList& layout = function_.layout();
  for (uint32_t position = std::exchange(restart_, kNowhere); position < layout.size(); ++position) {
    const BlockId block = layout[position];
    for (Value value : ir::insts(function_, block)) visit(value, block);
  }
  if (!loops_.empty()) check_headers();
}

void DivergenceAnalyzer::visit(Value value, BlockId block) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.type.is_none()) {
    if ((inst.op == Op::branch_if || inst.op == Op::switch_on) && reads_divergent(value, block)) mark_branch(block);
    return;
  }
  uint8_t& mark = result_.values_[value.index];
  if (mark != 0) return;
  const bool divergent = is_source(function_, module_, value) || (!is_uniform(inst) && reads_divergent(value, block));
  mark = divergent ? 1 : 0;
}

bool DivergenceAnalyzer::reads_divergent(Value value, BlockId block) const {
  const auto operands = function_.operands(value);
  const auto divergent = [&](Value operand) { return is_divergent_in(operand, block); };
  if (agrees_by_one_operand(function_.inst(value).op)) return std::all_of(operands.begin(), operands.end(), divergent);
  for (Value operand : operands) {
    if (divergent(operand)) return true;
  }
  return false;
}

/// Lanes left a loop around the operand in different iterations before the block.
bool DivergenceAnalyzer::was_left_divergently(Value operand, BlockId block) const {
  const BlockId home = function_.inst(operand).block;
  if (!home.valid()) return false;
  for (uint32_t loop = loops_.loop_of(home); loop != kNoLoop && !loops_.contains(loop, block);
       loop = loops_[loop].parent) {
    if (result_.exits_[loops_[loop].header] != 0) return true;
  }
  return false;
}

/// Phis that read a divergent value over a back edge.
void DivergenceAnalyzer::check_headers() {
  for (const Loop& loop : loops_.all()) {
    for (Value phi : ir::insts(function_, loop.header)) {
      if (function_.inst(phi).op != Op::phi) break;
      if (!result_.divergent(phi) && reads_divergent(phi, loop.header)) mark(phi);
    }
  }
}

/// Propagates branches and exits of loops, which may mark phis.
void DivergenceAnalyzer::propagate() {
  while (!branches_.empty() || !exits_.empty()) {
    if (!branches_.empty()) {
      const BlockId block = branches_.back();
      branches_.pop_back();
      cancellation_.poll();
      propagate_branch(block);
    } else {
      const uint32_t loop = exits_.back();
      exits_.pop_back();
      propagate_exits(loop);
    }
  }
}

/// Where walks keep finding more: marks the users of what was marked one by one, however far it goes.
void DivergenceAnalyzer::follow_users() {
  uses_.emplace(function_, false, &scratch_);
  for (uint32_t loop = 0; loop < loops_.size(); ++loop) {
    if (result_.exits_[loops_[loop].header] != 0) leave_loop(loop);
  }
  while (!values_.empty() || !branches_.empty() || !exits_.empty()) {
    while (!values_.empty()) {
      const Value value = values_.back();
      values_.pop_back();
      for (Value user : uses_->of(value)) mark_user(user);
    }
    propagate();
  }
}

/// Outside a walk.
void DivergenceAnalyzer::mark(Value value) {
  uint8_t& mark = result_.values_[value.index];
  if (mark != 0) return;
  mark = 1;
  values_.push_back(value);
  restart_ = std::min(restart_, loops_.position(function_.inst(value).block));
}

void DivergenceAnalyzer::mark_branch(BlockId block) {
  const auto& succs = function_.block(block).succs;
  const bool decides = std::any_of(succs.begin(), succs.end(), [&](BlockId succ) { return succ != succs[0]; });
  if (!decides || result_.branches_[block] != 0) return;
  result_.branches_[block] = 1;
  branches_.push_back(block);
}

/// `user` reads something that lanes disagree about.
void DivergenceAnalyzer::mark_user(Value user) {
  const ir::Inst& inst = function_.inst(user);
  if (inst.op == Op::branch_if || inst.op == Op::switch_on) {
    mark_branch(inst.block);
  } else if (!is_uniform(inst) && !inst.type.is_none()) {
    mark(user);
  }
}

/// Lanes meet that took different ways to `block`: all ways into it, or, at the header of a loop, those into the loop
/// or those back to the header. Lanes that enter a loop wait for each other and then begin its first iteration
/// together.
void DivergenceAnalyzer::mark_join(BlockId block, Join join) {
  uint8_t& known = result_.joins_[block];
  if ((known & join) == join) return;
  known |= join;
  const uint32_t position = loops_.position(block);
  const auto& preds = function_.block(block).preds;
  for (Value phi : ir::insts(function_, block)) {
    if (function_.inst(phi).op != Op::phi) break;
    Value met;
    bool equal = true;
    for (uint32_t i = 0; i < preds.size(); ++i) {
      if (join == kEntries && loops_.position(preds[i]) >= position) continue;
      equal &= !met.valid() || met == function_.operand(phi, i);
      met = function_.operand(phi, i);
    }
    if (!equal) mark(phi);
  }
}

/// Lanes leave `loop` in different iterations.
void DivergenceAnalyzer::mark_loop(uint32_t loop) {
  uint8_t& mark = result_.exits_[loops_[loop].header];
  if (mark != 0) return;
  mark = 1;
  exits_.push_back(loop);
}

/// Every value of the loop is a different one for different lanes after it.
void DivergenceAnalyzer::leave_loop(uint32_t loop) {
  left_loops_ = true;
  restart_ = std::min(restart_, loops_[loop].last + 1);
  if (!uses_) return;  // a walk follows
  if (!escapes_) escapes_.emplace(function_, loops_, *uses_, &scratch_);
  for (const Value value : escapes_->of(loop)) {
    for (const Value user : uses_->of(value)) {
      if (!loops_.contains(loop, function_.inst(user).block)) mark_user(user);
    }
  }
}

void DivergenceAnalyzer::propagate_branch(BlockId block) {
  if (gave_up_) return;
  start_loop_ = loops_.loop_of(block);
  start_ = loops_.position(block);
  for (BlockId succ : function_.block(block).succs) follow(block, succ, succ.index, start_);
  walk(start_ + 1);
  reset_labels();
}

/// A loop with divergent exit acts as a branch to all blocks that it can leave to.
void DivergenceAnalyzer::propagate_exits(uint32_t loop) {
  leave_loop(loop);
  if (gave_up_) return;
  start_loop_ = loops_[loop].parent;
  const auto exits = loops_.exits(loop);
  const uint32_t last = loops_[loop].last;
  start_ = last;
  for (const Edge& edge : exits) {
    const bool back = loops_.position(edge.to) <= last;
    const bool second = (back ? header_label_[loops_.loop_of(edge.to)] : label_[edge.to]) != kNoLabel;
    if (second)
      mark_join(edge.to,
                back ? kAllWays : kEntries);  // lanes of several exits, which left in different iterations, meet here
    follow(function_.layout()[last], edge.to, edge.to.index, last);
  }
  walk(last + 1);
  reset_labels();
}

/// Carries `label` over one edge; `from` is at `position`.
void DivergenceAnalyzer::follow(BlockId from, BlockId to, uint32_t label, uint32_t position) {
  const auto meet = [](uint32_t& known, uint32_t added) {
    if (known == kNoLabel) {
      known = added;
    } else if (known != added) {
      known = kSeveral;
    }
  };
  for (uint32_t loop = loops_.loop_of(from); loop != kNoLoop && !loops_.contains(loop, to);
       loop = loops_[loop].parent) {
    touched_loops_.push_back(loop);
    meet(exit_label_[loop], label);
  }
  if (loops_.position(to) <= position) {
    const uint32_t loop = loops_.loop_of(to);
    if (loops_[loop].first > start_) return;  // after the start: one label fills the whole loop
    touched_loops_.push_back(loop);
    if (header_label_[loop] == kNoLabel) ++headers_reached_;
    meet(header_label_[loop], label);
    if (header_label_[loop] == kSeveral) mark_join(to, kAllWays);
    return;
  }
  uint32_t& known = label_[to];
  if (known == kNoLabel) {
    known = label;
    labelled_.push_back(to);
    ++pending_;
  } else if (known != label) {
    mark_join(to, kEntries);
    known = to.index;
  }
}

void DivergenceAnalyzer::walk(uint32_t position) {
  const auto& layout = function_.layout();
  for (; position < layout.size(); ++position) {
    if (budget_-- == 0) return give_up();
    if (close_loops_before(position)) return;
    const BlockId block = layout[position];
    const uint32_t label = label_[block];
    if (pending_ == 0) {
      if (headers_reached_ == 0 || start_loop_ == kNoLoop) return;
      position = loops_[start_loop_].last;  // nothing is left to walk in this loop
      continue;
    }
    if (label == kNoLabel) continue;
    --pending_;
    if (pending_ == 0 && headers_reached_ == 0) return;  // all lanes are together again
    if (headers_reached_ == 0 && covered_by_branch(block)) return;
    for (BlockId succ : function_.block(block).succs) follow(block, succ, label, position);
  }
  close_loops_before(position);
}

/// Decides about the loops around the start that end before `position`. True if one has a divergent exit: then its own
/// propagation covers what follows.
bool DivergenceAnalyzer::close_loops_before(uint32_t position) {
  while (start_loop_ != kNoLoop && loops_[start_loop_].last < position) {
    const uint32_t loop = start_loop_;
    start_loop_ = loops_[loop].parent;
    const uint32_t back = header_label_[loop], out = exit_label_[loop];
    if (back == kNoLabel) continue;
    --headers_reached_;
    if (out == kNoLabel || (out == back && out != kSeveral)) continue;
    mark_loop(loop);
    return true;
  }
  return false;
}

/// True if `block` branches divergently itself and all other lanes wait at its successors: its own propagation finds
/// the remaining joins. This keeps chains such as many breaks out of one loop linear.
bool DivergenceAnalyzer::covered_by_branch(BlockId block) {
  if (result_.branches_[block] == 0) return false;
  SmallVector<BlockId, 8> waiting;
  for (BlockId succ : function_.block(block).succs) {
    const bool seen = std::find(waiting.begin(), waiting.end(), succ) != waiting.end();
    if (label_[succ] != kNoLabel && loops_.position(succ) > loops_.position(block) && !seen) waiting.push_back(succ);
  }
  if (waiting.size() != pending_) return false;
  for (BlockId succ : waiting) {
    if (label_[succ] != label_[block]) mark_join(succ, kEntries);
  }
  return true;
}

void DivergenceAnalyzer::reset_labels() {
  for (BlockId block : labelled_) label_[block] = kNoLabel;
  for (uint32_t loop : touched_loops_) header_label_[loop] = exit_label_[loop] = kNoLabel;
  labelled_.clear();
  touched_loops_.clear();
  pending_ = headers_reached_ = 0;
}

/// Some nesting is so deep that propagation would cost too much: every join and every loop exit counts as divergent.
void DivergenceAnalyzer::give_up() {
  gave_up_ = true;
  for (BlockId block : function_.layout()) mark_join(block, kAllWays);
  for (uint32_t loop = 0; loop < loops_.size(); ++loop) {
    if (result_.exits_[loops_[loop].header] == 0) {
      result_.exits_[loops_[loop].header] = 1;
      leave_loop(loop);
    }
  }
}

void DivergenceAnalyzer::finish() {
  // Loops come outer before inner, so the innermost one is written last.
  for (const Loop& loop : loops_.all()) {
    if (result_.exits_[loop.header] == 0) continue;
    if (result_.divergent_loop_.size() == 0) {
      result_.divergent_loop_.assign(function_.block_capacity(), {});
      result_.positions_.assign(function_.block_capacity(), kNoPosition);
      for (BlockId block : function_.layout()) result_.positions_[block] = loops_.position(block);
    }
    for (uint32_t position = loop.first; position <= loop.last; ++position) {
      result_.divergent_loop_[function_.layout()[position]] = {loop.first, loop.last};
    }
  }
}

Divergence analyze_divergence(const ir::Function& function, const ir::Module& module, AnalysisCache& analyses,
                              CompileContext& context) {
  const ArenaScope scope(context.scratch);
  return DivergenceAnalyzer(function, module, analyses.loops(), context).run();
}

}  // namespace spalt::analysis
