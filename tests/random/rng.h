// SPDX-License-Identifier: MIT
//
// The random numbers of the generator, and choices by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random.h"

namespace spalt::random_programs {

class Rng : public Random {
 public:
  using Random::Random;

  /// Both ends included.
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }

  template <typename T, size_t N>
  const T& pick(const T (&items)[N]) {
    return items[below(static_cast<uint32_t>(N))];
  }
  template <typename Container>
  auto& pick(Container& items) {
    return items[below(static_cast<uint32_t>(items.size()))];
  }
  /// An index, with probability in proportion to its weight. The sum must not be zero.
  size_t weighted(std::span<const uint32_t> weights) {
    uint32_t sum = 0;
    for (const uint32_t weight : weights) sum += weight;
    uint32_t at = below(sum);
    size_t index = 0;
    while (at >= weights[index]) at -= weights[index++];
    return index;
  }
};

}  // namespace spalt::random_programs
