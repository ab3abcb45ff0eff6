// SPDX-License-Identifier: MIT
#include "passes/simplify_control_flow.h"

#include <algorithm>

#include "analysis/loops.h"
#include "ir/cfg_edit.h"
#include "ir/owed_exports.h"
#include "passes/simplify/replacer.h"

namespace spalt::passes {

using ir::Block;
using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Copies that threading a join may add to each phi of its target.
constexpr unsigned kMaxThreadedCopies = 4;
/// A target with phis and more predecessors than this gets no further ones: each would copy all operands.
constexpr unsigned kMaxGrowingPreds = 64;

/// Size of a block that is joined with its predecessor at once, so that arms of outer branches become simple. A larger
/// one can be part of no arm.
constexpr unsigned kSmall = 24;
constexpr unsigned kAnySize = 0xffffffff;

/// Vector instructions that an operation roughly takes; more than any arm may have where it should stay conditional.
unsigned cost_of(Op op) {
  switch (op) {
    case Op::udiv:
    case Op::sdiv:
    case Op::umod:
    case Op::srem:
    case Op::smod:
    case Op::frem:
    case Op::fmod:
    case Op::buffer_size:
    case Op::resource:
    case Op::sampler:
    case Op::buffer_of:
    case Op::image_size:
    case Op::image_levels:
    case Op::image_samples:
      return 1000;
    case Op::fdiv:
    case Op::fsqrt:
    case Op::fsin:
    case Op::fcos:
      return 4;
    case Op::imul:
    case Op::umul_hi:
    case Op::smul_hi:
    case Op::frsq:
    case Op::frcp:
    case Op::fexp2:
    case Op::flog2:
      return 3;
    default:
      return ir::is_pure(op) ? 1 : 1000;
  }
}

/// A push constant whose place is known is there for every lane, mostly in a register already.
bool is_push_constant(const ir::Function& function, Value value) {
  return function.inst(value).op == Op::load && function.access(value).storage == ir::StorageClass::push &&
         function.is_constant(function.operand(value, 0));
}

class ControlFlow {
 public:
  ControlFlow(ir::Function& function, analysis::AnalysisCache& analyses, Arena& scratch,
              const SimplifyControlFlowConfig& config)
      : f_(function),
        analyses_(analyses),
        scratch_(scratch),
        config_(config),
        replacer_(scratch),
        blocks_(scratch),
        to_exports_(scratch),
        at_(scratch),
        skip_(scratch) {}

  ControlFlowChange run() {
    for (BlockId block : f_.layout()) fold_terminator(block);
    change_.values |= ir::remove_unreachable_blocks(f_, scratch_);
    analyze();
    normalize_headers();
    const ir::BlockList order(f_.layout(), &scratch_);
    for (size_t i = order.size(); i-- > 1;) thread(order[i]);
    bool folded = false;
    for (size_t i = order.size(); i-- > 0;) {
      const BlockId block = order[i];
      if (blocks_[block].removed) continue;
      folded |= fold_terminator(block);
      convert(block);
      while (merge_with_successor(block, kSmall)) {
      }
    }
    // Forward, so that instructions move once however long the line is.
    for (BlockId block : order) {
      while (!blocks_[block].removed && merge_with_successor(block, kAnySize)) {
      }
    }
    if (removed_any_) rebuild_layout();
    replacer_.apply(f_);
    change_.values |= !replacer_.empty();
    // Nothing but a branch that was folded cuts blocks off.
    if (folded) change_.values |= ir::remove_unreachable_blocks(f_, scratch_);
    change_.graph |= change_.values;
    if (change_.graph) normalize_headers();
    return change_;
  }

 private:
  void analyze();
  void normalize_headers();
  bool fold_terminator(BlockId block);
  bool loses_exports(BlockId block, BlockId taken);
  void find_ways_to_exports();
  void thread(BlockId block);
  bool may_thread(BlockId block, BlockId target);
  bool same_phi_operands(BlockId target, BlockId a, BlockId b);
  void convert(BlockId block);
  bool is_arm(BlockId arm, BlockId header, BlockId join);
  void move_arm(BlockId arm, BlockId header);
  bool merge_with_successor(BlockId block, unsigned max_size);
  bool at_most(BlockId block, unsigned size) const;
  void rebuild_layout();
  void replace_trivial_phis(BlockId block);
  bool is_loop_back(BlockId from, BlockId to) const { return position(to) <= position(from); }
  uint32_t position(BlockId block) const { return blocks_[block].position; }
  BlockId block_at_or_after(uint32_t position);
  void remove(BlockId block);

