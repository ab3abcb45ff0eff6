// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/text/parse_terms.h"

namespace spalt::isa {

/// name:[a,b,...]: exactly `count` values of `bits` bits, the first in the lowest bits.
ParseFailure parse_lanes(const Term& term, unsigned count, unsigned bits, uint32_t& value);

/// offset:swizzle(MODE, ...) of ds_swizzle_b32.
ParseFailure parse_swizzle(const Term& term, uint32_t& value);

/// The operand for a number in a slot of this type: an inline constant where there is one, else a literal. Integers are
/// the bits of the operand, reals are converted to the slot's format; an integer in an f64 slot that is no inline
/// constant is the high dword.
ParseFailure constant_operand(const Term& term, OperandType type, unsigned dwords, Operand& operand);

/// The 32 bits of a number in a slot that always holds a literal (v_fmaak, s_setreg_imm32).
ParseFailure literal_bits(const Term& term, OperandType type, uint32_t& bits);

/// Applies neg and abs of the term to its number, for encodings that have no such modifiers.
void fold_sign(Term& term, OperandType type);

}  // namespace spalt::isa
