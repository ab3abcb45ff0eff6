// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Appends the blocks that the terminator of `block` names, in the order of its operands. Labels of OpSwitch targets
/// are repeated as the instruction has them.
bool append_successors(Reader& r, uint32_t block, uint32_t function, std::vector<uint32_t>& out);

}  // namespace spalt::spirv
