// SPDX-License-Identifier: MIT
// Scalar floating point of GFX11.5 and GFX12 (RDNA 3.5 ISA guide, sections 16.1 to 16.4). The MODE register rounds and
// flushes as for vectors; 16-bit results clear the upper half of the register.
#include <algorithm>
#include <array>
#include <limits>

#include "emu/scalar/salu.h"
#include "emu/vector/float_math.h"
#include "emu/vector/float_order.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

// ---- operands: F takes and gives floats, or doubles that hold halves and what rounds to one ----

float read_f32(const Wave& wave, uint32_t bits) {
  return as_float(wave.mode.keep_input_denorm32() ? bits : flush32(bits));
}
double read_f16(const Wave& wave, uint32_t bits) {
  bits &= 0xffffu;
  return half_to_float(wave.mode.keep_input_denorm16_64() ? bits : flush16(bits));
}

void write_f32(Wave& wave, const Step& step, uint32_t bits) {
  wave.write_s32(step.dst, wave.mode.keep_output_denorm32() ? bits : flush32(bits));
}
void write_f16(Wave& wave, const Step& step, uint32_t bits) {
  wave.write_s32(step.dst, wave.mode.keep_output_denorm16_64() ? bits : flush16(bits));
}

constexpr uint32_t kQuietBit32 = 0x00400000u, kQuietBit16 = 0x0200u;

/// The first NaN among the operands, made quiet; `made` where there is none.
template <size_t N>
uint32_t nan_of(const std::array<uint32_t, N>& operands, bool (*is_nan)(uint32_t), uint32_t quiet, uint32_t made) {
  const auto nan = std::find_if(operands.begin(), operands.end(), is_nan);
  return nan == operands.end() ? made : *nan | quiet;
}

template <auto F, size_t N>
void finish_op32(Wave& wave, const Step& step, const std::array<uint32_t, N>& operands) {
  const RoundScope round(wave.mode.round32());
  float result;
  if constexpr (N == 1) {
    result = F(read_f32(wave, operands[0]));
  } else if constexpr (N == 2) {
    result = F(read_f32(wave, operands[0]), read_f32(wave, operands[1]));
  } else {
    result = F(read_f32(wave, operands[0]), read_f32(wave, operands[1]), read_f32(wave, operands[2]));
  }
  write_f32(wave, step, result != result ? nan_of(operands, is_nan32, kQuietBit32, kQuietNan32) : as_bits(result));
}

template <size_t N>
void write_result16(Wave& wave, const Step& step, double result, const std::array<uint32_t, N>& operands) {
  write_f16(wave, step,
            result != result ? nan_of(operands, is_nan16, kQuietBit16, kQuietNan16)
                             : float_to_half(result, wave.mode.round16_64()));
}

uint32_t bits_of_source(const Wave& wave, const Step& step, unsigned index) {
  return wave.scalar32(step.src[index]);
}

template <auto F>
void unary32(Wave& wave, const Step& step) {
  finish_op32<F, 1>(wave, step, {bits_of_source(wave, step, 0)});
}
template <auto F>
void binary32(Wave& wave, const Step& step) {
  finish_op32<F, 2>(wave, step, {bits_of_source(wave, step, 0), bits_of_source(wave, step, 1)});
}
template <auto F>
void unary16(Wave& wave, const Step& step) {
  const uint32_t a = bits_of_source(wave, step, 0) & 0xffffu;
  write_result16<1>(wave, step, F(read_f16(wave, a)), {a});
}

// ---- arithmetic ----

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto sub = [](auto a, auto b) { return a - b; };
constexpr auto mul = [](auto a, auto b) { return a * b; };
constexpr auto fma32 = [](float a, float b, float c) { return std::fma(a, b, c); };
constexpr auto ceil = [](auto a) { return std::ceil(a); };
constexpr auto floor = [](auto a) { return std::floor(a); };
constexpr auto trunc = [](auto a) { return std::trunc(a); };
/// To the nearest even whatever the mode says.
constexpr auto rndne = [](auto a) {
  const auto down = std::floor(a), rest = a - down;
  if (!(std::fabs(a) < decltype(a){0x1p23f})) return a;
  const bool up = rest > 0.5f || (rest == 0.5f && std::fmod(down, decltype(a){2}) != 0);
  return std::copysign(up ? down + 1 : down, a);
};

