// SPDX-License-Identifier: MIT
// The minimum and maximum of IEEE 754-2019 that let a NaN through (RDNA 4 ISA guide, V_MINIMUM_F32 and its relatives).
// The packed ones are in valu_packed.cpp; those that prefer numbers are the older v_min and v_max.
#include "emu/vector/double_operands.h"
#include "emu/vector/float_order.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// The first operation takes sources 0 and 1, the second its result and source 2.
template <class Order, bool FirstMax, bool SecondMax, unsigned Sources>
uint64_t combine(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t first = Order::template propagating<FirstMax>(a, b);
  return Sources == 2 ? first : Order::template propagating<SecondMax>(first, c);
}

template <bool FirstMax, bool SecondMax, unsigned Sources>
void order_f32(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = Sources == 3 ? wave.fetch32(step, 2, tc) : b;
  const bool keep = wave.mode.keep_input_denorm32();
  const auto input = [keep](uint32_t bits) { return keep ? bits : flush32(bits); };
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] =
        static_cast<uint32_t>(combine<Order32, FirstMax, SecondMax, Sources>(input(a[i]), input(b[i]), input(c[i])));
  }
  const RoundScope round(wave.mode.round32());
  finish_f32(wave, step, out, FlushResult::no);
  wave.write32(step, out.lane);
}

template <bool FirstMax, bool SecondMax, unsigned Sources>
void order_f16(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = Sources == 3 ? wave.fetch32(step, 2, tc) : b;
  const F16Context context(wave, step);
  const auto input = [&context](uint32_t bits) { return context.keep_in ? bits : flush16(bits); };
  for (unsigned i = 0; i < wave.size(); ++i) {
    const auto bits =
        static_cast<uint32_t>(combine<Order16, FirstMax, SecondMax, Sources>(input(a[i]), input(b[i]), input(c[i])));
    out.lane[i] = context.finish(bits, FlushResult::no);
  }
  wave.write16(step, out.lane);
}

template <bool Max>
void order_f64(Wave& wave, const Step& step) {
  LaneBuffer64 a, b, out;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  const F64Context context(wave, step);
  const auto input = [&context](uint64_t bits) { return context.keep_in ? bits : flush64(bits); };
  const RoundScope round(wave.mode.round16_64());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const uint64_t bits = Order64::propagating<Max>(input(a.lane[i]), input(b.lane[i]));
    out.lane[i] = context.finish(as_double(bits), FlushResult::no);
  }
  wave.write64(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_minimum_f32, order_f32<false, false, 2>},
    {Op::v_maximum_f32, order_f32<true, true, 2>},
    {Op::v_minimum3_f32, order_f32<false, false, 3>},
    {Op::v_maximum3_f32, order_f32<true, true, 3>},
    {Op::v_minimummaximum_f32, order_f32<false, true, 3>},
    {Op::v_maximumminimum_f32, order_f32<true, false, 3>},
    {Op::v_minimum_f16, order_f16<false, false, 2>},
    {Op::v_maximum_f16, order_f16<true, true, 2>},
    {Op::v_minimum3_f16, order_f16<false, false, 3>},
    {Op::v_maximum3_f16, order_f16<true, true, 3>},
    {Op::v_minimummaximum_f16, order_f16<false, true, 3>},
    {Op::v_maximumminimum_f16, order_f16<true, false, 3>},
    {Op::v_minimum_f64, order_f64<false>},
    {Op::v_maximum_f64, order_f64<true>},
};

}  // namespace

void add_valu_minimum(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
