// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace spalt::interp {

/// Lanes of a subgroup are numbered from 0 on, by invocation.
inline constexpr uint32_t kMostLanes = 128;

/// A set of lanes.
class LaneMask {
 public:
  constexpr LaneMask() = default;
  static constexpr LaneMask one(unsigned lane) {
    LaneMask mask;
    mask.set(lane);
    return mask;
  }
  /// Lanes 0 to count - 1.
  static constexpr LaneMask first_lanes(unsigned count) {
    const auto ones = [](unsigned n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
    LaneMask mask;
    mask.words_ = {ones(count), count > 64 ? ones(count - 64) : 0};
    return mask;
  }

  constexpr void set(unsigned lane) { words_[lane >> 6] |= uint64_t{1} << (lane & 63); }
  constexpr bool test(unsigned lane) const { return (words_[lane >> 6] >> (lane & 63) & 1) != 0; }
  constexpr bool any() const { return (words_[0] | words_[1]) != 0; }
  constexpr unsigned count() const {
    return static_cast<unsigned>(std::popcount(words_[0]) + std::popcount(words_[1]));
  }
  /// The lowest lane; there must be one.
  constexpr unsigned lowest() const {
    return static_cast<unsigned>(words_[0] != 0 ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]));
  }
  constexpr LaneMask& operator|=(const LaneMask& other) {
    words_[0] |= other.words_[0];
    words_[1] |= other.words_[1];
    return *this;
  }
  friend constexpr bool operator==(const LaneMask&, const LaneMask&) = default;
  friend constexpr auto operator<=>(const LaneMask&, const LaneMask&) = default;

  /// Calls f(lane) for each lane, lowest first.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (unsigned word = 0; word < 2; ++word) {
      for (uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
        f(64 * word + static_cast<unsigned>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::array<uint64_t, 2> words_{};
};

}  // namespace spalt::interp
