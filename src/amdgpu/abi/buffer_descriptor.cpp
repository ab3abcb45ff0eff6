// SPDX-License-Identifier: MIT
#include "amdgpu/abi/buffer_descriptor.h"

namespace spalt::abi {

std::array<uint32_t, 4> raw_buffer_descriptor(uint64_t address, uint32_t bytes, const isa::Target& target) {
  if (bytes == 0) return {};
  const uint64_t base = address & ((uint64_t{1} << kBufferAddressBits) - 1);
  return {static_cast<uint32_t>(base), static_cast<uint32_t>(base >> 32), bytes, target.buffer_resource_word3};
}

}  // namespace spalt::abi
