// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "amdgpu/isa/target.h"

namespace spalt::emu {

class Wave;

/// A buffer resource descriptor, whatever the layout of its bits (isa::BufferLayout).
struct BufferDescriptor {
  uint64_t base = 0;  ///< 48 bits
  uint32_t stride = 0;
  uint32_t lane_stride = 0;  ///< takes the place of the stride in untyped accesses when the lane is added (GFX9)
  bool swizzle = false;
  uint32_t element_bytes = 4;  ///< swizzled: what stays together
  uint32_t num_records = 0;
  uint32_t index_stride = 8;  ///< lanes that interleave: 8, 16, 32 or 64
  bool add_tid = false;
  uint8_t oob_select = 0;  ///< OobSelect
  uint8_t format = 0;      ///< for isa::buffer_format; 0: nothing is bound
  std::array<uint8_t, 4> dst_sel{kSelectX, kSelectX + 1, kSelectX + 2, kSelectX + 3};

  /// Values of dst_sel: a constant, or a channel from x on.
  static constexpr uint8_t kSelect0 = 0, kSelect1 = 1, kSelectX = 4;
};

/// How bounds are checked: the field OOB_SELECT, and the one rule of targets without it.
enum OobSelect : uint8_t { kOobIndexAndOffset = 0, kOobIndex = 1, kOobEmpty = 2, kOobRaw = 3, kOobByUse = 4 };

BufferDescriptor decode_descriptor(const std::array<uint32_t, 4>& words, const isa::Target& target);
/// The descriptor of an untyped buffer; format and dst_sel do not matter to it.
std::array<uint32_t, 4> encode_descriptor(const BufferDescriptor& descriptor, const isa::Target& target);
/// Of four consecutive scalar registers.
BufferDescriptor read_descriptor(const Wave& wave, unsigned reg);

std::string hex_address(uint64_t address);

}  // namespace spalt::emu
