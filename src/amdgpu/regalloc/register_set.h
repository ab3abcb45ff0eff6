// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace spalt::regalloc {

/// A set of registers of one file, by index within the file.
class RegisterSet {
 public:
  static constexpr unsigned kSize = 256;
  static constexpr unsigned kNone = 0xffff;

  void add(unsigned first, unsigned count) {
    for_each_word(first, count, [this](unsigned word, uint64_t members) { words_[word] |= members; });
  }
  void remove(unsigned first, unsigned count) {
    for_each_word(first, count, [this](unsigned word, uint64_t members) { words_[word] &= ~members; });
  }
  bool contains(unsigned index) const { return (words_[index / 64] >> (index % 64) & 1) != 0; }
  bool contains(unsigned first, unsigned count) const {
    if (first + count > kSize) return false;
    uint64_t missing = 0;
    for_each_word(first, count, [&](unsigned word, uint64_t members) { missing |= members & ~words_[word]; });
    return missing == 0;
  }
  bool overlaps(unsigned first, unsigned count) const {
    if (first >= kSize) return false;
    uint64_t common = 0;
    for_each_word(first, count < kSize - first ? count : kSize - first,
                  [&](unsigned word, uint64_t members) { common |= members & words_[word]; });
    return common != 0;
  }
  unsigned count() const {
    unsigned sum = 0;
    for (uint64_t word : words_) sum += static_cast<unsigned>(std::popcount(word));
    return sum;
  }
  /// One past the highest member; 0 for the empty set.
  unsigned end() const {
    for (unsigned w = 4; w-- > 0;) {
      if (words_[w] != 0) return w * 64 + 64 - static_cast<unsigned>(std::countl_zero(words_[w]));
    }
    return 0;
  }
  unsigned lowest() const {
    for (unsigned w = 0; w < 4; ++w) {
      if (words_[w] != 0) return w * 64 + static_cast<unsigned>(std::countr_zero(words_[w]));
    }
    return kNone;
  }

  friend RegisterSet operator&(const RegisterSet& a, const RegisterSet& b) {
    RegisterSet result;
    for (unsigned w = 0; w < 4; ++w) result.words_[w] = a.words_[w] & b.words_[w];
    return result;
  }
  friend RegisterSet operator|(const RegisterSet& a, const RegisterSet& b) {
    RegisterSet result;
    for (unsigned w = 0; w < 4; ++w) result.words_[w] = a.words_[w] | b.words_[w];
    return result;
  }
  /// Members of a that are not in b.
  friend RegisterSet operator-(const RegisterSet& a, const RegisterSet& b) {
    RegisterSet result;
    for (unsigned w = 0; w < 4; ++w) result.words_[w] = a.words_[w] & ~b.words_[w];
    return result;
  }
  /// Bit i of the result is bit i + by of this.
  RegisterSet shifted_down(unsigned by) const {
    RegisterSet result;
    const unsigned words = by / 64, bits = by % 64;
    for (unsigned w = 0; w + words < 4; ++w) {
      result.words_[w] = words_[w + words] >> bits;
      if (bits != 0 && w + words + 1 < 4) result.words_[w] |= words_[w + words + 1] << (64 - bits);
    }
    return result;
  }
  RegisterSet shifted_up_one() const {
    RegisterSet result;
    for (unsigned w = 0; w < 4; ++w) result.words_[w] = words_[w] << 1 | (w == 0 ? 0 : words_[w - 1] >> 63);
    return result;
  }
  /// Members that are even (0) or odd (1).
  RegisterSet of_parity(unsigned parity) const {
    RegisterSet result = *this;
    for (uint64_t& word : result.words_) word &= uint64_t{0x5555555555555555u} << parity;
    return result;
  }
  /// First registers of all runs of `count` members that start at a multiple of `alignment` (1, 2 or 4).
  RegisterSet runs(unsigned count, unsigned alignment) const {
    RegisterSet result = *this;
    for (unsigned covered = 1; covered < count;) {
      const unsigned step = covered <= count - covered ? covered : count - covered;
      result = result & result.shifted_down(step);
      covered += step;
    }
    if (alignment > 1) {
      const uint64_t mask = alignment == 2 ? 0x5555555555555555u : 0x1111111111111111u;
      for (uint64_t& word : result.words_) word &= mask;
    }
    return result;
  }

 private:
  /// Calls visit(word, its members) for a run of registers. Most are single ones.
  template <class Visit>
  static void for_each_word(unsigned first, unsigned count, Visit&& visit) {
    if (count == 1) return visit(first / 64, uint64_t{1} << first % 64);
    for (const unsigned end = first + count; first < end;) {
      const unsigned bit = first % 64, here = end - first < 64 - bit ? end - first : 64 - bit;
      visit(first / 64, ~uint64_t{0} >> (64 - here) << bit);
      first += here;
    }
  }

  std::array<uint64_t, 4> words_{};
};

}  // namespace spalt::regalloc
