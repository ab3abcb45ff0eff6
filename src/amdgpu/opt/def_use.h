// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::opt {

/// Where each virtual register is defined and how often it is used. Kept by the passes as they change uses.
class DefUse {
 public:
  DefUse(const mir::Function& function, Arena& scratch);

  struct Value {
    mir::InstId def;
    mir::BlockId block;  ///< of the definition
    uint32_t uses = 0;
    /// Used where sharing the register with somebody else costs a copy: p_phi, p_vec and other copies, a use that is
    /// tied or has a fixed register.
    bool wants_own_register = false;
  };
  Value& operator[](mir::VReg vreg) { return values_[vreg.index]; }
  const Value& operator[](mir::VReg vreg) const { return values_[vreg.index]; }

  /// The definition of `use` if it is in `block`, has this one use and is not fixed to a register; else an invalid id.
  mir::InstId single_use_def(const mir::Operand& use, mir::BlockId block) const;
  /// How many instructions read the scc that this one writes.
  uint32_t scc_reads(mir::InstId inst) const { return scc_reads_[inst.index]; }
  /// The instruction whose scc this one reads, or an invalid id.
  mir::InstId scc_def(mir::InstId inst) const { return scc_def_[inst.index]; }

 private:
  void visit(const mir::Function& function, mir::BlockId block, mir::InstId inst);

  Vector<Value> values_;
  Vector<uint32_t> scc_reads_;
  Vector<mir::InstId> scc_def_;
  mir::InstId last_scc_;
};

}  // namespace spalt::opt
