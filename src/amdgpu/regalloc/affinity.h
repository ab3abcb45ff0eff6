// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/register_file.h"
#include "amdgpu/regalloc/register_set.h"

namespace spalt::regalloc {

/// Which values would like to share registers, so that copies disappear. Only preferences: nothing here is about
/// correctness.
struct Affinity {
  /// A value would like to be the dwords of `tuple` from `offset` on.
  struct Part {
    mir::VReg tuple;
    uint16_t offset = 0;
  };
  /// A value that a tuple has at `offset`, and whose web may have a register before the tuple does: that of a phi,
  /// where another side of a branch has loaded a tuple already.
  struct Anchor {
    mir::VReg value;
    uint16_t offset = 0;
  };
  /// Representative of the values that want one register: phis with their operands, copies, tied operands with their
  /// results.
  IdMap<mir::VReg, mir::VReg> web;
  IdMap<mir::VReg, Part> part;      ///< by representative
  IdMap<mir::VReg, Anchor> anchor;  ///< by representative of a tuple
  /// By representative: a register that some use or definition requires or the selector prefers.
  IdMap<mir::VReg, isa::Reg> fixed;
  /// VGPRs that p_hand_over fills: what has no wish of its own keeps away from there.
  RegisterSet handed;

  Affinity() = default;
  Affinity(size_t values, Arena& arena)
      : web(arena, values, mir::VReg()),
        part(arena, values, Part()),
        anchor(arena, values, Anchor()),
        fixed(arena, values, isa::kNoReg) {}
};

/// Finds the affinities of both files, or of one. Where several wishes meet, the first one in layout order holds;
/// selection's hints come before all of them.
class AffinityBuilder {
 public:
  AffinityBuilder(const mir::Function& function, FileSet files, Arena& arena);

  /// Makes the webs. For every instruction once.
  void join(mir::InstId inst) {
    const auto defs = function_.defs(inst);
    if (defs.empty() || !handled(defs[0])) return;
    const mir::Opcode opcode = function_.insts[inst].opcode;
    const bool all = opcode == mir::Opcode::p_phi || opcode == mir::Opcode::p_copy;
    for (const mir::Operand& use : function_.uses(inst)) {
      if ((all || use.tied) && handled(use)) unite(defs[0].vreg(), use.vreg());
    }
  }
  void finish_webs();
  /// For every instruction once, after finish_webs, the last one first: a wish replaces those of later instructions.
  void note(mir::InstId inst) {
    if (function_.insts[inst].opcode == mir::Opcode::p_hand_over) note_handed(inst);
    prefer(function_.uses(inst));
    prefer(function_.defs(inst));
    if (mir::is_pseudo(function_.insts[inst].opcode)) note_tuple(inst);
  }
  Affinity finish() &&;

 private:
  bool handled(const mir::Operand& operand) const { return files_.handles(operand); }
  mir::VReg find(mir::VReg v);
  void unite(mir::VReg a, mir::VReg b);
  void prefer(std::span<const mir::Operand> operands) {
    for (size_t i = operands.size(); i-- > 0;) {
      const mir::Operand& operand = operands[i];
      if (operand.reg.valid() && handled(operand)) result_.fixed[result_.web[operand.vreg()]] = operand.reg;
    }
  }
  void note_tuple(mir::InstId inst);
  void note_handed(mir::InstId inst);
  void note_parts(const mir::Operand& tuple, std::span<const mir::Operand> parts);
  void note_part(const mir::Operand& tuple, unsigned offset, const mir::Operand& part);

  const mir::Function& function_;
  const FileSet files_;
  Affinity result_;
};

}  // namespace spalt::regalloc
