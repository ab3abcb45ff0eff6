// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "emu/scalar/salu.h"
#include "emu/vector/float_math.h"

namespace spalt::emu {

// Shapes of vector instructions: fetch sources, compute every lane, write the active ones. F computes one lane.

template <auto F>
void unary32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = static_cast<uint32_t>(F(a[i]));
  wave.write32(step, out.lane);
}

template <auto F>
void binary32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = static_cast<uint32_t>(F(a[i], b[i]));
  wave.write32(step, out.lane);
}

/// Clamped is used when the instruction has the clamp bit.
template <auto F, auto Clamped>
void binary32_clamp(Wave& wave, const Step& step) {
  step.clamp ? binary32<Clamped>(wave, step) : binary32<F>(wave, step);
}

template <auto F>
void ternary32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.fetch32(step, 2, tc);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = static_cast<uint32_t>(F(a[i], b[i], c[i]));
  wave.write32(step, out.lane);
}
template <auto F, auto Clamped>
void ternary32_clamp(Wave& wave, const Step& step) {
  step.clamp ? ternary32<Clamped>(wave, step) : ternary32<F>(wave, step);
}

/// 16-bit operands arrive zero extended; the low 16 bits of F are the result.
template <auto F, unsigned Sources>
void op16(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = Sources > 1 ? wave.fetch32(step, 1, tb) : a;
  const uint32_t* c = Sources > 2 ? wave.fetch32(step, 2, tc) : a;
  for (unsigned i = 0; i < wave.size(); ++i) {
    uint32_t result;
    if constexpr (Sources == 1) {
      result = static_cast<uint32_t>(F(a[i]));
    } else if constexpr (Sources == 2) {
      result = static_cast<uint32_t>(F(a[i], b[i]));
    } else {
      result = static_cast<uint32_t>(F(a[i], b[i], c[i]));
    }
    out.lane[i] = result & 0xffffu;
  }
  wave.write16(step, out.lane);
}

// ---- 32-bit floats ----

enum class FlushResult : uint8_t { no, by_mode };
/// Output modifiers and flushing, applied to finished lanes.
void finish_f32(const Wave& wave, const Step& step, LaneBuffer& lanes, FlushResult flush = FlushResult::by_mode);

inline float input_f32(uint32_t bits, bool keep) {
  return as_float(keep ? bits : flush32(bits));
}

template <MadeNan Made = MadeNan::positive, class... In>
uint32_t result_bits(float value, In... in) {
  if (value == value) return as_bits(value);
  if (!makes_nan(value, in...)) return as_bits(value) | kQuietNan32;  // the host's ceil may let it through as it is
  return Made == MadeNan::negative ? kQuietNan32 | 0x80000000u : kQuietNan32;
}

template <auto F>
void unary_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const bool keep = wave.mode.keep_input_denorm32();
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = input_f32(a[i], keep);
    out.lane[i] = result_bits(F(x), x);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

template <auto F>
void binary_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const bool keep = wave.mode.keep_input_denorm32();
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = input_f32(a[i], keep), y = input_f32(b[i], keep);
    out.lane[i] = result_bits(F(x, y), x, y);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

/// The third source is `c`, which the caller fetched: a source operand or the old destination.
template <auto F>
void ternary_f32_with(Wave& wave, const Step& step, const uint32_t* c) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const bool keep = wave.mode.keep_input_denorm32();
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = input_f32(a[i], keep), y = input_f32(b[i], keep), z = input_f32(c[i], keep);
    out.lane[i] = result_bits(F(x, y, z), x, y, z);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}
template <auto F>
void ternary_f32(Wave& wave, const Step& step) {
  LaneBuffer tc;
  ternary_f32_with<F>(wave, step, wave.fetch32(step, 2, tc));
}

}  // namespace spalt::emu
