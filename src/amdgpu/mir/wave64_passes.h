// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::mir {

/// Whether this operand is a scalar that the instruction must not overwrite. Targets with waves of 32 lanes may issue a
/// vector instruction of a wave of 64 twice; the second pass would read what the first one wrote (RDNA 1 and 2 ISA
/// guides, section 6.2.4, RDNA 3 and 4, 7.2.3.2, "Wave64 Destination Restrictions"). A lane mask that is read and
/// written is no such scalar: each pass has its own half. `use` counts Function::uses.
bool second_pass_reads(const Function& function, InstId inst, size_t use);

}  // namespace spalt::mir
