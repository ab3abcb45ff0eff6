// SPDX-License-Identifier: MIT
// The three helpers of exact division: v_div_scale, v_div_fmas, v_div_fixup (RDNA 2 ISA guide, section 12.11).
#include <cstring>

#include "emu/vector/double_operands.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// Facts of the division algorithm per float type.
template <class F>
struct DivTraits;
template <>
struct DivTraits<float> {
  static constexpr int kQuotientLimit = 96, kTinyExponent = 23, kScale = 64, kUnderflow = -150;
  static constexpr int kBias = 127, kMaxExponent = 255, kMantissaBits = 23;
  using Bits = uint32_t;
};
template <>
struct DivTraits<double> {
  static constexpr int kQuotientLimit = 768, kTinyExponent = 53, kScale = 128, kUnderflow = -1075;
  static constexpr int kBias = 1023, kMaxExponent = 2047, kMantissaBits = 52;
  using Bits = uint64_t;
};

template <class F>
int exponent_field(F value) {
  return static_cast<int>(as_bits(value) >> DivTraits<F>::kMantissaBits) & DivTraits<F>::kMaxExponent;
}
template <class F>
bool denormal(F value) {
  return std::fpclassify(value) == FP_SUBNORMAL;
}

template <class F>
struct Scaled {
  F value;
  bool flag;
};

/// `value` is the numerator or the denominator, whichever this instance scales. The flag follows the difference of the
/// exponents also where the value is NaN, and a difference of one below the bias counts as a tiny quotient
/// (docs/isa-errata.md, "vcc of `v_div_scale`").
template <class F>
Scaled<F> div_scale(F value, F denominator, F numerator) {
  using T = DivTraits<F>;
  const bool is_denominator = as_bits(value) == as_bits(denominator);
  const bool is_numerator = as_bits(value) == as_bits(numerator);
  const int difference = exponent_field(numerator) - exponent_field(denominator);
  const bool huge = difference >= T::kQuotientLimit, tiny = difference < 2 - T::kBias;
  if (numerator == 0 || denominator == 0) return {std::numeric_limits<F>::quiet_NaN(), huge || tiny};
  if (huge) return {is_denominator ? std::ldexp(value, T::kScale) : value, true};
  if (denormal(denominator)) return {std::ldexp(value, T::kScale), false};
  const bool tiny_reciprocal = denormal(F{1} / denominator);
  const bool tiny_quotient = tiny || denormal(numerator / denominator);
  // The guide prints +64 here, which overflows the denominator; -64 makes quotient and reciprocal normal.
  if (tiny_reciprocal && tiny_quotient) return {is_denominator ? std::ldexp(value, -T::kScale) : value, true};
  if (tiny_reciprocal) return {std::ldexp(value, -T::kScale), false};
  if (tiny_quotient) return {is_numerator ? std::ldexp(value, T::kScale) : value, true};
  if (exponent_field(numerator) <= T::kTinyExponent) return {std::ldexp(value, T::kScale), false};
  return {value, false};
}

/// The power of two that undoes the scaling of a flagged lane: a large quotient had its denominator scaled, a tiny one
/// its numerator. The estimate (source 2) tells which (RDNA 3.5 ISA guide, V_DIV_FMAS; the RDNA 2 guide gives one
/// factor, with which the sequence would not divide).
template <class F>
int unscaling_exponent(F estimate) {
  using T = DivTraits<F>;
  return exponent_field(estimate) > T::kBias ? T::kScale : -T::kScale;
}

/// a * b + c, exact but for a last bit that says "and a little": rounding it after scaling is the only rounding. A tiny
/// quotient becomes denormal by the scaling, and rounding it twice would get ties wrong.
double fma_to_odd(float a, float b, float c) {
  return add_to_odd(static_cast<double>(a) * b, c);
}

struct TwoSum {
  double sum, error;
};
TwoSum two_sum(double a, double b) {
  const double sum = a + b, a_part = sum - b, b_part = sum - a_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// In long double, which has at least 11 bits more than the result.
long double fma_to_odd(double a, double b, double c) {
  const double product = a * b;
  const TwoSum high = two_sum(c, product);
  if (!std::isfinite(high.sum)) return high.sum;
  const TwoSum low = two_sum(high.error, std::fma(a, b, -product));
  const long double x = high.sum, y = low.sum, sum = x + y, x_part = sum - y;
  long double error = (x - x_part) + (y - (sum - x_part));
  if (error == 0) error = low.error;
  if (error == 0 || sum == 0) return sum;
  long double odd = (error > 0) == (sum > 0) ? sum : std::nextafter(sum, 0.0L);
  uint8_t lowest = 0;
  std::memcpy(&lowest, &odd, 1);
  lowest |= 1;
  std::memcpy(&odd, &lowest, 1);
  return odd;
}

/// v_div_fmas of a flagged lane. To be called while the host rounds to nearest.
template <class F>
F scaled_fma(F a, F b, F c, unsigned rounding) {
  const auto odd = fma_to_odd(a, b, c);
  const RoundScope round(rounding);
  if (odd == 0) return std::fma(a, b, c);  // the rounding decides its sign
  return static_cast<F>(std::ldexp(odd, unscaling_exponent(c)));
}

template <class F>
F div_fixup(F quotient, F denominator, F numerator) {
  using T = DivTraits<F>;
  const bool negative = std::signbit(denominator) != std::signbit(numerator);
  const auto with_sign = [negative](F magnitude) { return negative ? -magnitude : magnitude; };
  const F infinity = std::numeric_limits<F>::infinity();
  if (std::isnan(numerator)) return numerator + 0;
  if (std::isnan(denominator)) return denominator + 0;
  const bool both_zero = denominator == 0 && numerator == 0;
  if (both_zero || (std::isinf(denominator) && std::isinf(numerator))) return -std::numeric_limits<F>::quiet_NaN();
  if (denominator == 0 || std::isinf(numerator)) return with_sign(infinity);
  if (std::isinf(denominator) || numerator == 0) return with_sign(0);
  if (exponent_field(numerator) - exponent_field(denominator) < T::kUnderflow) return with_sign(0);
  // An overflowing quotient arrives as NaN: infinity minus infinity in the refinement.
  return with_sign(std::isnan(quotient) ? infinity : std::fabs(quotient));
}

void write_flags(Wave& wave, const Step& step, uint64_t flags) {
  if (step.has_dst2) wave.write_mask(step.dst2, flags & wave.writable_lanes());
}

void div_scale_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.fetch32(step, 2, tc);
  const bool keep = wave.mode.keep_input_denorm32();
  uint64_t flags = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    const Scaled<float> scaled = div_scale(input_f32(a[i], keep), input_f32(b[i], keep), input_f32(c[i], keep));
    out.lane[i] = as_bits(scaled.value);
    flags |= static_cast<uint64_t>(scaled.flag) << i;
  }
  wave.write32(step, out.lane);
  write_flags(wave, step, flags);
}

