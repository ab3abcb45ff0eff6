// SPDX-License-Identifier: MIT
// Interpolation of attributes: VINTRP reads them itself (RDNA 2 ISA guide, section 11.3), VINTERP takes what
// lds_param_load left in the lanes of a quad (RDNA 3 ISA guide, "VINTERP").
#include "emu/vector/half_operands.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr unsigned kQuadLanes = 4;
constexpr unsigned kTowardZero = 3;

/// What each lane's primitive has of the attribute that the instruction names.
struct LanePoints {
  LaneBuffer p0, p10, p20;
};

bool read_points(Wave& wave, const Step& step, LanePoints& points) {
  if (wave.graphics == nullptr) {
    wave.fault(FaultKind::graphics, "reads an attribute in a wave that has none");
    return false;
  }
  const isa::Modifiers& mods = step.inst.mods;
  if (std::string violation = wave.graphics->check_attribute(wave, mods.interp_attribute); !violation.empty()) {
    wave.fault(FaultKind::graphics, std::move(violation));
    return false;
  }
  for (unsigned quad = 0; quad < wave.size() / kQuadLanes; ++quad) {
    const ParameterPoints p = wave.graphics->parameter(quad, mods.interp_attribute, mods.interp_channel);
    std::fill_n(points.p0.lane + size_t{quad} * kQuadLanes, kQuadLanes, p.p0);
    std::fill_n(points.p10.lane + size_t{quad} * kQuadLanes, kQuadLanes, p.p10);
    std::fill_n(points.p20.lane + size_t{quad} * kQuadLanes, kQuadLanes, p.p20);
  }
  return true;
}

