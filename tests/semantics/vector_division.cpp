// SPDX-License-Identifier: MIT
// The helpers of exact division: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP (RDNA 3 ISA guide, section "VOP3";
// docs/isa-errata.md, "Semantics", for the scale of V_DIV_FMAS and the NaN that V_DIV_FIXUP turns into infinity).
#include <cstdlib>

#include "float_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

/// Constants of the algorithm for a format.
struct Limits {
  int large_quotient;  ///< difference of the exponents
  int tiny_numerator;  ///< exponent
  int scale;           ///< of V_DIV_SCALE
  int underflow;       ///< difference of the exponents
};
Limits limits(const FloatFormat& format) {
  return format.width() == 64 ? Limits{768, 53, 128, -1075} : Limits{96, 23, 64, -150};
}

int exponent_field(uint64_t bits, const FloatFormat& format) {
  return static_cast<int>(format.magnitude(bits) >> format.mantissa_bits);
}
bool is_number(uint64_t bits, const FloatFormat& format) {
  return format.magnitude(bits) < format.infinity();
}
/// Whether a quotient has a denormal for its value.
bool tiny(const Real& quotient, const FloatFormat& format) {
  return format.is_denormal(to_bits(quotient, format, Rounding::nearest_even));
}

Result div_scale(uint64_t value, uint64_t denominator, uint64_t numerator, const FloatFormat& format) {
  const Limits limit = limits(format);
  const bool scales_denominator = value == denominator, scales_numerator = value == numerator;
  const Real d = from_bits(denominator, format), n = from_bits(numerator, format);
  const auto scaled = [&](int power) {
    return to_bits(scale(from_bits(value, format), power), format, Rounding::nearest_even);
  };
  const int difference = exponent_field(numerator, format) - exponent_field(denominator, format);
  Result result{value};
  const bool tiny_reciprocal = tiny(divide(make_real(false, 1, 0), d), format);
  // vcc as tests on hardware have it (docs/isa-errata.md, "vcc of `v_div_scale`").
  const bool far_apart = difference >= limit.large_quotient || difference <= 1 - format.bias();
  const bool tiny_quotient = far_apart || tiny(divide(n, d), format);
  if (n.is_zero() || d.is_zero()) {
    result.value = format.infinity() | format.quiet_bit();
    result.bit = far_apart;
  } else if (difference >= limit.large_quotient) {
    result.bit = true;
    if (scales_denominator) result.value = scaled(limit.scale);
  } else if (format.is_denormal(denominator)) {
    result.value = scaled(limit.scale);
  } else if (tiny_reciprocal && tiny_quotient) {
    result.bit = true;
    if (scales_denominator)
      result.value = scaled(-limit.scale);  // the guide prints the other sign (docs/isa-errata.md)
  } else if (tiny_reciprocal) {
    result.value = scaled(-limit.scale);
  } else if (tiny_quotient) {
    result.bit = true;
    if (scales_numerator) result.value = scaled(limit.scale);
  } else if (exponent_field(numerator, format) <= limit.tiny_numerator) {
    result.value = scaled(limit.scale);
  }
  // Source 0 must be one of the others; what becomes of NaNs, infinities and flushed denormals is decided by the fixup.
  result.unknown =
      (!scales_denominator && !scales_numerator) || !is_number(denominator, format) || !is_number(numerator, format);
  return result;
}

Row div_scale_row(Op opcode, const FloatFormat& format) {
  Row row{opcode,
          [format](const Lane& in) {
            const uint64_t mask = 2 * (format.sign_bit() - 1) + 1;
            Result result = div_scale(in.a & mask, in.b & mask, in.c & mask, format);
            const FloatMode mode = float_mode(in, format);
            const bool any_denormal =
                format.is_denormal(in.a & mask) || format.is_denormal(in.b & mask) || format.is_denormal(in.c & mask);
            result.unknown =
                result.unknown || in.clamp || in.inst->mods.omod != 0 || (any_denormal && !mode.keeps_input_denormals);
            result.unknown_bit = result.unknown;
            return result;
          },
          Match::any_nan};
  // Few values, so that source 0 often equals another one.
  row.inputs = [format](unsigned, std::mt19937& random) -> uint64_t {
    const uint64_t mantissa = random() % 2 == 0 ? 0 : format.mantissa_mask() / 3;
    constexpr int kSteps = 6;
    const int last = (1 << format.exponent_bits) - 2;
    const int field = static_cast<int>(random() % (kSteps + 1)) * last / kSteps + static_cast<int>(random() % 2);
    return static_cast<uint64_t>(field) << format.mantissa_bits | mantissa;
  };
  return row;
}

