// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <span>

#include "amdgpu/exec/mask_ops.h"
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Masks that are constants.
inline bool is_never(const mir::Operand& mask) {
  return mask.is_imm() && mask.value == 0;
}
inline bool is_always(const mir::Operand& mask) {
  return mask.is_imm() && mask.value != 0;
}

/// Lanes that leave a block by one edge: `opcode` of all its lanes and `by`. Their mask is made when it is asked for.
struct LeavingLanes {
  mir::Operand all;
  mir::Opcode opcode = mir::Opcode::invalid;  ///< invalid: all of them
  mir::Operand by;
  mir::Operand mask;
};

/// Writes the instructions that the exec stage adds.
class MaskCode {
 public:
  MaskCode(mir::Function& function, Arena& scratch)
      : ops(mask_ops(function.wave_size)), function_(function), made_in_(scratch) {}

  /// Where the instructions go. Not owned.
  void write_to(mir::InstList& code) { out_ = &code; }
  mir::InstId emit(mir::Opcode opcode, std::initializer_list<mir::Operand> defs,
                   std::initializer_list<mir::Operand> uses);
  mir::InstId emit_phi(const mir::Operand& result, std::span<const mir::Operand> operands);
  mir::Operand emit_mask(mir::Opcode opcode, const mir::Operand& a, const mir::Operand& b);
  mir::Operand copy_of_exec();
  mir::Operand mask_of(LeavingLanes& lanes);

  /// To be told of each instruction of the selected function, in the order of the code.
  void note(mir::InstId inst, mir::BlockId block);

  /// `lanes`, which leave `from`, join others. `before` has the bits of these, and for all other lanes those of `base`;
  /// the result has in addition the bits of `value` for `lanes`.
  mir::Operand join(const mir::Operand& before, const mir::Operand& base, const mir::Operand& value, mir::BlockId from,
                    LeavingLanes& lanes);

  mir::Operand mask_def() { return function_.def(function_.lane_mask_class()); }
  mir::Operand exec() const { return mir::Operand::physical(isa::kExec, ops.dwords); }
  static mir::Operand scc() { return mir::Operand::physical(isa::kScc); }

  const MaskOps ops;

 private:
  bool is_zero_elsewhere(const mir::Operand& mask, mir::BlockId block) const;
  bool makes_zeros_elsewhere(mir::InstId inst, mir::BlockId block) const;
  mir::Operand bits_of(const mir::Operand& value, mir::BlockId from, LeavingLanes& lanes);
  mir::Operand own(const mir::Operand& mask);

  mir::Function& function_;
  mir::InstList* out_ = nullptr;
  Vector<mir::BlockId> made_in_;  ///< by vreg of the selected function: the block if it is zero for other lanes
};

}  // namespace spalt::exec
