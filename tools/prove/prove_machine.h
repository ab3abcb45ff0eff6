// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "prove.h"

namespace spalt::prove {

/// Whether machine code does after a pass what it did before: the same effects in the same order with the same
/// operands, and the same in virtual registers that nobody reads on either side. Loops are refused.
Proof prove_machine(const mir::Function& before, const mir::Function& after, const ProveOptions& options = {});

}  // namespace spalt::prove
