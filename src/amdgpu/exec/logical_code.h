// SPDX-License-Identifier: MIT
// What stands around the logical code of a block, between p_logical_start and p_logical_end.
#pragma once
#include <cstddef>
#include <span>

#include "amdgpu/exec/mask_code.h"
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Instructions of a block that stay before its logical code: phis and p_start, and in the entry block what makes the
/// scratch descriptor or says which lanes run. Spills are between the marks only, and need both.
size_t count_leading(const mir::Function& function, const mir::InstList& insts, bool is_entry);

/// The end of the program, or, where code of others follows it, the lanes that run there.
void emit_program_end(mir::Function& function, MaskCode& code, std::span<const mir::Operand> goes_on);

}  // namespace spalt::exec
