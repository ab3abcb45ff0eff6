// SPDX-License-Identifier: MIT
// Float arithmetic of 16, 32 and 64 bits that rounds once (RDNA 2 ISA guide, sections 12.7 to 12.11; the rule of
// minimum and maximum in full in the RDNA 3 guide).
#include "float_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

Real sum(const Real& a, const Real& b, Rounding rounding) {
  return add(a, b, rounding);
}
Real difference(const Real& a, const Real& b, Rounding rounding) {
  return add(a, negate(b), rounding);
}
Real reverse_difference(const Real& a, const Real& b, Rounding rounding) {
  return add(b, negate(a), rounding);
}
Real product(const Real& a, const Real& b, Rounding) {
  return multiply(a, b);
}
/// Zero times anything is zero.
Real legacy_product(const Real& a, const Real& b, Rounding) {
  return a.is_zero() || b.is_zero() ? make_zero(false) : multiply(a, b);
}
Real fused(const Real& a, const Real& b, const Real& c, Rounding rounding) {
  return add(multiply(a, b), c, rounding);
}
Real legacy_fused(const Real& a, const Real& b, const Real& c, Rounding rounding) {
  return add(legacy_product(a, b, rounding), c, rounding);
}
template <Rounding To>
Real integral(const Real& a, Rounding) {
  return round_to_integer(a, To);
}
Real mantissa(const Real& a, Rounding) {
  return a.is_zero() || a.kind != Real::Kind::finite ? a : scale(a, -1 - floor_log2(a));
}

/// x - floor(x), which stays below one.
Row fraction(Op opcode, const FloatFormat& format) {
  return {opcode,
          [format](const Lane& in) {
            const Real x = float_input(in.a, in, format);
            const Rounding rounding = float_mode(in, format).rounding;
            if (x.kind != Real::Kind::finite) return float_result(make_nan(), in, format);
            const Real part = add(x, negate(round_to_integer(x, Rounding::down)), rounding);
            const uint64_t bits = to_bits(part, format, rounding);
            const bool reaches_one = bits >= format.one() && (bits & format.sign_bit()) == 0;
            Result result = finished(reaches_one ? format.one() - 1 : bits, in, format);
            // When rounding down, the sign of a zero depends on how hardware subtracts.
            result.unknown = result.unknown || (part.is_zero() && rounding == Rounding::down);
            return result;
          },
          Match::any_nan};
}

/// The exponent of a mantissa in [1/2, 1), as an integer; 0 for zero, infinity and NaN.
Row exponent(Op opcode, const FloatFormat& format) {
  return {opcode, [format](const Lane& in) {
            const Real x = float_input(in.a, in, format);
            const int power = x.is_zero() || x.kind != Real::Kind::finite ? 0 : floor_log2(x) + 1;
            return Result{static_cast<uint32_t>(power)};
          }};
}

/// Source 1 is an integer as wide as `bits`.
Row load_exponent(Op opcode, const FloatFormat& format, unsigned bits) {
  Row row{opcode,
          [format, bits](const Lane& in) {
            const int64_t power = static_cast<int64_t>(in.b << (64 - bits)) >> (64 - bits);
            const int clamped = static_cast<int>(power < -10000 ? -10000 : power > 10000 ? 10000 : power);
            return float_result(scale(float_input(in.a, in, format), clamped), in, format);
          },
          Match::any_nan};
  row.inputs = [format](unsigned source, std::mt19937& random) -> uint64_t {
    if (source == 0) return sample(format, random);
    const int range = 2 * (format.bias() + format.mantissa_bits);
    return random() % 8 == 0
               ? random()
               : static_cast<uint64_t>(static_cast<int>(random() % (2u * static_cast<unsigned>(range))) - range);
  };
  return row;
}

struct Names {
  Op add, sub, subrev, mul, fma, min, max, trunc, ceil, rndne, floor, fract, frexp_mant, frexp_exp, ldexp;
};

