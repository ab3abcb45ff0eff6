// SPDX-License-Identifier: MIT
#include "float_row.h"

namespace spalt::semantics {

FloatMode float_mode(const Lane& in, const FloatFormat& format) {
  // One pair of fields for 32-bit floats, one for those of 16 and 64 bits.
  const bool single = format.exponent_bits == kF32.exponent_bits;
  FloatMode mode;
  mode.rounding = static_cast<Rounding>(in.mode >> (single ? 0 : 2) & 3);
  const uint32_t denormals = in.mode >> (single ? 4 : 6) & 3;
  mode.keeps_input_denormals = (denormals & 1) != 0;
  mode.keeps_output_denormals = (denormals & 2) != 0;
  // GFX12 has neither bit: a clamped NaN is 0, and minimum and maximum have only one behaviour.
  const bool has_bits = in.target->has_clamp_mode;
  mode.dx10_clamp = !has_bits || (in.mode >> 8 & 1) != 0;
  mode.ieee = has_bits && (in.mode >> 9 & 1) != 0;
  const bool half = format.exponent_bits == kF16.exponent_bits && format.mantissa_bits == kF16.mantissa_bits;
  mode.saturates = half && (in.mode >> 23 & 1) != 0;
  return mode;
}

uint64_t flushed_input(uint64_t bits, const Lane& in, const FloatFormat& format) {
  bits &= format.sign_bit() | (format.sign_bit() - 1);
  const bool flush = !float_mode(in, format).keeps_input_denormals && format.is_denormal(bits);
  return flush ? bits & format.sign_bit() : bits;
}

Real float_input(uint64_t bits, const Lane& in, const FloatFormat& format) {
  return from_bits(flushed_input(bits, in, format), format);
}

namespace {

uint64_t rounded(const Real& value, const Lane& in, const FloatFormat& format, Rounding rounding) {
  const uint64_t bits = to_bits(value, format, rounding);
  const bool overflows = format.magnitude(bits) == format.infinity() && value.kind == Real::Kind::finite;
  return overflows && float_mode(in, format).saturates ? bits - 1 : bits;
}

}  // namespace

uint64_t rounded(const Real& value, const Lane& in, const FloatFormat& format) {
  return rounded(value, in, format, float_mode(in, format).rounding);
}
uint64_t rounded_to_nearest(const Real& value, const Lane& in, const FloatFormat& format) {
  return rounded(value, in, format, Rounding::nearest_even);
}

namespace {

/// Times 2, times 4, divided by 2. Ignored in IEEE mode and where results may be denormal; -0 becomes +0
/// (Vega ISA guide, "Output modifiers"; LLVM, SIFoldOperands).
uint64_t output_modified(uint64_t bits, const Lane& in, const FloatFormat& format) {
  constexpr int kPower[] = {0, 1, 2, -1};
  const FloatMode mode = float_mode(in, format);
  const unsigned omod = in.inst->mods.omod;
  if (omod == 0 || mode.ieee || mode.keeps_output_denormals || format.is_nan(bits)) return bits;
  bits = rounded(scale(from_bits(bits, format), kPower[omod]), in, format);
  return bits == format.sign_bit() ? 0 : bits;
}

}  // namespace

Result finished(uint64_t bits, const Lane& in, const FloatFormat& format, Denormals denormals) {
  const FloatMode mode = float_mode(in, format);
  Result result;
  // Whether a modifier sees a denormal before it is flushed is not written down.
  if (in.inst->mods.omod != 0 && format.is_denormal(bits)) result.unknown = true;
  bits = output_modified(bits, in, format);
  if (denormals == Denormals::by_mode && !mode.keeps_output_denormals && format.is_denormal(bits)) {
    bits &= format.sign_bit();
  }
  if (in.clamp) {
    if (format.is_nan(bits)) {
      bits = mode.dx10_clamp ? 0 : bits;
    } else if ((bits & format.sign_bit()) != 0) {
      bits = 0;
    } else if (bits > format.one()) {
      bits = format.one();
    }
  }
  result.value = bits;
  return result;
}

Result float_result(const Real& value, const Lane& in, const FloatFormat& format, Denormals denormals) {
  return finished(rounded(value, in, format), in, format, denormals);
}

Row passes_nan(Row row, const FloatFormat& format, unsigned sources) {
  row.reference = [reference = row.reference, format, sources](const Lane& in) {
    Result result = reference(in);
    const uint64_t all[] = {in.a, in.b, in.c};
    uint64_t nan = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < sources; ++i) {
      const uint64_t bits = flushed_input(all[i], in, format);
      if (format.is_nan(bits)) nan = bits, ++count;
    }
    if (count != 1 || !format.is_nan(result.value)) return result;
    result.value = nan | format.quiet_bit();
    result.exact = format.sign_bit() | (format.sign_bit() - 1);
    return result;
  };
  return row;
}

namespace {

/// What NaNs decide. False where both are numbers.
bool settled_by_nan(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format, uint64_t& result) {
  const bool ieee = float_mode(in, format).ieee;
  if (ieee && format.is_signaling(a)) {
    result = a | format.quiet_bit();
  } else if (ieee && format.is_signaling(b)) {
    result = b | format.quiet_bit();
  } else if (format.is_nan(b)) {
    result = a;
  } else if (format.is_nan(a)) {
    result = b;
  } else {
    return false;
  }
  return true;
}

/// As if by a comparison with -0 below +0.
bool below(uint64_t a, uint64_t b, const FloatFormat& format) {
  const Order order = compare(from_bits(a, format), from_bits(b, format));
  if (order != Order::equal) return order == Order::less;
  return (a & format.sign_bit()) != 0 && (b & format.sign_bit()) == 0;
}

}  // namespace

uint64_t minimum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format) {
  uint64_t result = 0;
  if (settled_by_nan(a, b, in, format, result)) return result;
  return below(a, b, format) ? a : b;
}

uint64_t maximum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format) {
  uint64_t result = 0;
  if (settled_by_nan(a, b, in, format, result)) return result;
  return below(b, a, format) ? a : b;
}

uint64_t propagating_minimum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format) {
  if (format.is_nan(a) || format.is_nan(b)) return format.infinity() | format.quiet_bit();
  return minimum(a, b, in, format);
}
uint64_t propagating_maximum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format) {
  if (format.is_nan(a) || format.is_nan(b)) return format.infinity() | format.quiet_bit();
  return maximum(a, b, in, format);
}

uint64_t median(uint64_t a, uint64_t b, uint64_t c, const Lane& in, const FloatFormat& format) {
  if (format.is_nan(a) || format.is_nan(b) || format.is_nan(c))
    return minimum(minimum(a, b, in, format), c, in, format);
  const uint64_t largest = maximum(maximum(a, b, in, format), c, in, format);
  const auto is_largest = [&](uint64_t x) {
    return compare(from_bits(x, format), from_bits(largest, format)) == Order::equal;
  };
  if (is_largest(a)) return maximum(b, c, in, format);
  if (is_largest(b)) return maximum(a, c, in, format);
  return maximum(a, b, in, format);
}

}  // namespace spalt::semantics
