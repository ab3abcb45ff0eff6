// SPDX-License-Identifier: MIT
#include "passes/lower_switch.h"

#include <algorithm>
#include <tuple>

#include "base/small_vector.h"
#include "ir/cfg_edit.h"
#include "passes/tree_layout.h"

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// Up to this many ranges are tested one after the other.
constexpr size_t kMaxChain = 4;

/// Case values first..last that lead to the same target, with the phi operands of that edge.
struct Range {
  uint64_t first, last;
  BlockId target;
  uint32_t order;  ///< of the first case
};

class SwitchLowering {
 public:
  SwitchLowering(ir::Function& function, BlockId block, Arena& scratch)
      : f_(function), block_(block), ranges_(scratch), tasks_(scratch), tree_(scratch), operands_(scratch) {}

  /// The new blocks; edges lead forward in their order.
  ir::BlockList run();

 private:
  /// A part of the decision tree that is still to be built: ranges [begin, end) in `block`, which has no terminator.
  /// All values outside [low, high] were ruled out on the way there.
  struct Task {
    BlockId block;
    size_t begin, end;
    uint64_t low, high;
  };
  void collect();
  void save_phi_operands();
  void build(const Task& task);
  void test(const Task& task);
  void split(const Task& task);
  void edge(BlockId from, BlockId to);
  void connect_targets();
  Value compare(BlockId block, Op op, Value a, Value b);
  Value constant(uint64_t bits) { return f_.constant(type_, bits); }

  ir::Function& f_;
  BlockId block_;
  Value selector_;
  Type type_;
  BlockId default_;
  Vector<Range> ranges_;
  Vector<Task> tasks_;
  ir::BlockList tree_;  ///< the new blocks, in preorder
  /// Phi operands for edges from the switch, per target; targets sorted by id.
  struct Operands {
    BlockId target;
    SmallVector<Value, 4> values;
    ir::BlockList preds;  ///< new predecessors
  };
  Vector<Operands> operands_;
};

void SwitchLowering::collect() {
  const ir::Block& info = f_.block(block_);
  default_ = info.succs[0];
  for (uint32_t i = 0; i < info.cases.size(); ++i) {
    if (info.succs[i + 1] != default_) ranges_.push_back({info.cases[i], info.cases[i], info.succs[i + 1], i});
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return std::tie(a.first, a.order) < std::tie(b.first, b.order); });
  uint32_t kept = 0;
  for (const Range& range : ranges_) {
    if (kept != 0 && ranges_[kept - 1].last >= range.first) continue;  // a repeated value: the first one counts
    const bool extends =
        kept != 0 && ranges_[kept - 1].target == range.target && ranges_[kept - 1].last + 1 == range.first;
    if (extends) {
      ranges_[kept - 1].last = range.last;
    } else {
      ranges_[kept++] = range;
    }
  }
  ranges_.resize(kept);
}

void SwitchLowering::save_phi_operands() {
  ir::BlockList targets(f_.block(block_).succs.span(), operands_.arena());
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  for (BlockId target : targets) {
    Operands saved{target, {}, ir::BlockList(operands_.arena())};
    const unsigned index = ir::pred_index(f_, target, block_);
    for (Value phi : ir::insts(f_, target)) {
      if (f_.inst(phi).op != Op::phi) break;
      saved.values.push_back(f_.operand(phi, index));
    }
    operands_.push_back(std::move(saved));
  }
}

ir::BlockList SwitchLowering::run() {
  selector_ = f_.operand(f_.terminator(block_), 0);
  type_ = f_.type(selector_);
  collect();
  save_phi_operands();
  ir::remove_successors(f_, block_);
  f_.edit_block(block_).cases.clear();
  f_.unlink(f_.terminator(block_));
  const uint64_t largest = type_.scalar_bits() >= 64 ? ~uint64_t{0} : (uint64_t{1} << type_.scalar_bits()) - 1;
  tasks_.push_back({block_, 0, ranges_.size(), 0, largest});
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    if (task.block != block_) tree_.push_back(task.block);
    build(task);
  }
  connect_targets();
  return std::move(tree_);
}

