// SPDX-License-Identifier: MIT
//
// Functions of GLSL.std.450, integer bits, packing and conversions, by the definitions of their specifications.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void float_transcendental(const Manifest&, BufferContents& b) {
  const auto in = f32(b, 0);
  for (size_t i = 0; i < 64; ++i) {
    const double u = double{in[i]};
    const double w = double{in[64 + i]};
    const double p = double{in[128 + i]};
    const double results[] = {
        std::sin(w),
        std::cos(w),
        std::tan(u),
        std::asin(u),
        std::acos(u),
        std::atan(w),
        std::atan2(w, u),
        std::atan2(w, -p),
        std::asinh(w),
        std::acosh(p + 1.0),
        std::atanh(u * 0.875),
        std::sinh(w),
        std::cosh(w),
        std::tanh(w),
        std::exp(w),
        std::exp2(w),
        std::log(p),
        std::log2(p),
        std::pow(p, w),
        std::sqrt(p),
        1.0 / std::sqrt(p),
        w * 60.0 * std::numbers::pi / 180.0,
        w * 180.0 / std::numbers::pi,
        1.0 / p,
        w / p,
        p,
        std::pow(p, 2.0),
        std::pow(p, 3.0),
        std::pow(p, 4.0),
        std::pow(p, 5.0),
        std::pow(p, 6.0),
        std::pow(p, 7.0),
        std::pow(p, 8.0),
        p,
    };
    for (size_t row = 0; row < std::size(results); ++row) f32(b, 1)[row * 64 + i] = static_cast<float>(results[row]);
  }
}

float sign(float x) {
  return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f;
}

/// std::nearbyint in the default rounding direction: to nearest, ties to even.
float round_even(float x) {
  return std::nearbyint(x);
}

void float_common(const Manifest&, BufferContents& b) {
  const auto in = f32(b, 0);
  const auto integers = i32(b, 0).subspan(96, 32);
  for (size_t i = 0; i < 32; ++i) {
    const float x = in[i];
    const float y = in[32 + i];
    const float z = in[64 + i];
    const int32_t e = integers[i];
    int exponent_x = 0;
    int exponent_y = 0;
    int exponent_z = 0;
    const float significand_x = std::frexp(x, &exponent_x);
    const float significand_y = std::frexp(y, &exponent_y);
    const float significand_z = std::frexp(z, &exponent_z);
    const float results[] = {std::round(x),
                             round_even(x),
                             std::trunc(x),
                             std::abs(x),
                             sign(x),
                             std::floor(x),
                             std::ceil(x),
                             x - std::floor(x),
                             std::min(x, y),
                             std::max(x, y),
                             std::clamp(x, std::min(y, z), std::max(y, z)),
                             y < x ? 0.0f : 1.0f,
                             x - 4.0f * std::floor(x / 4.0f),
                             x - std::trunc(x),
                             std::trunc(x),
                             significand_x,
                             std::ldexp(x, e),
                             x < y ? y : x,
                             significand_y + static_cast<float>(exponent_y),
                             significand_z,
                             round_even(x) + round_even(y) + round_even(z),
                             std::min(y, x),
                             sign(x) + 2.0f * sign(y) + 4.0f * sign(z),
                             -x,
                             x > y ? z : x,
                             0.0f};
    for (size_t row = 0; row < std::size(results); ++row) f32(b, 1)[row * 32 + i] = results[row];
    const uint32_t unsigned_e = static_cast<uint32_t>(e);
    const int32_t lane = static_cast<int32_t>(i) - 16;
    const int32_t integer_results[] = {
        exponent_x,
        e > 0   ? 1
        : e < 0 ? -1
                : 0,
        std::abs(e),
        std::min(e, lane),
        std::max(e, lane),
        std::clamp(e, -3, 5),
        std::bit_cast<int32_t>(x) ^ std::bit_cast<int32_t>(y),
        static_cast<int32_t>(std::min(unsigned_e, 77u) + std::max(unsigned_e, 12u) + std::clamp(unsigned_e, 3u, 9u))};
    (void)exponent_z;
    for (size_t row = 0; row < 8; ++row) i32(b, 1)[(26 + row) * 32 + i] = integer_results[row];
  }
}