void div_scale_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, c, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  wave.fetch64(step, 2, c);
  uint64_t flags = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    const Scaled<double> scaled = div_scale(as_double(a.lane[i]), as_double(b.lane[i]), as_double(c.lane[i]));
    out.lane[i] = as_bits(scaled.value);
    flags |= static_cast<uint64_t>(scaled.flag) << i;
  }
  wave.write64(step, out.lane);
  write_flags(wave, step, flags);
}

/// Denormals of sources are not flushed (RDNA 2 ISA guide, V_DIV_FMAS_F32).
void div_fmas_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.fetch32(step, 2, tc);
  const uint64_t scaled = wave.vcc();
  {
    const RoundScope round(wave.mode.round32());
    for (unsigned i = 0; i < wave.size(); ++i) {
      const float x = as_float(a[i]), y = as_float(b[i]), z = as_float(c[i]);
      out.lane[i] = result_bits(std::fma(x, y, z), x, y, z);
    }
  }
  for (unsigned i = 0; i < wave.size(); ++i) {
    if ((scaled >> i & 1) == 0) continue;
    const float x = as_float(a[i]), y = as_float(b[i]), z = as_float(c[i]);
    out.lane[i] = result_bits(scaled_fma(x, y, z, wave.mode.round32()), x, y, z);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

void div_fmas_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, c, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  wave.fetch64(step, 2, c);
  const uint64_t scaled = wave.vcc();
  const unsigned rounding = wave.mode.round16_64();
  const F64Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = as_double(a.lane[i]), y = as_double(b.lane[i]), z = as_double(c.lane[i]);
    if ((scaled >> i & 1) != 0) {
      out.lane[i] = context.output_of(scaled_fma(x, y, z, rounding), x, y, z);
    } else {
      const RoundScope round(rounding);
      out.lane[i] = context.output_of(std::fma(x, y, z), x, y, z);
    }
  }
  wave.write64(step, out.lane);
}

constexpr auto fixup_f32 = [](float a, float b, float c) { return div_fixup(a, b, c); };
constexpr auto fixup_f64 = [](double a, double b, double c) { return div_fixup(a, b, c); };

/// The negative NaN of 0/0 must survive, so this does not take the way of ternary_f32.
void div_fixup_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.fetch32(step, 2, tc);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = as_bits(fixup_f32(input_f32(a[i], keep), input_f32(b[i], keep), input_f32(c[i], keep)));
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

constexpr auto fixup_f16 = [](double quotient, double denominator, double numerator, unsigned) {
  const bool negative = std::signbit(denominator) != std::signbit(numerator);
  if (std::isnan(numerator)) return numerator;
  if (std::isnan(denominator)) return denominator;
  const bool both_zero = denominator == 0 && numerator == 0;
  if (both_zero || (std::isinf(denominator) && std::isinf(numerator))) return -static_cast<double>(NAN);
  double magnitude = std::fabs(quotient);
  if (denominator == 0 || std::isinf(numerator)) magnitude = INFINITY;
  if (std::isinf(denominator) || numerator == 0) magnitude = 0;
  return negative ? -magnitude : magnitude;
};

constexpr HandlerRow kRows[] = {
    {Op::v_div_scale_f32, div_scale_f32},
    {Op::v_div_scale_f64, div_scale_f64},
    {Op::v_div_fmas_f32, div_fmas_f32},
    {Op::v_div_fmas_f64, div_fmas_f64},
    {Op::v_div_fixup_f32, div_fixup_f32},
    {Op::v_div_fixup_f64, ternary_f64<fixup_f64, MadeNan::negative>},
    {Op::v_div_fixup_f16, ternary_f16<fixup_f16, MadeNan::negative>},
    {Op::v_div_fixup_legacy_f16, ternary_f16<fixup_f16, MadeNan::negative>},
};

}  // namespace

void add_valu_div(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
