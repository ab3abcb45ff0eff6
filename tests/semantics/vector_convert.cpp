// SPDX-License-Identifier: MIT
// Conversions between integers and floats of all widths (RDNA 2 ISA guide, section 12.8 and 12.11).
#include "float_row.h"
#include "integer_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

/// Source format to result format.
Row change_format(Op opcode, const FloatFormat& from, const FloatFormat& to) {
  return {opcode, [from, to](const Lane& in) { return float_result(float_input(in.a, in, from), in, to); },
          Match::any_nan};
}

/// The integer that F finds in the bits, as a float.
template <class F>
Row from_integer_bits(Op opcode, const FloatFormat& to, F function) {
  return {opcode, [to, function](const Lane& in) { return float_result(function(in.a), in, to); }, Match::any_nan};
}
Real signed_value(uint64_t bits) {
  return from_integer(signed32(bits));
}
Real unsigned_value(uint64_t bits) {
  return from_integer(unsigned32(bits));
}
template <unsigned Index>
Real byte_value(uint64_t bits) {
  return from_integer(low_unsigned(bits >> (8 * Index), 8));
}

/// Saturated to the type; NaN gives 0. What the clamp bit adds is not written down.
Row to_integer_bits(Op opcode, const FloatFormat& from, unsigned bits, Sign sign, Rounding rounding) {
  return {opcode, [=](const Lane& in) {
            const I128 half = static_cast<I128>(1) << (bits - 1);
            const I128 low = sign == Sign::yes ? -half : 0, high = sign == Sign::yes ? half - 1 : 2 * half - 1;
            const Real whole = round_to_integer(float_input(in.a, in, from), rounding);
            Result result{static_cast<uint64_t>(to_integer(whole, low, high)) & static_cast<uint64_t>(2 * half - 1)};
            result.unknown = in.clamp;
            return result;
          }};
}

/// floor(x + 1/2), exact.
Row round_half_up(Op opcode) {
  return {opcode, [](const Lane& in) {
            const Real shifted = add(float_input(in.a, in, kF32), make_real(false, 1, -1), Rounding::nearest_even);
            const Real whole = round_to_integer(shifted, Rounding::down);
            Result result{unsigned32(static_cast<uint64_t>(to_integer(whole, INT32_MIN, INT32_MAX)))};
            result.unknown = in.clamp;
            return result;
          }};
}

/// Numbers in [-1, 1] or [0, 1] as multiples of 1 / 32767 or 1 / 65535; how ties round is not written down, so that
/// nearest even is only asked of results that are no ties.
uint64_t normalized(uint64_t bits, const FloatFormat& format, bool is_signed, bool& tie) {
  const Real x = from_bits(bits, format);
  if (x.is_nan()) return 0;
  const I128 scale_to = is_signed ? 32767 : 65535;
  const Real scaled = multiply(x.is_infinite() ? make_real(x.negative, 2, 0) : x, from_integer(scale_to));
  const Real twice = scale(scaled, 1);
  const Real whole = round_to_integer(twice, Rounding::toward_zero);
  tie = tie || (compare(twice, whole) == Order::equal && to_integer(whole, -1 << 20, 1 << 20) % 2 != 0);
  const I128 value = to_integer(round_to_integer(scaled, Rounding::nearest_even), is_signed ? -scale_to : 0, scale_to);
  return static_cast<uint64_t>(value) & 0xffff;
}
Row normalize_one(Op opcode, bool is_signed) {
  return {opcode, [is_signed](const Lane& in) {
            bool tie = false;
            Result result{normalized(flushed_input(in.a, in, kF16), kF16, is_signed, tie)};
            result.unknown = in.clamp || tie;
            return result;
          }};
}
Row normalize_two(Op opcode, const FloatFormat& format, bool is_signed) {
  return {opcode, [format, is_signed](const Lane& in) {
            bool tie = false;
            const uint64_t low = normalized(flushed_input(in.a, in, format), format, is_signed, tie);
            Result result{low | normalized(flushed_input(in.b, in, format), format, is_signed, tie) << 16};
            result.unknown = in.clamp || tie;
            return result;
          }};
}

/// Two floats rounded towards zero, whatever the mode says.
Row pack_toward_zero() {
  Row row{Op::v_cvt_pkrtz_f16_f32, [](const Lane& in) {
            // A NaN keeps what there is room for; which part is open, but SDWA may take one byte of it.
            const auto half = [&in](uint64_t bits) -> uint64_t {
              if (kF32.is_nan(bits)) return (bits >> 16 & 0x8000) | 0x7e00 | (bits >> 13 & 0x3ff);
              return to_bits(float_input(bits, in, kF32), kF16, Rounding::toward_zero);
            };
            Result result{half(in.a) | half(in.b) << 16};
            // Whether halves are flushed by the mode of theirs is not written down, nor how output modifiers act on a
            // pair.
            const auto tiny = [](uint64_t bits) { return kF16.is_denormal(bits & 0xffff); };
            result.unknown = in.clamp || in.inst->mods.omod != 0 || tiny(result.value) || tiny(result.value >> 16);
            return result;
          }};
  row.match = Match::any_nan;
  row.inputs = [](unsigned, std::mt19937& random) -> uint64_t {
    // Mostly numbers that a half can hold.
    return random() % 3 == 0 ? sample(kF32, random) : (random() & 0x807fffffu) | (110 + random() % 35) << 23;
  };
  return row;
}