uint32_t mask_of(uint32_t bits) {
  return bits == 32 ? ~0u : (1u << bits) - 1;
}

uint32_t extract(uint32_t x, uint32_t offset, uint32_t bits) {
  return bits == 0 ? 0 : (x >> offset) & mask_of(bits);
}

uint32_t extract_signed(uint32_t x, uint32_t offset, uint32_t bits) {
  const uint32_t field = extract(x, offset, bits);
  const bool negative = bits != 0 && (field >> (bits - 1) & 1) != 0;
  return negative ? field | ~mask_of(bits) : field;
}

uint32_t insert(uint32_t base, uint32_t value, uint32_t offset, uint32_t bits) {
  if (bits == 0) return base;
  const uint32_t mask = mask_of(bits) << offset;
  return (base & ~mask) | (value << offset & mask);
}

uint32_t reverse(uint32_t x) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) result |= (x >> bit & 1) << (31 - bit);
  return result;
}

uint32_t lowest_bit(uint32_t x) {
  return x == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(x));
}

uint32_t highest_bit(uint32_t x) {
  return x == 0 ? ~0u : static_cast<uint32_t>(31 - std::countl_zero(x));
}

void integer_bits(const Manifest&, BufferContents& b) {
  const auto in = u32(b, 0);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t special[] = {0, ~0u, 0x80000000u};
    const uint32_t x = i < 3 ? special[i] : in[i];
    const uint32_t y = in[i + 64];
    const int32_t sx = static_cast<int32_t>(x);
    const int32_t sy = static_cast<int32_t>(y);
    const uint32_t offset = i & 31;
    const uint32_t bits = y % (33 - offset);
    const uint64_t product = uint64_t{x} * y;
    const auto signed_product = static_cast<uint64_t>(int64_t{sx} * sy);
    const uint32_t v[] = {x, y, x + y, x ^ y};
    const uint64_t product_xz = uint64_t{v[0]} * v[2];
    const uint64_t product_yw = uint64_t{v[1]} * v[3];
    auto carry = [](uint32_t a, uint32_t c) { return a + c < a ? 1u : 0u; };
    const int64_t wide_x = sx;
    const int64_t divisor = static_cast<int64_t>(y >> 9 | 1);
    const uint32_t results[] = {
        extract(x, offset, bits),
        extract_signed(x, offset, bits),
        insert(x, y, offset, bits),
        insert(x, y, offset, bits),
        reverse(x),
        static_cast<uint32_t>(std::popcount(x)),
        lowest_bit(x),
        highest_bit(x),
        highest_bit(sx < 0 ? ~x : x),
        lowest_bit(x),
        x + y,
        carry(x, y),
        x - y,
        x < y ? 1u : 0u,
        static_cast<uint32_t>(product >> 32),
        static_cast<uint32_t>(product),
        static_cast<uint32_t>(signed_product >> 32),
        static_cast<uint32_t>(signed_product),
        x << offset,
        x >> offset,
        static_cast<uint32_t>(sx >> offset),
        (x & y) | (~x & reverse(y)),
        x ^ y,
        x * y + (x - y),
        x / (y | 1),
        x % (y | 1),
        static_cast<uint32_t>(wide_x / divisor),
        0 - x,
        reverse(v[3]) + static_cast<uint32_t>(std::popcount(v[2])),
        lowest_bit(v[0] | 1024) + 32 * lowest_bit(v[1] | 1024) + 1024 * lowest_bit(v[2] | 1024),
        static_cast<uint32_t>((product_xz ^ product_yw) >> 32) ^ static_cast<uint32_t>(product_xz ^ product_yw),
        v[0] + v[1] + (v[1] + v[2]) * 3 + (v[2] + v[3]) * 5 + carry(v[0], v[1]) * 7 + carry(v[1], v[2]) * 11 +
            carry(v[2], v[3]) * 13,
        extract_signed(v[0], offset / 2, 16) - extract_signed(v[1], offset / 2, 16),
        (sx < sy ? 1u : 0u) | (x < y ? 2u : 0u) | (sx <= sy ? 4u : 0u) | (x <= y ? 8u : 0u) | (sx > sy ? 16u : 0u) |
            (x > y ? 32u : 0u) | (sx >= sy ? 64u : 0u) | (x >= y ? 128u : 0u) | (x == y ? 256u : 0u) |
            (x != y ? 512u : 0u)};
    for (size_t row = 0; row < std::size(results); ++row) u32(b, 1)[row * 64 + i] = results[row];
  }
}

