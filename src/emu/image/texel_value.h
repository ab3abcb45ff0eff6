// SPDX-License-Identifier: MIT
//
// Components of texels and registers.
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/abi/descriptor_fields.h"
#include "texel/codec.h"

namespace spalt::emu {

/// What a dst_sel makes of the channels in memory. One is the integer for integer formats.
inline uint32_t select_channel(const texel::Texel& channels, uint8_t select, texel::Number number) {
  if (select >= abi::kSelectX) return channels[select - abi::kSelectX];
  return select == abi::kSelect1 ? texel::one_of(number) : 0;
}

/// Writes the results of one lane into registers of 64 lanes each, as dwords or as halves: numbers are rounded to the
/// nearest half, floats truncated, integers saturated (docs/isa-errata.md, "Typed buffers"). With an odd count, the
/// other half of the last register keeps its content.
void write_components(uint32_t* dst, unsigned lane, const std::array<uint32_t, 4>& values, unsigned count, bool halves,
                      texel::Number number);

}  // namespace spalt::emu