void SwitchLowering::build(const Task& task) {
  if (task.begin == task.end) {
    edge(task.block, default_);
    ir::append_jump(f_, task.block);
  } else if (task.end - task.begin <= kMaxChain) {
    test(task);
  } else {
    split(task);
  }
}

/// Tests the first range; the others follow.
void SwitchLowering::test(const Task& task) {
  const Range& range = ranges_[task.begin];
  if (range.first <= task.low && range.last >= task.high) {  // nothing else is left
    edge(task.block, range.target);
    ir::append_jump(f_, task.block);
    return;
  }
  Value hit;
  if (range.first == range.last) {
    hit = compare(task.block, Op::ieq, selector_, constant(range.first));
  } else if (range.first <= task.low) {
    hit = compare(task.block, Op::ule, selector_, constant(range.last));
  } else if (range.last >= task.high) {
    hit = compare(task.block, Op::ule, constant(range.first), selector_);
  } else {
    const Value operands[] = {selector_, constant(range.first)};
    const Value distance = f_.create(Op::isub, type_, operands);
    f_.append(task.block, distance);
    hit = compare(task.block, Op::ule, distance, constant(range.last - range.first));
  }
  edge(task.block, range.target);
  if (task.begin + 1 == task.end) {
    edge(task.block, default_);
  } else {
    const BlockId next = f_.create_block();
    edge(task.block, next);
    // What was tested narrows the rest where it lies at the lower end.
    const uint64_t low = range.first <= task.low ? range.last + 1 : task.low;
    tasks_.push_back({next, task.begin + 1, task.end, low, task.high});
  }
  ir::append_branch_if(f_, task.block, hit);
}

void SwitchLowering::split(const Task& task) {
  const size_t middle = task.begin + (task.end - task.begin) / 2;
  const uint64_t pivot = ranges_[middle].first;
  const Value below = compare(task.block, Op::ult, selector_, constant(pivot));
  const BlockId left = f_.create_block(), right = f_.create_block();
  edge(task.block, left);
  edge(task.block, right);
  ir::append_branch_if(f_, task.block, below);
  tasks_.push_back({right, middle, task.end, pivot, task.high});
  tasks_.push_back({left, task.begin, middle, task.low, pivot - 1});
}

void SwitchLowering::edge(BlockId from, BlockId to) {
  const auto saved = std::lower_bound(operands_.begin(), operands_.end(), to,
                                      [](const Operands& entry, BlockId id) { return entry.target < id; });
  if (saved == operands_.end() || saved->target != to) {  // a block of the tree
    f_.add_edge(from, to);
  } else {
    f_.edit_block(from).succs.push_back(to);
    saved->preds.push_back(from);
  }
}

/// All new predecessors of a target at once: growing its phis one by one would copy them each time.
void SwitchLowering::connect_targets() {
  for (const Operands& saved : operands_) {
    f_.edit_block(saved.target).preds.append(saved.preds);
    size_t next = 0;
    for (Value phi : ir::insts(f_, saved.target)) {
      if (f_.inst(phi).op != Op::phi) break;
      SmallVector<Value, 16> operands(f_.operands(phi));
      operands.resize(operands.size() + static_cast<uint32_t>(saved.preds.size()), saved.values[next++]);
      f_.set_operands(phi, operands);
    }
  }
}

Value SwitchLowering::compare(BlockId block, Op op, Value a, Value b) {
  const Value operands[] = {a, b};
  const Value result = f_.create(op, ir::kBool, operands);
  f_.append(block, result);
  return result;
}

}  // namespace

bool lower_switch(ir::Function& function, CompileContext& context) {
  if (!function.operations().has(Op::switch_on)) return false;
  const auto is_switch = [&](BlockId block) { return function.inst(function.terminator(block)).op == Op::switch_on; };
  if (std::none_of(function.layout().begin(), function.layout().end(), is_switch)) return false;
  const ArenaScope scope(context.scratch);
  TreeLayout trees(function, context.scratch);
  for (const BlockId block : function.layout()) {
    if (is_switch(block)) trees.place(function, block, SwitchLowering(function, block, context.scratch).run());
  }
  function.edit_layout() = trees.finish(function);
  return true;
}

}  // namespace spalt::passes