/// Rounds a normalized value to `bits` bits; the inputs stay away from ties.
uint32_t pack_field(float x, double scale, double low, uint32_t bits) {
  const double scaled = std::round(std::clamp(double{x}, low, 1.0) * scale);
  return static_cast<uint32_t>(static_cast<int32_t>(scaled)) & mask_of(bits);
}

/// Half bits of a value that a half can represent.
uint32_t exact_half(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t exponent = bits >> 23 & 255;
  if (exponent == 0) return bits >> 16 & 0x8000;
  return (bits >> 16 & 0x8000) | ((exponent - 112) << 10) | (bits >> 13 & 0x3ff);
}

void packing(const Manifest&, BufferContents& b) {
  const auto in = f32(b, 0);
  const auto unpacked = f32(b, 2);
  for (size_t i = 0; i < 64; ++i) {
    const float* v = &in[i * 4];
    uint32_t words[5] = {};
    for (uint32_t c = 0; c < 4; ++c) {
      words[0] |= pack_field(v[c], 127.0, -1.0, 8) << (8 * c);
      words[1] |= pack_field(v[c], 255.0, 0.0, 8) << (8 * c);
    }
    for (uint32_t c = 0; c < 2; ++c) {
      words[2] |= pack_field(v[c], 32767.0, -1.0, 16) << (16 * c);
      words[3] |= pack_field(v[2 + c], 65535.0, 0.0, 16) << (16 * c);
      words[4] |= exact_half(v[1 + c] * 37.0f) << (16 * c);
    }
    for (size_t row = 0; row < 5; ++row) u32(b, 1)[row * 64 + i] = words[row];
    for (uint32_t c = 0; c < 4; ++c) {
      const auto snorm = static_cast<int32_t>(extract_signed(words[0], 8 * c, 8));
      unpacked[i * 4 + c] = static_cast<float>(std::clamp(snorm / 127.0, -1.0, 1.0));
      unpacked[256 + i * 4 + c] = static_cast<float>(extract(words[1], 8 * c, 8) / 255.0);
    }
    for (uint32_t c = 0; c < 2; ++c) {
      const auto snorm = static_cast<int32_t>(extract_signed(words[2], 16 * c, 16));
      unpacked[512 + i * 4 + c] = static_cast<float>(std::clamp(snorm / 32767.0, -1.0, 1.0));
      unpacked[512 + i * 4 + 2 + c] = static_cast<float>(extract(words[3], 16 * c, 16) / 65535.0);
      const float half = v[1 + c] * 37.0f;
      unpacked[768 + i * 4 + c] = half;
      unpacked[768 + i * 4 + 2 + c] = c == 0 ? -half : half;
    }
  }
}

