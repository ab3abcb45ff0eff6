// SPDX-License-Identifier: MIT
//
// What the references of programs with doubles share.
#pragma once
#include <bit>
#include <cmath>
#include <vector>

#include "reference.h"

namespace spalt::run {

/// The bits of a result; of NaN one pattern, since Vulkan leaves them open.
inline uint64_t bits(double x) {
  return std::isnan(x) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(x);
}
inline double number(uint64_t x) {
  return std::bit_cast<double>(x);
}
/// A number of two words of push constants.
inline double from_words(const std::vector<uint32_t>& words, size_t first) {
  return number(words[first] | uint64_t{words[first + 1]} << 32);
}

}  // namespace spalt::run