/// a * b + c, with the results of an f32 instruction.
void multiply_add(Wave& wave, const Step& step, const uint32_t* a, const uint32_t* b, const uint32_t* c) {
  LaneBuffer out;
  const bool keep = wave.mode.keep_input_denorm32();
  const RoundScope round(wave.mode.round32());
  for (unsigned i = 0; i < wave.size(); ++i) {
    const float x = input_f32(a[i], keep), y = input_f32(b[i], keep), z = input_f32(c[i], keep);
    out.lane[i] = result_bits(std::fma(x, y, z), x, y, z);
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

/// The float of the half that the instruction selects.
void take_half(const Step& step, LaneBuffer& lanes) {
  const unsigned shift = step.inst.mods.interp_high ? 16 : 0;
  for (uint32_t& lane : lanes.lane) lane = as_bits(half_to_float(lane >> shift & 0xffff));
}

void interp_p1(Wave& wave, const Step& step) {
  LaneBuffer buffer;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  multiply_add(wave, step, points.p10.lane, wave.fetch32(step, 0, buffer), points.p0.lane);
}

void interp_p2(Wave& wave, const Step& step) {
  LaneBuffer buffer;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  multiply_add(wave, step, points.p20.lane, wave.fetch32(step, 0, buffer), wave.vgpr(step.dst));
}

void interp_mov(Wave& wave, const Step& step) {
  constexpr uint64_t kP10 = 0, kP20 = 1, kP0 = 2;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  const uint64_t which = step.src[0].value;
  if (which > kP0) {
    wave.fault(FaultKind::invalid_instruction, "names no vertex of the primitive");
    return;
  }
  wave.write32(step, which == kP10 ? points.p10.lane : which == kP20 ? points.p20.lane : points.p0.lane);
}

void interp_p1ll(Wave& wave, const Step& step) {
  LaneBuffer buffer;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  take_half(step, points.p10);
  take_half(step, points.p0);
  multiply_add(wave, step, points.p10.lane, wave.fetch32(step, 0, buffer), points.p0.lane);
}

/// P0 comes in a register.
void interp_p1lv(Wave& wave, const Step& step) {
  LaneBuffer buffer, p0;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  take_half(step, points.p10);
  const uint32_t* given = wave.vgpr(step.src[1].index);
  std::copy(given, given + kMaxLanes, p0.lane);
  take_half(step, p0);
  multiply_add(wave, step, points.p10.lane, wave.fetch32(step, 0, buffer), p0.lane);
}

/// a * b + c in floats, then rounded to a half.
void multiply_add_half(Wave& wave, const Step& step, const uint32_t* a, const uint32_t* b, const uint32_t* c,
                       unsigned rounding) {
  LaneBuffer out;
  for (unsigned i = 0; i < wave.size(); ++i) {
    float value = std::fma(as_float(a[i]), as_float(b[i]), as_float(c[i]));
    if (step.clamp) value = value > 0 ? std::min(value, 1.0f) : 0.0f;
    out.lane[i] = float_to_half(value, rounding);
  }
  wave.write16(step, out.lane);
}

void interp_p2_half(Wave& wave, const Step& step) {
  LaneBuffer ta, tb;
  LanePoints points;
  if (!read_points(wave, step, points)) return;
  take_half(step, points.p20);
  multiply_add_half(wave, step, points.p20.lane, wave.fetch32(step, 0, ta), wave.fetch32(step, 1, tb),
                    wave.mode.round16_64());
}

// ---- VINTERP ----

/// Lane `which` of its quad, for each lane.
void of_quad(const uint32_t* lanes, unsigned which, LaneBuffer& out) {
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) out.lane[lane] = lanes[lane / kQuadLanes * kQuadLanes + which];
}

void widen_halves(LaneBuffer& lanes) {
  for (uint32_t& lane : lanes.lane) lane = as_bits(half_to_float(lane & 0xffff));
}

/// P0 + I * P10: src0 is from lane 1 of the quad, src2 from lane 0.
template <bool Half, bool TowardZero>
void interp_p10(Wave& wave, const Step& step) {
  LaneBuffer ta{}, tb{}, tc{}, p10, p0;
  of_quad(wave.fetch32(step, 0, ta), 1, p10);
  of_quad(wave.fetch32(step, 2, tc), 0, p0);
  if constexpr (Half) {
    widen_halves(p10);
    widen_halves(p0);
  }
  const uint32_t* i = wave.fetch32(step, 1, tb);
  if constexpr (TowardZero) {
    const uint32_t bits = wave.mode.bits;
    wave.mode.bits |= kTowardZero;
    multiply_add(wave, step, p10.lane, i, p0.lane);
    wave.mode.bits = bits;
  } else {
    multiply_add(wave, step, p10.lane, i, p0.lane);
  }
}

/// What p10 gave + J * P20: src0 is from lane 2 of the quad.
void interp_p20(Wave& wave, const Step& step) {
  LaneBuffer ta{}, tb{}, tc{}, p20;
  of_quad(wave.fetch32(step, 0, ta), 2, p20);
  multiply_add(wave, step, p20.lane, wave.fetch32(step, 1, tb), wave.fetch32(step, 2, tc));
}

template <bool TowardZero>
void interp_p20_half(Wave& wave, const Step& step) {
  LaneBuffer ta{}, tb{}, tc{}, p20;
  of_quad(wave.fetch32(step, 0, ta), 2, p20);
  widen_halves(p20);
  multiply_add_half(wave, step, p20.lane, wave.fetch32(step, 1, tb), wave.fetch32(step, 2, tc),
                    TowardZero ? kTowardZero : wave.mode.round16_64());
}

constexpr HandlerRow kRows[] = {
    {Op::v_interp_p1_f32, interp_p1},
    {Op::v_interp_p2_f32, interp_p2},
    {Op::v_interp_mov_f32, interp_mov},
    {Op::v_interp_p1ll_f16, interp_p1ll},
    {Op::v_interp_p1lv_f16, interp_p1lv},
    {Op::v_interp_p2_f16, interp_p2_half},
    {Op::v_interp_p2_legacy_f16, interp_p2_half},
    {Op::v_interp_p10_f32, interp_p10<false, false>},
    {Op::v_interp_p2_f32_reg, interp_p20},
    {Op::v_interp_p10_f16_f32, interp_p10<true, false>},
    {Op::v_interp_p2_f16_f32, interp_p20_half<false>},
    {Op::v_interp_p10_rtz_f16_f32, interp_p10<true, true>},
    {Op::v_interp_p2_rtz_f16_f32, interp_p20_half<true>},
};

}  // namespace

void add_interpolation(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
