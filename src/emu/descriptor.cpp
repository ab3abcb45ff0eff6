// SPDX-License-Identifier: MIT
#include "emu/descriptor.h"

#include <bit>
#include <cstdio>

#include "base/bits.h"
#include "emu/program.h"
#include "emu/wave.h"

namespace spalt::emu {
namespace {

constexpr uint32_t kDstSelXyzw = 4u | 5u << 3 | 6u << 6 | 7u << 9;
constexpr uint32_t kFormat32Uint = 20, kFormatShift = 12;
constexpr uint32_t kResourceLevel = 1u << 24;

}  // namespace

BufferDescriptor decode_descriptor(const std::array<uint32_t, 4>& words, const isa::Target& target) {
  BufferDescriptor d;
  d.base = words[0] | bits_of(words[1], 0, 16) << 32;
  d.stride = static_cast<uint32_t>(bits_of(words[1], 16, 14));
  d.swizzle = bits_of(words[1], 31, 1) != 0;
  d.num_records = words[2];
  d.index_stride = 8u << bits_of(words[3], 21, 2);
  d.add_tid = bits_of(words[3], 23, 1) != 0;
  // Without the choice, bounds are in bytes, or in elements when swizzled (Vega ISA guide, section 8.1.5).
  d.oob_select = target.buffer_oob_select ? static_cast<uint8_t>(bits_of(words[3], 28, 2)) : uint8_t{kOobRaw};
  return d;
}

std::array<uint32_t, 4> encode_descriptor(const BufferDescriptor& d, const isa::Target& target) {
  const auto index_code = static_cast<uint32_t>(std::countr_zero(d.index_stride) - 3);
  uint32_t word3 = index_code << 21 | (d.add_tid ? 1u << 23 : 0u);
  // With the lane added, the older layout keeps part of the stride where the format would be.
  if (target.buffer_oob_select) {
    word3 |= kDstSelXyzw | kFormat32Uint << kFormatShift | kResourceLevel | static_cast<uint32_t>(d.oob_select) << 28;
  }
  return {static_cast<uint32_t>(d.base),
          static_cast<uint32_t>(bits_of(d.base, 32, 16)) | d.stride << 16 | (d.swizzle ? 1u << 31 : 0u), d.num_records,
          word3};
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
