// SPDX-License-Identifier: MIT
// 8-bit floats: conversions and dot products (RDNA 4 ISA guide, sections 7.5, 7.6.2 and 7.7; OCP 8-bit Floating Point
// Specification).
#include "float_row.h"
#include "integer_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

/// FP8 (E4M3) has no infinity: the highest exponent holds numbers and one NaN. BF8 (E5M2) is an IEEE format.
struct Format8 {
  FloatFormat ieee;  ///< what the bits would mean in an IEEE format of these sizes
  uint64_t largest;  ///< code of the largest number; the next one is NaN or infinity
  bool has_infinity;

  /// With one more bit of exponent, and numbers made smaller to have the same codes.
  FloatFormat wider() const { return {ieee.mantissa_bits, ieee.exponent_bits + 1}; }
  int distance() const { return wider().bias() - ieee.bias(); }

  bool is_nan(uint64_t code) const { return ieee.magnitude(code) > (has_infinity ? largest + 1 : largest); }
  Real decode(uint64_t code) const {
    code &= 0xff;
    if (is_nan(code)) return make_nan();
    const bool negative = (code & 0x80) != 0;
    if (ieee.magnitude(code) > largest) return make_infinity(negative);
    Real value = scale(from_bits(ieee.magnitude(code), wider()), distance());
    value.negative = negative;
    return value;
  }
  /// The code of a finite number, as if codes went on above the largest.
  uint64_t encode(const Real& magnitude, Rounding rounding) const {
    return to_bits(scale(magnitude, -distance()), wider(), rounding);
  }
};
constexpr Format8 kFp8{{3, 4}, 0x7e, false}, kBf8{{2, 5}, 0x7b, true};

// ---- to 8 bits ----

struct Code {
  uint64_t bits = 0;
  bool unknown = false;
};

/// The table of section 7.6.2.
Code finish_code(const Format8& format, uint64_t magnitude, bool negative, const Lane& in) {
  const bool saturate = (in.mode >> 23 & 1) != 0;  // FP16_OVFL
  if (magnitude > format.largest) magnitude = saturate ? format.largest : format.largest + 1;
  return {magnitude | (negative ? 0x80u : 0u)};
}

/// What is not a number that can be rounded. Which NaN it is, is not written down; of FP8 there is only one, and its
/// sign is that of the source in LLVM's APFloat and AMD's HIP headers.
bool special_code(const Format8& format, uint64_t bits, const Lane& in, Code& code) {
  const bool negative = (bits & kF32.sign_bit()) != 0;
  if (kF32.is_nan(bits & 0xffffffff)) {
    code = {negative ? 0xffu : 0x7fu, format.has_infinity};
  } else if (kF32.magnitude(bits & 0xffffffff) == kF32.infinity()) {
    code = finish_code(format, 0xff, negative, in);
  } else {
    return false;
  }
  return true;
}

Code nearest_code(const Format8& format, uint64_t bits, const Lane& in) {
  Code code;
  if (special_code(format, bits, in, code)) return code;
  const Real x = from_bits(bits & 0xffffffff, kF32);
  return finish_code(format, format.encode(absolute(x), Rounding::nearest_even), x.negative, in);
}

/// The upper bits of the random number are added below those that are kept, then the rest is cut.
Code stochastic_code(const Format8& format, uint64_t bits, uint64_t random, const Lane& in) {
  Code code;
  if (special_code(format, bits, in, code)) return code;
  const Real x = from_bits(bits & 0xffffffff, kF32);
  if (x.is_zero()) return finish_code(format, 0, x.negative, in);
  const int dropped = kF32.mantissa_bits - format.ieee.mantissa_bits, binade = floor_log2(x);
  const uint64_t noise = low_unsigned(random, 32) >> (32 - dropped);
  const Real sum = add(absolute(x), make_real(false, noise, binade - kF32.mantissa_bits), Rounding::toward_zero);
  code = finish_code(format, format.encode(sum, Rounding::toward_zero), x.negative, in);
  // The guide adds to the 23 bits of the fraction and speaks of wrapping around, and does not say where the bits go
  // when the result is denormal (docs/isa-errata.md, "8-bit floats").
  const bool carries = floor_log2(sum) != binade, denormal = binade < 1 - format.ieee.bias();
  code.unknown = carries || denormal;
  return code;
}

/// Floats in the range of the format and around it; many lie halfway between two codes or next to that.
uint64_t sample_source(const Format8& format, std::mt19937& random) {
  if (random() % 6 == 0) return sample(kF32, random);
  const int lowest = -format.ieee.bias() - format.ieee.mantissa_bits - 1, binades = 2 * format.ieee.bias() + 6;
  const auto exponent =
      static_cast<uint64_t>(lowest + static_cast<int>(random() % static_cast<unsigned>(binades)) + 127);
  uint64_t fraction = random() & kF32.mantissa_mask();
  const int dropped = kF32.mantissa_bits - format.ieee.mantissa_bits + static_cast<int>(random() % 3) - 1;
  const uint64_t rest = (uint64_t{1} << dropped) - 1, half = uint64_t{1} << (dropped - 1);
  switch (random() % 4) {
    case 0:
      fraction = (fraction & ~rest) | half;
      break;
    case 1:
      fraction = ((fraction & ~rest) | half) + random() % 3 - 1;
      break;
    case 2:
      fraction &= ~rest;
      break;
    default:
      break;
  }
  return (random() % 2 == 0 ? kF32.sign_bit() : 0) | exponent << 23 | (fraction & kF32.mantissa_mask());
}

