// SPDX-License-Identifier: MIT
// DPP: source 0 comes from another lane: of the same 16-lane row (RDNA 2 ISA guide, "DPP" microcode formats), on GFX9
// also of the wave (Vega ISA guide, table "DPP_CTRL").
#include "emu/wave/handlers.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

constexpr int kInvalidLane = -1;

// DPP16 controls.
enum DppControl : unsigned {
  kQuadPerm = 0x000,  // ..0x0ff
  kRowShl = 0x100,    // +1..15
  kRowShr = 0x110,    // +1..15
  kRowRor = 0x120,    // +1..15
  kWaveShl1 = 0x130,
  kWaveRol1 = 0x134,
  kWaveShr1 = 0x138,
  kWaveRor1 = 0x13c,
  kRowMirror = 0x140,
  kRowHalfMirror = 0x141,
  kRowBcast15 = 0x142,
  kRowBcast31 = 0x143,
  kRowShare = 0x150,  // +0..15
  kRowXmask = 0x160   // +0..15
};

/// Controls without an amount.
int fixed_pattern_source(unsigned control, unsigned lane, unsigned wave_size) {
  const unsigned row = lane & ~15u;
  switch (control) {
    case kWaveShl1:
      return lane + 1 < wave_size ? static_cast<int>(lane + 1) : kInvalidLane;
    case kWaveRol1:
      return static_cast<int>((lane + 1) & (wave_size - 1));
    case kWaveShr1:
      return lane > 0 ? static_cast<int>(lane - 1) : kInvalidLane;
    case kWaveRor1:
      return static_cast<int>((lane - 1) & (wave_size - 1));
    case kRowMirror:
      return static_cast<int>(row | (15u - (lane & 15u)));
    case kRowHalfMirror:
      return static_cast<int>((lane & ~7u) | (7u - (lane & 7u)));
    case kRowBcast15:
      return row > 0 ? static_cast<int>(row - 1) : kInvalidLane;
    case kRowBcast31:
      return lane >= 32 ? 31 : kInvalidLane;
    default:
      return kInvalidLane;
  }
}

/// The lane that `lane` reads, or kInvalidLane.
int dpp16_source(unsigned control, unsigned lane, unsigned wave_size) {
  const unsigned row = lane & ~15u, in_row = lane & 15u, amount = control & 15u;
  if (control <= 0xff) return static_cast<int>((lane & ~3u) | (control >> (2 * (lane & 3u)) & 3u));
  switch (control & ~15u) {
    case kRowShl:
      return in_row + amount < 16 ? static_cast<int>(lane + amount) : kInvalidLane;
    case kRowShr:
      return in_row >= amount ? static_cast<int>(lane - amount) : kInvalidLane;
    case kRowRor:
      return static_cast<int>(row | ((in_row - amount) & 15u));
    case kRowShare:
      return static_cast<int>(row | amount);
    case kRowXmask:
      return static_cast<int>(row | (in_row ^ amount));
    default:
      return fixed_pattern_source(control, lane, wave_size);
  }
}

int dpp8_source(uint32_t selects, unsigned lane) {
  return static_cast<int>((lane & ~7u) | (selects >> (3 * (lane & 7u)) & 7u));
}

}  // namespace

void execute_dpp(Wave& wave, const Step& step) {
  const isa::Modifiers& mods = step.inst.mods;
  const bool wide = step.inst.format == isa::Format::dpp8 || step.inst.format == isa::Format::vop3_dpp8;
  const uint32_t* source = wave.vgpr(step.src[0].index);
  uint64_t writable = 0;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    const int from = wide ? dpp8_source(mods.dpp8, lane) : dpp16_source(mods.dpp_ctrl, lane, wave.size());
    const bool active = from != kInvalidLane && ((wave.exec() >> from & 1) != 0 || mods.fetch_inactive);
    bool writes = true;
    if (active) {
      wave.dpp_source.lane[lane] = source[from];
    } else {
      wave.dpp_source.lane[lane] = 0;
      writes = wide || mods.bound_ctrl;
    }
    if (!wide) {
      writes = writes && (mods.row_mask >> (lane >> 4) & 1) != 0 && (mods.bank_mask >> (lane >> 2 & 3) & 1) != 0;
    }
    if (writes) writable |= uint64_t{1} << lane;
  }
  wave.in_dpp = true;
  wave.dpp_lanes = wave.exec() & writable;
  wave.restrict_lanes(wave.dpp_lanes);
  step.inner(wave, step);
  wave.in_dpp = false;
  wave.refresh_exec();
}

}  // namespace spalt::emu
