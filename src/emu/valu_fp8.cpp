// SPDX-License-Identifier: MIT
// 8-bit floats: FP8 has 4 exponent and 3 mantissa bits, no infinity and one NaN; BF8 has 5 and 2 (OCP 8-bit Floating
// Point Specification; RDNA 4 ISA guide, V_CVT_F32_FP8 and V_DOT4_F32_FP8_FP8).
#include "base/bits.h"
#include "emu/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

enum class Kind : uint8_t { fp8, bf8 };

template <Kind K>
float decode(uint32_t code) {
  constexpr unsigned kMantissa = K == Kind::fp8 ? 3 : 2, kExponent = 7 - kMantissa;
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  constexpr uint32_t kTop = (1u << kExponent) - 1;
  const auto exponent = static_cast<uint32_t>(bits_of(code, kMantissa, kExponent));
  const auto mantissa = static_cast<uint32_t>(bits_of(code, 0, kMantissa));
  const uint32_t sign = (code & 0x80u) << 24;
  const bool nan = K == Kind::fp8 ? (code & 0x7fu) == 0x7fu : exponent == kTop && mantissa != 0;
  if (nan) return as_float(sign | kQuietNan32);
  if (K == Kind::bf8 && exponent == kTop) return as_float(sign | 0x7f800000u);
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(mantissa), 1 - kBias - static_cast<int>(kMantissa))
                              : std::ldexp(static_cast<float>(mantissa + (1u << kMantissa)),
                                           static_cast<int>(exponent) - kBias - static_cast<int>(kMantissa));
  return sign != 0 ? -magnitude : magnitude;
}

template <Kind K>
void to_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  // The number of the byte stands in op_sel, its high bit first (docs/isa-errata.md, "byte_sel").
  const uint8_t op_sel = step.inst.mods.op_sel;
  const unsigned shift = 8u * ((op_sel & 1u) << 1 | (op_sel >> 1 & 1u));
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = as_bits(decode<K>(a[i] >> shift & 0xffu));
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

/// The two bytes of the half that op_sel chooses.
template <Kind K>
void pair_to_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, low, high;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  for (unsigned i = 0; i < wave.size(); ++i) {
    low.lane[i] = as_bits(decode<K>(a[i] & 0xffu));
    high.lane[i] = as_bits(decode<K>(a[i] >> 8 & 0xffu));
  }
  finish_f32(wave, step, low);
  finish_f32(wave, step, high);
  LaneBuffer64 out;
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = low.lane[i] | uint64_t{high.lane[i]} << 32;
  wave.write64(step, out.lane);
}

/// Products are exact; each sum rounds, from byte 0 up.
template <Kind A, Kind B>
void dot4(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.fetch32(step, 2, tc);
  const isa::Modifiers& mods = step.inst.mods;
  const uint32_t keep = (mods.abs & 4) != 0 ? 0x7fffffffu : ~0u, flip = (mods.neg & 4) != 0 ? 0x80000000u : 0u;
  for (unsigned i = 0; i < wave.size(); ++i) {
    float sum = as_float((c[i] & keep) ^ flip);
    for (unsigned shift = 0; shift < 32; shift += 8)
      sum += decode<A>(a[i] >> shift & 0xffu) * decode<B>(b[i] >> shift & 0xffu);
    out.lane[i] = sum != sum ? kQuietNan32 : as_bits(sum);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_cvt_f32_fp8, to_f32<Kind::fp8>},
    {Op::v_cvt_f32_bf8, to_f32<Kind::bf8>},
    {Op::v_cvt_pk_f32_fp8, pair_to_f32<Kind::fp8>},
    {Op::v_cvt_pk_f32_bf8, pair_to_f32<Kind::bf8>},
    {Op::v_dot4_f32_fp8_fp8, dot4<Kind::fp8, Kind::fp8>},
    {Op::v_dot4_f32_fp8_bf8, dot4<Kind::fp8, Kind::bf8>},
    {Op::v_dot4_f32_bf8_fp8, dot4<Kind::bf8, Kind::fp8>},
    {Op::v_dot4_f32_bf8_bf8, dot4<Kind::bf8, Kind::bf8>},
};

}  // namespace

void add_valu_fp8(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
