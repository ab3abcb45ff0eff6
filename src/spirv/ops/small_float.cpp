// SPDX-License-Identifier: MIT
// Conversions of bfloats and floats of 8 bits, in integers: they round to nearest even whatever the modes of the shader
// say, keep denormals and keep NaN. A wider operand becomes an f32 on its way, rounded such that the second rounding
// cannot go wrong: to odd from doubles, while whole numbers matter only in the middle of two results.
#include "spirv/ops/small_float.h"

#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kQuiet = 0x00400000u, kMantissaBits = 23, kBias = 127;

/// A format of 8 bits.
struct Format {
  uint32_t mantissa_bits, bias;
  uint32_t largest;   ///< bits of the largest number
  uint32_t overflow;  ///< of what follows it: infinity, or NaN
  uint32_t nan;
  bool has_infinity;

  constexpr uint32_t shift() const { return kMantissaBits - mantissa_bits; }
  /// The exponent, as f32 has it, of the least normal number.
  constexpr uint32_t least_exponent() const { return kBias - bias + 1; }
  /// What an exponent of f32 has more, in the place of the format's mantissa.
  constexpr uint32_t rebias() const { return (kBias - bias) << mantissa_bits; }
};
constexpr Format kE4M3 = {3, 7, 0x7e, 0x7f, 0x7f, false};
constexpr Format kE5M2 = {2, 15, 0x7b, 0x7c, 0x7e, true};

constexpr const Format& format_of(FloatEncoding encoding) {
  return encoding == FloatEncoding::e4m3 ? kE4M3 : kE5M2;
}

Value shift_right(Builder& b, Value x, uint32_t bits) {
  return b.binary(Op::ushr, x, b.i32(bits));
}

/// x / 2^bits to nearest even; 0 < bits < 32, and no carry leaves the word.
Value rounded_shift(Builder& b, Value x, Value bits) {
  const Value down = b.binary(Op::ushr, x, bits);
  const Value odd = b.iand(down, b.i32(1));
  const Value before = b.isub(bits, b.i32(1));
  const Value half = b.ishl(b.i32(1), before);
  const Value almost_half = b.isub(half, b.i32(1));
  const Value sum = b.iadd(x, almost_half);
  return b.binary(Op::ushr, b.iadd(sum, odd), bits);
}

Value encode_bfloat(Builder& b, Value bits) {
  const Value rounded = rounded_shift(b, bits, b.i32(16));
  const Value quiet = shift_right(b, b.ior(bits, b.i32(kQuiet)), 16);
  const Value magnitude = b.iand(bits, b.i32(~kSign));
  const Value is_nan = b.binary(Op::ult, b.i32(kInfinity), magnitude);
  return b.resize(ir::kI16, b.select(is_nan, quiet, rounded), false);
}

Value encode_byte(Builder& b, const Format& format, Value bits, bool saturates) {
  const Value magnitude = b.iand(bits, b.i32(~kSign));
  const Value exponent = shift_right(b, magnitude, kMantissaBits);
  const Value unbiased = rounded_shift(b, magnitude, b.i32(format.shift()));
  const Value normal = b.isub(unbiased, b.i32(format.rebias()));
  // A denormal result has the mantissa with its first bit, shifted by as much as the exponent is too small.
  const Value fraction = b.iand(bits, b.i32((1u << kMantissaBits) - 1));
  const Value mantissa = b.ior(fraction, b.i32(1u << kMantissaBits));
  const Value below = b.binary(Op::umin, exponent, b.i32(format.least_exponent() - 1));
  const Value wanted = b.isub(b.i32(format.shift() + format.least_exponent()), below);
  const Value denormal = rounded_shift(b, mantissa, b.binary(Op::umin, wanted, b.i32(31)));
  const Value is_denormal = b.binary(Op::ult, exponent, b.i32(format.least_exponent()));
  const Value number = b.select(is_denormal, denormal, normal);
  const Value too_large = b.binary(Op::ult, b.i32(format.largest), number);
  const Value in_range = b.select(too_large, b.i32(saturates ? format.largest : format.overflow), number);
  const Value is_nan = b.binary(Op::ult, b.i32(kInfinity), magnitude);
  const Value code = b.select(is_nan, b.i32(format.nan), in_range);
  const Value high = shift_right(b, bits, 24);
  const Value sign = b.iand(high, b.i32(0x80));
  return b.resize(ir::kI8, b.ior(code, sign), false);
}

