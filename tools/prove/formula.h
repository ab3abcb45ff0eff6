// SPDX-License-Identifier: MIT
// What each pure operation computes, as formulas of Z3. For tests only: libspalt never links this.
#pragma once
#include <z3++.h>

#include <span>
#include <string>
#include <vector>

#include "ir/float_controls.h"
#include "ir/op.h"
#include "ir/type.h"

namespace spalt::prove {

using Formulas = std::vector<z3::expr>;

/// How float arithmetic is taken.
enum class Floats : uint8_t {
  opaque,  ///< sums, products and the like are functions of which nothing is known but that they are functions
  mixed,   ///< exact where an operand is a constant, else opaque
  exact    ///< the theory of IEEE 754; NaN results are the quiet NaN of ir/evaluate.h
};

/// What a result is where ir/ops.def leaves it open: a division by zero, a bit field past the width.
enum class Open : uint8_t {
  unknown,   ///< a function of the operands of which nothing is known: what some hardware does
  evaluator  ///< the choice of ir/evaluate.h, which folding makes
};

struct Semantics {
  Floats floats = Floats::opaque;
  Open open = Open::unknown;
  ir::FloatControls controls;
};

/// A word that is 1 where the condition holds.
z3::expr from_bool(const z3::expr& condition);
/// The condition that a word of one bit is 1.
z3::expr truth(const z3::expr& bit);
z3::expr number(z3::context& context, uint64_t value, unsigned width);
/// Zero extended or cut.
z3::expr resize(const z3::expr& bits, unsigned width);
/// Words as one, the first one lowest.
z3::expr joined_words(const Formulas& words);
/// An unknown function of this name.
z3::expr unknown(const std::string& name, unsigned width, const Formulas& operands);

/// The condition that the bits are a NaN, a zero, an infinity.
z3::expr nan_formula(const z3::expr& bits);
z3::expr zero_formula(const z3::expr& bits);
z3::expr infinity_formula(const z3::expr& bits);

/// The formula of one scalar operation on scalars; `types` are those of the operands. Operations of which nothing is
/// known become unknown functions.
z3::expr operation_formula(ir::Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& operands,
                           const Semantics& semantics);

/// Operations that only move the bits of their operands, each a list of components: select, vec, extract, pack64,
/// bitcast.
Formulas move_formula(ir::Op op, ir::Type result, uint64_t immediate, const std::vector<Formulas>& operands);

// The parts of operation_formula.
z3::expr integer_formula(ir::Op op, const Formulas& operands, const Semantics& semantics);
z3::expr float_formula(ir::Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& operands,
                       const Semantics& semantics);

}  // namespace spalt::prove
