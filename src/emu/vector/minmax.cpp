// SPDX-License-Identifier: MIT
// Minimum, maximum and median of floats. Denormals of sources are flushed as the mode says; the result, one of them, is
// not flushed again (RDNA 3 ISA guide, V_MIN_F32).
#include "emu/vector/double_operands.h"
#include "emu/vector/float_order.h"
#include "emu/vector/half_operands.h"

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
  for (unsigned i = 0; i < wave.size(); ++i)
    out.lane[i] = static_cast<U>(F(input(a[i]), input(b[i]), input(c[i]), ieee));
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
    const auto result =
        static_cast<U>(F(context.input_bits(a[i]), context.input_bits(b[i]), context.input_bits(c[i]), ieee));
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

template <class O>
struct Operations {
  static uint64_t min2(uint64_t a, uint64_t b, uint64_t, bool ieee) { return O::minimum(a, b, ieee); }
  static uint64_t max2(uint64_t a, uint64_t b, uint64_t, bool ieee) { return O::maximum(a, b, ieee); }
  static uint64_t min3(uint64_t a, uint64_t b, uint64_t c, bool ieee) {
    return O::minimum(min2(a, b, 0, ieee), c, ieee);
  }
  static uint64_t max3(uint64_t a, uint64_t b, uint64_t c, bool ieee) {
    return O::maximum(max2(a, b, 0, ieee), c, ieee);
  }
  static uint64_t maxmin(uint64_t a, uint64_t b, uint64_t c, bool ieee) {
    return O::minimum(max2(a, b, 0, ieee), c, ieee);
  }
  static uint64_t minmax(uint64_t a, uint64_t b, uint64_t c, bool ieee) {
    return O::maximum(min2(a, b, 0, ieee), c, ieee);
  }
  static uint64_t med3(uint64_t a, uint64_t b, uint64_t c, bool ieee) { return O::median(a, b, c, ieee); }
};
using F32 = Operations<Order32>;
using F16 = Operations<Order16>;

constexpr HandlerRow kRows[] = {
    {Op::v_min_f32, select_f32<F32::min2, 2>},      {Op::v_max_f32, select_f32<F32::max2, 2>},
    {Op::v_min3_f32, select_f32<F32::min3, 3>},     {Op::v_max3_f32, select_f32<F32::max3, 3>},
    {Op::v_maxmin_f32, select_f32<F32::maxmin, 3>}, {Op::v_minmax_f32, select_f32<F32::minmax, 3>},
    {Op::v_med3_f32, select_f32<F32::med3, 3>},     {Op::v_min_f16, select_f16<F16::min2, 2>},
    {Op::v_max_f16, select_f16<F16::max2, 2>},      {Op::v_min3_f16, select_f16<F16::min3, 3>},
    {Op::v_max3_f16, select_f16<F16::max3, 3>},     {Op::v_maxmin_f16, select_f16<F16::maxmin, 3>},
    {Op::v_minmax_f16, select_f16<F16::minmax, 3>}, {Op::v_med3_f16, select_f16<F16::med3, 3>},
    {Op::v_min_f64, select_f64<Order64::minimum>},  {Op::v_max_f64, select_f64<Order64::maximum>},
};

}  // namespace

void add_valu_minmax(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