/// A double as an f32 that is odd where it is not exact: whatever it is rounded to then, with two bits less or fewer,
/// is what the double would be rounded to.
Value to_odd(Builder& b, Value x) {
  const Value near = b.convert(Op::f_to_f, ir::kF32, x);
  const Value back = b.convert(Op::f_to_f, ir::kF64, near);
  const Value inexact = b.binary(Op::fone, back, x);
  const Value magnitude = b.fabs(x);
  const Value away = b.binary(Op::folt, magnitude, b.fabs(back));
  const Value bits = b.bitcast(ir::kI32, near);
  const Value toward_zero = b.isub(bits, b.select(away, b.i32(1), b.i32(0)));
  return b.ior(toward_zero, b.select(inexact, b.i32(1), b.i32(0)));
}

/// The bits of an f32 whose rounding to a bfloat is that of the whole number: where that is in the middle of two, it is
/// nudged to the side on which the number is.
Value bits_of_integer(Builder& b, Value x, bool is_signed) {
  const ir::Type type = b.function().type(x);
  const Value zero = b.integer(type, 0);
  const Value is_negative = is_signed ? b.binary(Op::slt, x, zero) : b.boolean(false);
  const Value magnitude = is_signed ? b.select(is_negative, b.isub(zero, x), x) : x;
  const Value near = b.convert(Op::u_to_f, ir::kF32, magnitude);
  Value bits = b.bitcast(ir::kI32, near);
  if (type.bits() > 16) {
    const Value back = b.convert(Op::f_to_u, type, near);
    const Value more = b.binary(Op::ult, back, magnitude), less = b.binary(Op::ult, magnitude, back);
    const Value up = b.select(more, b.i32(1), b.i32(0));
    const Value nudge = b.select(less, b.i32(~0u), up);
    const Value low = b.iand(bits, b.i32(0xffff));
    const Value is_middle = b.binary(Op::ieq, low, b.i32(0x8000));
    bits = b.iadd(bits, b.select(is_middle, nudge, b.i32(0)));
  }
  return b.ior(bits, b.select(is_negative, b.i32(kSign), b.i32(0)));
}

Value encode_bits(Builder& b, FloatEncoding encoding, Value bits, bool saturates) {
  if (encoding == FloatEncoding::bfloat16) return encode_bfloat(b, bits);
  return encode_byte(b, format_of(encoding), bits, saturates);
}

bool converts_integer(uint32_t opcode) {
  return opcode == spv::OpConvertSToF || opcode == spv::OpConvertUToF;
}

bool makes_integer(uint32_t opcode) {
  return opcode == spv::OpConvertFToS || opcode == spv::OpConvertFToU;
}

bool is_float(const TypeInfo& type) {
  return type.encoding != FloatEncoding::ieee || kAnyFloat.contains(type.scalar);
}

bool is_integer(const TypeInfo& type) {
  return type.encoding == FloatEncoding::ieee && kAnyInteger.contains(type.scalar);
}

}  // namespace

Value decode_float(Builder& b, FloatEncoding encoding, Value bits) {
  const Value word = b.resize(ir::kI32, bits, false);
  if (encoding == FloatEncoding::bfloat16) return b.bitcast(ir::kF32, b.ishl(word, b.i32(16)));
  const Format& format = format_of(encoding);
  const Value code = b.iand(word, b.i32(0x7f));
  const Value shifted = b.ishl(code, b.i32(format.shift()));
  const Value normal = b.iadd(shifted, b.i32(format.rebias() << format.shift()));
  // Denormals are whole numbers of the least one.
  const double least = 1.0 / static_cast<double>(uint64_t{1} << (format.bias + format.mantissa_bits - 1));
  const Value count = b.convert(Op::u_to_f, ir::kF32, code);
  const Value scaled = b.bitcast(ir::kI32, b.fmul(count, b.number(ir::kF32, least)));
  const Value is_denormal = b.binary(Op::ult, code, b.i32(1u << format.mantissa_bits));
  const Value number = b.select(is_denormal, scaled, normal);
  const Value special = format.has_infinity ? b.ior(shifted, b.i32(kInfinity)) : b.i32(kInfinity | kQuiet);
  const Value is_special = b.binary(Op::ult, b.i32(format.largest), code);
  const Value magnitude = b.select(is_special, special, number);
  const Value sign = b.ishl(b.iand(word, b.i32(0x80)), b.i32(24));
  return b.bitcast(ir::kF32, b.ior(magnitude, sign));
}

