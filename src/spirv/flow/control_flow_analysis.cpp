// SPDX-License-Identifier: MIT
// The control-flow graph of one function before it is translated: structured order, dominance, and the checks that make
// the layout invariant of ir::Function hold whatever the module says.
//
// The order is a reverse postorder whose depth-first search visits the merge block of a header first, then its continue
// target, then the other successors from last to first, but the default of a switch before its cases. Everything that
// comes after a construct is thus finished before the construct is entered, so that constructs and loops come out
// contiguous, and the cases of a switch in the order of their values as far as falling through lets them. Blocks that
// no branch reaches take part in the search, because they may be merge blocks, but are left out of the order.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/flow/successors.h"

namespace spalt::spirv {
namespace {

struct Visit {
  uint32_t block;
  uint32_t next;  ///< how many of: merge, continue target, successors
};

/// What is known of a block besides Block.
struct Node {
  uint32_t first_edge = 0, end_edge = 0;
  uint32_t merging = kNone;    ///< the header of the construct that merges here
  uint32_t next_preorder = 0;  ///< in the dominator tree: of the next child
  bool reachable = false;
  bool seen = false;
  bool is_open = false;  ///< a header whose construct the walk is in
};

/// Serves for one function after the other.
class Analysis {
 public:
  explicit Analysis(Reader& r) : r_(r) {}

  bool run(uint32_t function) {
    function_ = &r_.functions[function];
    if (!find_successors(function)) return false;
    if (function_->block_count == 1) {
      order_single_block();
      return true;
    }
    mark_reachable();
    order_blocks();
    if (!find_dominators()) return false;
    number_dominance();
    if (!check_constructs()) return false;
    summarize();
    return true;
  }

 private:
  Block& block(uint32_t index) { return r_.blocks[index]; }
  Node& node(uint32_t index) { return nodes_[index - function_->first_block]; }
  [[gnu::cold]] bool fail(uint32_t at, std::string message) {
    return r_.fail_at(block(at).terminator, std::move(message));
  }
  std::span<const uint32_t> successors(uint32_t index) {
    const Node& at = node(index);
    return {edges_.data() + at.first_edge, at.end_edge - at.first_edge};
  }
  std::span<const uint32_t> ordered() const {
    return {r_.order.data() + function_->first_order, function_->order_count};
  }

  bool find_successors(uint32_t function);
  void order_single_block();
  void mark_reachable();
  void order_blocks();
  uint32_t next_in_search(Visit& visit);
  bool find_dominators();
  uint32_t common_dominator(uint32_t a, uint32_t b);
  void number_dominance();
  bool check_constructs();
  bool open_construct(uint32_t index);
  bool close_constructs(uint32_t index);
  void close_innermost();
  bool check_edges(uint32_t index);
  void summarize();

