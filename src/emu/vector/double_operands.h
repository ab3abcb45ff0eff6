// SPDX-License-Identifier: MIT
#pragma once
#include "emu/vector/valu.h"

namespace spalt::emu {

inline uint64_t flush64(uint64_t bits) {
  return (bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits;
}

/// As F16Context, for 64-bit floats.
struct F64Context {
  bool keep_in, keep_out;
  uint8_t omod;
  bool clamp, dx10;

  F64Context(const Wave& wave, const Step& step)
      : keep_in(wave.mode.keep_input_denorm16_64()),
        keep_out(wave.mode.keep_output_denorm16_64()),
        omod(wave.mode.output_modifiers16_64() ? step.omod : uint8_t{0}),
        clamp(step.clamp),
        dx10(wave.mode.dx10_clamp()) {}

  uint64_t input_bits(uint64_t bits) const { return keep_in ? bits : flush64(bits); }
  double input(uint64_t bits) const { return as_double(input_bits(bits)); }
  uint64_t output(double value) const { return finish(value, FlushResult::by_mode); }
  /// The result of an operation on `in`.
  template <MadeNan Made = MadeNan::positive, class... In>
  uint64_t output_of(double value, In... in) const {
    if (value == value) return output(value);
    if (!makes_nan(value, in...)) return output(as_double(as_bits(value) | kQuietNan64));
    return output(as_double(Made == MadeNan::negative ? kQuietNan64 | 0x8000000000000000u : kQuietNan64));
  }
  uint64_t finish(double value, FlushResult flush) const {
    static constexpr double kFactor[] = {1, 2, 4, 0.5};
    uint64_t bits = as_bits(value);
    if (omod != 0) {
      value *= kFactor[omod];
      bits = value == 0 ? 0 : as_bits(value);
    }
    if (flush == FlushResult::by_mode && !keep_out) bits = flush64(bits);
    if (!clamp) return bits;
    if (value != value) return dx10 ? 0 : bits;
    return value <= 0 ? 0 : value >= 1 ? as_bits(1.0) : bits;
  }
};

template <auto F>
void unary_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, out;
  wave.fetch64(step, 0, a);
  const F64Context context(wave, step);
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a.lane[i]);
    out.lane[i] = context.output_of(F(x), x);
  }
  wave.write64(step, out.lane);
}

template <auto F>
void binary_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  const F64Context context(wave, step);
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a.lane[i]), y = context.input(b.lane[i]);
    out.lane[i] = context.output_of(F(x, y), x, y);
  }
  wave.write64(step, out.lane);
}

template <auto F, MadeNan Made = MadeNan::positive>
void ternary_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, c, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  wave.fetch64(step, 2, c);
  const F64Context context(wave, step);
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a.lane[i]), y = context.input(b.lane[i]), z = context.input(c.lane[i]);
    out.lane[i] = context.output_of<Made>(F(x, y, z), x, y, z);
  }
  wave.write64(step, out.lane);
}

}  // namespace spalt::emu