Value encode_float(Builder& b, FloatEncoding encoding, Value value, bool saturates) {
  const ir::Type type = b.function().type(value);
  if (type == ir::kF64) return encode_bits(b, encoding, to_odd(b, value), saturates);
  const Value single = type == ir::kF32 ? value : b.convert(Op::f_to_f, ir::kF32, value);
  return encode_bits(b, encoding, b.bitcast(ir::kI32, single), saturates);
}

bool is_small_float_conversion(const Reader& r, const Instruction& in) {
  const bool converts = in.opcode == spv::OpFConvert || converts_integer(in.opcode) || makes_integer(in.opcode);
  if (!r.has_small_floats || !converts || in.count < 4 || in[3] >= r.bound || in[1] >= r.bound) return false;
  const IdInfo& to = r.ids[in[1]];
  const IdInfo& from = r.ids[in[3]];
  return (to.kind == IdKind::type && r.types[to.index].encoding != FloatEncoding::ieee) ||
         (from.type != kNone && r.types[from.type].encoding != FloatEncoding::ieee);
}

bool translate_small_float_conversion(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  uint32_t type = 0;
  Leaves from;
  if (!r.result_vector_type(in, kAnyScalar, type) || !r.vector_value(in[3], kAnyScalar, r.types[type].leaves, from)) {
    return false;
  }
  const TypeInfo to_type = r.types[type], from_type = r.types[from.type];
  const bool fits = (converts_integer(in.opcode) ? is_integer(from_type) : is_float(from_type)) &&
                    (makes_integer(in.opcode) ? is_integer(to_type) : is_float(to_type));
  if (!fits) return r.fail("expected floats and integers as the instruction says");
  const bool saturates = r.decorations.has(in[2], kSaturatedToLargestFloat8);
  const ir::Type result{to_type.scalar};
  if (from_type.encoding == to_type.encoding && !makes_integer(in.opcode) && !converts_integer(in.opcode)) {
    return r.bind(in[2], from);
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    Value value = r.leaf(from, i);
    if (from_type.encoding != FloatEncoding::ieee) value = decode_float(b, from_type.encoding, value);
    if (to_type.encoding == FloatEncoding::ieee) {
      const Op op = makes_integer(in.opcode) ? (in.opcode == spv::OpConvertFToS ? Op::f_to_s : Op::f_to_u) : Op::f_to_f;
      if (b.function().type(value) != result) value = b.convert(op, result, value);
    } else if (converts_integer(in.opcode)) {
      const Value bits = bits_of_integer(b, value, in.opcode == spv::OpConvertSToF);
      value = encode_bits(b, to_type.encoding, bits, saturates);
    } else {
      value = encode_float(b, to_type.encoding, value, saturates);
    }
    r.set_leaf(out, i, value);
  }
  return r.bind(in[2], out);
}

bool translate_small_float_dot(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  uint32_t type = 0;
  Leaves x, y;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  const FloatEncoding encoding = r.types[type].encoding;
  if (encoding != FloatEncoding::bfloat16 || r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[3], kAnyScalar, 0, x) || !r.typed_value(in[4], x.type, y)) return false;
  if (r.types[x.type].encoding != encoding) return r.fail("expected vectors of the result type");
  Value sum;
  for (uint32_t i = 0; i < x.count; ++i) {
    const Value left = decode_float(b, encoding, r.leaf(x, i)), right = decode_float(b, encoding, r.leaf(y, i));
    sum = sum.valid() ? b.ffma(left, right, sum) : b.fmul(left, right);
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, encode_float(b, encoding, sum, false));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
