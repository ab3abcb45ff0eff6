// SPDX-License-Identifier: MIT
#include "emu/raster/state.h"

namespace spalt::emu {
namespace {

/// Vulkan's table "Standard sample locations".
constexpr SamplePositions kOne = {{{8, 8}}};
constexpr SamplePositions kTwo = {{{12, 12}, {4, 4}}};
constexpr SamplePositions kFour = {{{6, 2}, {14, 6}, {2, 10}, {10, 14}}};
constexpr SamplePositions kEight = {{{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};
constexpr SamplePositions kSixteen = {{{9, 9},
                                       {7, 5},
                                       {5, 10},
                                       {12, 7},
                                       {3, 6},
                                       {10, 13},
                                       {13, 11},
                                       {11, 3},
                                       {6, 14},
                                       {8, 1},
                                       {4, 2},
                                       {2, 12},
                                       {0, 8},
                                       {15, 4},
                                       {14, 15},
                                       {1, 0}}};

}  // namespace

const SamplePositions& standard_sample_positions(unsigned samples) {
  switch (samples) {
    case 2:
      return kTwo;
    case 4:
      return kFour;
    case 8:
      return kEight;
    case 16:
      return kSixteen;
    default:
      return kOne;
  }
}

}  // namespace spalt::emu
