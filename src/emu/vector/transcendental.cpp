// SPDX-License-Identifier: MIT
// Transcendental functions. Computed in double and rounded once, which is within the hardware's accuracy
// (RDNA 2 ISA guide: 1 ULP for most). The 32-bit forms take and give no denormals, whatever the mode says
// (LLVM AMDGPU backend, lowering of fdiv, fsqrt, fexp2 and flog2).
#include "emu/launch/program.h"
#include "emu/vector/double_operands.h"
#include "emu/vector/half_operands.h"
#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr double kTwoPi = 6.283185307179586476925286766559;
/// Arguments of v_sin and v_cos are revolutions, valid up to this magnitude where the target limits them.
constexpr double kMostTurns = 256;

constexpr auto exp2_of = [](double a) { return std::exp2(a); };
/// Finite where the argument is, for FP16_OVFL.
constexpr auto exp2_of_half = [](double a) { return std::exp2(std::isfinite(a) ? std::fmin(a, 1000) : a); };
constexpr auto log2_of = [](double a) { return std::log2(a); };
constexpr auto rcp = [](double a) { return 1.0 / a; };
constexpr auto rsq = [](double a) { return a == 0 ? std::copysign(INFINITY, a) : 1.0 / std::sqrt(a); };
constexpr auto sqrt_of = [](double a) { return std::sqrt(a); };

/// The sine of a + quarters / 4 revolutions. The quarter is taken off first, which is exact, so that multiples of a
/// quarter give 0, 1 and -1 themselves. A zero is positive, as in the guides' examples.
double sin_of_turns(double a, int quarters) {
  if (!std::isfinite(a)) return a - a;
  const double turn = std::remainder(a, 1.0);
  const double quarter = std::floor(turn * 4 + 0.5), angle = (turn - quarter / 4) * kTwoPi;
  const int quadrant = (static_cast<int>(quarter) + quarters) & 3;
  const double magnitude = (quadrant & 1) != 0 ? std::cos(angle) : std::sin(angle);
  return (quadrant & 2) != 0 ? 0.0 - magnitude : magnitude + 0.0;
}
template <bool Limited>
constexpr auto sin_of = [](double a) {
  if (a == 0) return a;
  return Limited && std::isfinite(a) && std::fabs(a) > kMostTurns ? 0.0 : sin_of_turns(a, 0);
};
template <bool Limited>
constexpr auto cos_of =
    [](double a) { return Limited && std::isfinite(a) && std::fabs(a) > kMostTurns ? 1.0 : sin_of_turns(a, 1); };

template <auto F>
void special_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = as_float(flush32(a[i]));
    out.lane[i] = flush32(result_bits<MadeNan::negative>(static_cast<float>(F(static_cast<double>(x))), x));
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

template <auto F>
void special_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, out;
  wave.fetch64(step, 0, a);
  const F64Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a.lane[i]);
    out.lane[i] = context.output_of<MadeNan::negative>(static_cast<double>(F(x)), x);
  }
  wave.write64(step, out.lane);
}

template <auto F>
void special_f16(Wave& wave, const Step& step) {
  unary_f16<F, MadeNan::negative>(wave, step);
}

/// v_sin and v_cos: by whether the target limits the argument.
template <void (*Limited)(Wave&, const Step&), void (*Full)(Wave&, const Step&)>
void by_limit(Wave& wave, const Step& step) {
  wave.program().target().limits_turns ? Limited(wave, step) : Full(wave, step);
}

// One value in a scalar register, whatever exec holds (RDNA 4 ISA guide, section 7.10).

template <auto F>
void scalar_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const float x = as_float(flush32(wave.fetch32(step, 0, ta)[0]));
  std::fill(std::begin(out.lane), std::end(out.lane),
            flush32(result_bits<MadeNan::negative>(static_cast<float>(F(double{x})), x)));
  finish_f32(wave, step, out);
  wave.write_s32(step.dst, out.lane[0]);
}

/// The upper half of the result is zero.
template <auto F>
void scalar_f16(Wave& wave, const Step& step) {
  LaneBuffer ta;
  const F16Context context(wave, step);
  const double x = context.input(wave.fetch32(step, 0, ta)[0] & 0xffffu);
  wave.write_s32(step.dst, context.output_of<MadeNan::negative>(static_cast<double>(F(x)), x));
}

constexpr HandlerRow kRows[] = {
    {Op::v_s_exp_f32, scalar_f32<exp2_of>},
    {Op::v_s_log_f32, scalar_f32<log2_of>},
    {Op::v_s_rcp_f32, scalar_f32<rcp>},
    {Op::v_s_rsq_f32, scalar_f32<rsq>},
    {Op::v_s_sqrt_f32, scalar_f32<sqrt_of>},
    {Op::v_s_exp_f16, scalar_f16<exp2_of_half>},
    {Op::v_s_log_f16, scalar_f16<log2_of>},
    {Op::v_s_rcp_f16, scalar_f16<rcp>},
    {Op::v_s_rsq_f16, scalar_f16<rsq>},
    {Op::v_s_sqrt_f16, scalar_f16<sqrt_of>},
    {Op::v_exp_f32, special_f32<exp2_of>},
    {Op::v_log_f32, special_f32<log2_of>},
    {Op::v_rcp_f32, special_f32<rcp>},
    {Op::v_rcp_iflag_f32, special_f32<rcp>},
    {Op::v_rsq_f32, special_f32<rsq>},
    {Op::v_sqrt_f32, special_f32<sqrt_of>},
    {Op::v_sin_f32, by_limit<special_f32<sin_of<true>>, special_f32<sin_of<false>>>},
    {Op::v_cos_f32, by_limit<special_f32<cos_of<true>>, special_f32<cos_of<false>>>},
    {Op::v_rcp_f64, special_f64<rcp>},
    {Op::v_rsq_f64, special_f64<rsq>},
    {Op::v_sqrt_f64, special_f64<sqrt_of>},
    {Op::v_exp_f16, special_f16<exp2_of_half>},
    {Op::v_log_f16, special_f16<log2_of>},
    {Op::v_rcp_f16, special_f16<rcp>},
    {Op::v_rsq_f16, special_f16<rsq>},
    {Op::v_sqrt_f16, special_f16<sqrt_of>},
    {Op::v_sin_f16, by_limit<special_f16<sin_of<true>>, special_f16<sin_of<false>>>},
    {Op::v_cos_f16, by_limit<special_f16<cos_of<true>>, special_f16<cos_of<false>>>},
    // docs/isa-errata.md, "v_exp_legacy_f32".
    {Op::v_exp_legacy_f32, special_f32<exp2_of>},
    {Op::v_log_legacy_f32, special_f32<log2_of>},
};

}  // namespace

void add_valu_special(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
