// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/vector.h"
#include "spirv/reader.h"

namespace spalt::spirv {

/// What the next stage may know of the outputs of a vertex shader before anything of it is compiled: those of 32 bits
/// that are the same constant wherever an invocation writes them. One that does not write them leaves them undefined,
/// so that neither the order of the stores nor their conditions matter.
///
/// Looks at the stores alone: constants, composites of constants, and constants among the parts of a vector. An output
/// that is used in any other way is not among them, nor is one in a block or an array. Words that are no valid module,
/// or have no such entry point, give none. Linear in the words; `entry_point` empty: the only one.
Vector<InterfaceConstant> constant_outputs(std::span<const uint32_t> words, std::string_view entry_point,
                                           std::span<const Specialization> specialization, Arena& arena);

}  // namespace spalt::spirv
