// SPDX-License-Identifier: MIT
// Internal to src/spirv/reflect.
#pragma once
#include "spirv/reader.h"
#include "spirv/reflect/located_variables.h"

namespace spalt::spirv {

/// Components that are the same constant wherever an invocation writes them. One that does not write them leaves them
/// undefined, so that neither the order of the stores nor their conditions matter.
///
/// Looks at the stores alone: constants, composites of constants, constants among the parts of a vector, and what the
/// attributes lack of inputs that are stored whole or by components. An output that is used in any other way is not
/// among them, nor is one in a block or an array. Broken words give none.
Vector<InterfaceConstant> constant_outputs(const Declarations& in, std::span<const LocatedVariable> outputs,
                                           std::span<const KnownInput> inputs, Arena& arena);

}  // namespace spalt::spirv
