// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/register_file.h"
#include "amdgpu/regalloc/register_set.h"

namespace spalt::regalloc {

/// Whether the operand is a physical register of the file, vcc included.
inline bool is_file_register(mir::RegFile file, const mir::Operand& operand) {
  return operand.kind == mir::Operand::Kind::reg &&
         (file == mir::RegFile::vgpr ? operand.reg.is_vgpr() : operand.reg.number < kSgprIndexEnd);
}

/// SGPRs that physical operands (vcc as an implicit one) occupy on the way through a block: from their definition to
/// their last use in the block.
class PhysicalRanges {
 public:
  PhysicalRanges(const mir::Function& function, mir::RegFile file, Arena& arena)
      : function_(function), file_(file), ranges_(arena) {}

  void start_block();
  /// Goes on past the instruction.
  void pass(mir::BlockId block, uint32_t position, mir::InstId inst) {
    if (file_ == mir::RegFile::sgpr && (!ranges_.empty() || defines_any(inst))) advance(block, position, inst);
  }
  const RegisterSet& occupied() const { return occupied_; }
  /// Whether a result of the instruction is a physical register of the file.
  bool defines_any(mir::InstId inst) const {
    for (const mir::Operand& def : function_.defs(inst)) {
      if (is_file_register(file_, def)) return true;
    }
    return false;
  }

 private:
  struct Range {
    mir::Operand reg;
    uint32_t last;  ///< position of the last use
  };
  void advance(mir::BlockId block, uint32_t position, mir::InstId inst);
  uint32_t last_use(mir::BlockId block, uint32_t position, const mir::Operand& reg) const;

  const mir::Function& function_;
  const mir::RegFile file_;
  Vector<Range> ranges_;
  RegisterSet occupied_;
};

}  // namespace spalt::regalloc
