// SPDX-License-Identifier: MIT
#include "emu/memory/descriptor.h"

#include <bit>
#include <cstdio>

#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

using isa::BufferLayout;

constexpr uint32_t kDstSelXyzw = 4u | 5u << 3 | 6u << 6 | 7u << 9;
constexpr uint32_t kFormat32Uint = 20, kFormatShift = 12;
constexpr uint32_t kDataFormat32 = 4, kDataFormatShift = 15, kNumberFormatUint = 4;
constexpr uint32_t kResourceLevel = 1u << 24;

/// Word 3 of GFX9 holds NUM_FORMAT below DATA_FORMAT; isa::buffer_format wants them the other way round.
uint8_t split_format(uint32_t word3) {
  return static_cast<uint8_t>(bits_of(word3, 15, 4) | bits_of(word3, 12, 3) << 4);
}

/// Multiplies the stride (RDNA 4 ISA guide, table "Buffer Resource Descriptor").
uint32_t stride_factor(uint32_t word3) {
  constexpr uint32_t kFactors[] = {1, 4, 8, 32};
  return kFactors[bits_of(word3, 18, 2)];
}

}  // namespace

BufferDescriptor decode_descriptor(const std::array<uint32_t, 4>& words, const isa::Target& target) {
  const BufferLayout layout = target.buffer_layout;
  BufferDescriptor d;
  d.base = words[0] | bits_of(words[1], 0, 16) << 32;
  d.stride = d.lane_stride = static_cast<uint32_t>(bits_of(words[1], 16, 14));
  d.num_records = words[2];
  d.index_stride = 8u << bits_of(words[3], 21, 2);
  d.add_tid = bits_of(words[3], 23, 1) != 0;
  for (unsigned i = 0; i < 4; ++i) d.dst_sel[i] = static_cast<uint8_t>(bits_of(words[3], 3 * i, 3));
  d.swizzle = bits_of(words[1], 31, 1) != 0;
  d.oob_select = static_cast<uint8_t>(bits_of(words[3], 28, 2));
  switch (layout) {
    case BufferLayout::split_format:
      d.format = split_format(words[3]);
      d.lane_stride |= static_cast<uint32_t>(bits_of(words[3], 15, 4) << 14);
      d.oob_select = kOobByUse;
      break;
    case BufferLayout::unified_format:
      d.format = static_cast<uint8_t>(bits_of(words[3], kFormatShift, 7));
      break;
    case BufferLayout::scaled_stride:
      d.stride = d.lane_stride *= stride_factor(words[3]);
      [[fallthrough]];
    case BufferLayout::two_swizzles:
      d.format = static_cast<uint8_t>(bits_of(words[3], kFormatShift, 6));
      d.swizzle = bits_of(words[1], 30, 2) != 0;
      d.element_bytes = bits_of(words[1], 30, 2) == 3 ? 16 : 4;
      break;
  }
  return d;
}

std::array<uint32_t, 4> encode_descriptor(const BufferDescriptor& d, const isa::Target& target) {
  const BufferLayout layout = target.buffer_layout;
  const auto index_code = static_cast<uint32_t>(std::countr_zero(d.index_stride) - 3);
  uint32_t word3 = kDstSelXyzw | index_code << 21 | (d.add_tid ? 1u << 23 : 0u);
  if (layout != BufferLayout::split_format) {
    word3 |= kFormat32Uint << kFormatShift | static_cast<uint32_t>(d.oob_select) << 28;
    if (layout == BufferLayout::unified_format) word3 |= kResourceLevel;
  } else if (!d.add_tid) {  // with the lane added, part of the stride is where the format would be
    word3 |= kDataFormat32 << kDataFormatShift | kNumberFormatUint << kFormatShift;
  }
  const bool one_bit = layout == BufferLayout::split_format || layout == BufferLayout::unified_format;
  const uint32_t elements = one_bit ? 2 : d.element_bytes == 16 ? 3 : 1;
  const uint32_t swizzle = d.swizzle ? elements << 30 : 0u;
  return {static_cast<uint32_t>(d.base), static_cast<uint32_t>(bits_of(d.base, 32, 16)) | d.stride << 16 | swizzle,
          d.num_records, word3};
}

BufferDescriptor read_descriptor(const Wave& wave, unsigned reg) {
  return decode_descriptor({wave.read_s32(reg), wave.read_s32(reg + 1), wave.read_s32(reg + 2), wave.read_s32(reg + 3)},
                           wave.program().target());
}

std::string hex_address(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace spalt::emu
