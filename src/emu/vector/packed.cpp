// SPDX-License-Identifier: MIT
// VOP3P: two 16-bit operations per lane and mixed-precision multiply-add. op_sel picks the half that the low result
// reads, op_sel_hi that of the high result; neg and abs stand for neg_lo and neg_hi. Dot products are in valu_dot.cpp.
#include "base/bits.h"
#include "emu/vector/float_order.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;

struct Half {
  unsigned shift;  ///< of the source half
  bool neg;
};
Half half_of(const Step& step, unsigned source, bool high) {
  const isa::Modifiers& mods = step.inst.mods;
  const uint8_t select = high ? mods.op_sel_hi : mods.op_sel, neg = high ? mods.abs : mods.neg;
  return {(select >> source & 1) != 0 ? 16u : 0u, (neg >> source & 1) != 0};
}

/// F takes 16-bit values and gives 16-bit values; Float decides whether neg means the sign bit.
template <unsigned Sources, class F>
void packed(Wave& wave, const Step& step, bool float_neg, const U* old, F function) {
  LaneBuffer buffers[3], out;
  const U* lanes[3] = {};
  for (unsigned s = 0; s < Sources; ++s) lanes[s] = s == 2 && old != nullptr ? old : wave.fetch32(step, s, buffers[s]);
  for (U& lane : out.lane) lane = 0;
  for (unsigned high = 0; high < 2; ++high) {
    Half half[3];
    for (unsigned s = 0; s < Sources; ++s) half[s] = half_of(step, s, high != 0);
    if (old != nullptr) half[2] = {high * 16u, false};
    for (unsigned i = 0; i < wave.size(); ++i) {
      U value[3] = {};
      for (unsigned s = 0; s < Sources; ++s) {
        value[s] = lanes[s][i] >> half[s].shift & 0xffff;
        if (float_neg && half[s].neg) value[s] ^= 0x8000u;
      }
      out.lane[i] |= (function(value[0], value[1], value[2]) & 0xffff) << (16 * high);
    }
  }
  wave.write32(step, out.lane);
}

constexpr int32_t s16(U value) {
  return static_cast<int32_t>(sign_extend(value & 0xffff, 16));
}

/// F and Clamped compute on host integers; the clamped one saturates.
template <unsigned Sources, auto F, auto Clamped>
void pk_int(Wave& wave, const Step& step) {
  if (step.clamp) {
    packed<Sources>(wave, step, false, nullptr, Clamped);
  } else {
    packed<Sources>(wave, step, false, nullptr, F);
  }
}
constexpr auto sat_u = [](int64_t value) { return static_cast<U>(std::clamp<int64_t>(value, 0, 0xffff)); };
constexpr auto sat_i = [](int64_t value) { return static_cast<U>(std::clamp<int64_t>(value, -32768, 32767)); };
constexpr auto add = [](U a, U b, U) { return a + b; };
constexpr auto sub = [](U a, U b, U) { return a - b; };
constexpr auto mul = [](U a, U b, U) { return a * b; };
constexpr auto mad = [](U a, U b, U c) { return a * b + c; };
constexpr auto add_u_sat = [](U a, U b, U) { return sat_u(int64_t{a} + b); };
constexpr auto sub_u_sat = [](U a, U b, U) { return sat_u(int64_t{a} - b); };
constexpr auto mad_u_sat = [](U a, U b, U c) { return sat_u(int64_t{a} * b + c); };
constexpr auto add_i_sat = [](U a, U b, U) { return sat_i(int64_t{s16(a)} + s16(b)); };
constexpr auto sub_i_sat = [](U a, U b, U) { return sat_i(int64_t{s16(a)} - s16(b)); };
constexpr auto mad_i_sat = [](U a, U b, U c) { return sat_i(int64_t{s16(a)} * s16(b) + s16(c)); };
constexpr auto lshlrev = [](U a, U b, U) { return b << (a & 15); };
constexpr auto lshrrev = [](U a, U b, U) { return b >> (a & 15); };
constexpr auto ashrrev = [](U a, U b, U) { return static_cast<U>(s16(b) >> (a & 15)); };
constexpr auto max_i = [](U a, U b, U) { return s16(a) > s16(b) ? a : b; };
constexpr auto min_i = [](U a, U b, U) { return s16(a) < s16(b) ? a : b; };
constexpr auto max_u = [](U a, U b, U) { return a > b ? a : b; };
constexpr auto min_u = [](U a, U b, U) { return a < b ? a : b; };

template <unsigned Sources, auto F>
void pk_f16(Wave& wave, const Step& step) {
  const F16Context context(wave, step);
  packed<Sources>(wave, step, true, nullptr, [&context](U a, U b, U c) {
    const double x = context.input(a), y = context.input(b), z = context.input(c);
    return context.output_of(F(x, y, z, context.rounding), x, y, z);
  });
}
constexpr auto fadd = [](double a, double b, double, unsigned rounding) { return half_add(a, b, rounding); };
constexpr auto fmul = [](double a, double b, double, unsigned) { return a * b; };
constexpr auto fma = [](double a, double b, double c, unsigned rounding) { return half_fma(a, b, c, rounding); };

/// F selects one of two halves by their bits.
template <auto F>
void pk_select(Wave& wave, const Step& step) {
  const F16Context context(wave, step);
  const bool ieee = wave.mode.ieee();
  packed<2>(wave, step, true, nullptr, [&context, ieee](U a, U b, U) {
    return context.finish(static_cast<U>(F(context.input_bits(a), context.input_bits(b), ieee)), FlushResult::no);
  });
}
/// These let a NaN through.
constexpr auto fminimum = [](U a, U b, bool) { return Order16::propagating<false>(a, b); };
constexpr auto fmaximum = [](U a, U b, bool) { return Order16::propagating<true>(a, b); };

