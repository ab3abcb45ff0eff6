// SPDX-License-Identifier: MIT
// 64-bit float arithmetic.
#include "emu/vector/double_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr auto add = [](double a, double b) { return a + b; };
constexpr auto mul = [](double a, double b) { return a * b; };
constexpr auto fma = [](double a, double b, double c) { return std::fma(a, b, c); };
constexpr auto floor = [](double a) { return std::floor(a); };
constexpr auto ceil = [](double a) { return std::ceil(a); };
constexpr auto trunc = [](double a) { return std::trunc(a); };
constexpr auto rndne = [](double a) {
  if (!(std::fabs(a) < 0x1p52)) return a;
  const double down = std::floor(a), rest = a - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0);
  return std::copysign(up ? down + 1 : down, a);
};
constexpr auto fract = [](double a) {
  return std::isfinite(a) ? std::fmin(a - std::floor(a), 0x1.fffffffffffffp-1) : a - a;
};
constexpr auto frexp_mant = [](double a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
};

void ldexp(Wave& wave, const Step& step) {
  LaneBuffer tb;
  LaneBuffer64 a, out;
  wave.fetch64(step, 0, a);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const F64Context context(wave, step);
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const int exponent = std::clamp(static_cast<int32_t>(b[i]), -5000, 5000);
    out.lane[i] = context.output(std::ldexp(context.input(a.lane[i]), exponent));
  }
  wave.write64(step, out.lane);
}

void frexp_exp(Wave& wave, const Step& step) {
  LaneBuffer64 a;
  LaneBuffer out;
  wave.fetch64(step, 0, a);
  const F64Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a.lane[i]);
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    out.lane[i] = static_cast<uint32_t>(exponent);
  }
  wave.write32(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_add_f64, binary_f64<add>},
    {Op::v_mul_f64, binary_f64<mul>},
    {Op::v_fma_f64, ternary_f64<fma>},
    {Op::v_floor_f64, unary_f64<floor>},
    {Op::v_ceil_f64, unary_f64<ceil>},
    {Op::v_trunc_f64, unary_f64<trunc>},
    {Op::v_rndne_f64, unary_f64<rndne>},
    {Op::v_fract_f64, unary_f64<fract>},
    {Op::v_ldexp_f64, ldexp},
    {Op::v_frexp_mant_f64, unary_f64<frexp_mant>},
    {Op::v_frexp_exp_i32_f64, frexp_exp},
};

}  // namespace

void add_valu_f64(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
