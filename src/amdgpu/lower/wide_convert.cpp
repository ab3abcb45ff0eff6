// SPDX-License-Identifier: MIT
// Conversions between 64-bit integers and floats.
#include <bit>

#include "amdgpu/lower/wide_parts.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kMinusTwoTo32 = 0xcf800000;  // -2^32 as f32
constexpr uint32_t kTwoToMinus32 = 0x2f800000;  // 2^-32

/// Shifted up until a bit of the high word's top is set, or by one word, the number has its 32 leading bits in the high
/// word. That is more than f32 keeps, so what is in the low word matters only in that it is not 0: as the lowest bit of
/// the high word it makes the conversion of that word round as the whole would, in every rounding mode. The power of
/// two comes back exactly.
Value unsigned_to_float(Inserter& insert, Value value) {
  const Value top = insert.i(Op::find_msb_u, {halves_of(insert, value).high});  // -1 if there is none
  const Value up = insert.i(Op::isub, {insert.constant(31), top});
  const Halves shifted = halves_of(insert, wide(insert, Op::ishl, {value, up}));
  const Value sticky = insert.i(Op::umin, {shifted.low, insert.constant(1)});
  const Value leading = insert.i(Op::ior, {shifted.high, sticky});
  const Value number = insert.op(Op::u_to_f, ir::kF32, {leading});
  const Value down = insert.i(Op::iadd, {top, insert.constant(1)});
  return insert.f(Op::fldexp, {number, down});
}

/// The high word is the whole part of x / 2^32, and what x has beyond it is exact.
Value float_to_unsigned(Inserter& insert, Value value) {
  const auto f32 = [&](uint32_t bits) { return insert.function().constant(ir::kF32, bits); };
  const Value whole = insert.f(Op::ftrunc, {value});
  const Value scaled = insert.f(Op::fmul, {whole, f32(kTwoToMinus32)});
  const Value high = insert.f(Op::ftrunc, {scaled});
  const Value low = insert.f(Op::ffma, {high, f32(kMinusTwoTo32), whole});
  const Value low_word = insert.op(Op::f_to_u, ir::kI32, {low});
  const Value high_word = insert.op(Op::f_to_u, ir::kI32, {high});
  return join(insert, {low_word, high_word});
}

}  // namespace

Value wide_to_float(Inserter& insert, Value value, bool is_signed) {
  if (!is_signed) return unsigned_to_float(insert, value);
  const Value sign = wide_sign(insert, value);
  const Value magnitude = unsigned_to_float(insert, negate_where(insert, value, sign));
  const Value sign_bit = insert.i(Op::iand, {halves_of(insert, value).high, insert.constant(0x80000000u)});
  const Value bits = insert.op(Op::bitcast, ir::kI32, {magnitude});
  return insert.op(Op::bitcast, ir::kF32, {insert.i(Op::ior, {bits, sign_bit})});
}

Value float_to_wide(Inserter& insert, Value value, bool is_signed) {
  if (!is_signed) return float_to_unsigned(insert, value);
  const Value magnitude = float_to_unsigned(insert, insert.f(Op::fabs, {value}));
  const Value bits = insert.op(Op::bitcast, ir::kI32, {value});
  const Value sign = insert.i(Op::sshr, {bits, insert.constant(31)});
  return negate_where(insert, magnitude, join(insert, {sign, sign}));
}

/// Both words are exact in a double, and so is the product with a power of two: the sum is the only rounding.
Value wide_to_double(Inserter& insert, Value value, bool is_signed) {
  const Halves words = halves_of(insert, value);
  const Value low = insert.op(Op::u_to_f, ir::kF64, {words.low});
  const Value high = insert.op(is_signed ? Op::s_to_f : Op::u_to_f, ir::kF64, {words.high});
  const Value scaled = insert.op(Op::fldexp, ir::kF64, {high, insert.constant(32)});
  return insert.op(Op::fadd, ir::kF64, {scaled, low});
}

/// The high word is x / 2^32 rounded down, so that the low one is what x has above it, from 0 to 2^32 - 1. Both are
/// exact.
Value double_to_wide(Inserter& insert, Value value, bool is_signed) {
  const auto f64 = [&](double number) { return insert.function().constant(ir::kF64, std::bit_cast<uint64_t>(number)); };
  const Value whole = insert.op(Op::ftrunc, ir::kF64, {value});
  const Value scaled = insert.op(Op::fmul, ir::kF64, {whole, f64(0x1p-32)});
  const Value high = insert.op(Op::ffloor, ir::kF64, {scaled});
  const Value low = insert.op(Op::ffma, ir::kF64, {high, f64(-0x1p32), whole});
  const Value low_word = insert.op(Op::f_to_u, ir::kI32, {low});
  const Value high_word = insert.op(is_signed ? Op::f_to_s : Op::f_to_u, ir::kI32, {high});
  return join(insert, {low_word, high_word});
}

}  // namespace spalt::lower
