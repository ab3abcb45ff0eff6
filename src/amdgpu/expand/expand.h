// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::expand {

/// Replaces every pseudo operation that register allocation left by machine instructions, in place.
///
/// Requires Stage::allocated. Afterwards the blocks hold machine instructions and p_jump* terminators only;
/// expand_branches must follow, once nothing inserts copies any more.
///
/// SGPR copy cycles, scans and large scratch offsets go through m0, which nothing else uses on the supported targets;
/// no expansion clobbers scc. exec keeps its value, though scans and SGPRs that are spilled to scratch change it on the
/// way.
void expand_pseudos(mir::Function& function, CompileContext& context);

/// Drops the markers and turns p_jump* into branches and fall-throughs. Empty blocks are bypassed, blocks that nothing
/// reaches are dropped from the layout, and loop headers that only test go to the ends of their loops. Stage becomes
/// final. Requires linear edges to agree with the terminators; keeps them so.
void expand_branches(mir::Function& function, CompileContext& context);

/// Appends the instructions of one spill or reload to `out`.
void expand_spill(mir::Function& function, mir::InstId id, mir::InstList& out);

/// Appends the instructions of one scan to `out`.
void expand_scan(mir::Function& function, mir::InstId id, mir::InstList& out);

/// One 32-bit register to set. `from` is a register or an immediate.
struct Move {
  isa::Reg to;
  mir::Operand from;
};

/// Appends instructions to `out` that perform all moves as if at once. Registers of one file only.
void sequentialize(mir::Function& function, Vector<Move>& moves, mir::InstList& out);

}  // namespace spalt::expand
