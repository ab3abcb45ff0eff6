// SPDX-License-Identifier: MIT
#pragma once
#include "emu/vector/valu.h"

namespace spalt::emu {

/// Everything that 16-bit float instructions ask the MODE register and the instruction for.
struct F16Context {
  bool keep_in, keep_out;
  unsigned rounding;
  uint8_t omod;
  bool clamp, dx10, saturates;

  F16Context(const Wave& wave, const Step& step)
      : keep_in(wave.mode.keep_input_denorm16_64()),
        keep_out(wave.mode.keep_output_denorm16_64()),
        rounding(wave.mode.round16_64()),
        omod(wave.mode.output_modifiers16_64() ? step.omod : uint8_t{0}),
        clamp(step.clamp),
        dx10(wave.mode.dx10_clamp()),
        saturates(wave.mode.fp16_overflow()) {}

  uint32_t input_bits(uint32_t bits) const { return keep_in ? bits : flush16(bits); }
  double input(uint32_t bits) const { return half_to_float(input_bits(bits)); }
  /// FP16_OVFL: what overflows becomes the largest number, what is infinite stays so (`docs/isa-errata.md`,
  /// "FP16_OVFL").
  uint32_t rounded(double value) const {
    const uint32_t bits = float_to_half(value, rounding);
    const bool overflows = (bits & 0x7fffu) == 0x7c00u && std::isfinite(value);
    return saturates && overflows ? bits - 1 : bits;
  }
  uint32_t output(double value) const { return finish(rounded(value), FlushResult::by_mode); }
  /// The result of an operation on `in`.
  template <MadeNan Made = MadeNan::positive, class... In>
  uint32_t output_of(double value, In... in) const {
    if (!makes_nan(value, in...)) return output(value);
    return finish(Made == MadeNan::negative ? kQuietNan16 | 0x8000u : kQuietNan16, FlushResult::by_mode);
  }
  uint32_t finish(uint32_t bits, FlushResult flush) const {
    static constexpr double kFactor[] = {1, 2, 4, 0.5};
    if (omod != 0) {
      bits = rounded(half_to_float(bits) * kFactor[omod]);
      if ((bits & 0x7fffu) == 0) bits = 0;
    }
    if (flush == FlushResult::by_mode && !keep_out) bits = flush16(bits);
    if (!clamp) return bits;
    if (is_nan16(bits)) return dx10 ? 0 : bits;
    const float result = half_to_float(bits);
    return result <= 0 ? 0 : result >= 1 ? 0x3c00u : bits;
  }
};

// F takes doubles (exact values of the halves), those with several also the rounding mode, and gives a double that
// rounds to the right half.

template <auto F, MadeNan Made = MadeNan::positive>
void unary_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a[i]);
    out.lane[i] = context.output_of<Made>(static_cast<double>(F(x)), x);
  }
  wave.write16(step, out.lane);
}

template <auto F>
void binary_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a[i]), y = context.input(b[i]);
    out.lane[i] = context.output_of(F(x, y, context.rounding), x, y);
  }
  wave.write16(step, out.lane);
}

template <auto F, MadeNan Made = MadeNan::positive>
void ternary_f16_with(Wave& wave, const Step& step, const uint32_t* c) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a[i]), y = context.input(b[i]), z = context.input(c[i]);
    out.lane[i] = context.output_of<Made>(F(x, y, z, context.rounding), x, y, z);
  }
  wave.write16(step, out.lane);
}
template <auto F, MadeNan Made = MadeNan::positive>
void ternary_f16(Wave& wave, const Step& step) {
  LaneBuffer tc;
  ternary_f16_with<F, Made>(wave, step, wave.fetch32(step, 2, tc));
}

/// The sum of two halves is exact in double, but for the sign of a zero, which the rounding decides.
inline double half_add(double a, double b, unsigned rounding) {
  constexpr unsigned kDown = 2;
  const double sum = a + b;
  return sum == 0 && rounding == kDown && (a != 0 || std::signbit(a) != std::signbit(b)) ? -0.0 : sum;
}
/// The product of two halves is exact in double; the sum is made safe for the final rounding.
inline double half_fma(double a, double b, double c, unsigned rounding) {
  const double sum = add_to_odd(a * b, c);
  return sum == 0 ? half_add(a * b, c, rounding) : sum;
}
}  // namespace spalt::emu