std::vector<Row> common_rows(const Names& op, const FloatFormat& format, unsigned exponent_source_bits) {
  std::vector<Row> rows = {
      passes_nan(float_binary(op.add, format, sum), format, 2),
      passes_nan(float_binary(op.mul, format, product), format, 2),
      passes_nan(float_ternary(op.fma, format, fused), format, 3),
      float_select(op.min, format,
                   [format](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return minimum(a, b, in, format); }),
      float_select(op.max, format,
                   [format](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return maximum(a, b, in, format); }),
      passes_nan(float_unary(op.trunc, format, integral<Rounding::toward_zero>), format, 1),
      passes_nan(float_unary(op.ceil, format, integral<Rounding::up>), format, 1),
      passes_nan(float_unary(op.rndne, format, integral<Rounding::nearest_even>), format, 1),
      passes_nan(float_unary(op.floor, format, integral<Rounding::down>), format, 1),
      passes_nan(float_unary(op.frexp_mant, format, mantissa), format, 1),
      fraction(op.fract, format),
      exponent(op.frexp_exp, format),
      load_exponent(op.ldexp, format, exponent_source_bits),
  };
  if (op.sub != Op::invalid) rows.push_back(passes_nan(float_binary(op.sub, format, difference), format, 2));
  if (op.subrev != Op::invalid)
    rows.push_back(passes_nan(float_binary(op.subrev, format, reverse_difference), format, 2));
  return rows;
}

std::vector<Row> three_way_rows(Op min3, Op max3, Op med3, const FloatFormat& format) {
  return {
      float_select(min3, format,
                   [format](uint64_t a, uint64_t b, uint64_t c, const Lane& in) {
                     return minimum(minimum(a, b, in, format), c, in, format);
                   }),
      float_select(max3, format,
                   [format](uint64_t a, uint64_t b, uint64_t c, const Lane& in) {
                     return maximum(maximum(a, b, in, format), c, in, format);
                   }),
      float_select(
          med3, format,
          [format](uint64_t a, uint64_t b, uint64_t c, const Lane& in) { return median(a, b, c, in, format); }),
  };
}

std::vector<Row> clamping_rows(Op maxmin, Op minmax, const FloatFormat& format) {
  return {
      float_select(maxmin, format,
                   [format](uint64_t a, uint64_t b, uint64_t c, const Lane& in) {
                     return minimum(maximum(a, b, in, format), c, in, format);
                   }),
      float_select(minmax, format,
                   [format](uint64_t a, uint64_t b, uint64_t c, const Lane& in) {
                     return maximum(minimum(a, b, in, format), c, in, format);
                   }),
  };
}

struct PropagatingNames {
  Op minimum, maximum, minimum3, maximum3, minimummaximum, maximumminimum;
};

/// IEEE 754-2019 minimum and maximum of GFX12: any NaN wins (RDNA 4 ISA guide, V_MINIMUM_F32).
std::vector<Row> propagating_rows(const PropagatingNames& op, const FloatFormat& format) {
  using Step = uint64_t (*)(uint64_t, uint64_t, const Lane&, const FloatFormat&);
  const auto two = [format](Op opcode, Step first) {
    return float_select(opcode, format, [format, first](uint64_t a, uint64_t b, uint64_t, const Lane& in) {
      return first(a, b, in, format);
    });
  };
  const auto three = [format](Op opcode, Step first, Step second) {
    return float_select(opcode, format, [=](uint64_t a, uint64_t b, uint64_t c, const Lane& in) {
      return second(first(a, b, in, format), c, in, format);
    });
  };
  std::vector<Row> rows = {two(op.minimum, propagating_minimum), two(op.maximum, propagating_maximum)};
  if (op.minimum3 == Op::invalid) return rows;
  rows.push_back(three(op.minimum3, propagating_minimum, propagating_minimum));
  rows.push_back(three(op.maximum3, propagating_maximum, propagating_maximum));
  rows.push_back(three(op.minimummaximum, propagating_minimum, propagating_maximum));
  rows.push_back(three(op.maximumminimum, propagating_maximum, propagating_minimum));
  return rows;
}

