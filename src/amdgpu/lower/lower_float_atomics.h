// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Atomic operations on floats for which the target has no instruction, and all on f16 and f64, become
///
///   before:  guess = load.i32
///   header:  expected = phi guess, seen;  seen = atomic_compare_exchange (operation of expected and data), expected
///            branch_if seen != expected, again, after
///
/// A lane leaves when nobody came between. The first guess may be old; what the exchange gives is not. Outside of a
/// buffer or an image both give 0, so that the loop ends there too. Words are compared as integers: a NaN ends the
/// loop like any other value. A half is exchanged with the rest of its dword, a double as an i64. The order of the
/// operation is that of each exchange.
///
/// Additions in memory keep denormals whatever the mode says (docs/isa-errata.md, "Float additions in memory and
/// LDS"), so that shaders which must flush them have a loop everywhere but in LDS.
///
/// After lower_interface, which keeps helpers from atomic operations: a helper would never leave the loop. Before
/// lower_images and lower_narrow. Linear. True if anything changed.
bool lower_float_atomics(ir::Module& module, CompileContext& context, const isa::Target& target);

}  // namespace spalt::lower
