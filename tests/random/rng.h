// SPDX-License-Identifier: MIT
//
// The random numbers of the generator: SplitMix64, so that a seed means the same program on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace spalt::random_programs {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint32_t word() { return static_cast<uint32_t>(next() >> 32); }

  /// 0 <= result < count.
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(uint64_t{word()} * count >> 32); }
  /// Both ends included.
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  bool chance(uint32_t percent) { return below(100) < percent; }

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

 private:
  uint64_t state_;
};

}  // namespace spalt::random_programs
