// SPDX-License-Identifier: MIT
//
// Sorting, scanning, counting, searching, hashing, random numbers.
#include <algorithm>
#include <numeric>
#include <vector>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void prefix_sum(const Manifest&, BufferContents& b) {
  std::inclusive_scan(u32(b, 0).begin(), u32(b, 0).end(), u32(b, 0).begin());
}

void prefix_sum_lookback(const Manifest&, BufferContents& b) {
  std::inclusive_scan(u32(b, 0).begin(), u32(b, 0).end(), u32(b, 1).begin());
  const auto state = u32(b, 2);
  state[0] = 16;
  for (size_t block = 0; block < 16; ++block) state[block + 1] = 0x80000000u | u32(b, 1)[block * 128 + 127];
}

void sort_first_buffer(const Manifest&, BufferContents& b) {
  std::sort(u32(b, 0).begin(), u32(b, 0).end());
}

void sort_pairs(const Manifest&, BufferContents& b) {
  const auto keys = u32(b, 0);
  const auto values = u32(b, 1);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0; i < keys.size(); ++i) pairs.emplace_back(keys[i], values[i]);
  std::sort(pairs.begin(), pairs.end());
  for (size_t i = 0; i < pairs.size(); ++i) std::tie(keys[i], values[i]) = pairs[i];
}

void histogram(const Manifest&, BufferContents& b) {
  for (const uint8_t byte : b[0]) ++u32(b, 1)[byte];
}

void reduction(const Manifest&, BufferContents& b) {
  const auto values = i32(b, 0);
  const auto result = i32(b, 1);
  uint32_t sum = 0;
  uint32_t parity = 0;
  for (const int32_t value : values) {
    sum += static_cast<uint32_t>(value);
    parity ^= static_cast<uint32_t>(value);
  }
  result[0] = static_cast<int32_t>(sum);
  result[1] = *std::min_element(values.begin(), values.end());
  result[2] = *std::max_element(values.begin(), values.end());
  result[3] = static_cast<int32_t>(parity);
}

void transpose(const Manifest&, BufferContents& b) {
  for (size_t y = 0; y < 45; ++y) {
    for (size_t x = 0; x < 70; ++x) u32(b, 1)[x * 45 + y] = u32(b, 0)[y * 70 + x];
  }
}

void collatz(const Manifest&, BufferContents& b) {
  for (size_t i = 0; i < u32(b, 0).size(); ++i) {
    uint32_t steps = 0;
    for (uint64_t n = i + 1; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    u32(b, 0)[i] = steps;
  }
}

void crc32(const Manifest&, BufferContents& b) {
  for (size_t string = 0; string < u32(b, 1).size(); ++string) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < u32(b, 1)[string]; ++i) {
      crc ^= b[0][string * 4 + i];
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
    }
    u32(b, 2)[string] = ~crc;
  }
}

struct Xoshiro {
  uint32_t s[4];

  static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

  uint32_t next() {
    const uint32_t result = rotate(s[1] * 5, 7) * 9;
    const uint32_t t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11);
    return result;
  }

  void jump() {
    uint32_t sum[4] = {};
    for (const uint32_t word : {0x8764000bu, 0xf542d2d3u, 0x6fa035c3u, 0x77f2db5bu}) {
      for (int bit = 0; bit < 32; ++bit) {
        for (int i = 0; i < 4; ++i) sum[i] ^= (word >> bit & 1) != 0 ? s[i] : 0;
        next();
      }
    }
    std::copy(sum, sum + 4, s);
  }

  /// Lemire's method.
  uint32_t below(uint32_t bound) {
    for (;;) {
      const uint64_t product = uint64_t{next()} * bound;
      if (static_cast<uint32_t>(product) >= (0u - bound) % bound) return static_cast<uint32_t>(product >> 32);
    }
  }
};

void xoshiro(const Manifest&, BufferContents& b) {
  for (size_t i = 0; i < 128; ++i) {
    Xoshiro generator;
    std::copy_n(&u32(b, 0)[i * 4], 4, generator.s);
    if (i % 2 == 1) generator.jump();
    for (int throw_number = 0; throw_number < 60; ++throw_number) ++u32(b, 1)[i * 6 + generator.below(6)];
    std::copy_n(generator.s, 4, &u32(b, 0)[i * 4]);
  }
}