  struct BlockState {
    uint32_t position = analysis::kNoPosition;  ///< stays in the order of the layout
    uint32_t loop = analysis::kNoLoop;          ///< innermost loop, by number
    BlockId heir;                               ///< block that took over from a removed one
    bool removed = false;
    bool is_continue_target = false, is_merge = false;
  };

  ir::Function& f_;
  analysis::AnalysisCache& analyses_;
  Arena& scratch_;
  const SimplifyControlFlowConfig& config_;
  Replacer replacer_;
  IdMap<BlockId, BlockState> blocks_;
  IdMap<BlockId, bool>
      to_exports_;         ///< whether ways lead from there to exports that are owed; filled at the first need
  ir::BlockList at_;       ///< block at each position; none once it is gone
  Vector<uint32_t> skip_;  ///< from free positions: one nearer to the next block
  bool removed_any_ = false;
  ControlFlowChange change_;
};

void ControlFlow::analyze() {
  const analysis::Loops& loops = analyses_.loops();
  at_ = f_.layout();
  skip_.resize(at_.size() + 1);
  for (uint32_t i = 0; i < skip_.size(); ++i) skip_[i] = i;
  blocks_.resize(f_.block_capacity());
  for (BlockId block : f_.layout()) {
    blocks_[block].position = loops.position(block);
    blocks_[block].loop = loops.loop_of(block);
    const Block& info = f_.block(block);
    if (info.continue_target.valid()) blocks_[info.continue_target].is_continue_target = true;
    if (info.merge.valid()) blocks_[info.merge].is_merge = true;
  }
}

/// The first remaining block from this position on, or none.
BlockId ControlFlow::block_at_or_after(uint32_t position) {
  while (skip_[position] != position) {
    skip_[position] = skip_[skip_[position]];
    position = skip_[position];
  }
  return position < at_.size() ? at_[position] : BlockId();
}

void ControlFlow::remove(BlockId block) {
  const uint32_t position = blocks_[block].position;
  blocks_[block].removed = true;
  removed_any_ = true;
  at_[position] = BlockId();
  skip_[position] = position + 1;
}

/// Headers that lost what made them headers.
void ControlFlow::normalize_headers() {
  for (BlockId block : f_.layout()) {
    const Block& info = f_.block(block);
    if (info.is_loop_header()) {
      const bool loops =
          std::any_of(info.preds.begin(), info.preds.end(), [&](BlockId pred) { return is_loop_back(pred, block); });
      if (loops) continue;
      f_.edit_block(block).continue_target = BlockId();
      f_.edit_block(block).merge = BlockId();
      change_.graph = true;
    }
    const bool branches =
        std::any_of(info.succs.begin(), info.succs.end(), [&](BlockId succ) { return succ != info.succs[0]; });
    if (!branches && info.merge.valid()) f_.edit_block(block).merge = BlockId();
  }
}

/// Turns a branch whose direction is known into a jump.
bool ControlFlow::fold_terminator(BlockId block) {
  const Value terminator = f_.terminator(block);
  const Op op = f_.inst(terminator).op;
  if (op != Op::branch_if && op != Op::switch_on) return false;
  const Block& info = f_.block(block);
  const Value selector = replacer_.resolve(f_.operand(terminator, 0));
  unsigned taken = 0;
  if (f_.is_constant(selector)) {
    const uint64_t bits = f_.inst(selector).imm;
    if (op == Op::branch_if) {
      taken = bits != 0 ? 0 : 1;
    } else {
      const auto match = std::find(info.cases.begin(), info.cases.end(), bits);
      taken = match == info.cases.end() ? 0 : static_cast<unsigned>(match - info.cases.begin()) + 1;
    }
  } else if (f_.inst(selector).op == Op::undef) {
    taken = op == Op::branch_if ? 1 : 0;  // as simplify chooses for comparisons
  } else {
    const bool decides =
        std::any_of(info.succs.begin(), info.succs.end(), [&](BlockId s) { return s != info.succs[0]; });
    if (decides) return false;
  }
  if (loses_exports(block, info.succs[taken])) return false;
  ir::make_jump(f_, block, taken);
  change_.values = true;
  return true;
}

/// Whether exports that are owed could not be reached any more if `block` jumped to `taken`. What a fold leaves keeps
/// its ways, so that they are found once.
bool ControlFlow::loses_exports(BlockId block, BlockId taken) {
  if (!f_.operations().meets({Op::export_to})) return false;
  if (to_exports_.size() == 0) find_ways_to_exports();
  return to_exports_[block] && !to_exports_[taken];
}

void ControlFlow::find_ways_to_exports() {
  to_exports_.assign(f_.block_capacity(), false);
  Vector<BlockId> reached(scratch_);
  const auto reach = [&](BlockId block) {
    if (to_exports_[block]) return;
    to_exports_[block] = true;
    reached.push_back(block);
  };
  for (BlockId block : f_.layout()) {
    if (ir::owes_exports(f_, block)) reach(block);
  }
  while (!reached.empty()) {
    const BlockId block = reached.back();
    reached.pop_back();
    for (BlockId pred : f_.block(block).preds) reach(pred);
  }
}

/// Phis with one operand; the block is about to join its predecessor.
void ControlFlow::replace_trivial_phis(BlockId block) {
  for (Value phi : ir::insts(f_, block)) {
    if (f_.inst(phi).op != Op::phi) break;
    replacer_.replace(phi, f_.operand(phi, 0));
    f_.unlink(phi);
  }
}

// Threading

bool ControlFlow::same_phi_operands(BlockId target, BlockId a, BlockId b) {
  const unsigned first = ir::pred_index(f_, target, a), second = ir::pred_index(f_, target, b);
  for (Value phi : ir::insts(f_, target)) {
    if (f_.inst(phi).op != Op::phi) break;
    if (f_.operand(phi, first) != f_.operand(phi, second)) return false;
  }
  return true;
}

bool ControlFlow::may_thread(BlockId block, BlockId target) {
  const Block& info = f_.block(block);
  if (info.is_loop_header() || is_loop_back(block, target) || blocks_[block].is_continue_target) return false;
  const bool phis = f_.inst(f_.block(target).first).op == Op::phi;
  const auto& target_preds = f_.block(target).preds;
  if (phis && info.preds.size() > kMaxThreadedCopies) return false;
  if (phis && info.preds.size() > 1 && target_preds.size() > kMaxGrowingPreds) return false;
  for (BlockId pred : info.preds) {
    const bool known = phis && std::find(target_preds.begin(), target_preds.end(), pred) != target_preds.end();
    if (known && !same_phi_operands(target, pred, block)) return false;
  }
  return true;
}

/// Lets the predecessors of an empty block go to its target directly.
void ControlFlow::thread(BlockId block) {
  const Block& info = f_.block(block);
  if (info.first != info.last || f_.inst(info.last).op != Op::branch) return;
  const BlockId target = info.succs[0];
  if (!may_thread(block, target)) return;
  SmallVector<Value, 16> operands;
  const unsigned index = ir::pred_index(f_, target, block);
  for (Value phi : ir::insts(f_, target)) {
    if (f_.inst(phi).op != Op::phi) break;
    operands.push_back(f_.operand(phi, index));
  }
  const auto edge_of = [&](BlockId pred) {
    unsigned succ = 0;
    while (f_.block(pred).succs[succ] != block) ++succ;
    return succ;
  };
  while (info.preds.size() > 1) {
    const BlockId pred = info.preds.back();
    ir::redirect_edge(f_, pred, edge_of(pred), target, operands);
  }
  // The last one takes the place of the block, phi operands included.
  if (info.preds.empty()) {
    ir::remove_edge(f_, block, 0);
  } else {
    const BlockId pred = info.preds[0];
    f_.edit_block(pred).succs[edge_of(pred)] = target;
    f_.edit_block(target).preds[index] = pred;
    Block& gone = f_.edit_block(block);
    gone.preds.clear();
    gone.succs.clear();
  }
  f_.unlink(f_.terminator(block));
  remove(block);
  blocks_[block].heir = target;
  change_.graph = true;
  change_.values |= !operands.empty();
}

// Conversion to selects

bool ControlFlow::is_arm(BlockId arm, BlockId header, BlockId join) {
  const Block& info = f_.block(arm);
  if (info.preds.size() != 1 || info.preds[0] != header || info.succs.size() != 1 || info.succs[0] != join)
    return false;
  if (info.is_loop_header() || blocks_[arm].is_continue_target || arm == join) return false;
  unsigned cost = 0;
  for (Value value : ir::insts(f_, arm)) {
    if (value == info.last) break;
    const Op op = f_.inst(value).op;
    if (op != Op::phi) cost += is_push_constant(f_, value) ? 1 : cost_of(op);
    if (cost > config_.max_arm_size) return false;
  }
  return true;
}

void ControlFlow::move_arm(BlockId arm, BlockId header) {
  replace_trivial_phis(arm);
  const Value end = f_.terminator(header), jump = f_.terminator(arm);
  for (Value value : ir::insts(f_, arm)) {
    if (value == jump) break;
    f_.unlink(value);
    f_.insert_before(end, value);
  }
}

void ControlFlow::convert(BlockId block) {
  const Value branch = f_.terminator(block);
  if (f_.inst(branch).op != Op::branch_if) return;
  const BlockId first = f_.block(block).succs[0], second = f_.block(block).succs[1];
  const BlockId after_first = f_.block(first).succs.size() == 1 ? f_.block(first).succs[0] : BlockId();
  const bool if_then = after_first == second && is_arm(first, block, second);
  const bool else_only = !if_then && is_arm(second, block, first);
  const bool diamond = !if_then && !else_only && after_first.valid() && is_arm(first, block, after_first) &&
                       is_arm(second, block, after_first);
  if (!if_then && !else_only && !diamond) return;
  const BlockId join = else_only ? first : after_first;
  if (is_loop_back(block, join)) return;

  const unsigned from_first = ir::pred_index(f_, join, else_only ? block : first);
  const unsigned from_second = ir::pred_index(f_, join, if_then ? block : second);
  unsigned selects = 0;
  for (Value phi : ir::insts(f_, join)) {
    if (f_.inst(phi).op != Op::phi) break;
    if (f_.type(phi) == ir::kResource) return;
    if (f_.operand(phi, from_first) != f_.operand(phi, from_second)) ++selects;
  }
  if (selects > config_.max_selects) return;

  if (!else_only) move_arm(first, block);
  if (!if_then) move_arm(second, block);
  const Value condition = f_.operand(branch, 0);
  for (Value phi : ir::insts(f_, join)) {
    if (f_.inst(phi).op != Op::phi) break;
    const Value a = f_.operand(phi, from_first), b = f_.operand(phi, from_second);
    if (a == b) continue;
    const Value operands[] = {condition, a, b};
    const Value select = f_.create(Op::select, f_.type(phi), operands);
    f_.insert_before(branch, select);
    f_.set_operand(phi, from_first, select);
    f_.set_operand(phi, from_second, select);
  }
  // One edge to the join is left: that of the first arm, or the direct one.
  const BlockId arm = else_only ? second : first;
  const unsigned kept = else_only ? 0 : 1;
  if (diamond) {
    ir::remove_edge(f_, second, 0);
    remove(second);
    f_.edit_block(join).preds[ir::pred_index(f_, join, first)] = block;
    f_.edit_block(block).succs.clear();
    f_.edit_block(block).succs.push_back(join);
    f_.edit_block(first).succs.clear();
    f_.edit_block(first).preds.clear();
    f_.edit_block(second).preds.clear();
    f_.unlink(f_.terminator(second));
    f_.unlink(branch);
    ir::append_jump(f_, block);
  } else {
    ir::remove_edge(f_, arm, 0);
    ir::make_jump(f_, block, kept);
  }
  f_.unlink(f_.terminator(arm));
  remove(arm);
  change_.values = true;
}

// Straight lines

bool ControlFlow::at_most(BlockId block, unsigned size) const {
  unsigned count = 0;
  for (Value value = f_.block(block).first; value.valid(); value = f_.inst(value).next) {
    if (++count > size) return false;
  }
  return true;
}

bool ControlFlow::merge_with_successor(BlockId block, unsigned max_size) {
  if (f_.block(block).succs.size() != 1) return false;
  const BlockId next = f_.block(block).succs[0];
  const Block& old = f_.block(next);
  if (next == block || old.preds.size() != 1 || old.is_loop_header() || blocks_[block].loop != blocks_[next].loop)
    return false;
  if (max_size != kAnySize && !at_most(next, max_size)) return false;
  // Next to each other they can merge in place. Otherwise the first moves down to the second, which is possible unless
  // something else refers to its place.
  BlockState& state = blocks_[block];
  BlockState& next_state = blocks_[next];
  if (block_at_or_after(state.position + 1) != next) {
    const bool pinned =
        f_.block(block).is_loop_header() || state.is_merge || state.is_continue_target || block == f_.entry();
    if (pinned) return false;
    remove(block);
    state.removed = false;
    state.position = next_state.position;
    at_[state.position] = block;
    next_state.removed = true;
  } else {
    remove(next);
  }
  replace_trivial_phis(next);
  f_.unlink(f_.terminator(block));
  for (Value value : ir::insts(f_, next)) {
    f_.unlink(value);
    f_.append(block, value);
  }
  Block& into = f_.edit_block(block);
  into.succs = old.succs;
  into.cases = old.cases;
  if (!into.is_loop_header()) into.merge = old.merge;
  for (BlockId succ : into.succs) {
    for (BlockId& pred : f_.edit_block(succ).preds) {
      if (pred == next) pred = block;
    }
  }
  Block& gone = f_.edit_block(next);
  gone.succs.clear();
  gone.preds.clear();
  gone.cases.clear();
  next_state.heir = block;
  state.is_merge |= next_state.is_merge;
  state.is_continue_target |= next_state.is_continue_target;
  change_.graph = true;
  return true;
}

void ControlFlow::rebuild_layout() {
  ir::BlockList& layout = f_.edit_layout();
  layout.clear();
  for (BlockId block : at_) {
    if (block.valid()) layout.push_back(block);
  }
  const auto current = [&](BlockId block) {
    while (block.valid() && blocks_[block].removed) block = blocks_[block].heir;
    return block;
  };
  // A merge block that jumped on: its target takes over if nothing lies in between, else the construct stays open.
  for (BlockId block : layout) {
    Block& info = f_.edit_block(block);
    if (info.continue_target.valid()) info.continue_target = current(info.continue_target);
    if (!info.merge.valid() || !blocks_[info.merge].removed) continue;
    const BlockId heir = current(info.merge);
    const bool absorbed = heir.valid() && position(heir) <= position(info.merge);
    if (!absorbed && heir != block_at_or_after(position(info.merge))) {
      info.merge = BlockId();
    } else {
      info.merge = heir;
    }
    if (info.merge == block) info.merge = BlockId();
  }
}

}  // namespace

ControlFlowChange simplify_control_flow(ir::Function& function, analysis::AnalysisCache& analyses,
                                        CompileContext& context, const SimplifyControlFlowConfig& config) {
  if (function.layout().size() == 1 && function.block(function.entry()).succs.empty()) return {};
  const ArenaScope scope(context.scratch);
  return ControlFlow(function, analyses, context.scratch, config).run();
}

bool has_needless_branch(const ir::Function& function) {
  for (BlockId block : function.layout()) {
    const Value last = function.terminator(block);
    if (function.inst(last).op == Op::branch_if && function.is_constant(function.operand(last, 0))) return true;
    if (function.inst(last).op != Op::branch) continue;
    const Block& next = function.block(function.block(block).succs[0]);
    if (next.preds.size() == 1 && !next.is_loop_header()) return true;
  }
  return false;
}

}  // namespace spalt::passes
