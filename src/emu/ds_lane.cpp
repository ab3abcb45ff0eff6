// SPDX-License-Identifier: MIT
// ds_swizzle, ds_permute, ds_bpermute: lane crossing through the LDS hardware, without touching LDS memory.
#include "base/bits.h"
#include "emu/salu.h"

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

/// The 32-lane half of a wave64 stays apart: both permutes work inside groups of 32 lanes on GFX10.
unsigned same_half(unsigned lane, unsigned index) {
  return (lane & 32u) | (index & 31u);
}

void bpermute(Wave& wave, const Step& step) {
  const uint32_t* address = wave.vgpr(step.src[0].index);
  const uint32_t* data = wave.vgpr(step.src[1].index);
  LaneBuffer out;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const unsigned from = (address[lane] + static_cast<uint32_t>(step.imm)) >> 2;
    out.lane[lane] = active_value(wave, data, same_half(lane, from));
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
    out.lane[same_half(lane, to)] = data[lane];
  }
  deliver(wave, step, out);
}

/// Offset bit 15: quad permutation by four 2-bit selects. Otherwise, in groups of 32: and, or and xor masks of 5 bits.
unsigned swizzle_source(uint32_t control, unsigned lane) {
  if ((control & 0x8000u) != 0) return (lane & ~3u) | (control >> (2 * (lane & 3u)) & 3u);
  const auto and_mask = static_cast<unsigned>(bits_of(control, 0, 5));
  const auto or_mask = static_cast<unsigned>(bits_of(control, 5, 5));
  const auto xor_mask = static_cast<unsigned>(bits_of(control, 10, 5));
  return (lane & ~31u) | ((((lane & 31u) & and_mask) | or_mask) ^ xor_mask);
}

// Offsets from here on select rotate and FFT patterns.
constexpr uint32_t kFirstSpecialPattern = 0xc000;

void swizzle(Wave& wave, const Step& step) {
  const auto control = static_cast<uint32_t>(step.imm) & 0xffffu;
  if (control >= kFirstSpecialPattern) {
    wave.fault("this swizzle pattern is not executed");
    return;
  }
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