std::vector<Row> other_rows() {
  return {
      float_binary(Op::v_mul_legacy_f32, kF32, legacy_product),
      float_ternary(Op::v_fma_legacy_f32, kF32, legacy_fused),
      float_ternary(Op::v_fmac_legacy_f32, kF32, legacy_fused, Addend::destination),
      float_ternary(Op::v_fmac_f32, kF32, fused, Addend::destination),
      float_ternary(Op::v_fmac_f16, kF16, fused, Addend::destination),
      float_ternary(Op::v_fma_legacy_f16, kF16, fused),
      // D = S0 * K + S1 and D = S0 * S1 + K: both are written with the addend last.
      float_ternary(Op::v_fmamk_f32, kF32, fused),
      float_ternary(Op::v_fmaak_f32, kF32, fused),
      float_ternary(Op::v_fmamk_f16, kF16, fused),
      float_ternary(Op::v_fmaak_f16, kF16, fused),
  };
}

}  // namespace

void add_vector_float(Proofs& proofs) {
  add_vector_rows(
      proofs, common_rows({Op::v_add_f32, Op::v_sub_f32, Op::v_subrev_f32, Op::v_mul_f32, Op::v_fma_f32, Op::v_min_f32,
                           Op::v_max_f32, Op::v_trunc_f32, Op::v_ceil_f32, Op::v_rndne_f32, Op::v_floor_f32,
                           Op::v_fract_f32, Op::v_frexp_mant_f32, Op::v_frexp_exp_i32_f32, Op::v_ldexp_f32},
                          kF32, 32));
  add_vector_rows(
      proofs, common_rows({Op::v_add_f16, Op::v_sub_f16, Op::v_subrev_f16, Op::v_mul_f16, Op::v_fma_f16, Op::v_min_f16,
                           Op::v_max_f16, Op::v_trunc_f16, Op::v_ceil_f16, Op::v_rndne_f16, Op::v_floor_f16,
                           Op::v_fract_f16, Op::v_frexp_mant_f16, Op::v_frexp_exp_i16_f16, Op::v_ldexp_f16},
                          kF16, 16));
  add_vector_rows(proofs,
                  common_rows({Op::v_add_f64, Op::invalid, Op::invalid, Op::v_mul_f64, Op::v_fma_f64, Op::v_min_f64,
                               Op::v_max_f64, Op::v_trunc_f64, Op::v_ceil_f64, Op::v_rndne_f64, Op::v_floor_f64,
                               Op::v_fract_f64, Op::v_frexp_mant_f64, Op::v_frexp_exp_i32_f64, Op::v_ldexp_f64},
                              kF64, 32));
  add_vector_rows(proofs, three_way_rows(Op::v_min3_f32, Op::v_max3_f32, Op::v_med3_f32, kF32));
  add_vector_rows(proofs, three_way_rows(Op::v_min3_f16, Op::v_max3_f16, Op::v_med3_f16, kF16));
  add_vector_rows(proofs, clamping_rows(Op::v_maxmin_f32, Op::v_minmax_f32, kF32));
  add_vector_rows(proofs, clamping_rows(Op::v_maxmin_f16, Op::v_minmax_f16, kF16));
  add_vector_rows(proofs, propagating_rows({Op::v_minimum_f32, Op::v_maximum_f32, Op::v_minimum3_f32,
                                            Op::v_maximum3_f32, Op::v_minimummaximum_f32, Op::v_maximumminimum_f32},
                                           kF32));
  add_vector_rows(proofs, propagating_rows({Op::v_minimum_f16, Op::v_maximum_f16, Op::v_minimum3_f16,
                                            Op::v_maximum3_f16, Op::v_minimummaximum_f16, Op::v_maximumminimum_f16},
                                           kF16));
  add_vector_rows(
      proofs, propagating_rows(
                  {Op::v_minimum_f64, Op::v_maximum_f64, Op::invalid, Op::invalid, Op::invalid, Op::invalid}, kF64));
  add_vector_rows(proofs, other_rows());
}

}  // namespace spalt::semantics
