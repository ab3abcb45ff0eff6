// SPDX-License-Identifier: MIT
//
// Integers of 64 bits.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

int64_t as_signed(uint64_t x) {
  return static_cast<int64_t>(x);
}
uint64_t bits_of(int64_t x) {
  return static_cast<uint64_t>(x);
}
uint64_t minus(uint64_t x) {
  return 0 - x;
}
uint64_t from_words(const std::vector<uint32_t>& words, size_t first) {
  return words[first] | uint64_t{words[first + 1]} << 32;
}

uint64_t order(uint64_t a, uint64_t b) {
  const int64_t x = as_signed(a), y = as_signed(b);
  const bool facts[] = {a<b, a <= b, a> b, a >= b, a == b, a != b, x<y, x <= y, x> y, x >= y};
  uint64_t result = 0;
  for (size_t i = 0; i < std::size(facts); ++i) result |= uint64_t{facts[i]} << i;
  return result;
}

uint64_t sign_of(uint64_t x) {
  return as_signed(x) < 0 ? ~uint64_t{0} : x != 0;
}
uint64_t magnitude_of(uint64_t x) {
  return as_signed(x) < 0 ? minus(x) : x;
}
uint64_t low_signed(uint64_t x) {
  return bits_of(static_cast<int32_t>(static_cast<uint32_t>(x)));
}
uint64_t low_unsigned(uint64_t x) {
  return x & 0xffffffff;
}

struct Push {
  uint64_t base, mask, first, second;
  uint32_t rounds;
};

/// Rows 20 to 23.
std::array<uint64_t, 4> uniform_part(const Push& push) {
  uint64_t state = push.mask, sum = push.base;
  for (uint32_t r = 0; r < push.rounds; ++r) {
    state = (state << 13) ^ (state >> 7) ^ (state + push.first);
    sum = as_signed(state) < as_signed(sum) ? sum - (state >> 3) : sum + push.second;
    if (state > push.second) state = ~state;
    if (state <= push.first || as_signed(sum) >= 12345678901) state += uint64_t{0x1234567} << (r & 31);
    if ((state & 0xff00000000) == 0) state ^= push.mask;
  }
  const uint64_t ordered =
      order(state, sum) + order(push.mask, push.first) + bits_of(as_signed(sum) >> 5) + (push.second << 45);
  const uint64_t chosen = bits_of(std::min(as_signed(sum), as_signed(push.base))) ^ std::max(state, push.mask) ^
                          low_unsigned(state) ^ low_signed(sum);
  return {state, sum, ordered, chosen};
}

uint64_t mixed(uint64_t x, uint64_t y) {
  const std::array<uint64_t, 3> v = {x + 1, y + 2, x + y + 3};
  std::array<uint64_t, 3> m{};
  for (size_t c = 0; c < 3; ++c) m[c] = v[c] < v[(c + 1) % 3] ? v[(c + 2) % 3] : v[c];
  return m[0] ^ m[1] << 1 ^ m[2] << 2;
}

void int64_arithmetic(const Manifest& manifest, BufferContents& b) {
  const auto& words = manifest.dispatches[0].push;
  const Push push = {from_words(words, 0), from_words(words, 2), from_words(words, 4), from_words(words, 6), words[8]};
  const auto uniform = uniform_part(push);
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint64_t x = in[i];
    uint64_t y = in[i + 64];
    if (i < 8) y = x;
    if (i >= 8 && i < 16) y = x + 1;
    if (i >= 16 && i < 24) y = x ^ uint64_t { 1 } << 63;
    const int64_t sx = as_signed(x), sy = as_signed(y);
    const uint64_t rows[] = {
        x + y,
        x - y,
        (x & y) | (~x & 0x123456789abcdef0),
        x ^ ~y,
        x << i,
        x >> i,
        bits_of(sx >> i),
        (x << 40) + (y >> 33) + bits_of(sx >> 52) + (x << 7) + bits_of(sy >> 9) + (y >> 32) + (x << 32),
        order(x, y),
        order(x, 0x100000000) | order(x, 5) << 10 | order(7, y) << 20,
        x < y ? x : y ^ 3,
        minus(x) + magnitude_of(y) + sign_of(x),
        std::min(x, y) ^ std::max(x, uint64_t{77}),
        bits_of(std::min(sx, sy)) ^ bits_of(std::max<int64_t>(sx, -3)) ^ bits_of(std::clamp<int64_t>(sy, -1000, 1000)),
        low_unsigned(x) + low_signed(y) + (x >> 32) + (sx < sy ? 1 : 0),
        std::rotl(x, 32) + low_signed(y),
        mixed(x, y),
        uint64_t{x != 0} + uint64_t{y != 0} + (i & 1),
        x + push.mask + push.base,
        uint64_t{as_signed(push.base) < sx} | order(x, push.mask) << 1,
        uniform[0],
        uniform[1],
        uniform[2],
        uniform[3],
        static_cast<uint64_t>(std::popcount(x)),
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 64 + i] = rows[row];
  }
}

