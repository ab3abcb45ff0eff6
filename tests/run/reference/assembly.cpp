// SPDX-License-Identifier: MIT
//
// The programs in SPIR-V assembly, whose input is buffer 0 and whose output is buffer 1.
#include <algorithm>
#include <bit>
#include <cmath>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

using Element = uint32_t (*)(uint32_t i, uint32_t x);

/// A program whose invocations each map one word.
template <Element element>
void map_words(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) u32(b, 1)[i] = element(i, u32(b, 0)[i]);
}

uint32_t phi(uint32_t, uint32_t x) {
  const uint32_t limit = x % 13;
  uint32_t a = 1;
  uint32_t b = 2;
  uint32_t c = x;
  uint32_t d = 7;
  uint32_t n = 0;
  for (; n < limit; ++n) {
    const uint32_t sum = a + b;
    a = b;
    b = sum;
    std::swap(c, d);
  }
  if (x % 2 == 1) return (c - d) * 3 ^ b;
  return (limit > 6 ? d * 5 : a) * 3 ^ n;
}

uint32_t select(uint32_t i, uint32_t x) {
  const uint32_t y = x ^ 9;
  const bool even = x % 2 == 0;
  const bool early = i < 16;
  const uint32_t parts[] = {even ? x : y, early ? i : 3, even ? x : y, even ? i : 3, early ? i : x, early ? x : y};
  const uint32_t factors[] = {3, 5, 7, 11, 13};
  uint32_t h = parts[0];
  for (size_t k = 0; k < 5; ++k) h = h * factors[k] + parts[k + 1];
  return (h ^ (even ? 2 : y)) + (early ? x : y) + ((even ? early : even) ? 5 : 11);
}

uint32_t flushed(uint32_t x) {
  return (x & 0x7f800000) == 0 ? x & 0x80000000 : x;
}

uint32_t flush_denormals(uint32_t, uint32_t x) {
  constexpr uint32_t kSign = 0x80000000, kOne = 0x3f800000;
  const uint32_t bits = x & 0x80ffffff, a = flushed(bits), magnitude = a & ~kSign;
  const uint32_t sign = magnitude == 0 ? a : kOne | (a & kSign);
  const uint32_t sum = magnitude == 0 ? 0 : a;
  const uint32_t difference = flushed(std::bit_cast<uint32_t>(std::bit_cast<float>(a) - 0x1p-126f));
  const uint32_t results[] = {a ^ kSign, magnitude, a, a, magnitude, sign, a ^ kSign, 0, 0, sum, difference};
  uint32_t hash = bits;
  for (const uint32_t result : results) hash = hash * 3 + result;
  return hash;
}

uint32_t shuffle_undef(uint32_t i, uint32_t x) {
  // mixed = (four[3], ?, pair.y, four[2]); swapped = (pair.x, four[2]); three.z = mixed[3].
  const uint32_t mixed0 = i;
  const uint32_t mixed2 = i;
  const uint32_t mixed3 = 5;
  uint32_t filled[] = {3, x, x, i};
  const uint32_t picked = filled[x & 3];
  filled[x & 3] = 16;
  uint32_t h = ((mixed0 * 3 + mixed2) * 5 + mixed3) * 7 + x;
  h = h * 11 + 5;
  h = ((h ^ mixed3) + i) * 9;
  return (h ^ picked) + filled[2];
}

uint32_t unreachable(uint32_t, uint32_t x) {
  if (x % 2 == 0) return 3;
  return x % 4 == 1 ? 7 : x;
}

uint32_t switch_targets(uint32_t i, uint32_t x) {
  constexpr int32_t kEdges[] = {100, 1000, 100000, INT32_MAX, INT32_MIN};
  const int32_t key = i < 5 ? kEdges[i] : static_cast<int32_t>(x) - 40;
  uint32_t target = ~0u;
  for (uint32_t k = 0; k < 5; ++k) {
    if (key == kEdges[k]) target = 27 + k;
  }
  if (key >= -20 && key <= 58 && (key + 20) % 3 == 0) target = static_cast<uint32_t>(key + 20) / 3;
  if (target == ~0u) return 0;
  if (target % 5 == 4 && target < 31) ++target;
  return x * (target * target + 17);
}

uint32_t bump(uint32_t x) {
  return x % 2 == 1 ? x * 3 : x + 5;
}

uint32_t pointer_params(uint32_t i, uint32_t x) {
  const uint32_t array[] = {x, i, 11};
  auto sum = [&](uint32_t count) {
    uint32_t result = 0;
    for (uint32_t k = 0; k < count; ++k) result = result * 3 + array[k];
    return result;
  };
  return ((((sum(3) * 3) ^ sum(x & 3)) + (x + 5)) ^ bump(bump(bump(x)))) + (9 + x + i);
}

