// SPDX-License-Identifier: MIT
// Vector instructions that move data between lanes or index registers by M0.
#include "base/bits.h"
#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

void readfirstlane(Wave& wave, const Step& step) {
  wave.write_s32(step.dst, wave.vgpr(step.src[0].index)[wave.first_active_lane()]);
}
void readlane(Wave& wave, const Step& step) {
  const unsigned lane = wave.scalar32(step.src[1]) & (wave.size() - 1);
  wave.write_s32(step.dst, wave.vgpr(step.src[0].index)[lane]);
}
void writelane(Wave& wave, const Step& step) {
  const unsigned lane = wave.scalar32(step.src[1]) & (wave.size() - 1);
  wave.vgpr(step.dst)[lane] = wave.scalar32(step.src[0]);
}

/// Any lane of the own row of 16 (or of its neighbour): the selects are 16 nibbles in sources 1 and 2. op_sel bit 0
/// reads inactive lanes too, bit 1 gives 0 instead of keeping the old value where the source is inactive.
template <bool OtherRow>
void permlane16(Wave& wave, const Step& step) {
  const uint32_t* source = wave.vgpr(step.src[0].index);
  uint32_t* dst = wave.vgpr(step.dst);
  const uint64_t selects = wave.scalar32(step.src[1]) | static_cast<uint64_t>(wave.scalar32(step.src[2])) << 32;
  const bool fetch_inactive = (step.inst.mods.op_sel & 1) != 0, bound_control = (step.inst.mods.op_sel & 2) != 0;
  LaneBuffer out;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    const unsigned row = (lane & ~15u) ^ (OtherRow ? 16u : 0u);
    const unsigned from = row | static_cast<unsigned>(selects >> (4 * (lane & 15u)) & 15u);
    const bool readable = fetch_inactive || (wave.exec() >> from & 1) != 0;
    out.lane[lane] = readable ? source[from] : bound_control ? 0 : dst[lane];
  }
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.exec() >> lane & 1) != 0) dst[lane] = out.lane[lane];
  }
}

/// The halves of a wave64 change places, inactive source lanes included. Nothing happens in wave32.
void permlane64(Wave& wave, const Step& step) {
  if (wave.size() == 32) return;
  const uint32_t* source = wave.vgpr(step.src[0].index);
  LaneBuffer out;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) out.lane[lane] = source[lane ^ 32u];
  wave.write32(step, out.lane);
}

/// The same where source 1 has a select for each lane, in its low four bits.
template <bool OtherRow>
void permlane16_var(Wave& wave, const Step& step) {
  const uint32_t* source = wave.vgpr(step.src[0].index);
  const uint32_t* selects = wave.vgpr(step.src[1].index);
  uint32_t* dst = wave.vgpr(step.dst);
  const bool fetch_inactive = (step.inst.mods.op_sel & 1) != 0, bound_control = (step.inst.mods.op_sel & 2) != 0;
  LaneBuffer out;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    const unsigned from = ((lane & ~15u) ^ (OtherRow ? 16u : 0u)) | (selects[lane] & 15u);
    const bool readable = fetch_inactive || (wave.exec() >> from & 1) != 0;
    out.lane[lane] = readable ? source[from] : bound_control ? 0 : dst[lane];
  }
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.exec() >> lane & 1) != 0) dst[lane] = out.lane[lane];
  }
}

void swap_registers(Wave& wave, unsigned first, unsigned second) {
  uint32_t* a = wave.vgpr(first);
  uint32_t* b = wave.vgpr(second);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.exec() >> lane & 1) != 0) std::swap(a[lane], b[lane]);
  }
}
void swap(Wave& wave, const Step& step) {
  swap_registers(wave, step.dst, step.src[0].index);
}

/// The halves may be those of one register.
void swap_halves(Wave& wave, const Step& step) {
  uint32_t* a = wave.vgpr(step.dst);
  uint32_t* b = wave.vgpr(step.src[0].index);
  const unsigned a_shift = step.dst_high_half ? 16 : 0, b_shift = step.src[0].high_half ? 16 : 0;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.exec() >> lane & 1) == 0) continue;
    const uint32_t first = a[lane] >> a_shift & 0xffff, second = b[lane] >> b_shift & 0xffff;
    a[lane] = (a[lane] & ~(0xffffu << a_shift)) | second << a_shift;
    b[lane] = (b[lane] & ~(0xffffu << b_shift)) | first << b_shift;
  }
}

/// A register number moved by M0, checked against the wave's registers.
bool indexed(Wave& wave, const Step& step, unsigned base, uint32_t offset, bool write, unsigned& index) {
  const uint64_t moved = uint64_t{base} + offset;
  if (moved >= wave.vgpr_count()) {
    wave.fault(FaultKind::register_bounds, "indexes a vector register beyond those that the metadata allocates");
    return false;
  }
  index = static_cast<unsigned>(moved);
  wave.waits.check_indexed(wave, step, index, write);
  return wave.state() == WaveState::running;
}

void copy_active(Wave& wave, const uint32_t* from, uint32_t* to) {
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.writable_lanes() >> lane & 1) != 0) to[lane] = from[lane];
  }
}

// Where M0 enters: the source, the destination, or both by one or two fields.
template <bool MovesSource, bool MovesDestination, bool TwoFields>
void movrel(Wave& wave, const Step& step) {
  const auto source_offset = TwoFields ? static_cast<uint32_t>(bits_of(wave.m0(), 0, 10)) : wave.m0();
  const auto dst_offset = TwoFields ? static_cast<uint32_t>(bits_of(wave.m0(), 16, 10)) : wave.m0();
  unsigned from = step.src[0].index, to = step.dst;
  if (MovesSource && !indexed(wave, step, from, source_offset, false, from)) return;
  if (MovesDestination && !indexed(wave, step, to, dst_offset, true, to)) return;
  LaneBuffer buffer;
  const uint32_t* lanes = MovesSource ? wave.vgpr(from) : wave.fetch32(step, 0, buffer);
  copy_active(wave, lanes, wave.vgpr(to));
}

void swaprel(Wave& wave, const Step& step) {
  unsigned first = step.dst, second = step.src[0].index;
  if (!indexed(wave, step, first, static_cast<uint32_t>(bits_of(wave.m0(), 16, 10)), true, first)) return;
  if (!indexed(wave, step, second, static_cast<uint32_t>(bits_of(wave.m0(), 0, 10)), true, second)) return;
  swap_registers(wave, first, second);
}

constexpr HandlerRow kRows[] = {
    {Op::v_readfirstlane_b32, readfirstlane},
    {Op::v_readlane_b32, readlane},
    {Op::v_writelane_b32, writelane},
    {Op::v_permlane16_b32, permlane16<false>},
    {Op::v_permlanex16_b32, permlane16<true>},
    {Op::v_permlane16_var_b32, permlane16_var<false>},
    {Op::v_permlanex16_var_b32, permlane16_var<true>},
    {Op::v_permlane64_b32, permlane64},
    {Op::v_swap_b32, swap},
    {Op::v_swap_b16, swap_halves},
    {Op::v_swaprel_b32, swaprel},
    {Op::v_movrels_b32, movrel<true, false, false>},
    {Op::v_movreld_b32, movrel<false, true, false>},
    {Op::v_movrelsd_b32, movrel<true, true, false>},
    {Op::v_movrelsd_2_b32, movrel<true, true, true>},
};

}  // namespace

void add_valu_lane(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
