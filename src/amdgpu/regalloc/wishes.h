// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/affinity.h"
#include "amdgpu/regalloc/assign.h"
#include "amdgpu/regalloc/parities.h"

namespace spalt::regalloc {

/// Where assignment would like a value to be: where a copy disappears, a tuple comes together or a shorter encoding
/// exists. Only free places are wished for; RegisterSet::kNone stands for no wish.
class Wishes {
 public:
  /// What the walk knows at the moment of a question.
  struct State {
    const IdMap<mir::VReg, uint16_t>& place;  ///< of live values
    const RegisterSet& free;
    const RegisterSet& physical;  ///< registers that physical operands occupy
  };
  Wishes(const mir::Function& function, const Affinity& affinity, const RegisterSpace& space, const State& state,
         Arena& arena);

  void start_block() { planned_ = RegisterSet(); }
  void note_taken(mir::VReg v, unsigned index);

  bool is_free(unsigned index, unsigned count) const {
    return index != RegisterSet::kNone && state_.free.contains(index, count) && !state_.physical.overlaps(index, count);
  }
  /// Where copies would disappear if `v` were there.
  unsigned preferred(mir::VReg v);
  /// The same for result `number` of an instruction, whose killed operands count as free.
  unsigned of_result(mir::InstId inst, const mir::Operand& def, size_t number);
  /// Any free place for `v`, if possible where no tuple is about to come together, and of the parity that suits.
  unsigned any_place(mir::VReg v) const;
  /// The same for a phi, wherever tuples come together.
  unsigned any_place_of_phi(mir::VReg v) const;

 private:
  bool handled(const mir::Operand& operand) const { return handles(space_.file, operand); }
  unsigned dwords(mir::VReg v) const { return function_.vregs[v].cls.dwords; }
  unsigned if_good(unsigned index, unsigned count) const;
  unsigned around_anchor(const Affinity::Anchor& anchor, unsigned count) const;
  unsigned operand_place(const mir::Operand& use, unsigned offset, unsigned count) const;
  unsigned short_form_place(mir::InstId inst, const mir::Operand& def, size_t use_number);
  unsigned gathering_place(std::span<const mir::Operand> parts, unsigned count) const;
  unsigned place_of_parity(const RegisterSet& free, mir::VReg v) const;
  void plan_tuple(const Affinity::Part& part, unsigned part_dwords);
  unsigned mostly_free_place(const RegisterSet& free, unsigned count, const Affinity::Part& part,
                             unsigned part_dwords) const;

  const mir::Function& function_;
  const RegisterSpace& space_;
  const State state_;
  const Affinity& affinity_;
  IdMap<mir::VReg, uint16_t> web_place_;  ///< by representative: where the web would like to be
  Parities parities_;
  RegisterSet planned_;  ///< where the parts of tuples will come together, within the block
};

/// Whether the register is of the file, vcc included.
constexpr bool in_file(mir::RegFile file, isa::Reg reg) {
  return file == mir::RegFile::vgpr ? reg.is_vgpr() : reg.number < kSgprIndexEnd;
}

}  // namespace spalt::regalloc
