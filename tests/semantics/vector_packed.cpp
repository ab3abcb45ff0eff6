// SPDX-License-Identifier: MIT
// Packed halves, mixed-precision multiply-add and dot products of floats (RDNA 3 ISA guide, section "VOP3P").
#include "float_row.h"
#include "integer_row.h"
#include "operand_model.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

Row packed(Row row) {
  row.packed = true;
  return row;
}
Real fused(const Real& a, const Real& b, const Real& c, Rounding rounding) {
  return add(multiply(a, b), c, rounding);
}

// ---- mixed precision ----

enum class Steps : uint8_t { fused, two };
enum class Into : uint8_t { single, low, high };

/// Source `index`: a float, or where op_sel_hi is set the half that op_sel chooses. neg_lo negates, neg_hi is the
/// absolute value.
Real mixed_source(uint64_t bits, unsigned index, const Lane& in) {
  const isa::Modifiers& mods = in.inst->mods;
  const bool half = (mods.op_sel_hi >> index & 1) != 0;
  Real x = half ? float_input(bits >> ((mods.op_sel >> index & 1) * 16), in, kF16) : float_input(bits, in, kF32);
  if ((mods.abs >> index & 1) != 0) x = absolute(x);
  return (mods.neg >> index & 1) != 0 ? negate(x) : x;
}

/// v_mad_f32 and what is made of it round twice and flush denormals whatever the mode says.
Real flushed(const Real& x, const FloatFormat& format, Rounding rounding) {
  const uint64_t bits = to_bits(x, format, rounding);
  return format.is_denormal(bits) ? make_zero((bits & format.sign_bit()) != 0) : from_bits(bits, format);
}
Real twice_rounded(const Real& a, const Real& b, const Real& c, const FloatFormat& format, Rounding rounding) {
  const auto input = [&](const Real& x) { return flushed(x, format, rounding); };
  const Real product = flushed(multiply(input(a), input(b)), format, rounding);
  return flushed(add(product, input(c), rounding), format, rounding);
}

Row mix(Op opcode, Steps steps, Into into) {
  Row row{opcode,
          [steps, into](const Lane& in) {
            const Real a = mixed_source(in.a, 0, in), b = mixed_source(in.b, 1, in), c = mixed_source(in.c, 2, in);
            const FloatFormat& format = into == Into::single ? kF32 : kF16;
            const Rounding rounding = float_mode(in, format).rounding;
            const Real exact = steps == Steps::fused ? fused(a, b, c, rounding)
                                                     : twice_rounded(a, b, c, kF32, float_mode(in, kF32).rounding);
            Result result = float_result(exact, in, format);
            // What the two roundings of the multiply-add to a half do in different modes is not written down.
            if (steps == Steps::two && into != Into::single) result.unknown = true;
            return result;
          },
          Match::any_nan};
  row.into_high_half = into == Into::high;
  row.result_bits = into == Into::single ? 32 : 16;
  row.inputs = [](unsigned, std::mt19937& random) -> uint64_t {
    return random() % 2 == 0 ? sample(kF32, random) : sample_half(random) | sample_half(random) << 16;
  };
  return row;
}

/// Halves of which the exact product and sum is a half: what the instruction does whatever it rounds between.
Row exact_mix(Op opcode, Into into) {
  Row row = mix(opcode, Steps::fused, into);
  row.reference = [reference = row.reference](const Lane& in) {
    Result result = reference(in);
    result.unknown = in.inst->mods.op_sel_hi != 7;
    return result;
  };
  row.inputs = [](unsigned, std::mt19937& random) -> uint64_t {
    const auto small = [&random] {
      return to_bits(from_integer(static_cast<int>(random() % 31) - 15), kF16, Rounding::toward_zero);
    };
    return small() | small() << 16;
  };
  return row;
}

// ---- dot products ----

/// Values whose products and sums are exact, so that the order of the roundings, which the guides leave open, does not
/// matter.
uint64_t small_number(const FloatFormat& format, std::mt19937& random) {
  if (random() % 24 == 0) return format.infinity() | (random() % 2 == 0 ? format.sign_bit() : 0);
  // Bfloats have 8 significant bits.
  if (format.mantissa_bits < 10)
    return to_bits(from_integer(static_cast<int>(random() % 7) - 3), format, Rounding::toward_zero);
  return to_bits(scale(from_integer(static_cast<int>(random() % 63) - 31), -2), format, Rounding::toward_zero);
}

