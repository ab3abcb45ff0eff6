// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Execution mode FPFastMathDefault: the ir::FastMath of what is not decorated, for one type of floats.
bool read_fast_math_default(Reader& r, const Instruction& in);
/// What the decorations of the result say about the operations that the instruction becomes: bits of ir::Inst::flags.
uint16_t instruction_flags(const Reader& r, uint32_t result);

}  // namespace spalt::spirv