/// VOP2 without modifiers: low with low, high with high.
void pk_fmac(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = wave.vgpr(step.dst);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
      const auto part = [&](U value) { return context.input(value >> shift & 0xffff); };
      const double x = part(a[i]), y = part(b[i]), z = part(c[i]);
      out.lane[i] |= context.output_of(half_fma(x, y, z, context.rounding), x, y, z) << shift;
    }
  }
  wave.write32(step, out.lane);
}

// ---- mixed precision ----

/// Whether denormals of sources are kept, and how halves round.
struct MixModes {
  bool keep32, keep16;
  unsigned rounding16;
  explicit MixModes(const Mode& mode)
      : keep32(mode.keep_input_denorm32()), keep16(mode.keep_input_denorm16_64()), rounding16(mode.round16_64()) {}
};

/// Source `index` of a lane: a float, or the half that op_sel picks when op_sel_hi is set.
float mixed_source(const Step& step, unsigned index, U bits, const MixModes& modes) {
  const isa::Modifiers& mods = step.inst.mods;
  float value = input_f32(bits, modes.keep32);
  if ((mods.op_sel_hi >> index & 1) != 0) {
    const U half = (mods.op_sel >> index & 1) != 0 ? bits >> 16 : bits & 0xffff;
    value = half_to_float(modes.keep16 ? half : flush16(half));
  }
  if ((mods.abs >> index & 1) != 0) value = std::fabs(value);
  return (mods.neg >> index & 1) != 0 ? -value : value;
}

enum class MixTo : uint8_t { f32, low, high };

/// v_mad_mix rounds the product, too, and flushes denormal floats (as v_mad_f32).
float mad_sum(float x, float y, float z) {
  const auto flushed = [](float value) { return as_float(flush32(as_bits(value))); };
  return flushed(flushed(flushed(x) * flushed(y)) + flushed(z));
}
/// v_fma_mix rounds once: to be rounded to a half.
double fused_sum(float x, float y, float z, unsigned rounding) {
  const double product = static_cast<double>(x) * y, sum = add_to_odd(product, z);
  return sum == 0 ? half_add(product, z, rounding) : sum;
}

template <bool Fused>
void mix_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = wave.fetch32(step, 2, tc);
  const MixModes modes(wave.mode);
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = mixed_source(step, 0, a[i], modes), y = mixed_source(step, 1, b[i], modes);
    const float z = mixed_source(step, 2, c[i], modes);
    out.lane[i] = result_bits(Fused ? std::fma(x, y, z) : mad_sum(x, y, z), x, y, z);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

template <MixTo To, bool Fused = true>
void mix(Wave& wave, const Step& step) {
  if constexpr (To == MixTo::f32) return mix_f32<Fused>(wave, step);
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = wave.fetch32(step, 2, tc);
  const F16Context context(wave, step);
  const MixModes modes(wave.mode);
  const U* old = wave.vgpr(step.dst);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = mixed_source(step, 0, a[i], modes), y = mixed_source(step, 1, b[i], modes);
    const float z = mixed_source(step, 2, c[i], modes);
    const U half = context.output_of(Fused ? fused_sum(x, y, z, modes.rounding16) : double{mad_sum(x, y, z)}, x, y, z);
    out.lane[i] = To == MixTo::low ? (old[i] & 0xffff0000u) | half : (old[i] & 0xffffu) | half << 16;
  }
  wave.write32(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_pk_mad_i16, pk_int<3, mad, mad_i_sat>},
    {Op::v_pk_mad_u16, pk_int<3, mad, mad_u_sat>},
    {Op::v_pk_mul_lo_u16, pk_int<2, mul, mul>},
    {Op::v_pk_add_i16, pk_int<2, add, add_i_sat>},
    {Op::v_pk_sub_i16, pk_int<2, sub, sub_i_sat>},
    {Op::v_pk_add_u16, pk_int<2, add, add_u_sat>},
    {Op::v_pk_sub_u16, pk_int<2, sub, sub_u_sat>},
    {Op::v_pk_lshlrev_b16, pk_int<2, lshlrev, lshlrev>},
    {Op::v_pk_lshrrev_b16, pk_int<2, lshrrev, lshrrev>},
    {Op::v_pk_ashrrev_i16, pk_int<2, ashrrev, ashrrev>},
    {Op::v_pk_max_i16, pk_int<2, max_i, max_i>},
    {Op::v_pk_min_i16, pk_int<2, min_i, min_i>},
    {Op::v_pk_max_u16, pk_int<2, max_u, max_u>},
    {Op::v_pk_min_u16, pk_int<2, min_u, min_u>},
    {Op::v_pk_fma_f16, pk_f16<3, fma>},
    {Op::v_pk_add_f16, pk_f16<2, fadd>},
    {Op::v_pk_mul_f16, pk_f16<2, fmul>},
    {Op::v_pk_min_f16, pk_select<Order16::minimum>},
    {Op::v_pk_max_f16, pk_select<Order16::maximum>},
    {Op::v_pk_minimum_f16, pk_select<fminimum>},
    {Op::v_pk_maximum_f16, pk_select<fmaximum>},
    {Op::v_pk_fmac_f16, pk_fmac},
    {Op::v_fma_mix_f32, mix<MixTo::f32>},
    {Op::v_fma_mixlo_f16, mix<MixTo::low>},
    {Op::v_fma_mixhi_f16, mix<MixTo::high>},
    {Op::v_mad_mix_f32, mix<MixTo::f32, false>},
    {Op::v_mad_mixlo_f16, mix<MixTo::low, false>},
    {Op::v_mad_mixhi_f16, mix<MixTo::high, false>},
};

}  // namespace

void add_valu_packed(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