void atomics(const Manifest&, BufferContents& b) {
  const auto in = u32(b, 0);
  const auto out = u32(b, 1);
  // Each invocation adds 1 + 3 - 1 - 1 to a counter that starts at 5, in two workgroups of 64, and the sum
  // of what all see at the end is kept.
  out[0] = 128 * (5 + 64 * 2);
  out[1] = 128;
  out[2] = 0u - 128;
  out[6] = 16;
  for (size_t i = 0; i < 128; ++i) {
    out[3] -= in[i];
    out[4] = std::max(out[4], in[i]);
    out[5] ^= in[i];
    out[8 + i] = in[i] * 3;
  }
}

/// The four comparison results of one lane, in the order of the program: equal, not equal, then the others.
uint32_t comparison_code(double x, double y) {
  const uint32_t equal = x == y ? 3 : 0;
  const uint32_t different = x != y ? 3 : 0;
  uint32_t code = (equal << 2) + different;
  code = (code << 4) + (x > y ? 1 : 0) + (x <= y ? 2 : 0);
  return (code << 4) + (x >= y ? 3 : 0);
}

uint32_t comparisons(const double (&x)[4], const double (&y)[4]) {
  uint32_t code = 0;
  bool any = false;
  bool all = true;
  for (size_t lane = 0; lane < 4; ++lane) {
    code = lane == 0 ? comparison_code(x[0], y[0]) : code * 13 + comparison_code(x[lane], y[lane]);
    const bool equality = (x[lane] == y[lane]) == (x[lane] < y[lane]);
    const bool order = (x[lane] > y[lane]) != (x[lane] <= y[lane]);
    any = any || (equality && order) || x[lane] != y[lane];
    all = all && !(x[lane] < y[lane]);
  }
  return code * 4 + (any ? 1 : 0) + (all ? 2 : 0);
}

int32_t matrix_code(int32_t d) {
  // outer has the columns (d, 1, 2) * d and (d, 1, 2) * 2.
  const int32_t row[] = {d, 2};
  const int32_t column[] = {d, 1, 2};
  const int32_t row_square = row[0] * row[0] + row[1] * row[1];
  const int32_t column_square = column[0] * column[0] + column[1] * column[1] + column[2] * column[2];
  // outer * row = column * row_square; column * outer = row * column_square; transpose(outer) * outer is their product.
  const int32_t dot = column_square * row_square * d;
  const int32_t product_entry = 2 * column_square * row[1] * row[0];
  return dot + product_entry - column_square * row[1] - column_square * row[0];
}

/// The remainder with the sign of the divisor.
int32_t floored_modulus(int32_t x, int32_t d) {
  const int32_t rest = x % d;
  return rest != 0 && (rest < 0) != (d < 0) ? rest + d : rest;
}

uint32_t smod(uint32_t i, uint32_t word) {
  const int32_t x = static_cast<int32_t>(word) % 1000;
  const int32_t d = i % 7 == 3 ? 13 : static_cast<int32_t>(i % 7) - 3;
  return static_cast<uint32_t>(floored_modulus(x, d) * 1000 + floored_modulus(x, -8));
}

void arithmetic(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const int32_t x = static_cast<int32_t>(u32(b, 0)[i]) % 1000;
    const int32_t d = static_cast<int32_t>(i % 7) - 3 == 0 ? 13 : static_cast<int32_t>(i % 7) - 3;
    const int32_t quotient = x / d;
    const int32_t rest = x % d;
    int32_t t = (quotient * 3 + rest) * 7 + (x - d);
    const int32_t divisor = i % 2 == 0 ? 4 : -4;
    const int32_t float_rest = x % divisor;
    const int32_t float_modulus = floored_modulus(x, divisor);
    t = (t * 11 + float_rest) * 13 + float_modulus;
    const double infinity = HUGE_VAL;
    const double special = i < 16 ? infinity : d;
    const auto half = static_cast<float>(x);
    u32(b, 1)[i * 4] = static_cast<uint32_t>(t ^ -quotient);
    u32(b, 1)[i * 4 + 1] =
        comparisons({double(x), double(x), double(x), double(d)}, {special, double(d), double(x), double(x)});
    u32(b, 1)[i * 4 + 2] = static_cast<uint32_t>(matrix_code(d));
    // Whole numbers below 2048 are representable in 16 bits.
    u32(b, 1)[i * 4 + 3] = std::bit_cast<uint32_t>(half) + (i < 16 ? 2 : 0);
  }
}

constexpr Reference kReferences[] = {
    {"spv_phi", map_words<phi>},
    {"spv_select", map_words<select>},
    {"spv_shuffle_undef", map_words<shuffle_undef>},
    {"spv_unreachable", map_words<unreachable>},
    {"spv_switch", map_words<switch_targets>},
    {"spv_pointer_params", map_words<pointer_params>},
    {"spv_atomics", atomics},
    {"spv_flush_denormals", map_words<flush_denormals>},
    {"spv_smod", map_words<smod>},
    {"spv_arithmetic", arithmetic},
};

}  // namespace

std::span<const Reference> assembly_references() {
  return kReferences;
}

}  // namespace spalt::run
