// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "amdgpu/regalloc/register_set.h"
#include "amdgpu/regalloc/survey.h"

namespace spalt::regalloc {

/// One value moves, or a constant is loaded, as part of a parallel copy.
struct Move {
  mir::Operand def, use;  ///< with their registers
};

/// Moves that happen together before instruction `position` of the block.
struct CopyGroup {
  mir::BlockId block;
  uint32_t position;
  uint32_t first, count;  ///< in Assignment::moves
};

/// Where a value is at the start or the end of a block.
struct Place {
  mir::VReg value;
  uint16_t index;  ///< first register, within the file
};

/// The result of assigning the registers of one file; the function itself is not touched before apply_assignment.
struct Assignment {
  Vector<isa::Reg> operand_reg;  ///< by Inst::operand_begin + operand number
  Vector<Move> moves;
  Vector<CopyGroup> groups;                  ///< in layout order
  IdMap<mir::BlockId, Vector<Place>> entry;  ///< the live values, then the phis in the order of the block
  IdMap<mir::BlockId, uint32_t> entry_live;  ///< how many of entry are not phis
  IdMap<mir::BlockId, Vector<Place>> exit;
  bool ok = false;

  Assignment(const mir::Function& function, Arena& arena)
      : operand_reg(arena, function.operand_count(), isa::kNoReg),
        moves(arena),
        groups(arena),
        entry(arena, function.blocks.size(), Vector<Place>(arena)),
        entry_live(arena, function.blocks.size(), 0),
        exit(arena, function.blocks.size(), Vector<Place>(arena)) {}
};

/// What may be used.
struct RegisterSpace {
  mir::RegFile file;
  RegisterSet allowed;                       ///< by index within the file; the last two SGPRs are vcc
  IdMap<mir::VReg, uint16_t> pinned_linear;  ///< VGPRs: register of each linear VGPR
};

/// Walks the blocks predecessors first and the values in SSA order. Fails (ok is false) only where the live tuples
/// cannot be packed: then more must be spilled. Requires Stage::masked, a survey of the
/// function as it is, and phis simplified. `arena` has the result and all tables.
Assignment assign_registers(const mir::Function& function, const Survey& survey, const RegisterSpace& space,
                            Arena& arena);

/// Writes the registers into the operands, inserts the copies, and replaces the file's phis by copies on the edges. An
/// edge of the linear graph whose copies would disturb another successor gets a block of its own; such edges of the
/// logical graph are returned, and then the function is not usable.
[[nodiscard]] std::vector<mir::LogicalEdge> apply_assignment(mir::Function& function, const Assignment& assignment,
                                                             mir::RegFile file, Arena& arena);

/// SGPR tuples of two are even, larger ones multiples of four; VGPRs are not aligned.
constexpr unsigned alignment_of(mir::RegFile file, unsigned dwords) {
  return file == mir::RegFile::vgpr || dwords == 1 ? 1 : dwords == 2 ? 2 : 4;
}
constexpr isa::Reg reg_of(mir::RegFile file, unsigned index) {
  return file == mir::RegFile::vgpr ? isa::vgpr(index) : isa::Reg{static_cast<uint16_t>(index)};
}
constexpr unsigned index_of(mir::RegFile file, isa::Reg reg) {
  return file == mir::RegFile::vgpr ? reg.vgpr_index() : reg.number;
}

}  // namespace spalt::regalloc
