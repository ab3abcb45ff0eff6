// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/register_file.h"
#include "base/vector.h"

namespace spalt::regalloc {

/// Live values of one register file at block boundaries. live_in lacks the block's own phis; live_out has the operands
/// of the successors' phis. Each list has every value once, in the order of their numbers.
struct Liveness {
  IdMap<mir::BlockId, Vector<mir::VReg>> live_in, live_out;

  Liveness() = default;
  Liveness(size_t blocks, Arena& arena)
      : live_in(arena, blocks, Vector<mir::VReg>(arena)), live_out(arena, blocks, Vector<mir::VReg>(arena)) {}
};

/// Liveness of both files, or of one, in one pass over the instructions. Each use is walked up to its definition (F.
/// Brandner et al., Computing Liveness Sets for SSA-Form Programs, 2011), which costs time and memory proportional to
/// the lists. Requires SSA.
class LivenessBuilder {
 public:
  /// `arena` has the lists and all tables.
  LivenessBuilder(const mir::Function& function, FileSet files, Arena& arena);

  /// For every instruction once, blocks in layout order.
  void visit(mir::BlockId block, mir::InstId inst) {
    if (function_.insts[inst].opcode == mir::Opcode::p_phi) return visit_phi(block, inst);
    // A definition comes before the uses in its block, and a use that comes before the definition in the layout is in
    // another block: what is known here decides whether the value is live into the block.
    for (const mir::Operand& use : function_.uses(inst)) {
      if (!files_.handles(use)) continue;
      const mir::VReg v = use.vreg();
      if (def_block_[v] == block || last_[v] == block) continue;
      last_[v] = block;
      add_site(v, block, false);
    }
    for (const mir::Operand& def : function_.defs(inst)) {
      if (files_.handles(def)) def_block_[def.vreg()] = block;
    }
  }
  /// The lists of files that were not asked for are empty.
  PerFile<Liveness> finish() &&;

 private:
  /// One use of a value that may make it live into `block`; `at_end` for operands of phis in a successor.
  struct UseSite {
    uint32_t block : 31;
    uint32_t at_end : 1;
    uint32_t next;  ///< of the same value
  };
  static constexpr uint32_t kNone = 0xffffffffu;

  void visit_phi(mir::BlockId block, mir::InstId inst);
  void add_site(mir::VReg v, mir::BlockId block, bool at_end);
  void explore(mir::VReg v, const UseSite& site, mir::Graph graph, Liveness& result);

  const mir::Function& function_;
  const FileSet files_;
  PerFile<Liveness> result_;
  IdMap<mir::VReg, mir::BlockId> def_block_, last_;  ///< last_: the block of the latest ordinary site
  IdMap<mir::VReg, uint32_t> first_;                 ///< by value: in sites_
  Vector<UseSite> sites_;
  Vector<mir::BlockId> stack_;
};

/// Of one file.
Liveness compute_liveness(const mir::Function& function, mir::RegFile file, Arena& arena);

}  // namespace spalt::regalloc