Row to_pair(Op opcode, const Format8& format) {
  Row row{opcode, [format](const Lane& in) {
            const Code low = nearest_code(format, in.a, in), high = nearest_code(format, in.b, in);
            Result result{low.bits | high.bits << 8};
            result.unknown = low.unknown || high.unknown;
            return result;
          }};
  row.inputs = [format](unsigned, std::mt19937& random) { return sample_source(format, random); };
  return row;
}

/// Into byte op_sel[3:2] of the destination.
Row to_byte(Op opcode, const Format8& format) {
  Row row{opcode, [format](const Lane& in) {
            const Code code = stochastic_code(format, in.a, in.b, in);
            const unsigned shift = 8 * (in.inst->mods.op_sel >> 2 & 3);
            Result result{(in.old & 0xffffffff & ~(uint64_t{0xff} << shift)) | code.bits << shift};
            result.unknown = code.unknown;
            return result;
          }};
  row.inputs = [format](unsigned source, std::mt19937& random) -> uint64_t {
    return source == 0 ? sample_source(format, random) : random();
  };
  return row;
}

// ---- from 8 bits ----

/// Byte op_sel[0:1] of the source; the first bit counts 2.
Row from_byte(Op opcode, const Format8& format) {
  return {opcode,
          [format](const Lane& in) {
            const unsigned select = in.inst->mods.op_sel, byte = (select & 1) * 2 + (select >> 1 & 1);
            return Result{to_bits(format.decode(in.a >> (8 * byte)), kF32, Rounding::nearest_even)};
          },
          Match::any_nan};
}

/// The half of the source that op_sel[0] chooses. Output modifiers and clamp are not for it (section 7.2.3.1).
Row from_pair(Op opcode, const Format8& format) {
  return {opcode, [format](const Lane& in) {
            Result result;
            for (unsigned i = 0; i < 2; ++i) {
              const Real value = format.decode(in.a >> (8 * i));
              result.value |= to_bits(value, kF32, Rounding::nearest_even) << (32 * i);
              result.unknown = result.unknown || value.is_nan();
            }
            return result;
          }};
}

/// Products are exact, sums are rounded one by one.
Row dot4(Op opcode, const Format8& a, const Format8& b) {
  Row row{opcode,
          [a, b](const Lane& in) {
            const isa::Modifiers& mods = in.inst->mods;
            Real sum = from_bits(in.c & 0xffffffff, kF32);
            if ((mods.abs & 4) != 0) sum = absolute(sum);
            if ((mods.neg & 4) != 0) sum = negate(sum);
            for (unsigned i = 0; i < 32; i += 8) {
              const Real product = multiply(a.decode(in.a >> i), b.decode(in.b >> i));
              const Real exact = add(sum, product, Rounding::nearest_even);
              sum = from_bits(to_bits(exact, kF32, Rounding::nearest_even), kF32);
            }
            return Result{to_bits(sum, kF32, Rounding::nearest_even)};
          },
          Match::any_nan};
  row.inputs = [](unsigned source, std::mt19937& random) -> uint64_t {
    if (source != 2) return random();
    // Far from denormal: which mode would flush them is not written down.
    return (random() & 0x807fffffu) | (127 - 20 + random() % 40) << 23;
  };
  return row;
}

}  // namespace

void add_vector_fp8(Proofs& proofs) {
  const std::vector<Row> rows = {
      to_pair(Op::v_cvt_pk_fp8_f32, kFp8),      to_pair(Op::v_cvt_pk_bf8_f32, kBf8),
      to_byte(Op::v_cvt_sr_fp8_f32, kFp8),      to_byte(Op::v_cvt_sr_bf8_f32, kBf8),
      from_byte(Op::v_cvt_f32_fp8, kFp8),       from_byte(Op::v_cvt_f32_bf8, kBf8),
      from_pair(Op::v_cvt_pk_f32_fp8, kFp8),    from_pair(Op::v_cvt_pk_f32_bf8, kBf8),
      dot4(Op::v_dot4_f32_fp8_fp8, kFp8, kFp8), dot4(Op::v_dot4_f32_fp8_bf8, kFp8, kBf8),
      dot4(Op::v_dot4_f32_bf8_fp8, kBf8, kFp8), dot4(Op::v_dot4_f32_bf8_bf8, kBf8, kBf8),
  };
  add_vector_rows(proofs, rows);
}

}  // namespace spalt::semantics