/// Sources in assembler order: the constant of s_fmaak and s_fmamk is among them.
void fma_constant(Wave& wave, const Step& step) {
  finish_op32<fma32, 3>(wave, step,
                        {bits_of_source(wave, step, 0), bits_of_source(wave, step, 1), bits_of_source(wave, step, 2)});
}
void fmac32(Wave& wave, const Step& step) {
  finish_op32<fma32, 3>(wave, step,
                        {bits_of_source(wave, step, 0), bits_of_source(wave, step, 1), wave.read_s32(step.dst)});
}
/// Products of halves are exact in double; sums are made safe for the rounding to a half. Zero as the sum of opposites
/// is negative only where rounding goes down.
double sum16(const Wave& wave, double a, double b) {
  constexpr unsigned kDown = 2;
  const double sum = add_to_odd(a, b);
  if (sum != 0 || std::signbit(a) == std::signbit(b)) return sum;
  return wave.mode.round16_64() == kDown ? -0.0 : 0.0;
}
template <bool Subtract>
void add16(Wave& wave, const Step& step) {
  const uint32_t a = bits_of_source(wave, step, 0) & 0xffffu, b = bits_of_source(wave, step, 1) & 0xffffu;
  const double second = read_f16(wave, b);
  write_result16<2>(wave, step, sum16(wave, read_f16(wave, a), Subtract ? -second : second), {a, b});
}
void mul16(Wave& wave, const Step& step) {
  const uint32_t a = bits_of_source(wave, step, 0) & 0xffffu, b = bits_of_source(wave, step, 1) & 0xffffu;
  write_result16<2>(wave, step, read_f16(wave, a) * read_f16(wave, b), {a, b});
}
void fmac16(Wave& wave, const Step& step) {
  const uint32_t a = bits_of_source(wave, step, 0) & 0xffffu, b = bits_of_source(wave, step, 1) & 0xffffu,
                 c = wave.read_s32(step.dst) & 0xffffu;
  write_result16<3>(wave, step, sum16(wave, read_f16(wave, a) * read_f16(wave, b), read_f16(wave, c)), {a, b, c});
}

// ---- minimum and maximum: denormals of sources are flushed as the mode says, the result is not ----

uint32_t ordered_source32(const Wave& wave, const Step& step, unsigned index) {
  const uint32_t bits = bits_of_source(wave, step, index);
  return wave.mode.keep_input_denorm32() ? bits : flush32(bits);
}
uint32_t ordered_source16(const Wave& wave, const Step& step, unsigned index) {
  const uint32_t bits = bits_of_source(wave, step, index) & 0xffffu;
  return wave.mode.keep_input_denorm16_64() ? bits : flush16(bits);
}

template <class Order, bool Max>
uint32_t by_number(const Wave& wave, uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(wave.mode.has_ieee ? Order::template number_by_mode<Max>(a, b, wave.mode.ieee())
                                                  : Order::template number<Max>(a, b));
}
template <bool Max>
void min_max_num32(Wave& wave, const Step& step) {
  wave.write_s32(step.dst,
                 by_number<Order32, Max>(wave, ordered_source32(wave, step, 0), ordered_source32(wave, step, 1)));
}
template <bool Max>
void min_max_num16(Wave& wave, const Step& step) {
  wave.write_s32(step.dst,
                 by_number<Order16, Max>(wave, ordered_source16(wave, step, 0), ordered_source16(wave, step, 1)));
}
template <bool Max>
void propagating32(Wave& wave, const Step& step) {
  wave.write_s32(step.dst, static_cast<uint32_t>(Order32::propagating<Max>(ordered_source32(wave, step, 0),
                                                                           ordered_source32(wave, step, 1))));
}
template <bool Max>
void propagating16(Wave& wave, const Step& step) {
  wave.write_s32(step.dst, static_cast<uint32_t>(Order16::propagating<Max>(ordered_source16(wave, step, 0),
                                                                           ordered_source16(wave, step, 1))));
}

// ---- conversions ----

template <class Int>
void from_int(Wave& wave, const Step& step) {
  const RoundScope round(wave.mode.round32());
  write_f32(wave, step, as_bits(static_cast<float>(scalar_source<Int>(wave, step, 0))));
}

/// Truncated and saturated; NaN gives 0.
template <class Int>
void to_int(Wave& wave, const Step& step) {
  const double value = read_f32(wave, bits_of_source(wave, step, 0));
  const double low = static_cast<double>(std::numeric_limits<Int>::min());
  const double high = static_cast<double>(std::numeric_limits<Int>::max());
  const double whole = value != value ? 0 : std::clamp(std::trunc(value), low, high);
  scalar_write<Int>(wave, step, static_cast<Int>(whole));
}

uint32_t narrowed(const Wave& wave, uint32_t bits, unsigned rounding) {
  if (is_nan32(bits)) return (bits >> 16 & 0x8000u) | 0x7c00u | kQuietBit16 | (bits >> 13 & 0x3ffu);
  return float_to_half(read_f32(wave, bits), rounding);
}
void f32_to_f16(Wave& wave, const Step& step) {
  write_f16(wave, step, narrowed(wave, bits_of_source(wave, step, 0), wave.mode.round16_64()));
}
template <unsigned Shift>
void f16_to_f32(Wave& wave, const Step& step) {
  const uint32_t bits = as_bits(static_cast<float>(read_f16(wave, bits_of_source(wave, step, 0) >> Shift)));
  write_f32(wave, step, is_nan32(bits) ? bits | kQuietBit32 : bits);
}
void pack_toward_zero(Wave& wave, const Step& step) {
  constexpr unsigned kTowardZero = 3;
  const auto half = [&](unsigned index) {
    return float_to_half(as_float(bits_of_source(wave, step, index)), kTowardZero);
  };
  wave.write_s32(step.dst, half(0) | half(1) << 16);
}

