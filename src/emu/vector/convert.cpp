// SPDX-License-Identifier: MIT
// Conversions between integers and floats of all widths. To integers: truncated, saturated, NaN gives 0.
#include "base/bits.h"
#include "emu/vector/double_operands.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

template <class Int>
uint32_t saturate(double value) {
  if (value != value) return 0;
  const double low = static_cast<double>(std::numeric_limits<Int>::min());
  const double high = static_cast<double>(std::numeric_limits<Int>::max());
  return static_cast<uint32_t>(static_cast<Int>(std::clamp(std::trunc(value), low, high)));
}

template <auto F>
void float_to_int(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = F(static_cast<double>(input_f32(a[i], keep)));
  wave.write32(step, out.lane);
}
constexpr auto to_i32 = [](double a) { return saturate<int32_t>(a); };
constexpr auto to_u32 = [](double a) { return saturate<uint32_t>(a); };
constexpr auto round_up_i32 = [](double a) { return saturate<int32_t>(std::floor(a + 0.5)); };
constexpr auto floor_i32 = [](double a) { return saturate<int32_t>(std::floor(a)); };

/// Integer bits to float; F gives the exact value.
template <auto F>
void int_to_float(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = as_bits(static_cast<float>(F(a[i])));
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}
constexpr auto from_i32 = [](uint32_t a) { return static_cast<double>(static_cast<int32_t>(a)); };
constexpr auto from_u32 = [](uint32_t a) { return static_cast<double>(a); };
template <unsigned Index>
double from_byte(uint32_t a) {
  return a >> (8 * Index) & 255;
}
/// Four bits, signed, in sixteenths.
constexpr auto from_i4 = [](uint32_t a) { return static_cast<double>(sign_extend(a & 15, 4)) / 16; };

void f32_to_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F16Context context(wave, step);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = context.output(input_f32(a[i], keep));
  wave.write16(step, out.lane);
}
void f16_to_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const bool keep = wave.mode.keep_input_denorm16_64();
  for (unsigned i = 0; i < wave.size(); ++i) {
    const uint32_t bits = as_bits(half_to_float(keep ? a[i] : flush16(a[i])));
    out.lane[i] = is_nan32(bits) ? bits | kQuietNan32 : bits;
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

template <bool Signed>
void int16_to_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = context.output(Signed ? static_cast<double>(static_cast<int16_t>(a[i])) : a[i] & 0xffff);
  }
  wave.write16(step, out.lane);
}
/// F maps the exact value of the half to 16 result bits.
template <auto F>
void f16_to_int16(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = F(context.input(a[i])) & 0xffff;
  wave.write16(step, out.lane);
}
constexpr auto to_u16 = [](double a) { return saturate<uint16_t>(a); };
constexpr auto to_i16 = [](double a) { return saturate<int16_t>(a); };

constexpr auto norm_u16 = [](double a) {
  return a != a ? 0u : static_cast<uint32_t>(std::nearbyint(std::clamp(a, 0.0, 1.0) * 65535));
};
constexpr auto signed_norm = [](double a) {
  return a != a ? 0u : static_cast<uint32_t>(static_cast<int32_t>(std::nearbyint(std::clamp(a, -1.0, 1.0) * 32767)));
};

/// Packs F of two floats, or of two halves with the 16-bit slot type.
template <auto F, bool Half>
void pack_norm(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const F16Context context(wave, step);
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = Half ? context.input(a[i]) : as_float(a[i]);
    const double y = Half ? context.input(b[i]) : as_float(b[i]);
    out.lane[i] = (F(x) & 0xffff) | F(y) << 16;
  }
  wave.write32(step, out.lane);
}

/// Two floats to integers of 16 bits, the first one in the low half.
template <auto F>
void pack_int16(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = (F(input_f32(a[i], keep)) & 0xffff) | F(input_f32(b[i], keep)) << 16;
  }
  wave.write32(step, out.lane);
}

constexpr unsigned kTowardZero = 3;
void pkrtz(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = float_to_half(as_float(a[i]), kTowardZero) | float_to_half(as_float(b[i]), kTowardZero) << 16;
  }
  wave.write32(step, out.lane);
}

