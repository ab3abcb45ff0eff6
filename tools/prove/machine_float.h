// SPDX-License-Identifier: MIT
#pragma once
#include "machine_formula.h"

namespace spalt::prove {

/// A source with its modifiers, which is a float.
z3::expr signed_source(const isa::Modifiers& modifiers, unsigned index, z3::expr bits);
/// Whether modifiers other than those that are looked at have their defaults.
bool is_plain(isa::Modifiers modifiers, bool of_floats);

/// The result of a float instruction of either unit without its output modifiers, in its own width: a half, an f32, an
/// f64, or an integer. Nothing if it is none of those known.
std::optional<z3::expr> float_result(std::string_view name, const isa::Modifiers& modifiers, const Formulas& uses);
z3::expr finished(const isa::Modifiers& modifiers, const z3::expr& bits);

/// The result of an instruction on both halves of dwords.
std::optional<z3::expr> packed_result(const MachineInput& in);

}  // namespace spalt::prove