  Reader& r_;
  FunctionInfo* function_ = nullptr;
  Vector<uint32_t> edges_{r_.context.scratch};
  Vector<Node> nodes_{r_.context.scratch};
  Vector<Visit> stack_{r_.context.scratch};
  Vector<uint32_t> finished_{r_.context.scratch};
  // By position in the order: depth in the dominator tree and a jump to an ancestor, so that walking up takes
  // logarithmic time however deep the tree is (Myers, "An applicative random-access stack", 1983).
  Vector<uint32_t> depth_{r_.context.scratch}, jump_{r_.context.scratch};
  Vector<uint32_t> open_{r_.context.scratch};  ///< headers of open constructs, innermost last
};

bool Analysis::find_successors(uint32_t function) {
  edges_.clear();
  nodes_.assign(function_->block_count, Node());
  for (uint32_t i = 0; i < function_->block_count; ++i) {
    nodes_[i].first_edge = edges_.size();
    if (!append_successors(r_, function_->first_block + i, function, edges_)) return false;
    nodes_[i].end_edge = edges_.size();
  }
  return true;
}

/// It has neither an edge nor a merge instruction, which would need one.
void Analysis::order_single_block() {
  Block& only = block(function_->first_block);
  only.order = only.dominance_begin = 0;
  only.dominance_end = 1;
  function_->first_order = r_.order.size();
  function_->order_count = 1;
  r_.order.push_back(function_->first_block);
  summarize();
}

void Analysis::mark_reachable() {
  Vector<uint32_t>& worklist = finished_;
  worklist.clear();
  worklist.push_back(function_->first_block);
  node(function_->first_block).reachable = true;
  while (!worklist.empty()) {
    const uint32_t at = worklist.back();
    worklist.pop_back();
    for (const uint32_t successor : successors(at)) {
      if (node(successor).reachable) continue;
      node(successor).reachable = true;
      worklist.push_back(successor);
    }
  }
}

/// The next block to search from `visit.block`, or kNone when all were seen.
uint32_t Analysis::next_in_search(Visit& visit) {
  const Block& from = block(visit.block);
  if (visit.next == 0) {
    ++visit.next;
    if (from.merge != kNone) return from.merge;
  }
  if (visit.next == 1) {
    ++visit.next;
    if (from.continue_target != kNone) return from.continue_target;
  }
  const auto targets = successors(visit.block);
  const uint32_t position = visit.next - 2;
  if (position == targets.size()) return kNone;
  ++visit.next;
  // All leaves of a switch's decision tree lead to its default: lanes wait for it least if it comes last in the layout.
  if (targets.size() > 2) return targets[position == 0 ? 0 : targets.size() - position];
  return targets[targets.size() - 1 - position];
}

void Analysis::order_blocks() {
  finished_.clear();
  stack_.push_back({function_->first_block, 0});
  node(function_->first_block).seen = true;
  while (!stack_.empty()) {
    const uint32_t next = next_in_search(stack_.back());
    if (next == kNone) {
      finished_.push_back(stack_.back().block);
      stack_.pop_back();
    } else if (!node(next).seen) {
      node(next).seen = true;
      stack_.push_back({next, 0});
    }
  }
  function_->first_order = r_.order.size();
  for (size_t i = finished_.size(); i > 0; --i) {
    const uint32_t index = finished_[i - 1];
    if (!node(index).reachable) continue;
    block(index).order = r_.order.size() - function_->first_order;
    r_.order.push_back(index);
  }
  function_->order_count = r_.order.size() - function_->first_order;
}

uint32_t Analysis::common_dominator(uint32_t a, uint32_t b) {
  const auto parent = [this](uint32_t position) { return block(ordered()[position]).dominator; };
  while (depth_[a] > depth_[b]) a = depth_[jump_[a]] >= depth_[b] ? jump_[a] : parent(a);
  while (depth_[b] > depth_[a]) b = depth_[jump_[b]] >= depth_[a] ? jump_[b] : parent(b);
  while (a != b) {
    if (jump_[a] != jump_[b]) {
      a = jump_[a];
      b = jump_[b];
    } else {
      a = parent(a);
      b = parent(b);
    }
  }
  return a;
}

/// In the structured order all predecessors but those of back edges come first, so one walk suffices. While it runs,
/// Block::dominator holds positions in the order.
bool Analysis::find_dominators() {
  const std::span<const uint32_t> order = ordered();
  const auto count = static_cast<uint32_t>(order.size());
  depth_.assign(count, 0);
  jump_.assign(count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    Block& at = block(order[i]);
    if (i == 0) at.dominator = 0;
    if (at.dominator == kNone) return fail(order[i], "only branches from later blocks lead to this block");
    if (i != 0) {
      const uint32_t parent = at.dominator;
      depth_[i] = depth_[parent] + 1;
      const uint32_t jump = jump_[parent];
      jump_[i] = depth_[parent] - depth_[jump] == depth_[jump] - depth_[jump_[jump]] ? jump_[jump] : parent;
    }
    for (const uint32_t target : successors(order[i])) {
      Block& to = block(target);
      if (to.order <= i) continue;
      to.dominator = to.dominator == kNone ? i : common_dominator(to.dominator, i);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    Block& at = block(order[i]);
    at.dominator = i == 0 ? kNone : order[at.dominator];
  }
  return true;
}

/// Preorder intervals of the dominator tree, from subtree sizes.
void Analysis::number_dominance() {
  const std::span<const uint32_t> order = ordered();
  const auto count = static_cast<uint32_t>(order.size());
  for (const uint32_t index : order) block(index).dominance_end = 1;
  for (uint32_t i = count; i > 1; --i) {
    const Block& at = block(order[i - 1]);
    block(at.dominator).dominance_end += at.dominance_end;
  }
  for (uint32_t i = 0; i < count; ++i) {
    Block& at = block(order[i]);
    const uint32_t size = at.dominance_end;
    at.dominance_begin = i == 0 ? 0 : node(at.dominator).next_preorder;
    if (i != 0) node(at.dominator).next_preorder += size;
    at.dominance_end = at.dominance_begin + size;
    node(order[i]).next_preorder = at.dominance_begin + 1;
  }
}

/// Walks the order with a stack of open constructs. Every block must be dominated by the header of each construct it
/// lies in, and constructs must close in the reverse order in which they were opened.
bool Analysis::check_constructs() {
  open_.clear();
  for (const uint32_t index : ordered()) {
    if (!close_constructs(index)) return false;
    if (!open_.empty() && !r_.dominates(open_.back(), index)) {
      return fail(index, "the block is inside a construct whose header does not dominate it");
    }
    if (block(index).merge != kNone && !open_construct(index)) return false;
    if (!check_edges(index)) return false;
  }
  return true;
}

/// Closes the construct that merges at the block, and those without a reachable merge block that end before it.
bool Analysis::close_constructs(uint32_t index) {
  const uint32_t header = node(index).merging;
  if (header != kNone) {
    while (!open_.empty() && open_.back() != header) {
      if (block(block(open_.back()).merge).order != kNone) return fail(index, "constructs overlap at this merge block");
      close_innermost();
    }
    if (open_.empty()) return fail(index, "the merge block lies outside the construct around its header");
    if (!r_.dominates(header, index)) return fail(index, "the merge block is not dominated by its header");
    close_innermost();
  }
  while (!open_.empty() && block(block(open_.back()).merge).order == kNone && !r_.dominates(open_.back(), index)) {
    close_innermost();
  }
  return true;
}

void Analysis::close_innermost() {
  node(open_.back()).is_open = false;
  open_.pop_back();
}

bool Analysis::open_construct(uint32_t index) {
  const Block& header = block(index);
  if (header.merge == index) return fail(index, "a block cannot be its own merge block");
  if (node(header.merge).merging != kNone) return fail(index, "two constructs have the same merge block");
  node(header.merge).merging = index;
  if (block(header.merge).order != kNone && block(header.merge).order <= header.order) {
    return fail(index, "the merge block comes before its header");
  }
  if (header.continue_target != kNone) {
    const Block& target = block(header.continue_target);
    if (header.continue_target == header.merge) return fail(index, "a loop's continue target is its merge block");
    if (target.order != kNone && !r_.dominates(index, header.continue_target)) {
      return fail(index, "the continue target is not dominated by its loop header");
    }
  }
  open_.push_back(index);
  node(index).is_open = true;
  return true;
}

bool Analysis::check_edges(uint32_t index) {
  const Block& from = block(index);
  for (const uint32_t target : successors(index)) {
    Block& to = block(target);
    if (to.order > from.order) continue;
    if (to.continue_target == kNone) return fail(index, "a back edge to a block that is no loop header");
    if (!node(target).is_open) return fail(index, "a back edge from outside the loop");
    if (!r_.dominates(to.continue_target, index)) return fail(index, "a back edge from outside the continue construct");
    if (to.has_back_edge) return fail(index, "a second back edge to the same loop header");
    to.has_back_edge = true;
  }
  return true;
}

void Analysis::summarize() {
  bool last_returns = false;
  for (const uint32_t index : ordered()) {
    const uint32_t opcode = r_.words[block(index).terminator] & 0xffff;
    last_returns = opcode == spv::OpReturn || opcode == spv::OpReturnValue;
    if (last_returns) ++function_->return_count;
  }
  // Kills anywhere lead to the end of the entry point, which has a block of its own then.
  const bool ends_for_all = r_.ends_invocations && function_->id == r_.entry_function_id;
  function_->returns_last = function_->return_count == 1 && last_returns && !ends_for_all;
}

struct Case {
  uint64_t literal;
  uint32_t label;
};

/// The cases of a switch by their literals, of which each selects one label only.
bool sort_cases(Reader& r, const Instruction& in, Vector<Case>& sorted) {
  const SwitchCases cases(r, in);
  if (!cases.complete()) return r.fail("expected pairs of a literal as wide as the selector and a label");
  for (uint32_t i = 0; i < cases.count(); ++i) sorted.push_back({cases.literal(i), cases.label(i)});
  std::sort(sorted.begin(), sorted.end(), [](const Case& a, const Case& b) { return a.literal < b.literal; });
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end(),
                                           [](const Case& a, const Case& b) { return a.literal == b.literal; });
  return repeated == sorted.end() || r.fail(concat("literal ", repeated->literal, " selects a label twice"));
}

/// Either no weights or one for each label; not both zero.
bool check_branch_weights(Reader& r, const Instruction& in) {
  if (in.count == 4) return true;
  if (in.count != 6) return r.fail("expected two branch weights or none");
  return in[4] != 0 || in[5] != 0 || r.fail("at least one branch weight must not be zero");
}

}  // namespace

bool append_successors(Reader& r, uint32_t block, uint32_t function, Vector<uint32_t>& out) {
  const Instruction in = r.instruction_at(r.blocks[block].terminator);
  r.current = in;
  const auto add = [&](uint32_t id) {
    if (!r.in_bound(id)) return false;
    const IdInfo& label = r.ids[id];
    if (label.kind != IdKind::label || label.owner != function || r.blocks[label.index].is_entry) {
      return r.fail(concat("id ", id, " is not a block that can be branched to"));
    }
    out.push_back(label.index);
    return true;
  };
  switch (in.opcode) {
    case spv::OpBranch:
      return r.has_words(in, 2) && add(in[1]);
    case spv::OpBranchConditional:
      return r.has_words(in, 4) && add(in[2]) && add(in[3]) && check_branch_weights(r, in);
    case spv::OpSwitch: {
      if (!r.has_words(in, 3) || !add(in[2])) return false;
      if (!r.in_bound(in[1])) return false;
      Vector<Case> cases(r.context.scratch);
      return sort_cases(r, in, cases) &&
             std::all_of(cases.begin(), cases.end(), [&](const Case& choice) { return add(choice.label); });
    }
    default:
      return true;
  }
}

bool analyze_control_flow(Reader& r) {
  Analysis analysis(r);
  for (const uint32_t function : r.reachable) {
    if (!analysis.run(function)) return false;
  }
  r.current = {};
  return true;
}

}  // namespace spalt::spirv