/// The halves of two sources, as they are.
Row pack_halves() {
  return {Op::v_pack_b32_f16,
          [](const Lane& in) {
            const uint64_t a = flushed_input(in.a, in, kF16), b = flushed_input(in.b, in, kF16);
            Result result{a | b << 16};
            // LLVM flushes denormals with it, the guide does not say so.
            result.unknown = in.clamp || kF16.is_denormal(in.a & 0xffff) || kF16.is_denormal(in.b & 0xffff);
            return result;
          },
          Match::any_nan};
}

/// Byte S1 of S2, or of the destination, becomes the float as an unsigned byte.
Row replace_byte(Op opcode, Addend into) {
  return {opcode, [into](const Lane& in) {
            const uint64_t old = into == Addend::destination ? in.old : in.c;
            const Real x = float_input(in.a, in, kF32);
            const unsigned shift = 8 * (in.b & 3);
            // By which mode it rounds is not written down; nearest even is what the modes start with.
            const Real whole = round_to_integer(x, Rounding::nearest_even);
            const auto byte = static_cast<uint64_t>(to_integer(whole, 0, 255));
            Result result{(old & 0xffffffffu & ~(uint64_t{0xff} << shift)) | byte << shift};
            result.unknown = in.clamp || float_mode(in, kF32).rounding != Rounding::nearest_even;
            return result;
          }};
}

Row two_words(Op opcode, Sign sign) {
  return {opcode, [sign](const Lane& in) {
            const auto word = [&](uint64_t bits) {
              const Real whole = round_to_integer(float_input(bits, in, kF32), Rounding::toward_zero);
              const I128 value = sign == Sign::yes ? to_integer(whole, -32768, 32767) : to_integer(whole, 0, 65535);
              return static_cast<uint64_t>(value) & 0xffff;
            };
            Result result{word(in.a) | word(in.b) << 16};
            result.unknown = in.clamp;
            return result;
          }};
}

std::vector<Row> rows() {
  using enum Rounding;
  return {
      change_format(Op::v_cvt_f16_f32, kF32, kF16),
      change_format(Op::v_cvt_f32_f16, kF16, kF32),
      change_format(Op::v_cvt_f64_f32, kF32, kF64),
      change_format(Op::v_cvt_f32_f64, kF64, kF32),
      from_integer_bits(Op::v_cvt_f32_i32, kF32, signed_value),
      from_integer_bits(Op::v_cvt_f32_u32, kF32, unsigned_value),
      from_integer_bits(Op::v_cvt_f64_i32, kF64, signed_value),
      from_integer_bits(Op::v_cvt_f64_u32, kF64, unsigned_value),
      from_integer_bits(Op::v_cvt_f16_i16, kF16, [](uint64_t bits) { return from_integer(low_signed(bits, 16)); }),
      from_integer_bits(Op::v_cvt_f16_u16, kF16, [](uint64_t bits) { return from_integer(low_unsigned(bits, 16)); }),
      from_integer_bits(Op::v_cvt_f32_ubyte0, kF32, byte_value<0>),
      from_integer_bits(Op::v_cvt_f32_ubyte1, kF32, byte_value<1>),
      from_integer_bits(Op::v_cvt_f32_ubyte2, kF32, byte_value<2>),
      from_integer_bits(Op::v_cvt_f32_ubyte3, kF32, byte_value<3>),
      from_integer_bits(Op::v_cvt_off_f32_i4, kF32,
                        [](uint64_t bits) { return scale(from_integer(low_signed(bits, 4)), -4); }),
      to_integer_bits(Op::v_cvt_i32_f32, kF32, 32, Sign::yes, toward_zero),
      to_integer_bits(Op::v_cvt_u32_f32, kF32, 32, Sign::no, toward_zero),
      to_integer_bits(Op::v_cvt_i32_f64, kF64, 32, Sign::yes, toward_zero),
      to_integer_bits(Op::v_cvt_u32_f64, kF64, 32, Sign::no, toward_zero),
      to_integer_bits(Op::v_cvt_i16_f16, kF16, 16, Sign::yes, toward_zero),
      to_integer_bits(Op::v_cvt_u16_f16, kF16, 16, Sign::no, toward_zero),
      to_integer_bits(Op::v_cvt_flr_i32_f32, kF32, 32, Sign::yes, down),
      round_half_up(Op::v_cvt_rpi_i32_f32),
      normalize_one(Op::v_cvt_norm_i16_f16, true),
      normalize_one(Op::v_cvt_norm_u16_f16, false),
      normalize_two(Op::v_cvt_pknorm_i16_f16, kF16, true),
      normalize_two(Op::v_cvt_pknorm_u16_f16, kF16, false),
      normalize_two(Op::v_cvt_pknorm_i16_f32, kF32, true),
      normalize_two(Op::v_cvt_pknorm_u16_f32, kF32, false),
      pack_toward_zero(),
      pack_halves(),
      replace_byte(Op::v_cvt_pk_u8_f32, Addend::source),
      replace_byte(Op::v_cvt_pkaccum_u8_f32, Addend::destination),
      two_words(Op::v_cvt_pk_i16_f32, Sign::yes),
      two_words(Op::v_cvt_pk_u16_f32, Sign::no),
  };
}

}  // namespace

void add_vector_convert(Proofs& proofs) {
  add_vector_rows(proofs, rows());
}

}  // namespace spalt::semantics
