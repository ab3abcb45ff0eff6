// SPDX-License-Identifier: MIT
//
// Vectors of halves that hold small integers and their halves, which are exact.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;
using Vector = std::array<double, 4>;

/// The pattern of a number that a half has without rounding, no denormal.
uint32_t exact_half(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  if ((bits & 0x7fffffffu) == 0) return bits >> 16;
  return (bits >> 16 & 0x8000u) | (((bits >> 23 & 0xffu) - 112u) << 10) | (bits >> 13 & 0x3ffu);
}

void half_pairs(const Manifest&, BufferContents& b) {
  const auto source = u32(b, 0);
  const auto tile = [&](size_t at) {
    Vector v;
    for (size_t k = 0; k < 4; ++k) v[k] = source[at % 64 * 4 + k];
    return v;
  };
  for (size_t i = 0; i < 64; ++i) {
    const Vector x = tile(i), y = tile(i + 1), z = tile(i + 17);
    const auto put = [&](size_t row, const std::function<double(size_t)>& component) {
      for (size_t k = 0; k < 4; k += 2) {
        u32(b, 1)[(row * 64 + i) * 2 + k / 2] = exact_half(component(k)) | exact_half(component(k + 1)) << 16;
      }
    };
    put(0, [&](size_t k) { return x[k] * y[k] + z[k]; });
    put(1, [&](size_t k) { return x[k] * y[k ^ 1] - z[k]; });
    put(2, [&](size_t k) { return x[k] * y[0] + z[3 - k]; });
    put(3, [&](size_t k) { return std::min(x[k], -y[k]) + std::max(z[k], y[k]); });
    Vector sum{};
    for (size_t turn = 0; turn < (source[i * 4] & 7); ++turn) {
      for (size_t k = 0; k < 4; ++k) sum[k] += tile(i + turn)[k] * static_cast<double>(turn);
    }
    put(4, [&](size_t k) { return sum[k]; });
    put(5, [&](size_t k) { return x[0] > y[1] ? x[k] : z[k] - y[k]; });
    Vector total;
    for (size_t k = 0; k < 4; ++k) total[k] = x[k] + y[k];
    const Vector six = {total[0], total[1] + total[0] * z[0], total[2] * z[2], total[3]};
    put(6, [&](size_t k) { return six[k]; });
    const Vector signs = {-1, 1, 1, -1}, less = {z[0], -z[1], 2, 5};
    put(7, [&](size_t k) { return signs[k] * x[k] * y[k] - less[k]; });
    const Vector factor = {1, 2, 3, 3}, addend = {3, 3, 0.5, 1};
    put(8, [&](size_t k) { return x[k] * factor[k] + addend[k]; });
    put(9, [&](size_t k) { return 2 * ((source[i * 4 + 1] & 1) != 0 ? x[k] * y[k] : z[k] - x[k]); });
  }
}

/// Products of signed quarters and sums of them: small enough that a half has each.
void mixed_dot(const Manifest&, BufferContents& b) {
  const auto source = u32(b, 0);
  const auto number = [&](size_t at, unsigned shift) {
    return (static_cast<double>(source[at % 128] >> shift & 31u) - 16) / 4;
  };
  for (size_t i = 0; i < 128; ++i) {
    const auto dot = [&](size_t other) { return number(i, 0) * number(other, 0) + number(i, 8) * number(other, 8); };
    double total = 0.5;
    for (size_t turn = 0; turn < (source[i] >> 24 & 3u); ++turn) total += dot(i + turn);
    const double sums[] = {dot(i + 1) + number(i, 16), dot(i + 2), number(0, 16) - dot(i + 3) * 2, total,
                           2.5 * number(i, 0) + number(i, 8) + number(i, 16)};
    for (size_t k = 0; k < 5; ++k) {
      f32(b, 1)[k * 128 + i] = static_cast<float>(sums[k]);
      u32(b, 2)[k * 128 + i] = exact_half(sums[k]);
    }
  }
}

constexpr Reference kReferences[] = {{"half_pairs", half_pairs}, {"mixed_dot", mixed_dot}};

}  // namespace

std::span<const Reference> half_pair_references() {
  return kReferences;
}

}  // namespace spalt::run