uint64_t sized(uint64_t bits, uint32_t kind) {
  const uint32_t by = kind & 63;
  switch (kind & 0x1c0) {
    case 0x40:
      return ~uint64_t{0} >> by;
    case 0x80:
      return uint64_t{1} << by;
    case 0xc0:
      return (uint64_t{1} << by) + 1;
    default:
      return bits >> by;
  }
}

uint64_t float_bits(float x) {
  return std::bit_cast<uint32_t>(x);
}

void int64_divide(const Manifest& manifest, BufferContents& b) {
  const auto& words = manifest.dispatches[0].push;
  const uint64_t divisor = from_words(words, 0), dividend = from_words(words, 4);
  const int64_t signed_divisor = as_signed(from_words(words, 2));
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 512; ++i) {
    const uint64_t x = sized(in[2 * i], static_cast<uint32_t>(in[2 * i + 1]));
    uint64_t y = sized(in[2 * i + 1], static_cast<uint32_t>(in[2 * i] >> 20));
    if (y == 0) y = ~uint64_t{0};
    const int64_t sx = as_signed(x);
    int64_t sy = as_signed(y);
    if (sx == INT64_MIN && sy == -1) sy = 3;
    const float f =
        static_cast<float>(static_cast<uint32_t>(x)) * static_cast<float>(static_cast<uint32_t>(y >> 33)) * 0.5f;
    const uint64_t rows[] = {
        x * y,
        x / y,
        x % y,
        bits_of(sx / sy),
        x * 10 + y * 0x100000001 + x * low_unsigned(y),
        x / 10 + y % 1000000007,
        x / 0xfffffffffffffffe + x / 6148914691236517206 + x % 0x8000000000000001,
        bits_of(sx / 7) + bits_of(sx / -1000000007) + bits_of(sy / 16),
        x / divisor + x % divisor + bits_of(sx / signed_divisor),
        dividend / divisor + dividend % divisor + bits_of(as_signed(dividend) / signed_divisor) + dividend * divisor,
        float_bits(static_cast<float>(x)),
        float_bits(static_cast<float>(sx)),
        static_cast<uint64_t>(f) + bits_of(static_cast<int64_t>(-f * 0.25f)),
        float_bits(static_cast<float>(dividend) + static_cast<float>(signed_divisor)),
        low_unsigned(x) * low_signed(y),
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 512 + i] = rows[row];
  }
}

using Triple = std::array<uint64_t, 3>;

Triple turned(Triple v, uint32_t by) {
  if ((by & 1) != 0) v = {v[1] + 1, v[2] + 2, v[0] + 3};
  if ((by & 2) != 0) v[2] = v[0] - v[1];
  return v;
}

/// Records of 16 numbers: tag, one, two at 2, three at 4, four at 8, list at 12.
uint64_t mixed_of_private(std::span<const uint64_t> record, uint32_t i, uint64_t key) {
  std::array<uint64_t, 8> own{};
  for (uint32_t k = 0; k < 8; ++k) own[k] = record[8 + (k & 3)] + k * record[1];
  own[i & 7] ^= key;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < 8; ++k) sum = sum * 31 + own[(i + k * 3) & 7];
  return sum;
}

