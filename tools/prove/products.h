// SPDX-License-Identifier: MIT
#pragma once
#include "formula.h"

namespace spalt::prove {

/// The formula with an unknown function that commutes for each product of two words that are no numbers. If two such
/// formulas are equal, so are the originals; the solver is slow with products.
z3::expr without_products(const z3::expr& formula);

}  // namespace spalt::prove
