// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "amdgpu/isa/target.h"

namespace spalt::emu {

class Wave;

/// A buffer resource descriptor, GFX10 layout (PAL pipeline ABI, section 6.1).
struct BufferDescriptor {
  uint64_t base = 0;  ///< 48 bits
  uint32_t stride = 0;
  bool swizzle = false;
  uint32_t num_records = 0;
  uint32_t index_stride = 8;  ///< lanes that interleave: 8, 16, 32 or 64
  bool add_tid = false;
  uint8_t oob_select = 0;
};

/// oob_select values.
enum OobSelect : uint8_t { kOobIndexAndOffset = 0, kOobIndex = 1, kOobEmpty = 2, kOobRaw = 3 };

BufferDescriptor decode_descriptor(const std::array<uint32_t, 4>& words, const isa::Target& target);
std::array<uint32_t, 4> encode_descriptor(const BufferDescriptor& descriptor, const isa::Target& target);
/// Of four consecutive scalar registers.
BufferDescriptor read_descriptor(const Wave& wave, unsigned reg);

std::string hex_address(uint64_t address);

}  // namespace spalt::emu
