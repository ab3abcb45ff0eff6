// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>

#include "formula.h"

namespace spalt::prove {

/// An operation on floats as the hardware's functions (float_function.h). Nothing: the hardware has no such function.
std::optional<z3::expr> source_float(ir::Op op, ir::Type result, std::span<const ir::Type> types,
                                     const Formulas& operands);

}  // namespace spalt::prove
