// SPDX-License-Identifier: MIT
// 8-bit floats: FP8 has 4 exponent and 3 mantissa bits, no infinity and one NaN; BF8 has 5 and 2 (OCP 8-bit Floating
// Point Specification; RDNA 4 ISA guide, V_CVT_F32_FP8 and V_DOT4_F32_FP8_FP8).
#include <algorithm>

#include "base/bits.h"
#include "emu/vector/valu.h"

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

// ---- to 8 bits ----

template <Kind K>
struct Code {
  static constexpr unsigned kMantissa = K == Kind::fp8 ? 3 : 2, kDropped = 23 - kMantissa;
  static constexpr int kBias = K == Kind::fp8 ? 7 : 15;
  /// The largest number, what stands for a larger one (NaN, infinity), and NaN.
  static constexpr uint32_t kLargest = K == Kind::fp8 ? 0x7e : 0x7b, kBeyond = kLargest + 1, kNan = 0x7f;
};

/// A float taken apart for a format: the significand at the place that the exponent of the code gives it. `code` is
/// that of the binade's start, so that a carry out of the significand goes on to the next one.
template <Kind K>
struct Parts {
  uint32_t code = 0;
  unsigned shift = 0;  ///< beyond the bits that a normal number drops
  uint32_t significand = 0;

  explicit Parts(uint32_t magnitude) {
    const int exponent = static_cast<int>(magnitude >> 23) - 127 + Code<K>::kBias;
    significand = magnitude >= 0x800000u ? (magnitude & 0x7fffffu) | 0x800000u : 0;
    if (exponent >= 1) {
      code = static_cast<uint32_t>(exponent - 1) << Code<K>::kMantissa;
    } else {
      shift = std::min(static_cast<unsigned>(1 - exponent), 25u);
    }
  }
};

template <Kind K>
uint32_t round_to_nearest(uint32_t magnitude) {
  const Parts<K> parts(magnitude);
  const unsigned dropped = Code<K>::kDropped + parts.shift;
  const uint64_t kept = uint64_t{parts.significand} >> dropped;
  const uint64_t rest = parts.significand & ((uint64_t{1} << dropped) - 1), half = uint64_t{1} << (dropped - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return parts.code + static_cast<uint32_t>(kept) + (up ? 1 : 0);
}

/// Random bits are added where bits are dropped, then the rest is cut (docs/isa-errata.md, "8-bit floats").
template <Kind K>
uint32_t round_stochastically(uint32_t magnitude, uint32_t noise) {
  const Parts<K> parts(magnitude);
  return parts.code + (((parts.significand >> parts.shift) + (noise >> (32 - Code<K>::kDropped))) >> Code<K>::kDropped);
}

/// `round` gives the code of a finite magnitude, as if codes went on above the largest. RDNA 4 ISA guide,
/// section 7.6.2: what overflows is the largest number where FP16_OVFL is set, infinities too, and NaN or infinity
/// where not.
template <Kind K, class Round>
uint32_t encode(uint32_t bits, bool saturate, Round round) {
  constexpr uint32_t kInfinity = 0x7f800000u;
  const uint32_t magnitude = bits & 0x7fffffffu, sign = bits >> 24 & 0x80u;
  if (magnitude > kInfinity) return sign | Code<K>::kNan;
  const uint32_t code = magnitude == kInfinity ? Code<K>::kBeyond : round(magnitude);
  if (code <= Code<K>::kLargest) return sign | code;
  return sign | (saturate ? Code<K>::kLargest : Code<K>::kBeyond);
}

/// Two codes into the half of the destination that op_sel chooses.
template <Kind K>
void pair_from_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const bool saturate = wave.mode.fp16_overflow();
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = encode<K>(a[i], saturate, round_to_nearest<K>) | encode<K>(b[i], saturate, round_to_nearest<K>) << 8;
  }
  wave.write16(step, out.lane);
}

/// One code into the byte of the destination whose number stands in op_sel, its low bit first.
template <Kind K>
void stochastic_from_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* noise = wave.fetch32(step, 1, tb);
  const uint32_t* old = wave.vgpr(step.dst);
  const unsigned byte = step.inst.mods.op_sel >> 2 & 3u;
  const bool saturate = wave.mode.fp16_overflow();
  for (unsigned i = 0; i < wave.size(); ++i) {
    const auto round = [&](uint32_t magnitude) { return round_stochastically<K>(magnitude, noise[i]); };
    out.lane[i] = static_cast<uint32_t>(with_bits(old[i], 8 * byte, 8, encode<K>(a[i], saturate, round)));
  }
  wave.write32(step, out.lane);
}

// ---- from 8 bits ----

template <Kind K>
void to_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  // The number of the byte stands in op_sel, its high bit first (docs/isa-errata.md, "byte_sel").
  const uint8_t op_sel = step.inst.mods.op_sel;
  const unsigned shift = 8u * ((op_sel & 1u) << 1 | (op_sel >> 1 & 1u));
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = as_bits(decode<K>(a[i] >> shift & 0xffu));
  wave.write32(step, out.lane);
}

/// The two bytes of the half that op_sel chooses. Output modifiers and clamp are ignored (RDNA 4 ISA guide, 7.2.3.1).
template <Kind K>
void pair_to_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, low, high;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  for (unsigned i = 0; i < wave.size(); ++i) {
    low.lane[i] = as_bits(decode<K>(a[i] & 0xffu));
    high.lane[i] = as_bits(decode<K>(a[i] >> 8 & 0xffu));
  }
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
    {Op::v_cvt_pk_fp8_f32, pair_from_f32<Kind::fp8>},
    {Op::v_cvt_pk_bf8_f32, pair_from_f32<Kind::bf8>},
    {Op::v_cvt_sr_fp8_f32, stochastic_from_f32<Kind::fp8>},
    {Op::v_cvt_sr_bf8_f32, stochastic_from_f32<Kind::bf8>},
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