void int64_memory(const Manifest& manifest, BufferContents& b) {
  const vkrun::Dispatch& dispatch = manifest.dispatches[0];
  const uint64_t key = from_words(dispatch.spec.at(3), 0), start = from_words(dispatch.spec.at(4), 0);
  const uint64_t first = from_words(dispatch.push, 0);
  const auto value = [&](uint32_t k) { return from_words(dispatch.push, 2 + 2 * k); };
  const uint32_t at = dispatch.push[10];
  const auto in = u64(b, 0), table = u64(b, 1), out = u64(b, 2), vectors = u64(b, 3);
  std::array<uint64_t, 64> words{};
  std::array<Triple, 64> triples{};
  for (uint32_t i = 0; i < 64; ++i) {
    const auto record = in.subspan(i % 8 * 16, 16);
    words[i] = record[1] + i * key;
    triples[63 - i] = {record[2] + record[6], record[3] + record[5], i + record[4]};
  }
  for (uint32_t i = 0; i < 64; ++i) {
    const auto record = in.subspan(i % 8 * 16, 16);
    const Triple triple = triples[(i + 9) % 64];
    const Triple v = turned({record[4], record[5], record[6]}, i);
    const uint64_t rows[] = {
        record[1] + record[2] + record[3] * 3 + static_cast<uint32_t>(record[0]),
        record[4] ^ record[5] << 3 ^ record[6] << 5,
        record[8] + (record[9] >> 1) + (record[10] >> 2) + (record[11] >> 3),
        in[i % 5 * 16 + 12 + i % 3] + in[7 * 16 + 12 + at % 3],
        table[i % 16 * 2] + table[at * 2 + 1] + table[6],
        first + value(i & 3) + value(at & 3) + value(2),
        key * 3 + start + start * key,
        words[(i * 7 + 3) % 64] + words[5],
        triple[0] + triple[1] * 5 + triple[2],
        mixed_of_private(record, i, key),
        words[at & 63] + 1,
        (words[at & 63] + 17) ^ uint64_t{1} << 60,
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 64 + i] = rows[row];
    const uint64_t four[] = {v[2], v[0], record[2], record[3]};
    for (size_t c = 0; c < 4; ++c) vectors[(63 - i) * 4 + c] = four[c] + record[8 + c];
    for (size_t c = 0; c < 3; ++c) vectors[256 + i * 4 + c] = v[c];
    vectors[512 + i * 2] = i + record[2];
    vectors[512 + i * 2 + 1] = at + record[3];
  }
}

void least(int64_t& memory, uint64_t x) {
  memory = std::min(memory, as_signed(x));
}
void most(int64_t& memory, uint64_t x) {
  memory = std::max(memory, as_signed(x));
}

/// What both the buffer and a workgroup count, in their order there.
void count(std::span<uint64_t> counters, uint32_t i, uint64_t x) {
  counters[0] += x;
  counters[1] = std::min(counters[1], x);
  counters[2] = std::max(counters[2], x);
  counters[3] &= x | 0xff00000000ff;
  counters[4] |= uint64_t{1} << (i & 63);
  counters[5] ^= x;
  counters[6] += x;
}

/// The word of one invocation in workgroup memory, rows 6 to 8. Returns what it ends as.
uint64_t own_of_group(std::span<uint64_t> out, uint32_t i, uint64_t x) {
  out[6 * 128 + i] = x + (x + x);
  out[7 * 128 + i] = 7 ^ x;
  const uint64_t word = x | 0xf00000000;
  out[8 * 128 + i] = word + ~word;
  return std::min(~word, uint64_t{1000});
}

void int64_atomics(const Manifest&, BufferContents& b) {
  const auto in = u64(b, 0), counters = u64(b, 1), own = u64(b, 2), out = u64(b, 3);
  std::array<int64_t, 4> signed_counters{};
  for (uint32_t group = 0; group < 2; ++group) {
    std::array<uint64_t, 8> of_group = {0, ~uint64_t{0}, 0, ~uint64_t{0}};
    std::array<int64_t, 2> group_signed{};
    std::array<uint64_t, 64> group_own{};
    for (uint32_t local = 0; local < 64; ++local) {
      const uint32_t i = group * 64 + local;
      const uint64_t x = in[i];
      count(counters, i, x);
      count(of_group, i, x);
      least(signed_counters[0], x);
      most(signed_counters[1], x);
      signed_counters[2] = as_signed(bits_of(signed_counters[2]) - (x >> 3));
      least(group_signed[0], x);
      most(group_signed[1], x);
      out[1 * 128 + i] = own[i];
      out[2 * 128 + i] = own[i] + x;
      out[3 * 128 + i] = x * 3;
      out[4 * 128 + i] = ~x;
      const uint64_t last = std::max(~x, uint64_t{1} << 63);
      out[5 * 128 + i] = ~x + last;
      own[i] = std::min(last, x ^ 0xffffffff);
      group_own[local] = own_of_group(out, i, x);
    }
    for (uint32_t local = 0; local < 64; ++local) {
      out[9 * 128 + group * 64 + local] = local < 7   ? of_group[local]
                                          : local < 9 ? bits_of(group_signed[local - 7])
                                                      : group_own[local ^ 1];
    }
  }
  counters[7] = 0x100000001;
  for (size_t k = 0; k < 4; ++k) counters[8 + k] = bits_of(signed_counters[k]);
}

/// Of a number of at least 2^-14, or 0; to even. f16 has 11 bits.
double nearest_half(double x) {
  if (x == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(x) - 10);
  return std::nearbyint(x / unit) * unit;
}

