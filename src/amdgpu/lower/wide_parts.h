// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: 64-bit integers as two halves, and the expansions that work on them.
//
// The low half is the first component of the value as i32x2, which selection reads without an instruction; pack64 joins
// two halves. Shifts by one word, sums, differences, bitwise operations, comparisons and selects stay whole: selection
// has instructions for them (select/carry.cpp, select/condition.cpp, select/integer.cpp).
#pragma once
#include "amdgpu/lower/divide.h"
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

struct Halves {
  ir::Value low, high;  ///< i32
};

/// What an i64 is made of; constants and what pack64 has just joined are looked through.
Halves halves_of(Inserter& insert, ir::Value value);
ir::Value join(Inserter& insert, Halves halves);
/// An operation on and to i64.
inline ir::Value wide(Inserter& insert, ir::Op op, std::initializer_list<ir::Value> operands) {
  return insert.op(op, ir::kI64, operands);
}
inline ir::Value wide_constant(Inserter& insert, uint64_t bits) {
  return insert.function().constant(ir::kI64, bits);
}
/// All ones where the value is negative, else 0.
ir::Value wide_sign(Inserter& insert, ir::Value value);
/// The value with its sign changed where `sign` is all ones, as it is where that is 0.
ir::Value negate_where(Inserter& insert, ir::Value value, ir::Value sign);

// wide_multiply.cpp
ir::Value wide_product(Inserter& insert, ir::Value a, ir::Value b);
/// Bits 127:64 of the product of unsigned numbers.
ir::Value wide_product_high(Inserter& insert, ir::Value a, ir::Value b);
ir::Value wide_signed_product_high(Inserter& insert, ir::Value a, ir::Value b);

// wide_divide.cpp
ir::Value divide_wide_unsigned(Inserter& insert, ir::Value x, ir::Value y, DivisionPart part);
/// The remainder has the sign of x.
ir::Value divide_wide_signed(Inserter& insert, ir::Value x, ir::Value y, DivisionPart part);
/// The remainder with the sign of y.
ir::Value wide_smod(Inserter& insert, ir::Value x, ir::Value y);

// wide_bits.cpp
ir::Value lower_wide_bits(Inserter& insert, ir::Op op, std::span<const ir::Value> operands);

// wide_convert.cpp: floats are of 32 bits, doubles of 64
ir::Value wide_to_float(Inserter& insert, ir::Value value, bool is_signed);
ir::Value float_to_wide(Inserter& insert, ir::Value value, bool is_signed);
ir::Value wide_to_double(Inserter& insert, ir::Value value, bool is_signed);
ir::Value double_to_wide(Inserter& insert, ir::Value value, bool is_signed);

}  // namespace spalt::lower
