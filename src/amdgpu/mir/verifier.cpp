// SPDX-License-Identifier: MIT
//
// Structure:
// - The layout names existing blocks, each once, the entry first; the entry has no predecessors.
// - Edges are listed by both ends, lead into the layout, and are not repeated.
// - Every block ends in its only terminator. Before Stage::masked that is a logical one whose targets are
// logical_succs; from then
//   on a linear one whose targets are linear_succs.
// - Phis come first in their block (after nothing) and have one operand per predecessor of their graph; there are none
// from
//   Stage::allocated on. p_start is only the first instruction of the entry.
// - From Stage::masked on no critical logical edge leads to VGPR phis, and p_logical_start and p_logical_end, in this
// order and once each,
//   stand in every block that has logical edges.
#include "amdgpu/mir/verifier.h"

#include <algorithm>
#include <array>
#include <vector>

#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier_parts.h"

namespace spalt::mir {
namespace {

class StructureVerifier {
 public:
  explicit StructureVerifier(const Function& function) : function_(function) {}

  Finding run() {
    check_layout();
    if (finding_) return finding_;
    for (Graph graph : {Graph::logical, Graph::linear}) collect_edges(graph);
    listed_by_.assign(function_.blocks.size(), 0);
    for (BlockId id : function_.layout) {
      for (Graph graph : {Graph::logical, Graph::linear}) check_edges(id, graph);
    }
    for (BlockId id : function_.layout) {
      if (finding_) return finding_;
      check_block(id);
    }
    return finding_;
  }

 private:
  void report(BlockId block, InstId inst, const std::string& rule) {
    if (!finding_) finding_ = broken_rule(function_, block, inst, rule);
  }

  void check_layout() {
    in_layout_.assign(function_.blocks.size(), false);
    if (function_.layout.empty()) return report(BlockId(), InstId(), "a function has at least one block");
    for (BlockId id : function_.layout) {
      if (!function_.blocks.contains(id))
        return report(BlockId(), InstId(), "the layout names a block that does not exist");
      if (in_layout_[id.index]) return report(id, InstId(), "a block stands in the layout once");
      in_layout_[id.index] = true;
    }
    const Block& entry = function_.blocks[function_.layout[0]];
    if (!entry.logical_preds.empty() || !entry.linear_preds.empty()) {
      report(function_.layout[0], InstId(), "the entry block has no predecessors");
    }
  }

  /// Edges of a graph as their sources and as their targets list them, sorted: no walk over the many predecessors of a
  /// block for each of them.
  void collect_edges(Graph graph) {
    auto& [forward, backward] = edges_[static_cast<size_t>(graph)];
    for (BlockId id : function_.layout) {
      for (BlockId succ : succs_of(function_.blocks[id], graph)) forward.push_back({id, succ});
      for (BlockId pred : preds_of(function_.blocks[id], graph)) backward.push_back({pred, id});
    }
    std::sort(forward.begin(), forward.end());
    std::sort(backward.begin(), backward.end());
  }

  void check_edges(BlockId id, Graph graph) {
    const Block& block = function_.blocks[id];
    check_neighbours(id, graph, succs_of(block, graph), true);
    check_neighbours(id, graph, preds_of(block, graph), false);
  }

  void check_neighbours(BlockId id, Graph graph, std::span<const BlockId> list, bool forward) {
    ++list_;
    const EdgeLists& edges = edges_[static_cast<size_t>(graph)];
    for (BlockId other : list) {
      if (!function_.blocks.contains(other) || !in_layout_[other.index]) {
        return report(id, InstId(), "an edge leads to a block outside the layout");
      }
      if (listed_by_[other] == list_) return report(id, InstId(), "an edge is listed once");
      listed_by_[other] = list_;
      const Block& end = function_.blocks[other];
      const auto back = forward ? preds_of(end, graph) : succs_of(end, graph);
      const bool listed = forward ? std::binary_search(edges.backward.begin(), edges.backward.end(), Edge{id, other})
                                  : std::binary_search(edges.forward.begin(), edges.forward.end(), Edge{other, id});
      if (!listed) {
        return report(id, InstId(), "an edge is listed by both of its blocks (b" + std::to_string(other.index) + ")");
      }
      if (graph == Graph::logical && forward && function_.stage == Stage::masked && list.size() > 1 &&
          back.size() > 1 && has_lane_phi(end)) {
        return report(id, InstId(), "no logical edge to VGPR phis is critical");
      }
      if (graph == Graph::logical && forward && list.size() > 1 && back.size() > 1 && has_mask_phi(end)) {
        return report(id, InstId(), "no logical edge to p_phi_mask is critical");
      }
    }
  }

  bool has_mask_phi(const Block& block) const {
    for (InstId id : block.insts) {
      if (!function_.insts.contains(id) || !is_phi(function_.insts[id].opcode)) return false;
      if (function_.insts[id].opcode == Opcode::p_phi_mask) return true;
    }
    return false;
  }

  bool has_lane_phi(const Block& block) const {
    for (InstId id : block.insts) {
      if (!function_.insts.contains(id) || function_.insts[id].opcode != Opcode::p_phi) return false;
      const auto defs = function_.defs(id);
      if (defs.size() == 1 && defs[0].is_vreg() && function_.vregs.contains(defs[0].vreg()) &&
          !function_.vregs[defs[0].vreg()].cls.linear) {
        return true;
      }
    }
    return false;
  }

