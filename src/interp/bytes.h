// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace spalt::interp {

/// Little endian, whatever the host is. Dwords are most of the traffic and go at once where the host agrees.
inline uint64_t read_bytes(const uint8_t* from, unsigned count) {
  if (count == 4 && std::endian::native == std::endian::little) {
    uint32_t dword;
    std::memcpy(&dword, from, 4);
    return dword;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= static_cast<uint64_t>(from[i]) << (8 * i);
  return value;
}
inline void write_bytes(uint8_t* to, unsigned count, uint64_t value) {
  if (count == 4 && std::endian::native == std::endian::little) {
    const uint32_t dword = static_cast<uint32_t>(value);
    std::memcpy(to, &dword, 4);
    return;
  }
  for (unsigned i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace spalt::interp
