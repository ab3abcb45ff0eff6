// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Lets instructions that are close together share one register for the same constant, or for the same SGPR moved to a
/// VGPR, one tuple for the same parts, the same register shifted by the same constant or increased by it, and one mask
/// of running lanes for the same condition. Selection makes such a move wherever an operand must be a VGPR: addresses,
/// data of stores, third sources; such a tuple for each image access whose address is not a list; such a shift for each
/// shuffle; such a sum for each access that is further away than its own offset reaches; and such a mask for each word
/// of a ballot.
///
/// Requires Stage::selected and keeps it. Stands before merge_memory, which joins accesses of one address register.
/// Within a block, and over at most kReuseWindow instructions, because each shared register is occupied in between.
/// Those whose register something else wants for itself (phis, tuples, tied operands) stay, since sharing would cost a
/// copy. One walk with a table of fixed size, and one that renames.
void reuse_moves(mir::Function& function, CompileContext& context);

constexpr uint32_t kReuseWindow = 48;

}  // namespace spalt::opt
