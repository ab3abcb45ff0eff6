// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/result.h"

namespace spalt::mir {

/// Checks every rule of the function's stage; the first broken one comes back as an internal error whose message shows
/// the block, the instruction and the rule. The rules stand at the top of the files:
///   verifier.cpp           blocks, edges, terminators
///   verifier_operands.cpp  operand counts, register files and sizes, special registers
///   verifier_ssa.cpp       single definitions that dominate their uses
/// Requires nothing: a function that breaks one rule is not read in a way that depends on it.
Result<void> verify(const Function& function);

}  // namespace spalt::mir