struct Dot {
  Op opcode;
  FloatFormat part, sum;
  bool accumulates;
};
constexpr FloatFormat kBfloat{7, 8};

Row dot(const Dot& d) {
  Row row{d.opcode,
          [d](const Lane& in) {
            const isa::Modifiers& mods = in.inst->mods;
            const bool vop3p = is_packed(*in.inst);
            const auto part = [&](uint64_t bits, unsigned source, bool high) {
              unsigned chosen = high ? 1 : 0;
              if (vop3p) chosen = (high ? mods.op_sel_hi : mods.op_sel) >> source & 1;
              const Real x = from_bits(bits >> (16 * chosen) & 0xffff, d.part);
              const bool flip = vop3p && ((high ? mods.abs : mods.neg) >> source & 1) != 0;
              return flip ? negate(x) : x;
            };
            Real addend = from_bits((d.accumulates ? in.old : in.c) & (2 * d.sum.sign_bit() - 1), d.sum);
            if (vop3p && (mods.neg & 4) != 0) addend = negate(addend);
            Real total = add(multiply(part(in.a, 0, false), part(in.b, 1, false)),
                             multiply(part(in.a, 0, true), part(in.b, 1, true)), Rounding::nearest_even);
            total = add(total, addend, Rounding::nearest_even);
            Result result = float_result(total, in, d.sum);
            // The sign of a zero depends on the order, and what neg and abs mean to both halves at once is not written
            // down.
            const auto constant = [&in](unsigned source) {
              return in.inst->src[source].is_imm() ||
                     !(in.inst->src[source].reg.is_vgpr() || in.inst->src[source].reg.is_sgpr());
            };
            result.unknown = result.unknown || total.is_zero() || (!vop3p && (mods.neg | mods.abs) != 0) ||
                             constant(0) || constant(1) || (!d.accumulates && constant(2));
            return result;
          },
          Match::any_nan};
  row.inputs = [d](unsigned source, std::mt19937& random) -> uint64_t {
    if (source == 2) return small_number(d.sum, random);
    return small_number(d.part, random) | small_number(d.part, random) << 16;
  };
  row.old_input = [d](std::mt19937& random) { return small_number(d.sum, random); };
  return row;
}

}  // namespace

void add_vector_packed(Proofs& proofs) {
  const std::vector<Row> rows = {
      packed(passes_nan(
          float_binary(Op::v_pk_add_f16, kF16, [](const Real& a, const Real& b, Rounding r) { return add(a, b, r); }),
          kF16, 2)),
      packed(passes_nan(
          float_binary(Op::v_pk_mul_f16, kF16, [](const Real& a, const Real& b, Rounding) { return multiply(a, b); }),
          kF16, 2)),
      packed(passes_nan(float_ternary(Op::v_pk_fma_f16, kF16, fused), kF16, 3)),
      packed(float_ternary(Op::v_pk_fmac_f16, kF16, fused, Addend::destination)),
      packed(float_select(Op::v_pk_min_f16, kF16,
                          [](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return minimum(a, b, in, kF16); })),
      packed(float_select(Op::v_pk_max_f16, kF16,
                          [](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return maximum(a, b, in, kF16); })),
      packed(float_select(
          Op::v_pk_minimum_f16, kF16,
          [](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return propagating_minimum(a, b, in, kF16); })),
      packed(float_select(
          Op::v_pk_maximum_f16, kF16,
          [](uint64_t a, uint64_t b, uint64_t, const Lane& in) { return propagating_maximum(a, b, in, kF16); })),
      mix(Op::v_fma_mix_f32, Steps::fused, Into::single),
      mix(Op::v_fma_mixlo_f16, Steps::fused, Into::low),
      mix(Op::v_fma_mixhi_f16, Steps::fused, Into::high),
      mix(Op::v_mad_mix_f32, Steps::two, Into::single),
      exact_mix(Op::v_mad_mixlo_f16, Into::low),
      exact_mix(Op::v_mad_mixhi_f16, Into::high),
      dot({Op::v_dot2_f32_f16, kF16, kF32, false}),
      dot({Op::v_dot2c_f32_f16, kF16, kF32, true}),
      dot({Op::v_dot2_f32_bf16, kBfloat, kF32, false}),
      dot({Op::v_dot2_f16_f16, kF16, kF16, false}),
      dot({Op::v_dot2_bf16_bf16, kBfloat, kBfloat, false}),
  };
  add_vector_rows(proofs, rows);
}

}  // namespace spalt::semantics
