// SPDX-License-Identifier: MIT
// Integer instructions that machine passes leave alone: what only selection makes.
#pragma once
#include "machine_formula.h"

namespace spalt::prove {

/// Of the vector unit: the result, of 16, 32 or 64 bits.
std::optional<z3::expr> vector_integer(const MachineInput& in);
/// Of the scalar unit, with scc where it is written.
std::optional<MachineResult> scalar_integer(const MachineInput& in);
/// A comparison by its name and type in the mnemonic: lt, u64.
std::optional<z3::expr> integer_compared(std::string_view how, std::string_view type, const z3::expr& a,
                                         const z3::expr& b);
/// An operation of 16 bits on the low and on the high halves.
std::optional<z3::expr> packed_integer(std::string_view what, const Formulas& low, const Formulas& high);
/// The number of ones.
z3::expr ones_in(const z3::expr& bits, unsigned width);

}  // namespace spalt::prove
