// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt {

/// SplitMix64: a seed means the same on every machine, and is easy to reproduce in any language.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint32_t word() { return static_cast<uint32_t>(next() >> 32); }
  /// 0 <= result < 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// 0 <= result < count.
  unsigned below(unsigned count) { return static_cast<unsigned>((next() >> 32) * count >> 32); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

}  // namespace spalt
