// SPDX-License-Identifier: MIT
// ds_swizzle, ds_permute, ds_bpermute: lane crossing through the LDS hardware, without touching LDS memory.
#include <bit>

#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// Writes the result now and makes it readable when lgkmcnt says so.
void deliver(Wave& wave, const Step& step, const LaneBuffer& out) {
  wave.write32(step, out.lane);
  wave.waits.issue_lane_crossing(wave, step.dst, wave.exec());
}

/// Inactive source lanes read as zero.
uint32_t active_value(const Wave& wave, const uint32_t* lanes, unsigned lane) {
  return (wave.exec() >> lane & 1) != 0 ? lanes[lane] : 0;
}

/// The lane that an index means, from the group of the lane that asks: the wave or, on some targets, half of a wave64.
unsigned lane_of(const Wave& wave, unsigned lane, unsigned index) {
  const unsigned lanes = wave.program().target().permutes_whole_wave ? wave.size() : 32;
  return (lane & ~(lanes - 1)) | (index & (lanes - 1));
}

void bpermute(Wave& wave, const Step& step) {
  const uint32_t* address = wave.vgpr(step.src[0].index);
  const uint32_t* data = wave.vgpr(step.src[1].index);
  LaneBuffer out;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const unsigned from = (address[lane] + static_cast<uint32_t>(step.imm)) >> 2;
    out.lane[lane] = active_value(wave, data, lane_of(wave, lane, from));
  }
  deliver(wave, step, out);
}

void permute(Wave& wave, const Step& step) {
  const uint32_t* address = wave.vgpr(step.src[0].index);
  const uint32_t* data = wave.vgpr(step.src[1].index);
  LaneBuffer out{};
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((wave.exec() >> lane & 1) == 0) continue;
    const unsigned to = (address[lane] + static_cast<uint32_t>(step.imm)) >> 2;
    out.lane[lane_of(wave, lane, to)] = data[lane];
  }
  deliver(wave, step, out);
}

// Offsets from here on (guide, DS_SWIZZLE_B32): rotation and bit reversal in groups of 32 lanes.
constexpr uint32_t kRotate = 0xc000, kReverse = 0xe000;

/// Bits of `mask` stay as they are; the number above them moves on by `distance`.
unsigned rotated(uint32_t control, unsigned lane) {
  const uint32_t mask = control & 31u, magnitude = control >> 5 & 31u;
  const uint32_t distance = (control & 0x400u) != 0 ? 0u - magnitude : magnitude;
  return (lane & 32u) | (lane & mask) | ((lane + distance) & ~mask & 31u);
}

/// The order that a fast Fourier transform leaves: lane bits reversed, except the low ones that the mask keeps.
unsigned reversed(uint32_t control, unsigned lane) {
  const uint32_t mask = control & 31u;
  uint32_t bits = 0;
  for (unsigned i = 0; i < 5; ++i) bits |= (lane >> i & 1u) << (4 - i);
  return (lane & 32u) | (bits >> std::popcount(mask)) | (lane & mask);
}

/// Offset bit 15: quad permutation by four 2-bit selects. Otherwise, in groups of 32: and, or and xor masks of 5 bits.
unsigned swizzle_source(uint32_t control, unsigned lane) {
  if (control >= kReverse) return reversed(control, lane);
  if (control >= kRotate) return rotated(control, lane);
  if ((control & 0x8000u) != 0) return (lane & ~3u) | (control >> (2 * (lane & 3u)) & 3u);
  const auto and_mask = static_cast<unsigned>(bits_of(control, 0, 5));
  const auto or_mask = static_cast<unsigned>(bits_of(control, 5, 5));
  const auto xor_mask = static_cast<unsigned>(bits_of(control, 10, 5));
  return (lane & ~31u) | ((((lane & 31u) & and_mask) | or_mask) ^ xor_mask);
}

void swizzle(Wave& wave, const Step& step) {
  const auto control = static_cast<uint32_t>(step.imm) & 0xffffu;
  const uint32_t* data = wave.vgpr(step.src[0].index);
  LaneBuffer out;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    out.lane[lane] = active_value(wave, data, swizzle_source(control, lane));
  }
  deliver(wave, step, out);
}

constexpr HandlerRow kRows[] = {
    {Op::ds_bpermute_b32, bpermute},
    {Op::ds_permute_b32, permute},
    {Op::ds_swizzle_b32, swizzle},
};

}  // namespace

void add_ds_lane(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
