// SPDX-License-Identifier: MIT
// Products of 64-bit integers from those of their halves, as on paper: with a = 2^32 a1 + a0 and b alike,
//   a b = 2^64 a1 b1 + 2^32 (a0 b1 + a1 b0) + a0 b0.
// The low word of the result needs three products of words; what is above it needs all four, and their carries. Halves
// that are constant 0, such as those of zero-extended words, fall away as the instructions are made.
#include "amdgpu/lower/wide_parts.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

/// All 64 bits of a product of unsigned words.
Value full_product(Inserter& insert, Value a, Value b) {
  const Value low = insert.i(Op::imul, {a, b});
  const Value high = insert.i(Op::umul_hi, {a, b});
  return join(insert, {low, high});
}

Value from_word(Inserter& insert, Value word) {
  return join(insert, {word, insert.constant(0)});
}

}  // namespace

Value wide_product(Inserter& insert, Value a, Value b) {
  const Halves x = halves_of(insert, a), y = halves_of(insert, b);
  const Value low = insert.i(Op::imul, {x.low, y.low});
  const Value carried = insert.i(Op::umul_hi, {x.low, y.low});
  const Value first = insert.i(Op::imul, {x.low, y.high});
  const Value second = insert.i(Op::imul, {x.high, y.low});
  const Value cross = insert.i(Op::iadd, {first, second});
  return join(insert, {low, insert.i(Op::iadd, {carried, cross})});
}

/// No sum leaves its 64 bits: a product of words is at most (2^32 - 1)^2, which leaves room for two words more.
Value wide_product_high(Inserter& insert, Value a, Value b) {
  const Halves x = halves_of(insert, a), y = halves_of(insert, b);
  const Value carried = insert.i(Op::umul_hi, {x.low, y.low});
  const Value first = full_product(insert, x.low, y.high);
  const Value second = full_product(insert, x.high, y.low);
  const Value top = full_product(insert, x.high, y.high);
  const Value first_sum = wide(insert, Op::iadd, {first, from_word(insert, carried)});
  const Halves middle = halves_of(insert, first_sum);
  const Value second_sum = wide(insert, Op::iadd, {second, from_word(insert, middle.low)});
  const Value sum = wide(insert, Op::iadd, {top, from_word(insert, middle.high)});
  return wide(insert, Op::iadd, {sum, from_word(insert, halves_of(insert, second_sum).high)});
}

/// A negative factor counts 2^64 too much as an unsigned one: the other factor comes off the high word.
Value wide_signed_product_high(Inserter& insert, Value a, Value b) {
  Value high = wide_product_high(insert, a, b);
  for (int side = 0; side < 2; ++side) {
    const Value factor = side == 0 ? a : b, other = side == 0 ? b : a;
    const Value excess = wide(insert, Op::iand, {wide_sign(insert, factor), other});
    high = wide(insert, Op::isub, {high, excess});
  }
  return high;
}

}  // namespace spalt::lower
