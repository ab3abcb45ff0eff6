// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "amdgpu/mir/function.h"
#include "analysis/divergence.h"
#include "base/compile_context.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::select {

/// Where the scratch descriptor comes from, on targets where scratch has one. The interface of the stage knows it.
struct ScratchSource {
  isa::Reg table;        ///< SGPR that starts with the low half of a table's address; the code lies in the same 4 GiB
  uint32_t offset = 0;   ///< bytes from there to the descriptor
  isa::Reg wave_offset;  ///< SGPR that starts with the offset of the wave's part
};

struct SelectConfig {
  unsigned wave_size = 32;
  bool wgp_mode = false;        ///< a workgroup may spread over both compute units of a work-group processor
  bool enable_scratch = false;  ///< set up scratch even if the module has none, for spills found later
  ScratchSource scratch;
  std::optional<uint32_t> address_high;  ///< completes 32-bit pointers; none: the high half of the program counter
  bool follows_code = false;             ///< mir::Function::follows_code
};

/// Turns the entry point into machine IR over virtual registers (mir::Stage::selected).
///
/// Requires Stage::lowered, no switch_on, split critical edges, loops with divergent exit closed, dead code removed,
/// and the divergence and loops of exactly this function. Guarantees what docs/mir.md says of the stage: SSA, the
/// logical graph, exactly one p_return in the last block, and scc and vcc never live across anything that writes them.
///
/// Blocks are visited last to first and their instructions bottom up, so that an instruction is only selected when
/// something that was selected already asks for its value: operations that were fused into their users fall away by
/// themselves, and a comparison is repeated before each use that wants it in scc. Phases: (1) place_values decides
/// scalar or vector for every value, (2) one backward walk selects, (3) the entry is completed with the registers that
/// turned out to be needed. Linear. The result is in context.arena.
Result<mir::Function> select_function(const ir::Module& module, const analysis::Divergence& divergence,
                                      const analysis::Loops& loops, const isa::Target& target,
                                      const SelectConfig& config, CompileContext& context);

}  // namespace spalt::select
