// SPDX-License-Identifier: MIT
#include "emu/descriptor.h"

#include <bit>
#include <cstdio>

#include "base/bits.h"
#include "emu/wave.h"

namespace spalt::emu {
namespace {

constexpr uint32_t kDstSelXyzw = 4u | 5u << 3 | 6u << 6 | 7u << 9;
constexpr uint32_t kFormat32Uint = 20, kFormatShift = 12;
constexpr uint32_t kResourceLevel = 1u << 24;

}  // namespace

BufferDescriptor decode_descriptor(const std::array<uint32_t, 4>& words) {
  BufferDescriptor d;
  d.base = words[0] | bits_of(words[1], 0, 16) << 32;
  d.stride = static_cast<uint32_t>(bits_of(words[1], 16, 14));
  d.swizzle = bits_of(words[1], 31, 1) != 0;
  d.num_records = words[2];
  d.index_stride = 8u << bits_of(words[3], 21, 2);
  d.add_tid = bits_of(words[3], 23, 1) != 0;
  d.oob_select = static_cast<uint8_t>(bits_of(words[3], 28, 2));
  return d;
}

std::array<uint32_t, 4> encode_descriptor(const BufferDescriptor& d) {
  const auto index_code = static_cast<uint32_t>(std::countr_zero(d.index_stride) - 3);
  return {static_cast<uint32_t>(d.base),
          static_cast<uint32_t>(bits_of(d.base, 32, 16)) | d.stride << 16 | (d.swizzle ? 1u << 31 : 0u), d.num_records,
          kDstSelXyzw | kFormat32Uint << kFormatShift | index_code << 21 | (d.add_tid ? 1u << 23 : 0u) |
              kResourceLevel | static_cast<uint32_t>(d.oob_select) << 28};
}

BufferDescriptor read_descriptor(const Wave& wave, unsigned reg) {
  return decode_descriptor(
      {wave.read_s32(reg), wave.read_s32(reg + 1), wave.read_s32(reg + 2), wave.read_s32(reg + 3)});
}

std::string hex_address(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace spalt::emu