/// a * b + c, in flagged lanes times a power of two, rounded once.
Row div_fmas_row(Op opcode, const FloatFormat& format) {
  Row row{
      opcode,
      [format](const Lane& in) {
        const Rounding rounding = float_mode(in, format).rounding;
        const auto source = [&](uint64_t bits) { return from_bits(bits & (2 * (format.sign_bit() - 1) + 1), format); };
        Real value = add(multiply(source(in.a), source(in.b)), source(in.c), rounding);
        const int power = limits(format).scale;
        if (in.mask) value = scale(value, exponent_field(in.c, format) > format.bias() ? power : -power);
        Result result = float_result(value, in, format);
        // Quotients that the sequence estimates are far from the limits of the exponent.
        const Real product = multiply(source(in.a), source(in.b));
        const bool extreme = product.kind == Real::Kind::finite && product.mantissa != 0 &&
                             std::abs(floor_log2(product)) > format.bias() - 2 * power;
        result.unknown = result.unknown || (in.mask && extreme && format.width() == 64);
        // "Input denormals are not flushed, but output flushing is allowed."
        const uint64_t bits = to_bits(value, format, rounding);
        result.unknown = result.unknown || (format.is_denormal(bits) && !float_mode(in, format).keeps_output_denormals);
        return result;
      },
      Match::any_nan};
  return row;
}

Row div_fixup_row(Op opcode, const FloatFormat& format) {
  return {opcode,
          [format](const Lane& in) {
            const uint64_t quotient = flushed_input(in.a, in, format), denominator = flushed_input(in.b, in, format);
            const uint64_t numerator = flushed_input(in.c, in, format);
            const Real d = from_bits(denominator, format), n = from_bits(numerator, format);
            const uint64_t sign = (denominator ^ numerator) & format.sign_bit();
            const uint64_t nan = format.infinity() | format.quiet_bit();
            const bool wide_range = format.width() != 16;
            const int difference = exponent_field(numerator, format) - exponent_field(denominator, format);
            bool open = false;
            uint64_t bits = sign | format.magnitude(quotient);
            if (n.is_nan() || d.is_nan() || (d.is_zero() && n.is_zero()) || (d.is_infinite() && n.is_infinite())) {
              bits = nan;
            } else if (d.is_zero() || n.is_infinite()) {
              bits = sign | format.infinity();
            } else if (d.is_infinite() || n.is_zero()) {
              bits = sign;
            } else if (wide_range && difference < limits(format).underflow) {
              open = true;  // "underflow": zero or the smallest denormal
            } else if (format.is_nan(quotient)) {
              bits = sign | format.infinity();
              open = !wide_range;
            }
            Result result = finished(bits, in, format);
            result.unknown = result.unknown || open;
            return result;
          },
          Match::any_nan};
}

}  // namespace

void add_vector_division(Proofs& proofs) {
  const std::vector<Row> rows = {
      div_scale_row(Op::v_div_scale_f32, kF32), div_scale_row(Op::v_div_scale_f64, kF64),
      div_fmas_row(Op::v_div_fmas_f32, kF32),   div_fmas_row(Op::v_div_fmas_f64, kF64),
      div_fixup_row(Op::v_div_fixup_f32, kF32), div_fixup_row(Op::v_div_fixup_f64, kF64),
      div_fixup_row(Op::v_div_fixup_f16, kF16), div_fixup_row(Op::v_div_fixup_legacy_f16, kF16),
  };
  add_vector_rows(proofs, rows);
}

}  // namespace spalt::semantics
