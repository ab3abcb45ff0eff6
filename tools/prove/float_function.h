// SPDX-License-Identifier: MIT
// Float operations of the hardware as functions of bits of which little is known: that sums and products commute, and
// that a multiply-add with a neutral element is one of them. The IR before selection is written with the same ones.
#pragma once
#include <optional>
#include <string_view>

#include "formula.h"

namespace spalt::prove {

/// An unknown function, whose first two operands may be swapped if it commutes.
z3::expr float_call(const std::string& name, unsigned width, Formulas operands, bool commutes);
/// a * b + c rounded once: with -0 as c the product, with 1 as a factor the sum.
z3::expr fused(const z3::expr& a, const z3::expr& b, const z3::expr& c);
/// a * b + c with a product that is rounded; what becomes of denormals is not looked at.
z3::expr rounded_twice(const z3::expr& a, const z3::expr& b, const z3::expr& c);
/// A half as f32; the sign stays.
z3::expr widened(const z3::expr& half);
/// f32 as a half; the sign stays, whatever the rest is rounded to.
z3::expr narrowed(const z3::expr& single);
/// An integer as a float; one that is not negative is the same number unsigned.
z3::expr from_integer(unsigned width, const z3::expr& integer, bool is_signed);
/// What output modifiers 1 to 3 make of a result: times 2, 4 and 1/2, where a zero may lose its sign.
z3::expr scaled(unsigned modifier, const z3::expr& bits);
z3::expr negated(const z3::expr& bits);
z3::expr magnitude_of(const z3::expr& bits);
/// The bits of the number 1.
uint64_t one_bits(unsigned width);
/// Numbers of either sign and NaN as the limits 0 and 1 leave them: NaN is 0.
z3::expr limited(const z3::expr& bits);
/// The smaller or larger number; the other one beside a NaN.
z3::expr extreme(const z3::expr& a, const z3::expr& b, bool is_min);
/// A comparison by the name that it has in mnemonics: lt, nle, o. Null (an unset optional) if it is none.
std::optional<z3::expr> float_compared(std::string_view how, const z3::expr& a, const z3::expr& b);

}  // namespace spalt::prove
