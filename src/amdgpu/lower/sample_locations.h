// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: where the samples of a pixel lie (Vulkan, "Standard sample locations").
#pragma once
#include <cstdint>
#include <span>

namespace spalt::lower {

/// In sixteenths of a pixel from its upper left corner.
struct SampleLocation {
  uint8_t x, y;
  constexpr float offset(unsigned axis) const { return (static_cast<float>(axis == 0 ? x : y) - 8) / 16; }
};

inline constexpr SampleLocation kSamples1[] = {{8, 8}};
inline constexpr SampleLocation kSamples2[] = {{12, 12}, {4, 4}};
inline constexpr SampleLocation kSamples4[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
inline constexpr SampleLocation kSamples8[] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
inline constexpr SampleLocation kSamples16[] = {{9, 9},  {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
                                                {6, 14}, {8, 1}, {4, 2},  {2, 12}, {0, 8}, {15, 4},  {14, 15}, {1, 0}};

constexpr std::span<const SampleLocation> standard_sample_locations(uint32_t samples) {
  switch (samples) {
    case 2:
      return kSamples2;
    case 4:
      return kSamples4;
    case 8:
      return kSamples8;
    case 16:
      return kSamples16;
    default:
      return kSamples1;
  }
}

}  // namespace spalt::lower
