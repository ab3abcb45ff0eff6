// SPDX-License-Identifier: MIT
#pragma once
#include "base/result.h"
#include "ir/module.h"

namespace spalt::ir {

/// Checks that a module is well formed and legal for its stage. The rules, by file:
///
/// verifier_structure.cpp
///   ids, instruction lists and operand lists are coherent; constants, undef and parameters are in no block
///   every block ends with its only terminator and begins with its phis; Function::operations has all of them
///   predecessor lists agree with successor lists; terminators have the right number of targets
///   phis have one operand per predecessor, equal ones for equal predecessors
/// verifier_cfg.cpp
///   the layout invariant of ir/function.h: forward edges lead forward, back edges lead to the header of their loop,
///   loops and constructs are contiguous, entered through their header only and nested properly
/// verifier_ssa.cpp
///   definitions dominate uses; phi operands are available at the end of their predecessor
/// verifier_types.cpp
///   operand and result types of every operation
/// verifier_memory.cpp
///   addresses, data types, storage classes and orders of memory operations and barriers; built-ins, resources, entry
///   registers
/// verifier_image.cpp
///   kinds of images, address parts, texels and resources of image operations
/// verifier_module.cpp
///   what a stage may contain; bindings, entry registers, limits
/// vertex_work.cpp
///   what vertex work may consist of
///
/// The error holds one sentence, then the place in the printed function, underlined, and where the operand in question
/// comes from. Costs about as much as printing when there is an error, O(instructions + edges log edges) otherwise.
Result<void> verify(const Module& module);

}  // namespace spalt::ir