uint64_t half_bits(double x) {
  const double rounded = nearest_half(x), size = std::fabs(rounded);
  const uint64_t sign = x < 0 ? 0x8000 : 0;
  if (size == 0) return 0;
  if (size > 65504) return sign | 0x7c00;
  const int exponent = std::ilogb(size);
  const auto digits = static_cast<uint64_t>(std::ldexp(size, 10 - exponent));
  return sign | static_cast<uint64_t>(exponent + 15) << 10 | (digits & 0x3ff);
}

void int64_narrow(const Manifest& manifest, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  const uint64_t same = from_words(manifest.dispatches[0].push, 0);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint64_t x = in[i], small = x >> (44 + i % 20);
    const auto low = static_cast<uint16_t>(x);
    const uint64_t signed_low = bits_of(static_cast<int16_t>(low));
    const double half = nearest_half(static_cast<double>(x & 0xffff) * 0.5);
    const uint64_t rows[] = {
        low + (signed_low << 20),
        signed_low * x,
        half_bits(static_cast<double>(small)),
        half_bits(static_cast<double>(as_signed(small) - 70000)),
        static_cast<uint64_t>(half) ^ minus(static_cast<uint64_t>(half)) << 3,
        x << i ^ x >> i ^ bits_of(static_cast<int32_t>(static_cast<uint32_t>(x)) >> (i & 31)),
        uint64_t{low < static_cast<uint16_t>(same)} + (same >> 16 & 0xffff) +
            bits_of(static_cast<int16_t>(static_cast<uint16_t>(same))),
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 64 + i] = rows[row];
  }
}

/// Bits 127:64 of a product, digit by digit in base 2^32.
uint64_t product_high(uint64_t a, uint64_t b) {
  const uint64_t a_low = low_unsigned(a), a_high = a >> 32, b_low = low_unsigned(b), b_high = b >> 32;
  const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  return a_high * b_high + (middle >> 32) + ((low_unsigned(middle) + a_low * b_high) >> 32);
}

void spv_int64(const Manifest&, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 8; ++i) {
    const uint64_t x = in[i], y = in[i + 8];
    out[i] = x == 0x100000002 ? 20 : x == 5 ? 10 : x == ~uint64_t{1} ? 30 : 40;
    out[8 + i] = x + y + (x + y < x ? 10 : 0);
    out[16 + i] = (x - y) ^ (x < y ? 1 : 0);
    out[24 + i] = x * y;
    out[32 + i] = product_high(x, y);
    out[40 + i] = product_high(x, y) - (as_signed(x) < 0 ? y : 0) - (as_signed(y) < 0 ? x : 0);
    out[48 + i] = minus(x);
    out[56 + i] = (minus(x) + (minus(x) - 1) * 8) ^ minus(x);
  }
}

uint64_t counted(uint64_t a, uint64_t b, uint64_t x) {
  uint64_t sum = 0;
  for (uint64_t k = a; k <= a + 5 && k < b; ++k) sum += k ^ x;
  const int64_t sa = as_signed(a), sb = as_signed(b);
  for (int64_t k = sb; k >= sb - 3 && k > sa; --k) sum = sum * 3 + bits_of(k);
  for (uint64_t k = x; k > 0x10000; k >>= 9) sum ^= k;
  return sum;
}

/// Each condition has a row for where it holds, which gets a number, and one for where it does not.
void int64_branches(const Manifest& manifest, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    const uint64_t a = from_words(dispatch.push, 0), c = from_words(dispatch.push, 2);
    const int64_t sa = as_signed(a), sc = as_signed(c);
    const bool facts[] = {a<c, a <= c, a> c, a >= c, sa<sc, sa <= sc, sa> sc,
                          sa >= -4294967296, a == c, a != 0x100000000};
    for (uint32_t i = 0; i < 64; ++i) {
      const uint64_t x = in[i];
      const auto decide = [&](size_t pair, bool fact, uint64_t number) {
        out[(2 * pair + (fact ? 0 : 1)) * 64 + i] = fact ? number : x;
      };
      for (size_t k = 0; k < std::size(facts); ++k) decide(k, facts[k], k + 1);
      if (x < a) {
        decide(10, sa >= sc, 11);
      } else if (sc > as_signed(x)) {
        decide(11, a <= c, 12);
      }
      out[24 * 64 + i] = counted(a, c, x);
    }
  }
}

constexpr Reference kReferences[] = {
    {"int64_branches", int64_branches}, {"int64_narrow", int64_narrow}, {"int64_arithmetic", int64_arithmetic},
    {"int64_atomics", int64_atomics},   {"int64_divide", int64_divide}, {"int64_memory", int64_memory},
    {"spv_int64", spv_int64},
};

}  // namespace

std::span<const Reference> wide_integer_references() {
  return kReferences;
}

}  // namespace spalt::run
