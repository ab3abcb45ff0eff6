// SPDX-License-Identifier: MIT
//
// Doubles from and to other numbers, and instructions that GLSL cannot produce.
#include <algorithm>
#include <limits>

#include "doubles.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

uint64_t float_bits(float x) {
  return std::bit_cast<uint32_t>(x);
}
uint64_t low_word(int32_t x) {
  return static_cast<uint32_t>(x);
}

void double_convert(const Manifest& manifest, BufferContents& b) {
  const auto& words = manifest.dispatches[0].push;
  const double uniform = from_words(words, 0);
  const auto wide = std::bit_cast<int64_t>(from_words(words, 2));
  const auto word = static_cast<int32_t>(words[4]);
  const float single = std::bit_cast<float>(words[5]);
  const double joined = static_cast<double>(wide) + word;
  const uint64_t uniforms = bits(joined + static_cast<double>(single)) ^
                            static_cast<uint64_t>(static_cast<int64_t>(uniform * 1e9)) ^
                            static_cast<uint32_t>(uniform) ^ low_word(static_cast<int32_t>(-uniform)) ^
                            float_bits(static_cast<float>(uniform));
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 2048; ++i) {
    const uint64_t raw = in[i];
    const double x = number(raw);
    const double y = static_cast<double>(static_cast<int64_t>(raw) >> (i & 63)) * 0.125;
    const double z = static_cast<double>(raw >> (i & 63)) * 0.25;
    const bool no_float = std::isnan(x) || (std::abs(x) < 1.1754944e-38 && x != 0);
    const float f = std::bit_cast<float>((static_cast<uint32_t>(raw) & 0xbfffffff) | 0x00800000);
    int exponent = 77;
    const double mantissa = std::isfinite(x) && (x == 0 || std::abs(x) >= 2.3e-308) ? std::frexp(x, &exponent) : 0.5;
    const double whole = std::trunc(y), swapped = number(raw << 32 | raw >> 32);
    const uint64_t rows[] = {
        bits(y),
        bits(z),
        no_float ? 1 : float_bits(static_cast<float>(x)),
        float_bits(static_cast<float>(y)) + float_bits(static_cast<float>(-z)),
        bits(static_cast<double>(f)) + bits(static_cast<double>(-std::abs(f))),
        (std::abs(y) < 2147483648.0 ? low_word(static_cast<int32_t>(y)) : 3) +
            (z < 4294967296.0 ? static_cast<uint32_t>(z) : 4),
        (std::abs(y) < 9e18 ? static_cast<uint64_t>(static_cast<int64_t>(y)) : 3) ^
            (z < 1.8e19 ? static_cast<uint64_t>(z) : 4) << 1,
        bits(static_cast<int32_t>(raw)) + bits(static_cast<uint32_t>(raw >> 32)),
        bits(static_cast<int16_t>(raw)) + bits(static_cast<uint16_t>(raw >> 20)) +
            bits(static_cast<int8_t>(raw >> 40)) + bits(static_cast<uint8_t>(raw >> 50)),
        (std::abs(y) < 32768 ? low_word(static_cast<int16_t>(y)) : 5) + (z < 256 ? static_cast<uint8_t>(z) : 6) +
            (std::abs(y) < 128 ? low_word(static_cast<int8_t>(y)) : 7),
        uint64_t{x != 0} + bits(x > y ? 1 : 0) + (y != 0 ? 2 : 0),
        bits(mantissa) + low_word(exponent),
        bits(std::ldexp(y, static_cast<int>(i & 63) - 30)) ^ bits(std::ldexp(z, 5)) << 1,
        (y == whole ? 9 : bits(y - whole)) + bits(whole) * 3,
        (raw >> 32) << 1 ^ (raw & 0xffffffff) ^ bits(swapped),
        raw ^ std::bit_cast<uint64_t>(-y),
        uniforms,
        bits(static_cast<double>(f)) + bits(1.5) + static_cast<uint32_t>(i + 1),
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 2048 + i] = rows[row];
  }
}