  void check_block(BlockId id) {
    const Block& block = function_.blocks[id];
    if (block.insts.empty()) {
      // At the end it may fall through and have nothing else to do.
      if (function_.stage != Stage::final || block.linear_succs.size() != 1) {
        report(id, InstId(), "a block ends in a terminator");
      }
      return;
    }
    bool body = false;
    unsigned starts = 0, ends = 0;
    for (size_t i = 0; i < block.insts.size() && !finding_; ++i) {
      const InstId inst = block.insts[i];
      if (!function_.insts.contains(inst)) return report(id, InstId(), "an instruction exists");
      const Opcode opcode = function_.insts[inst].opcode;
      if (opcode >= Opcode::count) return report(id, inst, "an instruction has an opcode");
      const bool last = i + 1 == block.insts.size();
      const bool falls_through = last && function_.stage == Stage::final && !is_terminator(opcode);
      if (is_terminator(opcode) != last && !is_final_branch(opcode) && !falls_through) {
        report(id, inst, last ? "a block ends in a terminator" : "a terminator is the last instruction of its block");
      }
      if (is_phi(opcode)) {
        if (body) report(id, inst, "phis come first in their block");
        check_phi(id, inst);
      } else if (opcode == Opcode::p_start) {
        if (i != 0 || id != function_.layout[0])
          report(id, inst, "p_start is the first instruction of the entry block");
      } else {
        body = true;
      }
      if (opcode == Opcode::p_logical_start) ++starts;
      if (opcode == Opcode::p_logical_end && starts > ends) ++ends;
    }
    if (!finding_) check_terminator(id, block.insts.back());
    const bool logical = !block.logical_preds.empty() || !block.logical_succs.empty() || id == function_.layout[0];
    const bool marked = function_.stage == Stage::masked || function_.stage == Stage::allocated;
    if (marked && logical && (starts != 1 || ends != 1)) {
      report(id, InstId(), "a logical block has p_logical_start and p_logical_end, in this order, once each");
    }
  }

  /// Stage::final may hold a conditional branch followed by an unconditional one.
  bool is_final_branch(Opcode opcode) const {
    return function_.stage == Stage::final && has_flag(opcode, isa::kBranch) && !has_flag(opcode, isa::kTerminator);
  }

  void check_phi(BlockId id, InstId inst) {
    if (function_.stage >= Stage::allocated) return report(id, inst, "allocation removes phis");
    const auto defs = function_.defs(inst);
    if (defs.size() != 1 || !defs[0].is_vreg() || !function_.vregs.contains(defs[0].vreg())) {
      return report(id, inst, "a phi defines one virtual register");
    }
    const Graph graph = graph_of(function_, function_.vregs[defs[0].vreg()].cls);
    const bool joins_lanes = function_.insts[inst].opcode == Opcode::p_phi_mask;
    if (joins_lanes && function_.stage != Stage::selected) return report(id, inst, "the exec stage removes p_phi_mask");
    if (joins_lanes && function_.vregs[defs[0].vreg()].cls != function_.lane_mask_class()) {
      return report(id, inst, "p_phi_mask defines a lane mask");
    }
    if (function_.uses(inst).size() != preds_of(function_.blocks[id], graph).size()) {
      report(
          id, inst,
          std::string("a phi has one operand per ") + (graph == Graph::linear ? "linear" : "logical") + " predecessor");
    }
  }

  static bool is_logical_terminator(Opcode opcode) {
    return opcode == Opcode::p_branch || opcode == Opcode::p_branch_scc || opcode == Opcode::p_branch_mask ||
           opcode == Opcode::p_return;
  }

  void check_terminator(BlockId id, InstId inst) {
    if (function_.stage == Stage::final) return;
    const Opcode opcode = function_.insts[inst].opcode;
    const bool selected = function_.stage == Stage::selected;
    if (selected != is_logical_terminator(opcode)) {
      return report(id, inst, selected ? "the terminator is a logical branch" : "the terminator is a linear jump");
    }
    const Block& block = function_.blocks[id];
    const auto succs = succs_of(block, selected ? Graph::logical : Graph::linear);
    size_t targets = 0;
    for (const Operand& use : function_.uses(inst)) {
      if (use.kind != Operand::Kind::block) continue;
      ++targets;
      if (std::find(succs.begin(), succs.end(), use.block()) == succs.end()) {
        return report(id, inst, "the targets of a terminator are the successors of its block");
      }
    }
    if (targets < succs.size()) report(id, inst, "the successors of a block are the targets of its terminator");
  }

  struct Edge {
    BlockId from, to;
    auto operator<=>(const Edge&) const = default;
  };
  struct EdgeLists {
    std::vector<Edge> forward, backward;
  };

  const Function& function_;
  std::vector<bool> in_layout_;
  std::array<EdgeLists, 2> edges_;      ///< by Graph
  IdMap<BlockId, uint32_t> listed_by_;  ///< the last list that named the block
  uint32_t list_ = 0;
  Finding finding_;
};

}  // namespace

Error broken_rule(const Function& function, BlockId block, InstId inst, const std::string& rule) {
  Error error;
  error.status = Status::internal_error;
  error.message = "machine IR broken: " + rule;
  if (block.valid()) error.message += "; in b" + std::to_string(block.index);
  if (inst.valid()) error.message += ": " + print_inst(function, inst);
  return error;
}

Finding verify_structure(const Function& function) {
  return StructureVerifier(function).run();
}

Result<void> verify(const Function& function) {
  for (const auto part : {verify_structure, verify_operands, verify_ssa}) {
    if (Finding finding = part(function)) return std::move(*finding);
  }
  return {};
}

}  // namespace spalt::mir
