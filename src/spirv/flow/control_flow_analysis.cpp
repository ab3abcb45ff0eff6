// SPDX-License-Identifier: MIT
// The control-flow graph of one function before it is translated: structured order, dominance, and the checks that make
// the layout invariant of ir::Function hold whatever the module says.
//
// The order is a reverse postorder whose depth-first search visits the merge block of a header first, then its continue
// target, then the other successors from last to first, but the default of a switch before its cases. Everything that
// comes after a construct is thus finished before the construct is entered, so that constructs and loops come out
// contiguous. Blocks that no branch reaches take part in the search, because they may be merge blocks, but are left out
// of the order.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/flow/successors.h"

namespace spalt::spirv {
namespace {

struct Visit {
  uint32_t block;
  uint32_t next;  ///< how many of: merge, continue target, successors
};

class Analysis {
 public:
  Analysis(Reader& r, uint32_t function) : r_(r), function_(r.functions[function]), index_(function) {}

  bool run() {
    if (!find_successors()) return false;
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
  bool fail(uint32_t at, std::string message) { return r_.fail_at(block(at).terminator, std::move(message)); }
  uint32_t local(uint32_t index) const { return index - function_.first_block; }
  std::span<const uint32_t> successors(uint32_t index) const {
    return {edges_.data() + first_edge_[local(index)], first_edge_[local(index) + 1] - first_edge_[local(index)]};
  }

  bool find_successors();
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
  FunctionInfo& function_;
  uint32_t index_;
  Vector<uint32_t> edges_{r_.context.scratch};
  Vector<uint32_t> first_edge_{r_.context.scratch};
  Vector<uint8_t> reachable_{r_.context.scratch};
  // By position in the order: depth in the dominator tree and a jump to an ancestor, so that walking up takes
  // logarithmic time however deep the tree is (Myers, "An applicative random-access stack", 1983).
  Vector<uint32_t> depth_{r_.context.scratch}, jump_{r_.context.scratch};
  Vector<uint32_t> open_{r_.context.scratch};    ///< headers of open constructs, innermost last
  Vector<uint32_t> merges_{r_.context.scratch};  ///< by block: the header of the construct that merges there
  Vector<uint8_t> is_open_{r_.context.scratch};
};

bool Analysis::find_successors() {
  first_edge_.reserve(function_.block_count + 1);
  for (uint32_t i = 0; i < function_.block_count; ++i) {
    first_edge_.push_back(static_cast<uint32_t>(edges_.size()));
    if (!append_successors(r_, function_.first_block + i, index_, edges_)) return false;
  }
  first_edge_.push_back(static_cast<uint32_t>(edges_.size()));
  return true;
}

void Analysis::mark_reachable() {
  reachable_.assign(function_.block_count, 0);
  Vector<uint32_t> worklist(r_.context.scratch);
  worklist.push_back(function_.first_block);
  reachable_[0] = 1;
  while (!worklist.empty()) {
    const uint32_t at = worklist.back();
    worklist.pop_back();
    for (const uint32_t successor : successors(at)) {
      if (reachable_[local(successor)]) continue;
      reachable_[local(successor)] = 1;
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
  Vector<uint8_t> seen(r_.context.scratch, function_.block_count, 0);
  Vector<uint32_t> finished(r_.context.scratch);
  Vector<Visit> stack(r_.context.scratch);
  finished.reserve(function_.block_count);
  stack.reserve(function_.block_count);
  stack.push_back({function_.first_block, 0});
  seen[0] = 1;
  while (!stack.empty()) {
    const uint32_t next = next_in_search(stack.back());
    if (next == kNone) {
      finished.push_back(stack.back().block);
      stack.pop_back();
    } else if (!seen[local(next)]) {
      seen[local(next)] = 1;
      stack.push_back({next, 0});
    }
  }
  function_.first_order = static_cast<uint32_t>(r_.order.size());
  for (size_t i = finished.size(); i > 0; --i) {
    if (!reachable_[local(finished[i - 1])]) continue;
    block(finished[i - 1]).order = static_cast<uint32_t>(r_.order.size()) - function_.first_order;
    r_.order.push_back(finished[i - 1]);
  }
  function_.order_count = static_cast<uint32_t>(r_.order.size()) - function_.first_order;
}

uint32_t Analysis::common_dominator(uint32_t a, uint32_t b) {
  const auto parent = [this](uint32_t position) { return block(r_.order[function_.first_order + position]).dominator; };
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
  const uint32_t count = function_.order_count;
  const std::span<const uint32_t> order(r_.order.data() + function_.first_order, count);
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
  const uint32_t count = function_.order_count;
  const std::span<const uint32_t> order(r_.order.data() + function_.first_order, count);
  for (const uint32_t index : order) block(index).dominance_end = 1;
  for (uint32_t i = count; i > 1; --i) {
    const Block& at = block(order[i - 1]);
    block(at.dominator).dominance_end += at.dominance_end;
  }
  Vector<uint32_t> next(r_.context.scratch, function_.block_count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    Block& at = block(order[i]);
    const uint32_t size = at.dominance_end;
    at.dominance_begin = i == 0 ? 0 : next[local(at.dominator)];
    if (i != 0) next[local(at.dominator)] += size;
    at.dominance_end = at.dominance_begin + size;
    next[local(order[i])] = at.dominance_begin + 1;
  }
}

/// Walks the order with a stack of open constructs. Every block must be dominated by the header of each construct it
/// lies in, and constructs must close in the reverse order in which they were opened.
bool Analysis::check_constructs() {
  merges_.assign(function_.block_count, kNone);
  is_open_.assign(function_.block_count, 0);
  for (uint32_t i = 0; i < function_.order_count; ++i) {
    const uint32_t index = r_.order[function_.first_order + i];
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
  const uint32_t header = merges_[local(index)];
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
  is_open_[local(open_.back())] = 0;
  open_.pop_back();
}

bool Analysis::open_construct(uint32_t index) {
  const Block& header = block(index);
  if (header.merge == index) return fail(index, "a block cannot be its own merge block");
  if (merges_[local(header.merge)] != kNone) return fail(index, "two constructs have the same merge block");
  merges_[local(header.merge)] = index;
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
  is_open_[local(index)] = 1;
  return true;
}

bool Analysis::check_edges(uint32_t index) {
  const Block& from = block(index);
  for (const uint32_t target : successors(index)) {
    Block& to = block(target);
    if (to.order > from.order) continue;
    if (to.continue_target == kNone) return fail(index, "a back edge to a block that is no loop header");
    if (!is_open_[local(target)]) return fail(index, "a back edge from outside the loop");
    if (!r_.dominates(to.continue_target, index)) return fail(index, "a back edge from outside the continue construct");
    if (to.has_back_edge) return fail(index, "a second back edge to the same loop header");
    to.has_back_edge = true;
  }
  return true;
}

void Analysis::summarize() {
  uint32_t last_return = kNone;
  for (uint32_t i = 0; i < function_.order_count; ++i) {
    const uint32_t index = r_.order[function_.first_order + i];
    const uint32_t opcode = r_.words[block(index).terminator] & 0xffff;
    if (opcode != spv::OpReturn && opcode != spv::OpReturnValue) continue;
    ++function_.return_count;
    last_return = i;
  }
  function_.returns_last = function_.return_count == 1 && last_return + 1 == function_.order_count;
}

/// SPIR-V lets a literal select one label only. Sorting keeps this near linear in a switch of any length.
bool check_distinct_literals(Reader& r, const Instruction& in) {
  Vector<uint64_t> literals(r.context.scratch);
  const SwitchCases cases(r, in);
  for (uint32_t i = 0; i < cases.count(); ++i) literals.push_back(cases.literal(i));
  std::sort(literals.begin(), literals.end());
  const auto repeated = std::adjacent_find(literals.begin(), literals.end());
  return repeated == literals.end() || r.fail(concat("literal ", *repeated, " selects a label twice"));
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
      const SwitchCases cases(r, in);
      if (!cases.complete()) return r.fail("expected pairs of a literal as wide as the selector and a label");
      for (uint32_t i = 0; i < cases.count(); ++i) {
        if (!add(cases.label(i))) return false;
      }
      return check_distinct_literals(r, in);
    }
    default:
      return true;
  }
}

bool analyze_control_flow(Reader& r, uint32_t function) {
  return Analysis(r, function).run();
}

}  // namespace spalt::spirv
