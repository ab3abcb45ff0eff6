// SPDX-License-Identifier: MIT
// Questions that are easier for the solver: if they have no answer, neither have the original ones.
#pragma once
#include "formula.h"

namespace spalt::prove {

/// The formula with an unknown function that commutes for each product of two words that are no numbers. If two such
/// formulas are equal, so are the originals; the solver is slow with products.
z3::expr without_products(const z3::expr& formula);

/// Whether two words differ under a condition, with an unknown word for each part that both have.
z3::expr differ_apart(const z3::expr& a, const z3::expr& b, const z3::expr& condition);

}  // namespace spalt::prove
