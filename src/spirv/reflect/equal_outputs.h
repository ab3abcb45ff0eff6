// SPDX-License-Identifier: MIT
// Internal to src/spirv/reflect.
#pragma once
#include "spirv/reader.h"
#include "spirv/reflect/located_variables.h"

namespace spalt::spirv {

/// Components that all vertices of a primitive put out alike, because they come from constants, push constants, uniform
/// buffers, built-ins that tell no vertices apart and attributes of instances.
///
/// A walk over the code, again until nothing changes: an id or a variable varies if something that varies goes into it,
/// wherever it does. A branch that vertices may take differently ends the search with nothing, and so do broken words.
/// What is done by functions, by atomic operations, with images and through pointers in memory varies.
Vector<InterfaceComponent> equal_outputs(const Declarations& in, std::span<const LocatedVariable> outputs,
                                         std::span<const KnownInput> inputs, Arena& arena);

}  // namespace spalt::spirv
