// SPDX-License-Identifier: MIT
// Minimum, maximum and median of floats. Denormals of sources are flushed as the mode says; the result, one of them, is
// not flushed again (RDNA 3 ISA guide, V_MIN_F32).
#include "emu/float_select.h"
#include "emu/valu16.h"
#include "emu/valu64.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;
using W = uint64_t;

template <auto F, unsigned Sources>
void select_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = Sources > 2 ? wave.fetch32(step, 2, tc) : a;
  const bool keep = wave.mode.keep_input_denorm32(), ieee = wave.mode.ieee();
  const auto input = [keep](U bits) { return keep ? bits : flush32(bits); };
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = F(input(a[i]), input(b[i]), input(c[i]), ieee);
  const RoundScope round(wave.mode.round32());  // of output modifiers
  finish_f32(wave, step, out, FlushResult::no);
  wave.write32(step, out.lane);
}

template <auto F, unsigned Sources>
void select_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = Sources > 2 ? wave.fetch32(step, 2, tc) : a;
  const F16Context context(wave, step);
  const bool ieee = wave.mode.ieee();
  for (unsigned i = 0; i < wave.size(); ++i) {
    const U result = F(context.input_bits(a[i]), context.input_bits(b[i]), context.input_bits(c[i]), ieee);
    out.lane[i] = context.finish(result, FlushResult::no);
  }
  wave.write16(step, out.lane);
}

template <auto F>
void select_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  const F64Context context(wave, step);
  const bool ieee = wave.mode.ieee();
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const W result = F(context.input_bits(a.lane[i]), context.input_bits(b.lane[i]), ieee);
    out.lane[i] = context.finish(as_double(result), FlushResult::no);
  }
  wave.write64(step, out.lane);
}

template <class S>
struct Operations {
  static U min2(U a, U b, U, bool ieee) { return S::minimum(a, b, ieee); }
  static U max2(U a, U b, U, bool ieee) { return S::maximum(a, b, ieee); }
  static U min3(U a, U b, U c, bool ieee) { return S::minimum(S::minimum(a, b, ieee), c, ieee); }
  static U max3(U a, U b, U c, bool ieee) { return S::maximum(S::maximum(a, b, ieee), c, ieee); }
  static U maxmin(U a, U b, U c, bool ieee) { return S::minimum(S::maximum(a, b, ieee), c, ieee); }
  static U minmax(U a, U b, U c, bool ieee) { return S::maximum(S::minimum(a, b, ieee), c, ieee); }
  static U med3(U a, U b, U c, bool ieee) { return S::median(a, b, c, ieee); }
};
using F32 = Operations<SelectF32>;
using F16 = Operations<SelectF16>;

constexpr HandlerRow kRows[] = {
    {Op::v_min_f32, select_f32<F32::min2, 2>},       {Op::v_max_f32, select_f32<F32::max2, 2>},
    {Op::v_min3_f32, select_f32<F32::min3, 3>},      {Op::v_max3_f32, select_f32<F32::max3, 3>},
    {Op::v_maxmin_f32, select_f32<F32::maxmin, 3>},  {Op::v_minmax_f32, select_f32<F32::minmax, 3>},
    {Op::v_med3_f32, select_f32<F32::med3, 3>},      {Op::v_min_f16, select_f16<F16::min2, 2>},
    {Op::v_max_f16, select_f16<F16::max2, 2>},       {Op::v_min3_f16, select_f16<F16::min3, 3>},
    {Op::v_max3_f16, select_f16<F16::max3, 3>},      {Op::v_maxmin_f16, select_f16<F16::maxmin, 3>},
    {Op::v_minmax_f16, select_f16<F16::minmax, 3>},  {Op::v_med3_f16, select_f16<F16::med3, 3>},
    {Op::v_min_f64, select_f64<SelectF64::minimum>}, {Op::v_max_f64, select_f64<SelectF64::maximum>},
};

}  // namespace

void add_valu_minmax(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
