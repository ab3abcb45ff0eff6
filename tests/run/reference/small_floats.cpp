// SPDX-License-Identifier: MIT
//
// Bfloats and floats of 8 bits, from what their formats define: a number is a whole one times a power of two, and the
// nearest one is found by rounding the quotient. All of it fits a long double.
#include <bit>
#include <cmath>
#include <cstring>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

struct Format {
  int bits, mantissa_bits, bias;
  uint32_t largest, infinity, nan;  ///< infinity: that or NaN, whatever follows the largest number
};
constexpr Format kBfloat = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0};
constexpr Format kE4M3 = {8, 3, 7, 0x7e, 0x7f, 0x7f};
constexpr Format kE5M2 = {8, 2, 15, 0x7b, 0x7c, 0x7e};

long double magnitude_of(const Format& f, uint32_t code) {
  const int exponent = static_cast<int>(code >> f.mantissa_bits);
  const uint32_t fraction = code & ((1u << f.mantissa_bits) - 1);
  if (exponent == 0) return std::ldexp(static_cast<long double>(fraction), 1 - f.bias - f.mantissa_bits);
  return std::ldexp(static_cast<long double>(fraction | 1u << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
}

uint32_t encode(const Format& f, long double x, bool saturates = false) {
  const uint32_t sign = std::signbit(x) ? 1u << (f.bits - 1) : 0;
  if (std::isnan(x)) return sign | f.nan;
  const long double magnitude = std::fabs(x);
  const uint32_t beyond = saturates ? f.largest : f.infinity;
  if (std::isinf(magnitude)) return sign | beyond;
  if (magnitude == 0) return sign;
  const int least = 1 - f.bias;  // exponent of the least normal number
  const int exponent = std::max(std::ilogb(magnitude), least);
  const long double unit = std::ldexp(1.0L, exponent - f.mantissa_bits);
  const auto count = static_cast<uint32_t>(std::nearbyint(magnitude / unit));  // to even
  // With its first bit the count is at most twice as large as that of the next exponent's first number.
  const uint32_t code = count + (static_cast<uint32_t>(exponent - least) << f.mantissa_bits);
  return sign | (code > f.largest ? beyond : code);
}

uint32_t float_bits(double x) {
  return std::bit_cast<uint32_t>(static_cast<float>(x));
}

/// A number of 8 or 16 bits that is no NaN as a double, which holds all of them.
double decode(const Format& f, uint32_t bits) {
  const uint32_t code = bits & ((1u << (f.bits - 1)) - 1);
  const double magnitude = code == f.infinity ? HUGE_VAL : static_cast<double>(magnitude_of(f, code));
  return bits >> (f.bits - 1) != 0 ? -magnitude : magnitude;
}

bool is_nan(const Format& f, uint32_t bits) {
  const uint32_t code = bits & ((1u << (f.bits - 1)) - 1);
  return code > f.infinity || (code == f.nan && f.nan == f.infinity);
}

uint16_t half_of(double x) {
  return static_cast<uint16_t>(encode({16, 10, 15, 0x7bff, 0x7c00, 0x7e00}, x));
}

void small_floats_encode(const Manifest&, BufferContents& b) {
  constexpr size_t kWords = 14;
  for (uint32_t i = 0; i < 1024; ++i) {
    const uint32_t x = u32(b, 0)[i], h = x & 0xffff;
    uint64_t q = 0;
    std::memcpy(&q, b[2].data() + size_t{i} * 8, sizeof q);
    const bool half_nan = (h & 0x7fff) > 0x7c00;
    const long double half_magnitude =
        (h & 0x7fff) == 0x7c00 ? HUGE_VALL : magnitude_of({16, 10, 15, 0, 0, 0}, h & 0x7fff);
    const long double half = half_nan ? std::copysign(static_cast<long double>(NAN), h >> 15 != 0 ? -1.0L : 1.0L)
                                      : (h >> 15 != 0 ? -half_magnitude : half_magnitude);
    // Which NaN a half or a double becomes is nobody's business; a float keeps the first bits of its own.
    const bool single_nan = std::isnan(std::bit_cast<float>(x));
    const long double sources[] = {std::bit_cast<float>(x),
                                   std::bit_cast<double>(q),
                                   half,
                                   static_cast<long double>(x),
                                   static_cast<long double>(static_cast<int32_t>(x)),
                                   static_cast<long double>(q),
                                   static_cast<long double>(static_cast<int64_t>(q))};
    size_t at = i * kWords;
    for (const long double& source : sources) {
      const bool is_single = &source == sources;
      const uint32_t bfloat = is_single && single_nan ? x >> 16 | 0x40 : encode(kBfloat, source);
      const uint32_t word = bfloat | encode(kE4M3, source) << 16 | encode(kE5M2, source) << 24;
      u32(b, 1)[at++] = std::isnan(source) && !is_single ? 0 : word;
      const uint32_t saturated = encode(kE4M3, source, true) | encode(kE5M2, source, true) << 8;
      u32(b, 1)[at++] = std::isnan(source) && !is_single ? 0 : saturated;
    }
  }
}

void small_floats_decode(const Manifest&, BufferContents& b) {
  constexpr size_t kWords = 11;
  for (uint32_t i = 0; i < 4096; ++i) {
    const struct {
      const Format& format;
      uint32_t bits;
    } sources[] = {{kBfloat, i << 4 | (i & 15)}, {kE4M3, i & 0xff}, {kE5M2, i & 0xff}};
    size_t at = i * kWords;
    for (const auto& [format, bits] : sources) {
      const uint32_t sign = bits >> (format.bits - 1);
      if (is_nan(format, bits)) {
        const uint32_t fraction = bits & ((1u << format.mantissa_bits) - 1);
        const uint32_t payload = format.nan == format.infinity ? 0 : fraction << (23 - format.mantissa_bits);
        u32(b, 0)[at++] = sign << 31 | 0x7f800000 | (format.nan == format.infinity ? 0x400000 : payload);
        at += 2;
        continue;
      }
      const double value = decode(format, bits);
      u32(b, 0)[at++] = float_bits(value);
      u32(b, 0)[at++] = half_of(value);
      u32(b, 0)[at++] = static_cast<uint32_t>(std::bit_cast<uint64_t>(value) >> 32);
    }
    const auto whole = static_cast<uint32_t>(decode(kE4M3, i & 0x7e));
    u32(b, 0)[at++] = whole | whole << 16;
    const uint32_t byte = i & 0xff, sign = byte >> 7;
    const bool nan = is_nan(kE4M3, byte);
    const double value = decode(kE4M3, byte);
    const uint32_t bfloat = nan ? sign << 15 | 0x7fc0 : encode(kBfloat, value);
    const uint32_t other = nan ? sign << 7 | 0x7e : encode(kE5M2, value);
    u32(b, 0)[at++] = bfloat | other << 16;
  }
}

void small_floats_vectors(const Manifest&, BufferContents& b) {
  constexpr uint32_t kMinusThree = 0xc040, kOneAndMore = 0x3e;
  for (uint32_t i = 0; i < 128; ++i) {
    const double x = decode(kBfloat, encode(kBfloat, i)), y = decode(kBfloat, encode(kBfloat, i * 3)), z = i % 7;
    const uint32_t dot = encode(kBfloat, x * -3 + y * x + z * 2.5 + 2.5 * z);
    const uint32_t pair = u32(b, 0)[i], first = pair & 0xffff;
    const bool odd = i % 2 != 0;
    const uint32_t last = !odd ? kMinusThree : i % 3 == 0 ? first : dot;
    u32(b, 0)[i] = pair << 16 | pair >> 16;
    u32(b, 2)[i] = dot | last << 16;
    const uint32_t bytes = u32(b, 1)[i];
    u32(b, 3)[i] = (bytes >> 8 & 0xff) | (bytes & 0xff) << 8 | kOneAndMore << 16 | encode(kE4M3, x) << 24;
  }
}

constexpr Reference kReferences[] = {
    {"small_floats_decode", small_floats_decode},
    {"small_floats_encode", small_floats_encode},
    {"small_floats_vectors", small_floats_vectors},
};

}  // namespace

std::span<const Reference> small_float_references() {
  return kReferences;
}

}  // namespace spalt::run
