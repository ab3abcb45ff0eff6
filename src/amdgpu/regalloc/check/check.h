// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/result.h"

namespace spalt::regalloc {

/// Proves that `after` computes what `before` computes: on every path each operand of each instruction finds the value
/// of its virtual register in the registers assigned to it. `before` is a copy of the function from before
/// allocate_registers; instructions keep their ids. Returns the first contradiction. check.cpp says what it trusts.
Result<void> check_allocation(const mir::Function& before, const mir::Function& after);

}  // namespace spalt::regalloc