// ---- comparisons ----

constexpr auto lt = [](auto a, auto b) { return a < b; };
constexpr auto eq = [](auto a, auto b) { return a == b; };
constexpr auto le = [](auto a, auto b) { return a <= b; };
constexpr auto gt = [](auto a, auto b) { return a > b; };
constexpr auto lg = [](auto a, auto b) { return a < b || a > b; };
constexpr auto ge = [](auto a, auto b) { return a >= b; };
constexpr auto ordered = [](auto a, auto b) { return a == a && b == b; };
template <auto F>
constexpr auto negated = [](auto a, auto b) { return !F(a, b); };

template <auto F>
void compare32(Wave& wave, const Step& step) {
  wave.scc = F(read_f32(wave, bits_of_source(wave, step, 0)), read_f32(wave, bits_of_source(wave, step, 1)));
}
template <auto F>
void compare16(Wave& wave, const Step& step) {
  wave.scc = F(read_f16(wave, bits_of_source(wave, step, 0)), read_f16(wave, bits_of_source(wave, step, 1)));
}

#define SPALT_FLOAT_PAIR(name, op) \
  {Op::s_##name##_f32, op##32}, {  \
    Op::s_##name##_f16, op##16     \
  }
#define SPALT_FLOAT_OP(name, shape, f)      \
  {Op::s_##name##_f32, shape##32 < f > }, { \
    Op::s_##name##_f16, shape##16 < f >     \
  }
constexpr HandlerRow kRows[] = {
    {Op::s_add_f32, binary32<add>},
    {Op::s_sub_f32, binary32<sub>},
    {Op::s_mul_f32, binary32<mul>},
    {Op::s_add_f16, add16<false>},
    {Op::s_sub_f16, add16<true>},
    {Op::s_mul_f16, mul16},
    SPALT_FLOAT_OP(min, min_max_num, false),
    SPALT_FLOAT_OP(max, min_max_num, true),
    SPALT_FLOAT_OP(minimum, propagating, false),
    SPALT_FLOAT_OP(maximum, propagating, true),
    SPALT_FLOAT_PAIR(fmac, fmac),
    {Op::s_fmaak_f32, fma_constant},
    {Op::s_fmamk_f32, fma_constant},
    SPALT_FLOAT_OP(ceil, unary, ceil),
    SPALT_FLOAT_OP(floor, unary, floor),
    SPALT_FLOAT_OP(trunc, unary, trunc),
    SPALT_FLOAT_OP(rndne, unary, rndne),
    {Op::s_cvt_f32_i32, from_int<int32_t>},
    {Op::s_cvt_f32_u32, from_int<uint32_t>},
    {Op::s_cvt_i32_f32, to_int<int32_t>},
    {Op::s_cvt_u32_f32, to_int<uint32_t>},
    {Op::s_cvt_f16_f32, f32_to_f16},
    {Op::s_cvt_f32_f16, f16_to_f32<0>},
    {Op::s_cvt_hi_f32_f16, f16_to_f32<16>},
    {Op::s_cvt_pk_rtz_f16_f32, pack_toward_zero},
    SPALT_FLOAT_OP(cmp_lt, compare, lt),
    SPALT_FLOAT_OP(cmp_eq, compare, eq),
    SPALT_FLOAT_OP(cmp_le, compare, le),
    SPALT_FLOAT_OP(cmp_gt, compare, gt),
    SPALT_FLOAT_OP(cmp_lg, compare, lg),
    SPALT_FLOAT_OP(cmp_ge, compare, ge),
    SPALT_FLOAT_OP(cmp_o, compare, ordered),
    SPALT_FLOAT_OP(cmp_u, compare, negated<ordered>),
    SPALT_FLOAT_OP(cmp_nge, compare, negated<ge>),
    SPALT_FLOAT_OP(cmp_nlg, compare, negated<lg>),
    SPALT_FLOAT_OP(cmp_ngt, compare, negated<gt>),
    SPALT_FLOAT_OP(cmp_nle, compare, negated<le>),
    SPALT_FLOAT_OP(cmp_neq, compare, negated<eq>),
    SPALT_FLOAT_OP(cmp_nlt, compare, negated<lt>),
};
#undef SPALT_FLOAT_PAIR
#undef SPALT_FLOAT_OP

}  // namespace

void add_salu_float(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