/// A half counts units of its exponent, or of the least one, 2^-24.
double half_unit(double x) {
  return std::ldexp(1.0, std::max(x == 0 ? -14 : std::ilogb(x), -14) - 10);
}
uint64_t to_half(double x) {
  if (std::isnan(x)) return 0x7e00;
  const uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::abs(x) >= 65520) return sign | 0x7c00;
  const double magnitude = std::nearbyint(std::abs(x) / half_unit(x)) * half_unit(x);
  if (magnitude < 0x1p-14) return sign | static_cast<uint64_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  const double significand = std::ldexp(magnitude, 10 - exponent) - 1024;
  return sign | static_cast<uint64_t>(exponent + 15) << 10 | static_cast<uint64_t>(significand);
}
double from_half(uint64_t half) {
  const auto exponent = static_cast<int>(half >> 10 & 31);
  const auto significand = static_cast<double>(half & 0x3ff);
  double magnitude = std::ldexp(significand, -24);
  if (exponent == 31) magnitude = significand == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  if (exponent != 0 && exponent != 31) magnitude = std::ldexp(significand + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

void double_halves(const Manifest&, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 2048; ++i) {
    const uint64_t raw = in[i];
    const uint64_t near =
        (raw & 0x801ffe0000000000) | (990 + (raw >> 10 & 0xffffffff) % 50) << 52 | (raw & 1) << (raw >> 2 & 31);
    out[i] = to_half(number(raw));
    out[2048 + i] = to_half(number(near));
    out[4096 + i] = to_half(-std::abs(number(near | 1)));
    out[6144 + i] = bits(from_half(raw & 0xffff)) ^ bits(-from_half(raw >> 16 & 0xffff));
    out[8192 + i] = bits(2 * from_half(to_half(i))) ^ bits(2 * from_half(to_half(i * 0.3)));
  }
}

/// True with a NaN among the operands, and without one where `ordered` is.
bool unordered(double x, double y, bool ordered) {
  return std::isnan(x) || std::isnan(y) || ordered;
}

void spv_double(const Manifest&, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 1024; ++i) {
    const double x = number(in[i / 32]), y = number(in[i % 32]);
    const bool nan = std::isnan(x) || std::isnan(y);
    const bool facts[] = {unordered(x, y, x == y),
                          unordered(x, y, x != y),
                          unordered(x, y, x < y),
                          unordered(x, y, x > y),
                          unordered(x, y, x <= y),
                          unordered(x, y, x >= y),
                          !nan && x != y,
                          !nan && x == y,
                          !nan && x < y,
                          !nan && x >= y,
                          !nan,
                          nan};
    uint64_t all = 0;
    for (size_t k = 0; k < std::size(facts); ++k) all |= uint64_t{facts[k]} << k;
    out[i] = all;
    // The other operand where one is NaN; zeros of either sign.
    out[1024 + i] = bits(std::fmin(x, y) + 0.0);
    out[2048 + i] = bits(std::fmax(x, y) + 0.0);
    const double small = static_cast<double>(i) * 0.7 - 300, step = static_cast<double>(i % 7) + 1.25;
    out[3072 + i] = bits(std::fmod(small, step) + 0.0);
    out[4096 + i] = bits(small - step * std::floor(small / step) + 0.0);
    // Specialization constants: 2.75, 0.1 as it is, and what is made of them.
    out[5120 + i] = bits(small * 2.75) ^ bits(0.1) ^ bits(static_cast<double>(static_cast<float>(2.75))) << 1;
    double walk = small;
    for (uint32_t k = 0; k < i % 9; ++k) walk = walk * 0.5 + 0.125;
    out[6144 + i] = bits(walk);
  }
}

constexpr Reference kReferences[] = {
    {"double_convert", double_convert},
    {"double_halves", double_halves},
    {"spv_double", spv_double},
};

}  // namespace

std::span<const Reference> double_conversion_references() {
  return kReferences;
}

}  // namespace spalt::run