float half_value(uint32_t bits) {
  const float magnitude = (bits >> 10 & 31) == 0 ? std::ldexp(static_cast<float>(bits & 1023), -24)
                                                 : std::ldexp(static_cast<float>((bits & 1023) | 1024),
                                                              static_cast<int>(bits >> 10 & 31) - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
float low_half(uint32_t word) {
  return half_value(word & 0xffff);
}
float high_half(uint32_t word) {
  return half_value(word >> 16);
}

void half_pixels(const Manifest&, BufferContents& b) {
  const auto in = u32(b, 0);
  const auto out = u32(b, 1);
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t ax = in[2 * i], ay = in[2 * i + 1], bx = in[128 + 2 * i], by = in[128 + 2 * i + 1];
    const float keep = 1.0f - high_half(ay);
    const auto blend = [keep](float s, float t) { return s + t * keep; };
    out[2 * i] = exact_half(blend(low_half(ax), low_half(bx))) | exact_half(blend(high_half(ax), high_half(bx))) << 16;
    out[2 * i + 1] = exact_half(-blend(low_half(ay), low_half(by))) |
                     exact_half(std::abs(blend(high_half(ay), high_half(by)))) << 16;
    const float floats[] = {
        high_half(ax ^ 0x80000000u) * low_half(bx ^ 0x8000),
        low_half(ax ^ 1) + high_half(bx ^ 0x10000),
        std::abs(high_half(ay ^ 0x10000)) - low_half(by ^ 1),
        low_half(ay ^ 2) - std::abs(high_half(by ^ 0x20000)),
        std::fma(-high_half(ax ^ 0x40000), low_half(by ^ 4), 0.5f),
        std::clamp(high_half(ay ^ 0x80000) * 4.0f, 0.0f, 1.0f),
        high_half(by ^ 0x300000),
        low_half(bx ^ 3) - 0.3125f,
    };
    for (size_t row = 0; row < std::size(floats); ++row) f32(b, 2)[row * 64 + i] = floats[row];
    const auto signed_low = static_cast<uint32_t>(static_cast<int16_t>(ax & 0xffff));
    const auto signed_high = static_cast<uint32_t>(static_cast<int16_t>(ay >> 16));
    const uint32_t sum = ax + bx * 11, difference = ay - by * 13;
    const uint32_t words[] = {
        (ax & 0xffff) | bx << 16,
        (ay & 0xffff) | (by & 0xffff0000u),
        (ax & 0xffff0000u) | (by & 0xffff),
        (ay & 0xffff0000u) | bx >> 16,
        ax >> 16 | bx << 16,
        signed_low * 3,
        signed_high * 5,
        (bx & 0xffff) * 7,
        (by >> 16) * 9,
        (sum & 0xffff) | difference << 16,
    };
    for (size_t row = 0; row < std::size(words); ++row) out[128 + row * 64 + i] = words[row];
  }
}

void conversions(const Manifest&, BufferContents& b) {
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t u = u32(b, 0)[i];
    const float f = f32(b, 0)[64 + i];
    const auto truncated = static_cast<int32_t>(f);
    const auto y = static_cast<uint32_t>(static_cast<int32_t>(f * 2.0f));
    const auto z = static_cast<uint32_t>(static_cast<int32_t>(-f));
    const uint32_t words[] = {static_cast<uint32_t>(truncated),
                              static_cast<uint32_t>(std::abs(f) * 1000.0f),
                              u & 1,
                              truncated != 0 ? 1u : 0u,
                              std::bit_cast<uint32_t>(f),
                              f != 0.0f ? 3u : 0u,
                              static_cast<uint32_t>(static_cast<int32_t>(u) >> 4),
                              static_cast<uint32_t>(truncated) ^ y << 8 ^ z << 16};
    const float floats[] = {static_cast<float>(u >> 8),
                            static_cast<float>(static_cast<int32_t>(u) >> 7),
                            (u & 2) != 0 ? 1.0f : 0.0f,
                            std::bit_cast<float>((u & 0x7fffff) | 0x3f800000),
                            std::bit_cast<float>((u & 0x7fffff) | 0x40000000),
                            static_cast<float>(u)};
    for (size_t row = 0; row < std::size(words); ++row) u32(b, 1)[row * 64 + i] = words[row];
    for (size_t row = 0; row < std::size(floats); ++row) f32(b, 2)[row * 64 + i] = floats[row];
  }
}

void atan_of_large(const Manifest&, BufferContents& b) {
  const auto large = [&](size_t i) {
    const uint32_t word = u32(b, 0)[i];
    return double{std::bit_cast<float>((word & 0x807fffffu) | (230 + (word >> 23) % 25) << 23)};
  };
  for (size_t i = 0; i < 128; ++i) f32(b, 1)[i] = static_cast<float>(std::atan2(large(i), large(128 + i)));
}

constexpr Reference kReferences[] = {
    {"float_transcendental", float_transcendental},
    {"atan_of_large", atan_of_large},
    {"float_common", float_common},
    {"integer_bits", integer_bits},
    {"packing", packing},
    {"half_pixels", half_pixels},
    {"conversions", conversions},
};

}  // namespace

std::span<const Reference> function_references() {
  return kReferences;
}

}  // namespace spalt::run