/// Byte number source 1 of `c` becomes the float as an integer.
void replace_byte(Wave& wave, const Step& step, const uint32_t* c) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = as_float(a[i]);
    const auto byte = x != x ? 0u : static_cast<uint32_t>(std::clamp(std::nearbyint(x), 0.0f, 255.0f));
    out.lane[i] = static_cast<uint32_t>(with_bits(c[i], 8 * (b[i] & 3), 8, byte));
  }
  wave.write32(step, out.lane);
}
void pk_u8(Wave& wave, const Step& step) {
  LaneBuffer tc;
  replace_byte(wave, step, wave.fetch32(step, 2, tc));
}
void pkaccum_u8(Wave& wave, const Step& step) {
  replace_byte(wave, step, wave.vgpr(step.dst));
}

// ---- 64-bit floats ----

template <auto F>
void f64_to_int(Wave& wave, const Step& step) {
  LaneBuffer64 a;
  LaneBuffer out;
  wave.fetch64(step, 0, a);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = F(as_double(a.lane[i]));
  wave.write32(step, out.lane);
}
template <auto F>
void int_to_f64(Wave& wave, const Step& step) {
  LaneBuffer ta;
  LaneBuffer64 out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F64Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = context.output(F(a[i]));
  wave.write64(step, out.lane);
}
void f32_to_f64(Wave& wave, const Step& step) {
  LaneBuffer ta;
  LaneBuffer64 out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F64Context context(wave, step);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = context.output(input_f32(a[i], keep));
  wave.write64(step, out.lane);
}
void f64_to_f32(Wave& wave, const Step& step) {
  LaneBuffer64 a;
  LaneBuffer out;
  wave.fetch64(step, 0, a);
  const F64Context context(wave, step);
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = as_bits(static_cast<float>(context.input(a.lane[i])));
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_cvt_i32_f32, float_to_int<to_i32>},
    {Op::v_cvt_u32_f32, float_to_int<to_u32>},
    {Op::v_cvt_rpi_i32_f32, float_to_int<round_up_i32>},
    {Op::v_cvt_flr_i32_f32, float_to_int<floor_i32>},
    {Op::v_cvt_f32_i32, int_to_float<from_i32>},
    {Op::v_cvt_f32_u32, int_to_float<from_u32>},
    {Op::v_cvt_f32_ubyte0, int_to_float<from_byte<0>>},
    {Op::v_cvt_f32_ubyte1, int_to_float<from_byte<1>>},
    {Op::v_cvt_f32_ubyte2, int_to_float<from_byte<2>>},
    {Op::v_cvt_f32_ubyte3, int_to_float<from_byte<3>>},
    {Op::v_cvt_off_f32_i4, int_to_float<from_i4>},
    {Op::v_cvt_f16_f32, f32_to_f16},
    {Op::v_cvt_f32_f16, f16_to_f32},
    {Op::v_cvt_f16_u16, int16_to_f16<false>},
    {Op::v_cvt_f16_i16, int16_to_f16<true>},
    {Op::v_cvt_u16_f16, f16_to_int16<to_u16>},
    {Op::v_cvt_i16_f16, f16_to_int16<to_i16>},
    {Op::v_cvt_norm_i16_f16, f16_to_int16<signed_norm>},
    {Op::v_cvt_norm_u16_f16, f16_to_int16<norm_u16>},
    {Op::v_cvt_pknorm_i16_f32, pack_norm<signed_norm, false>},
    {Op::v_cvt_pknorm_u16_f32, pack_norm<norm_u16, false>},
    {Op::v_cvt_pknorm_i16_f16, pack_norm<signed_norm, true>},
    {Op::v_cvt_pknorm_u16_f16, pack_norm<norm_u16, true>},
    {Op::v_cvt_pk_i16_f32, pack_int16<to_i16>},
    {Op::v_cvt_pk_u16_f32, pack_int16<to_u16>},
    {Op::v_cvt_pkrtz_f16_f32, pkrtz},
    {Op::v_cvt_pk_u8_f32, pk_u8},
    {Op::v_cvt_pkaccum_u8_f32, pkaccum_u8},
    {Op::v_cvt_i32_f64, f64_to_int<to_i32>},
    {Op::v_cvt_u32_f64, f64_to_int<to_u32>},
    {Op::v_cvt_f64_i32, int_to_f64<from_i32>},
    {Op::v_cvt_f64_u32, int_to_f64<from_u32>},
    {Op::v_cvt_f64_f32, f32_to_f64},
    {Op::v_cvt_f32_f64, f64_to_f32},
};

}  // namespace

void add_valu_convert(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
