// SPDX-License-Identifier: MIT
// 32-bit float arithmetic (RDNA 2 ISA guide, sections 12.7 to 12.11). Transcendentals are in transcendental.cpp.
#include <span>

#include "emu/vector/valu.h"

namespace spalt::emu {

void finish_f32(const Wave& wave, const Step& step, LaneBuffer& lanes, FlushResult flush) {
  if (step.omod != 0 && wave.mode.output_modifiers32()) {
    static constexpr float kFactor[] = {1.0f, 2.0f, 4.0f, 0.5f};
    const float factor = kFactor[step.omod];
    // A negative zero becomes a positive one.
    for (uint32_t& lane : std::span(lanes.lane, wave.size())) {
      const float scaled = as_float(lane) * factor;
      lane = scaled == 0 ? 0 : as_bits(scaled);
    }
  }
  if (flush == FlushResult::by_mode && !wave.mode.keep_output_denorm32()) {
    for (uint32_t& lane : std::span(lanes.lane, wave.size())) lane = flush32(lane);
  }
  if (step.clamp) {
    const bool nan_to_zero = wave.mode.dx10_clamp();
    for (uint32_t& lane : std::span(lanes.lane, wave.size())) {
      const float value = as_float(lane);
      if (value != value) {
        lane = nan_to_zero ? 0 : lane;
      } else {
        lane = value <= 0 ? 0 : value >= 1 ? as_bits(1.0f) : lane;
      }
    }
  }
}

namespace {

using Op = isa::Opcode;

constexpr auto add = [](float a, float b) { return a + b; };
constexpr auto sub = [](float a, float b) { return a - b; };
constexpr auto subrev = [](float a, float b) { return b - a; };
constexpr auto mul = [](float a, float b) { return a * b; };
/// Zero times anything is zero.
constexpr auto mul_legacy = [](float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; };

template <bool Legacy>
float fused(float a, float b, float c, bool nearest) {
  if (Legacy && (a == 0 || b == 0)) return c + 0.0f;
  return nearest ? fma_nearest(a, b, c) : std::fma(a, b, c);
}
constexpr auto fma_rne = [](float a, float b, float c) { return fused<false>(a, b, c, true); };
constexpr auto fma_mode = [](float a, float b, float c) { return fused<false>(a, b, c, false); };
constexpr auto fma_legacy = [](float a, float b, float c) { return fused<true>(a, b, c, false); };

/// The fast exact form holds for rounding to nearest only.
void fma(Wave& wave, const Step& step) {
  wave.mode.round32() == 0 ? ternary_f32<fma_rne>(wave, step) : ternary_f32<fma_mode>(wave, step);
}
void fmac(Wave& wave, const Step& step) {
  const uint32_t* old = wave.vgpr(step.dst);
  wave.mode.round32() == 0 ? ternary_f32_with<fma_rne>(wave, step, old) : ternary_f32_with<fma_mode>(wave, step, old);
}
void fmac_legacy(Wave& wave, const Step& step) {
  ternary_f32_with<fma_legacy>(wave, step, wave.vgpr(step.dst));
}

constexpr auto trunc = [](float a) { return std::trunc(a); };
constexpr auto ceil = [](float a) { return std::ceil(a); };
constexpr auto floor = [](float a) { return std::floor(a); };
/// Independent of the rounding mode.
constexpr auto rndne = [](float a) {
  if (!(std::fabs(a) < 0x1p23f)) return a;
  const float down = std::floor(a), rest = a - down;
  const bool up = rest > 0.5f || (rest == 0.5f && std::fmod(down, 2.0f) != 0);
  return std::copysign(up ? down + 1 : down, a);
};
/// Never reaches 1.
constexpr auto fract = [](float a) { return std::fmin(a - std::floor(a), as_float(0x3f7fffffu)); };
constexpr auto fract_nan = [](float a) { return a != a || std::isinf(a) ? a - a : fract(a); };

void ldexp(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const bool keep = wave.mode.keep_input_denorm32();
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const int exponent = std::clamp(static_cast<int32_t>(b[i]), -1000, 1000);
    out.lane[i] = as_bits(std::ldexp(input_f32(a[i], keep), exponent));
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

void frexp_exp(Wave& wave, const Step& step) {
  LaneBuffer ta, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const bool keep = wave.mode.keep_input_denorm32();
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = input_f32(a[i], keep);
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    out.lane[i] = static_cast<uint32_t>(exponent);
  }
  wave.write32(step, out.lane);
}
constexpr auto frexp_mant = [](float a) {
  int exponent = 0;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
};

/// Position of the largest axis: 0 to 5 for +x -x +y -y +z -z (z before y before x on ties).
constexpr auto cube_face = [](float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay) return z < 0 ? 5 : 4;
  if (ay >= ax) return y < 0 ? 3 : 2;
  return x < 0 ? 1 : 0;
};
constexpr auto cubeid = [](float x, float y, float z) { return static_cast<float>(cube_face(x, y, z)); };
constexpr auto cubema = [](float x, float y, float z) {
  const int face = cube_face(x, y, z);
  return 2.0f * (face >= 4 ? z : face >= 2 ? y : x);
};
constexpr auto cubesc = [](float x, float y, float z) {
  switch (cube_face(x, y, z)) {
    case 0:
      return -z;
    case 1:
      return z;
    case 5:
      return -x;
    default:
      return x;
  }
};
constexpr auto cubetc = [](float x, float y, float z) {
  switch (cube_face(x, y, z)) {
    case 2:
      return z;
    case 3:
      return -z;
    default:
      return -y;
  }
};
constexpr auto mullit = [](float a, float b, float c) {
  const bool kill = b <= -std::numeric_limits<float>::max() || b != b || c <= 0 || c != c;
  return kill ? -std::numeric_limits<float>::max() : mul_legacy(a, b);
};

constexpr HandlerRow kRows[] = {
    {Op::v_add_f32, binary_f32<add>},
    {Op::v_sub_f32, binary_f32<sub>},
    {Op::v_subrev_f32, binary_f32<subrev>},
    {Op::v_mul_f32, binary_f32<mul>},
    {Op::v_mul_legacy_f32, binary_f32<mul_legacy>},
    {Op::v_fma_f32, fma},
    {Op::v_fmamk_f32, fma},
    {Op::v_fmaak_f32, fma},
    {Op::v_fmac_f32, fmac},
    {Op::v_fma_legacy_f32, ternary_f32<fma_legacy>},
    {Op::v_fmac_legacy_f32, fmac_legacy},
    {Op::v_trunc_f32, unary_f32<trunc>},
    {Op::v_ceil_f32, unary_f32<ceil>},
    {Op::v_floor_f32, unary_f32<floor>},
    {Op::v_rndne_f32, unary_f32<rndne>},
    {Op::v_fract_f32, unary_f32<fract_nan>},
    {Op::v_ldexp_f32, ldexp},
    {Op::v_frexp_exp_i32_f32, frexp_exp},
    {Op::v_frexp_mant_f32, unary_f32<frexp_mant>},
    {Op::v_cubeid_f32, ternary_f32<cubeid>},
    {Op::v_cubesc_f32, ternary_f32<cubesc>},
    {Op::v_cubetc_f32, ternary_f32<cubetc>},
    {Op::v_cubema_f32, ternary_f32<cubema>},
    {Op::v_mullit_f32, ternary_f32<mullit>},
};

}  // namespace

void add_valu_f32(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
