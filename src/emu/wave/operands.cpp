// SPDX-License-Identifier: MIT
// How vector instructions read and write lanes: operand modifiers, op_sel, SDWA selects and the exec mask. DPP is in
// dpp.cpp.
#include "emu/wave/operands.h"

#include "base/bits.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

// SDWA selects (RDNA 2 ISA guide, "SDWA" microcode format): 0-3 bytes, 4-5 words, 6 dword.
constexpr uint8_t kSelDword = 6;

uint32_t select_part(uint32_t value, uint8_t sel, bool sign) {
  if (sel >= kSelDword) return value;
  const unsigned bits = sel < 4 ? 8 : 16;
  const unsigned shift = sel < 4 ? sel * 8u : (sel - 4) * 16u;
  const auto part = static_cast<uint32_t>(bits_of(value, shift, bits));
  return sign ? static_cast<uint32_t>(sign_extend(part, bits)) : part;
}

void apply_modifiers(const Source& source, uint32_t* lanes, unsigned count) {
  if (source.sdwa_sel != kSelDword || source.sign_extend) {
    for (unsigned i = 0; i < count; ++i) lanes[i] = select_part(lanes[i], source.sdwa_sel, source.sign_extend);
  }
  if (source.high_half) {
    for (unsigned i = 0; i < count; ++i) lanes[i] >>= 16;
  }
  const uint32_t sign = source.bits == 16 ? 0x8000u : 0x80000000u;
  if (source.abs) {
    for (unsigned i = 0; i < count; ++i) lanes[i] &= ~sign;
  }
  if (source.neg) {
    for (unsigned i = 0; i < count; ++i) lanes[i] ^= sign;
  }
  if (source.bits == 16) {
    for (unsigned i = 0; i < count; ++i) lanes[i] &= 0xffffu;
  }
}

/// SDWA destination: where the result goes and what happens to the other bits of the register.
uint32_t merge_sdwa(uint32_t value, uint32_t old, uint8_t sel, uint8_t unused) {
  if (sel >= kSelDword) return value;
  const unsigned bits = sel < 4 ? 8 : 16;
  const unsigned shift = sel < 4 ? sel * 8u : (sel - 4) * 16u;
  const auto part = static_cast<uint32_t>(bits_of(value, 0, bits));
  switch (unused) {
    case 0:
      return part << shift;  // pad with zeros
    case 1: {                // sign extend upwards
      return static_cast<uint32_t>(sign_extend(part, bits)) << shift;
    }
    default:
      return static_cast<uint32_t>(with_bits(old, shift, bits, part));  // preserve
  }
}

}  // namespace

void Wave::scalar_lanes(const Source& source, LaneBuffer& buffer) const {
  const unsigned n = size_;
  const uint32_t value = scalar32(source);
  for (unsigned i = 0; i < n; ++i) buffer.lane[i] = value;
}

const uint32_t* Wave::fetch32(const Step& step, unsigned index, LaneBuffer& buffer) const {
  const Source& source = step.src[index];
  if (in_dpp && index == 0) {
    buffer = dpp_source;
  } else if (source.kind == SourceKind::vgpr) {
    const uint32_t* lanes = vgpr(source.index);
    if (source.plain) return lanes;
    std::copy(lanes, lanes + kMaxLanes, buffer.lane);
  } else {
    scalar_lanes(source, buffer);
  }
  if (!source.plain) apply_modifiers(source, buffer.lane, size_);
  return buffer.lane;
}

void Wave::fetch64(const Step& step, unsigned index, LaneBuffer64& out) const {
  const unsigned n = size_;
  const Source& source = step.src[index];
  if (source.kind == SourceKind::vgpr) {
    const uint32_t* low = vgpr(source.index);
    const uint32_t* high = low + kMaxLanes;
    for (unsigned i = 0; i < n; ++i) out.lane[i] = low[i] | static_cast<uint64_t>(high[i]) << 32;
  } else {
    const uint64_t value = scalar64(source);
    for (unsigned i = 0; i < n; ++i) out.lane[i] = value;
  }
  if (source.abs) {
    for (unsigned i = 0; i < n; ++i) out.lane[i] &= ~(uint64_t{1} << 63);
  }
  if (source.neg) {
    for (unsigned i = 0; i < n; ++i) out.lane[i] ^= uint64_t{1} << 63;
  }
}

void Wave::write32(const Step& step, const uint32_t* values) {
  const unsigned n = size_;
  uint32_t* dst = vgpr(step.dst);
  const uint32_t* mask = lane_mask_.lane;
  if (step.sdwa) {
    const isa::Modifiers& mods = step.inst.mods;
    for (unsigned i = 0; i < n; ++i) {
      const uint32_t merged = merge_sdwa(values[i], dst[i], mods.dst_sel, mods.dst_unused);
      dst[i] = (merged & mask[i]) | (dst[i] & ~mask[i]);
    }
    return;
  }
  for (unsigned i = 0; i < n; ++i) dst[i] = (values[i] & mask[i]) | (dst[i] & ~mask[i]);
}

void Wave::write16(const Step& step, const uint32_t* values) {
  if (step.sdwa) {
    write32(step, values);
    return;
  }
  if (step.clears_high_half) {
    LaneBuffer cleared;
    for (unsigned i = 0; i < size_; ++i) cleared.lane[i] = values[i] & 0xffffu;
    write32(step, cleared.lane);
    return;
  }
  uint32_t* dst = vgpr(step.dst);
  const unsigned shift = step.dst_high_half ? 16 : 0;
  const uint32_t half = 0xffffu << shift;
  const unsigned n = size_;
  for (unsigned i = 0; i < n; ++i) {
    const uint32_t mask = lane_mask_.lane[i] & half;
    dst[i] = (values[i] << shift & mask) | (dst[i] & ~mask);
  }
}

void Wave::write64(const Step& step, const uint64_t* values) {
  const unsigned n = size_;
  uint32_t* low = vgpr(step.dst);
  uint32_t* high = low + kMaxLanes;
  const uint32_t* mask = lane_mask_.lane;
  for (unsigned i = 0; i < n; ++i) {
    low[i] = (static_cast<uint32_t>(values[i]) & mask[i]) | (low[i] & ~mask[i]);
    high[i] = (static_cast<uint32_t>(values[i] >> 32) & mask[i]) | (high[i] & ~mask[i]);
  }
}

}  // namespace spalt::emu
