// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

namespace spalt::emu {

/// Vector registers are stored as 64 lanes each, whatever the wave size, so that loops over lanes have one shape.
constexpr unsigned kMaxLanes = 64;

/// One dword per lane.
struct alignas(64) LaneBuffer {
  uint32_t lane[kMaxLanes];
};
/// One 64-bit value per lane.
struct alignas(64) LaneBuffer64 {
  uint64_t lane[kMaxLanes];
};

inline float as_float(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline uint32_t as_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline double as_double(uint64_t bits) {
  return std::bit_cast<double>(bits);
}
inline uint64_t as_bits(double value) {
  return std::bit_cast<uint64_t>(value);
}

}  // namespace spalt::emu