void string_search(const Manifest&, BufferContents& b) {
  const auto pattern = u32(b, 1);
  for (size_t i = 0; i < 64; ++i) {
    const auto text = u32(b, 0).subspan(i * 128, 128);
    uint32_t count = 0;
    uint32_t first = ~0u;
    for (size_t at = 0; at + pattern.size() <= text.size(); ++at) {
      if (!std::equal(pattern.begin(), pattern.end(), text.begin() + static_cast<ptrdiff_t>(at))) continue;
      if (count++ == 0) first = static_cast<uint32_t>(at);
    }
    u32(b, 2)[2 * i] = count;
    u32(b, 2)[2 * i + 1] = first;
  }
}

void bytecode_interpreter(const Manifest&, BufferContents& b) {
  // What the interpreted program means, and the number of instructions that its loops take.
  for (uint32_t i = 0; i < 128; ++i) {
    uint32_t divisor_steps = 0;
    for (uint32_t x = i * 6, y = 84; y != 0; ++divisor_steps) {
      const uint32_t rest = x % y;
      x = y;
      y = rest;
    }
    const uint32_t divisor = std::gcd(i * 6, 84u);
    uint32_t sum = 0;
    for (uint32_t k = 0; k < divisor; ++k) sum += k * k;
    u32(b, 1)[2 * i] = (i - (sum ^ sum >> 3)) & 0xffff;
    u32(b, 1)[2 * i + 1] = 6 + divisor_steps * 9 + 2 + 4 + divisor * 15 + 4 + 12;
  }
}

void floyd_warshall(const Manifest&, BufferContents& b) {
  const auto m = u32(b, 0);
  for (size_t i = 0; i < m.size(); ++i) m[i] = i % 33 == 0 ? 0 : m[i] % 8 == 0 ? m[i] / 8 : 0x3fffffffu;
  for (size_t via = 0; via < 32; ++via) {
    for (size_t y = 0; y < 32; ++y) {
      for (size_t x = 0; x < 32; ++x) m[y * 32 + x] = std::min(m[y * 32 + x], m[y * 32 + via] + m[via * 32 + x]);
    }
  }
}

void smith_waterman(const Manifest&, BufferContents& b) {
  for (size_t pair = 0; pair < 4; ++pair) {
    const uint32_t* first = &u32(b, 0)[pair * 128];
    const uint32_t* second = first + 64;
    std::vector<std::vector<int>> score(65, std::vector<int>(65, 0));
    int best = 0;
    for (size_t i = 1; i <= 64; ++i) {
      for (size_t j = 1; j <= 64; ++j) {
        const int diagonal = score[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 3 : -2);
        score[i][j] = std::max({0, diagonal, score[i - 1][j] - 2, score[i][j - 1] - 2});
        best = std::max(best, score[i][j]);
      }
    }
    u32(b, 1)[pair] = static_cast<uint32_t>(best);
  }
}

void kmeans(const Manifest&, BufferContents& b) {
  const auto points = i32(b, 0);
  const auto centres = i32(b, 1);
  const auto sums = i32(b, 2);
  for (int round = 0; round < 3; ++round) {
    std::fill(sums.begin(), sums.end(), 0);
    for (size_t p = 0; p < points.size() / 2; ++p) {
      size_t best = 0;
      int best_distance = INT32_MAX;
      for (size_t k = 0; k < 8; ++k) {
        const int dx = points[2 * p] - centres[2 * k];
        const int dy = points[2 * p + 1] - centres[2 * k + 1];
        if (dx * dx + dy * dy >= best_distance) continue;
        best_distance = dx * dx + dy * dy;
        best = k;
      }
      u32(b, 3)[p] = static_cast<uint32_t>(best);
      sums[2 * best] += points[2 * p];
      sums[2 * best + 1] += points[2 * p + 1];
      ++sums[16 + best];
    }
    if (round == 2) break;
    for (size_t k = 0; k < 8; ++k) {
      if (sums[16 + k] == 0) continue;
      centres[2 * k] = sums[2 * k] / sums[16 + k];
      centres[2 * k + 1] = sums[2 * k + 1] / sums[16 + k];
    }
  }
}

constexpr Reference kReferences[] = {
    {"prefix_sum", prefix_sum},
    {"prefix_sum_lookback", prefix_sum_lookback},
    {"sort_first_buffer", sort_first_buffer},
    {"sort_pairs", sort_pairs},
    {"histogram", histogram},
    {"reduction", reduction},
    {"transpose", transpose},
    {"collatz", collatz},
    {"crc32", crc32},
    {"xoshiro", xoshiro},
    {"string_search", string_search},
    {"bytecode_interpreter", bytecode_interpreter},
    {"floyd_warshall", floyd_warshall},
    {"smith_waterman", smith_waterman},
    {"kmeans", kmeans},
};

}  // namespace

std::span<const Reference> algorithm_references() {
  return kReferences;
}

}  // namespace spalt::run
