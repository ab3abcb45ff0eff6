// SPDX-License-Identifier: MIT
// 16-bit float arithmetic.
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr auto add = [](double a, double b, unsigned rounding) { return half_add(a, b, rounding); };
/// A NaN keeps its sign.
constexpr auto sub = [](double a, double b, unsigned rounding) { return half_add(a, b == b ? -b : b, rounding); };
constexpr auto subrev = [](double a, double b, unsigned rounding) { return sub(b, a, rounding); };
constexpr auto mul = [](double a, double b, unsigned) { return a * b; };
constexpr auto fma = [](double a, double b, double c, unsigned rounding) { return half_fma(a, b, c, rounding); };
constexpr auto floor = [](double a) { return std::floor(a); };
constexpr auto ceil = [](double a) { return std::ceil(a); };
constexpr auto trunc = [](double a) { return std::trunc(a); };
constexpr auto rndne = [](double a) { return std::nearbyint(a); };
/// Never reaches 1: the largest half below it is 0x3bff.
constexpr auto fract = [](double a) { return std::isfinite(a) ? std::fmin(a - std::floor(a), 0.99951171875) : a - a; };
constexpr auto frexp_mant = [](double a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
};

void fmac(Wave& wave, const Step& step) {
  LaneBuffer old;
  const uint32_t* dst = wave.vgpr(step.dst);
  const unsigned shift = step.dst_high_half ? 16 : 0;
  for (unsigned i = 0; i < wave.size(); ++i) old.lane[i] = dst[i] >> shift & 0xffff;
  ternary_f16_with<fma>(wave, step, old.lane);
}

void ldexp(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] =
        context.output(std::ldexp(context.input(a[i]), std::clamp<int>(static_cast<int16_t>(b[i]), -200, 200)));
  }
  wave.write16(step, out.lane);
}

void frexp_exp(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = context.input(a[i]);
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    out.lane[i] = static_cast<uint32_t>(exponent) & 0xffff;
  }
  wave.write16(step, out.lane);
}

constexpr auto pack = [](uint32_t a, uint32_t b) { return (a & 0xffff) | b << 16; };

constexpr HandlerRow kRows[] = {
    {Op::v_add_f16, binary_f16<add>},
    {Op::v_sub_f16, binary_f16<sub>},
    {Op::v_subrev_f16, binary_f16<subrev>},
    {Op::v_mul_f16, binary_f16<mul>},
    {Op::v_fma_f16, ternary_f16<fma>},
    {Op::v_fma_legacy_f16, ternary_f16<fma>},
    {Op::v_fmamk_f16, ternary_f16<fma>},
    {Op::v_fmaak_f16, ternary_f16<fma>},
    {Op::v_fmac_f16, fmac},
    {Op::v_floor_f16, unary_f16<floor>},
    {Op::v_ceil_f16, unary_f16<ceil>},
    {Op::v_trunc_f16, unary_f16<trunc>},
    {Op::v_rndne_f16, unary_f16<rndne>},
    {Op::v_fract_f16, unary_f16<fract>},
    {Op::v_frexp_mant_f16, unary_f16<frexp_mant>},
    {Op::v_frexp_exp_i16_f16, frexp_exp},
    {Op::v_ldexp_f16, ldexp},
    {Op::v_pack_b32_f16, binary32<pack>},
};

}  // namespace

void add_valu_f16(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
