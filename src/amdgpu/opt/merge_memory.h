// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Joins memory instructions of one block that differ only in their constant offset: neighbouring scalar and buffer
/// loads and buffer stores become wider ones, two LDS accesses of one size become one with two offsets.
///
/// Requires Stage::selected and keeps it. Loads move up to the first of their group, stores down to the last, never
/// across an instruction whose MemoryBits conflict, unless it accesses other bytes from the same address operands, and
/// over at most kWindow instructions, which bounds how much longer values live. Wider loads are taken apart with
/// p_split, which costs nothing once allocated. Linear: a group holds at most kMaxGroup accesses and kMaxGroups groups
/// are open at a time.
void merge_memory(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
