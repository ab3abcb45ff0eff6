// SPDX-License-Identifier: MIT
// Multiply-add that rounds twice and flushes denormals whatever the mode says: v_mad, v_mac and their forms with a
// constant (Vega ISA guide, section 12.9). Gone since GFX10.3.
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

float flushed(float x) {
  return as_float(flush32(as_bits(x)));
}
constexpr auto mad32 = [](float a, float b, float c) { return flushed(flushed(flushed(a) * flushed(b)) + flushed(c)); };
/// Zero times anything is zero.
constexpr auto mad_legacy = [](float a, float b, float c) {
  return flushed(a) == 0 || flushed(b) == 0 ? flushed(c) + 0.0f : mad32(a, b, c);
};

template <auto F>
void mac32(Wave& wave, const Step& step) {
  ternary_f32_with<F>(wave, step, wave.vgpr(step.dst));
}

/// Rounds after the multiplication, too.
void mad16_with(Wave& wave, const Step& step, const uint32_t* c) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const double x = half_to_float(flush16(a[i])), y = half_to_float(flush16(b[i])), z = half_to_float(flush16(c[i]));
    const uint32_t product = flush16(context.rounded(x * y));
    const uint32_t sum = flush16(context.rounded(half_add(half_to_float(product), z, context.rounding)));
    out.lane[i] = context.output_of(half_to_float(sum), x, y, z);
  }
  wave.write16(step, out.lane);
}
void mad16(Wave& wave, const Step& step) {
  LaneBuffer tc;
  mad16_with(wave, step, wave.fetch32(step, 2, tc));
}
void mac16(Wave& wave, const Step& step) {
  LaneBuffer old;
  const uint32_t* dst = wave.vgpr(step.dst);
  for (unsigned i = 0; i < wave.size(); ++i) old.lane[i] = dst[i] & 0xffffu;
  mad16_with(wave, step, old.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_mad_f32, ternary_f32<mad32>},
    {Op::v_madmk_f32, ternary_f32<mad32>},
    {Op::v_madak_f32, ternary_f32<mad32>},
    {Op::v_mac_f32, mac32<mad32>},
    {Op::v_mad_legacy_f32, ternary_f32<mad_legacy>},
    {Op::v_mac_legacy_f32, mac32<mad_legacy>},
    {Op::v_mad_legacy_f16, mad16},
    {Op::v_mad_f16, mad16},
    {Op::v_madmk_f16, mad16},
    {Op::v_madak_f16, mad16},
    {Op::v_mac_f16, mac16},
};

}  // namespace

void add_valu_mad(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
