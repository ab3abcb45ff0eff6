// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

struct RandomOptions {
  uint64_t seed = 1;
  unsigned wave_size = 64;
  unsigned size = 60;       ///< about how many instructions
  unsigned max_depth = 4;   ///< nesting of control flow
  bool wide_tuples = true;  ///< 8-dword SGPR tuples
  unsigned reach = 0;       ///< operands are among the last so many values of their file; 0: any in scope
};

/// A valid function of Stage::masked: structured control flow, uniform and divergent, with loops, SGPR phis on the
/// linear and VGPR phis on the logical graph, tuples, tied and required registers, scc and vcc as implicit operands.
/// What it computes means nothing.
mir::Function random_function(const RandomOptions& options);

}  // namespace spalt::regalloc
