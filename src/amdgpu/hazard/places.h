// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "amdgpu/isa/register.h"

namespace spalt::hazard {

/// A set of small numbers: scalar registers by isa::Reg::number, VGPRs by index, hardware registers by id.
template <unsigned kSize>
class PlaceSet {
  static_assert(kSize % 64 == 0);

 public:
  void add(unsigned first, unsigned count = 1) {
    for (unsigned i = first; i < first + count && i < kSize; ++i) words_[i / 64] |= uint64_t{1} << (i % 64);
  }
  void remove(const PlaceSet& other) {
    for (unsigned w = 0; w < kWords; ++w) words_[w] &= ~other.words_[w];
  }
  bool contains(unsigned place) const { return (words_[place / 64] >> (place % 64) & 1) != 0; }
  bool any() const {
    uint64_t all = 0;
    for (uint64_t word : words_) all |= word;
    return all != 0;
  }
  unsigned count() const {
    unsigned sum = 0;
    for (uint64_t word : words_) sum += static_cast<unsigned>(std::popcount(word));
    return sum;
  }
  bool overlaps(const PlaceSet& other) const {
    uint64_t common = 0;
    for (unsigned w = 0; w < kWords; ++w) common |= words_[w] & other.words_[w];
    return common != 0;
  }
  PlaceSet& operator|=(const PlaceSet& other) {
    for (unsigned w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
    return *this;
  }
  PlaceSet& operator&=(const PlaceSet& other) {
    for (unsigned w = 0; w < kWords; ++w) words_[w] &= other.words_[w];
    return *this;
  }
  bool operator==(const PlaceSet&) const = default;

 private:
  static constexpr unsigned kWords = kSize / 64;
  std::array<uint64_t, kWords> words_{};
};

/// SGPRs, vcc, trap registers, m0 and exec under their numbers; null is never a member.
using Scalars = PlaceSet<isa::Reg::kScalarEnd>;
using Vgprs = PlaceSet<isa::Reg::kVgprEnd - isa::Reg::kVgprBegin>;

}  // namespace spalt::hazard
