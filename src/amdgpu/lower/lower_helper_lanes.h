// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: fragments that are not, or no more, there.
#pragma once
#include "amdgpu/lower/inserter.h"
#include "ir/module.h"

namespace spalt::lower {

/// Whether the fragments of a quad need each other: derivatives, samples that take their level of detail from the quad,
/// parameters that are loaded for it.
bool needs_whole_quads(const ir::Function& function);

/// Makes a condition of what the hardware knows as a mask: whether the lane is a fragment that still counts. Helper
/// lanes, which are there for the derivatives of others or were demoted, walk the program like all others; what has an
/// effect is in a branch on the condition.
///
///   demote c         alive = alive & ~c
///   is_helper        ~alive
///   any_lane, ballot of what holds in lanes that are alive
///   store, atomic    if (alive) ...; consecutive ones share a branch, and the result is undefined in other lanes
///   export           the same with `exact_exports`: where the fixed functions learn from exec which fragments are
///                    left. Else they know it themselves, and helpers may export (docs/isa-errata.md, "Exports of
///                    helper lanes")
///
/// The condition is an ordinary value with phis. It starts as `covered` where the module has whole quads, else true;
/// where it stays true nothing changes. After the last operation that needs quads, lanes that are not alive leave for a
/// block that only returns where all lanes meet (helper_places.h), and the condition is true again:
///
///   if (alive) { the rest }
///
/// Before that the whole wave leaves there if nobody is alive. A loop whose end depends on memory that others write
/// might keep helpers forever, which take no part in it: such a loop is left where no running lane is alive. Linear.
/// Lowered stage, requires the layout invariant, keeps both. Returns true if it did anything.
bool lower_helper_lanes(ir::Module& module, CompileContext& context, bool exact_exports);

}  // namespace spalt::lower
