// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "amdgpu/expand/expand.h"
#include "base/ice.h"

namespace spalt::expand {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// A conditional jump, its machine branch and the branch of the opposite condition.
struct Conditional {
  Opcode pseudo, taken, inverted;
  isa::Reg condition;
};
constexpr Conditional kConditionals[] = {
    {Opcode::p_jump_scc1, Opcode::s_cbranch_scc1, Opcode::s_cbranch_scc0, isa::kScc},
    {Opcode::p_jump_execz, Opcode::s_cbranch_execz, Opcode::s_cbranch_execnz, isa::kExec},
    {Opcode::p_jump_execnz, Opcode::s_cbranch_execnz, Opcode::s_cbranch_execz, isa::kExec},
};

class BranchExpander {
 public:
  BranchExpander(mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch) {}

  void run() {
    drop_markers();
    thread_jumps();
    drop_unreached();
    rotate_loops();
    for (size_t i = 0; i < function_.layout.size(); ++i) expand(i);
    function_.stage = mir::Stage::final;
  }

 private:
  void drop_markers() {
    for (BlockId id : function_.layout) {
      erase_if(function_.blocks[id].insts, [this](InstId inst) {
        const Opcode opcode = function_.insts[inst].opcode;
        return opcode == Opcode::p_start || opcode == Opcode::p_logical_start || opcode == Opcode::p_logical_end;
      });
    }
  }

  InstId terminator(BlockId id) const { return function_.blocks[id].insts.back(); }

  /// Where control arrives when it jumps to `id`: past blocks that only jump on. Of a cycle of them, which is an
  /// endless loop, one stays. Every chain is followed once.
  BlockId destination(BlockId id) {
    chain_.clear();
    while (!destination_[id].valid()) {
      destination_[id] = id;
      const auto& insts = function_.blocks[id].insts;
      if (insts.size() != 1 || function_.insts[insts[0]].opcode != Opcode::p_jump) break;
      chain_.push_back(id);
      id = function_.uses(insts[0])[0].block();
    }
    const BlockId end = destination_[id];
    for (BlockId passed : chain_) destination_[passed] = end;
    return end;
  }

  void thread_jumps() {
    destination_.assign(function_.blocks.size(), BlockId());
    for (BlockId id : function_.layout) {
      for (Operand& use : function_.uses(terminator(id))) {
        if (use.kind == Operand::Kind::block) use.value = destination(use.block()).index;
      }
    }
  }

  void drop_unreached() {
    Vector<bool> reached(scratch_, function_.blocks.size(), false);
    mir::BlockList work(scratch_);
    work.push_back(function_.layout.front());
    reached[work[0].index] = true;
    while (!work.empty()) {
      const BlockId id = work.back();
      work.pop_back();
      function_.blocks[id].linear_succs.clear();
      function_.blocks[id].linear_preds.clear();
      for (const Operand& use : function_.uses(terminator(id))) {
        if (use.kind != Operand::Kind::block || reached[use.value]) continue;
        reached[use.value] = true;
        work.push_back(use.block());
      }
    }
    erase_if(function_.layout, [&](BlockId id) { return !reached[id.index]; });
    for (BlockId id : function_.layout) {
      // Lanes' own paths have served their purpose and name blocks that are gone.
      function_.blocks[id].logical_preds.clear();
      function_.blocks[id].logical_succs.clear();
      connect(id);
    }
  }

  /// A header that only tests moves to the end of its loop: the test then jumps back where it would have jumped out,
  /// and each iteration takes one branch in place of two. Done where it costs no instruction: the block before jumps
  /// into the loop in place of the last one jumping back, and leaving the loop is falling through.
  void rotate_loops() {
    Vector<uint32_t> position(scratch_, function_.blocks.size(), 0);
    for (uint32_t p = 0; p < function_.layout.size(); ++p) position[function_.layout[p].index] = p;
    auto& layout = function_.layout;
    for (size_t last = layout.size(); last-- > 1;) {
      const InstId jump = terminator(layout[last]);
      if (function_.insts[jump].opcode != Opcode::p_jump) continue;
      const BlockId header = function_.uses(jump)[0].block();
      const uint32_t first = position[header.index];
      if (first == 0 || first >= last || layout[first] != header) continue;
      if (!is_loop_test(header, layout[first + 1], last + 1 < layout.size() ? layout[last + 1] : BlockId())) continue;
      if (!jumps_to(layout[first - 1], header)) continue;
      std::rotate(layout.begin() + first, layout.begin() + first + 1, layout.begin() + static_cast<long>(last) + 1);
      for (size_t p = first; p <= last; ++p) position[layout[p].index] = static_cast<uint32_t>(p);
    }
  }

  bool is_loop_test(BlockId header, BlockId body, BlockId exit) const {
    const InstId test = terminator(header);
    if (function_.uses(test).size() != 3 || function_.insts[test].opcode == Opcode::p_jump) return false;
    const BlockId a = function_.uses(test)[1].block(), b = function_.uses(test)[2].block();
    return (a == body && b == exit) || (a == exit && b == body);
  }
  bool jumps_to(BlockId from, BlockId to) const {
    const InstId jump = terminator(from);
    return function_.insts[jump].opcode == Opcode::p_jump && function_.uses(jump)[0].block() == to;
  }

  void connect(BlockId id) {
    BlockId previous;
    for (const Operand& use : function_.uses(terminator(id))) {
      if (use.kind != Operand::Kind::block || use.block() == previous) continue;
      previous = use.block();
      function_.add_linear_edge(id, previous);
    }
  }

  void expand(size_t index) {
    const BlockId id = function_.layout[index];
    const BlockId next = index + 1 < function_.layout.size() ? function_.layout[index + 1] : BlockId();
    const InstId last = terminator(id);
    const Opcode opcode = function_.insts[last].opcode;
    if (opcode == Opcode::s_endpgm || opcode == Opcode::p_fall_through) return;
    function_.blocks[id].insts.pop_back();
    if (opcode == Opcode::p_jump) return jump(id, function_.uses(last)[0].block(), next);
    for (const Conditional& conditional : kConditionals) {
      if (opcode == conditional.pseudo) return expand_conditional(id, last, conditional, next);
    }
    SPALT_ICE("block without a linear terminator");
  }

  void jump(BlockId from, BlockId to, BlockId next) {
    if (to == next) return;
    const Operand target = Operand::target(to);
    function_.append(from, Opcode::s_branch, {}, std::span<const Operand>(&target, 1));
  }

  void expand_conditional(BlockId id, InstId last, const Conditional& conditional, BlockId next) {
    const BlockId taken = function_.uses(last)[1].block(), other = function_.uses(last)[2].block();
    if (taken == other) return jump(id, taken, next);
    const bool invert = taken == next;
    const Operand uses[] = {Operand::target(invert ? other : taken), Operand::physical(conditional.condition)};
    function_.append(id, invert ? conditional.inverted : conditional.taken, {}, uses);
    if (!invert) jump(id, other, next);
  }

  mir::Function& function_;
  Arena& scratch_;
  IdMap<BlockId, BlockId> destination_{scratch_};  ///< none: not followed yet
  Vector<BlockId> chain_{scratch_};
};

}  // namespace

void expand_branches(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  BranchExpander(function, context.scratch).run();
}

}  // namespace spalt::expand
