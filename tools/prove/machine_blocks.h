// SPDX-License-Identifier: MIT
#pragma once
#include <set>

#include "amdgpu/mir/function.h"
#include "block_behaviour.h"

namespace spalt::prove {

struct MachineBlocks {
  FunctionBehaviour behaviour;
  /// Formulas that the IR may have in another form: float operations that were fused, scaled results, loads that take
  /// an address for aligned. By the number of the formula.
  std::set<unsigned> forms;
  Formulas words;  ///< what registers of one dword held, those written first in front
};

/// Formulas of selected code. `phis` are those of the IR: what each phi instruction holds.
MachineBlocks encode_machine_blocks(z3::context& context, Inputs& inputs, const mir::Function& function,
                                    const PhisOfBlocks& phis);

}  // namespace spalt::prove
