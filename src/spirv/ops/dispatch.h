// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Translates one instruction of a function body into IR at the end of the current block. OpSpecConstantOp uses it too,
/// without a block.
bool translate_instruction(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
