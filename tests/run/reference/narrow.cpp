// SPDX-License-Identifier: MIT
//
// Numbers of 16 bits in memory and in arithmetic. Halves are rounded from results that double holds exactly.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

uint16_t u16(const std::vector<uint8_t>& bytes, size_t offset) {
  return static_cast<uint16_t>(bytes[offset] | bytes[offset + 1] << 8);
}
void put16(std::vector<uint8_t>& bytes, size_t offset, uint32_t value) {
  bytes[offset] = static_cast<uint8_t>(value);
  bytes[offset + 1] = static_cast<uint8_t>(value >> 8);
}
int32_t signed16(uint32_t bits) {
  return static_cast<int16_t>(bits & 0xffff);
}

double half(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// To nearest even; finite numbers, which may round to infinity.
uint32_t to_half(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (magnitude >= 65520.0) return sign | 0x7c00;
  if (magnitude < 0x1p-14) return sign | static_cast<uint32_t>(std::nearbyint(magnitude * 0x1p24));
  const int exponent = std::ilogb(magnitude);
  // A fraction that rounds up to 2048 carries into the exponent.
  const auto fraction = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | ((static_cast<uint32_t>(exponent + 15) << 10) + fraction - 1024);
}

constexpr size_t kRecordBytes = 32;

void storage16(const Manifest& manifest, BufferContents& b) {
  const std::vector<uint8_t> records = b.at(0), block = b.at(1);
  std::vector<uint8_t>& narrow = b.at(2);
  std::vector<uint8_t> push(24);
  for (size_t i = 0; i < 6; ++i) {
    const uint32_t word = manifest.dispatches[0].push[i];
    for (size_t byte = 0; byte < 4; ++byte) push[4 * i + byte] = static_cast<uint8_t>(word >> 8 * byte);
  }
  const auto at = [&](size_t record, size_t offset) { return u16(records, record * kRecordBytes + offset); };
  const auto row = [&](size_t i, size_t c) { return c == 3 ? at(i, 0) : at(i, 8 + 2 * c); };
  const auto table = [&](size_t i) { return u16(push, 12 + 2 * i); };
  for (size_t i = 0; i < 64; ++i) {
    put16(narrow, 6 * i, at(i, 0));
    put16(narrow, 6 * i + 2, at(i, 26));
    put16(narrow, 6 * i + 4, row(63 - i, 2));
    put16(narrow, 384 + 6 * i, i == 63 ? u16(push, 2) : at(62 - i, 4));
    put16(narrow, 384 + 6 * i + 2, at(i, 2));
    put16(narrow, 384 + 6 * i + 4, table(i % 5));
    for (size_t c = 0; c < 4; ++c) put16(narrow, 768 + 8 * i + 2 * c, at(i, 16 + 2 * (3 - c)));
    put16(narrow, 1280 + 8 * i, at(i, 12));
    put16(narrow, 1280 + 8 * i + 2, at(i, 8));
    put16(narrow, 1280 + 8 * i + 4, u16(block, 6));
    for (size_t byte = 0; byte < 28; ++byte) {
      // What is between members stays what it was.
      if (byte == 6 || byte == 7 || byte == 14 || byte == 15) continue;
      narrow[1792 + (63 - i) * kRecordBytes + byte] = records[i * kRecordBytes + byte];
    }
    int32_t places[6] = {signed16(at(i, 16)), signed16(at(i, 18)), signed16(at(i, 20)),
                         signed16(at(i, 22)), signed16(at(i, 2)),  signed16(u16(push, 4))};
    places[i % 6] = signed16(u16(block, 16 + 2 * (i % 3)));
    const double floats[] = {half(at(i, 0)),
                             half(at(i, 10)),
                             half(at(i, 24)),
                             half(row(i ^ 5, i & 3)),
                             half(u16(block, 2 * (i & 3))),
                             half(u16(block, 8)),
                             half(u16(block, 10)),
                             half(u16(push, 0)),
                             half(u16(push, 10)),
                             static_cast<double>(signed16(at(i, 2))),
                             static_cast<double>(at(i, 4)),
                             static_cast<double>(i) * 0.0625};
    const int32_t ints[] = {signed16(at(i, 2)),
                            at(i, 4),
                            signed16(at(i, 20)),
                            at(i, 22),
                            signed16(u16(push, 4)),
                            table((i + 2) % 5),
                            signed16(u16(block, 18)),
                            u16(block, 22),
                            places[i * 5 % 6],
                            static_cast<int32_t>((0x8000 + i * 0x10001) & 0xffff),
                            signed16(static_cast<uint32_t>(i * 3001)),
                            static_cast<int32_t>(at(i, 26) | static_cast<uint32_t>(at(i, 0)) << 16)};
    for (size_t r = 0; r < 12; ++r) f32(b, 3)[64 * r + i] = static_cast<float>(floats[r]);
    for (size_t r = 0; r < 12; ++r) i32(b, 3)[768 + 64 * r + i] = ints[r];
  }
}

void short_results(uint32_t a, uint32_t b, uint32_t c, uint32_t* out) {
  const int32_t x = signed16(a), y = signed16(b), z = signed16(c);
  const uint32_t divisor = b | 1;
  const int32_t signed_divisor = (y >> 3) | 1, positive = x & 0x7fff, positive_divisor = (y & 0x7ff) | 1;
  const auto cut = [](uint32_t value) { return value & 0xffff; };
  const auto wrap = [](int64_t value) {
    return static_cast<uint32_t>(signed16(static_cast<uint32_t>(static_cast<uint64_t>(value))));
  };
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  const uint32_t results[] = {
      cut(a + b),
      cut(a - b),
      cut(a * b + c),
      wrap(x - y),
      wrap(int64_t{x} * y),
      wrap(-x),
      a / divisor,
      a % divisor,
      wrap(x / signed_divisor),
      wrap(positive % positive_divisor),
      cut(a << (b & 15)),
      a >> (b & 15),
      wrap(x >> (y & 15)),
      cut(a << 3),
      wrap(x >> 5),
      cut((a & b) ^ ~c),
      a | b,
      std::min(a, b),
      std::max(a, b),
      wrap(std::min(x, y)),
      wrap(std::max(x, y)),
      wrap(std::clamp(x, -1000, 1000)),
      std::clamp(a, 100u, 50000u),
      wrap(std::abs(x)),
      wrap(x > 0   ? 1
           : x < 0 ? -1
                   : 0),
      (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u) | (a != c ? 8u : 0u) | (x < y ? 16u : 0u) |
          (x >= z ? 32u : 0u) | (cut(a + b) > c ? 64u : 0u),
      x < y ? a : c,
      cut(a + c) | b << 16,
      (a * 65537u + 1) >> 16,
      wrap(a * b >> 16),
      bits(static_cast<float>(x)),
      bits(static_cast<float>(cut(a + b))),
      static_cast<uint32_t>(static_cast<float>(a >> 1) * 0.5f),
      wrap(static_cast<int32_t>(static_cast<float>(x) * -0.25f)),
  };
  for (size_t i = 0; i < std::size(results); ++i) out[64 * i] = results[i];
}

void short_arithmetic(const Manifest&, BufferContents& b) {
  const std::vector<uint8_t>& in = b.at(0);
  const auto number = [&](size_t i) { return uint32_t{u16(in, 2 * i)}; };
  constexpr size_t kSet = size_t{34} * 64;
  for (size_t i = 0; i < 64; ++i) {
    short_results(number(i), number(64 + i), number(128 + i), &u32(b, 1)[i]);
    short_results(number(192), number(193), number(194), &u32(b, 1)[kSet + i]);
    uint32_t sum = number(i), turns = 0;
    for (uint32_t n = 0; n < (number(192 + i) & 31); ++n) {
      sum = (sum * 5 + n) & 0xffff;
      turns += (sum & 3) != 0 ? 1 : 0;
    }
    u32(b, 1)[2 * kSet + i] = sum;
    u32(b, 1)[2 * kSet + 64 + i] = turns;
  }
}

/// The numbers are multiples of 1/64 up to 16, so that sums and products of two are exact in double.
void half_results(const uint32_t in[3], int32_t n, uint32_t* exact, float* near) {
  const double a = half(in[0]), b = half(in[1]), c = half(in[2]);
  const double product = half(to_half(a * b));
  const uint32_t sum = to_half(a + b);
  const uint32_t results[] = {
      sum,
      to_half(a - b),
      to_half(a * b),
      to_half(-a * b),
      to_half(product + c),
      to_half(c - std::abs(product)),
      in[0] ^ 0x8000,
      in[0] & 0x7fff,
      in[1] | 0x8000,
      to_half(std::min(a, b)),
      to_half(std::max(a, b)),
      to_half(std::min({a, b, c})),
      to_half(std::max({-a, b, c})),
      to_half(std::clamp(a, -1.5, 2.25)),
      to_half(std::clamp(half(to_half(a * 0.25)), 0.0, 1.0)),
      to_half(std::floor(a)),
      to_half(std::ceil(a)),
      to_half(std::trunc(a)),
      to_half(std::nearbyint(a)),
      to_half(std::abs(b) - std::floor(std::abs(b))),
      to_half(a > 0   ? 1
              : a < 0 ? -1
                      : 0),
      to_half(b < a ? 0 : 1),
      (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == c ? 4u : 0u) | (a != b ? 8u : 0u) | (-a > std::abs(c) ? 16u : 0u),
      a < c ? in[1] : in[0],
      static_cast<uint32_t>(static_cast<int32_t>(a)),
      static_cast<uint32_t>(std::abs(b)),
      static_cast<uint32_t>(std::abs(a)),
      static_cast<uint32_t>(static_cast<int32_t>(b)),
      to_half(n),
      to_half(static_cast<uint32_t>(n) & 0xffff),
      to_half(signed16(static_cast<uint32_t>(n))),
      to_half(static_cast<float>(n) * 0.0078125f),
      in[0] | sum << 16,
  };
  for (size_t i = 0; i < std::size(results); ++i) exact[64 * i] = results[i];
  const double positive = half(to_half(std::abs(a) + 0.125));
  int exponent = 0;
  const double mantissa = std::frexp(positive, &exponent);
  const double values[] = {a / positive,
                           1 / positive,
                           std::sqrt(positive),
                           1 / std::sqrt(positive),
                           std::exp2(a),
                           std::log2(positive),
                           std::exp(b),
                           std::log(positive),
                           std::sin(a),
                           std::cos(a),
                           std::pow(positive, 1.5),
                           std::fmod(std::abs(a), 0.75),
                           a * 0.75 + b * 0.25,
                           std::ldexp(a, n & 3),
                           mantissa,
                           static_cast<double>(exponent),
                           a * b + c,
                           std::sqrt(a * a + b * b + c * c)};
  for (size_t i = 0; i < std::size(values); ++i) near[64 * i] = static_cast<float>(values[i]);
}

void half_arithmetic(const Manifest&, BufferContents& b) {
  const std::vector<uint8_t>& in = b.at(0);
  const auto number = [&](size_t i) { return uint32_t{u16(in, 2 * i)}; };
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t own[] = {number(i), number(64 + i), number(128 + i)};
    const uint32_t shared[] = {number(192), number(193), number(194)};
    half_results(own, i32(b, 0)[128 + i], &u32(b, 1)[i], &f32(b, 2)[i]);
    half_results(shared, i32(b, 0)[128], &u32(b, 1)[size_t{33} * 64 + i], &f32(b, 2)[size_t{18} * 64 + i]);
  }
}

void byte_results(uint32_t a, uint32_t b, uint32_t c, uint32_t* out) {
  const auto extended = [](uint32_t bits) { return int32_t{static_cast<int8_t>(bits & 0xff)}; };
  const int32_t x = extended(a), y = extended(b), z = extended(c);
  const auto cut = [](uint32_t value) { return value & 0xff; };
  const auto wrap = [&](int32_t value) { return static_cast<uint32_t>(extended(static_cast<uint32_t>(value))); };
  const auto bits = [](double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); };
  const uint32_t divisor = b | 1;
  const uint32_t results[] = {
      cut(a + b),
      cut(a - b),
      cut(a * b + c),
      wrap(x - y),
      wrap(x * y),
      wrap(-x),
      a / divisor,
      a % divisor,
      wrap(x / ((y >> 3) | 1)),
      cut(a << (b & 7)),
      a >> (b & 7),
      wrap(x >> (y & 7)),
      cut((a & b) ^ ~c),
      std::min(a, b) | std::max(a, b) << 8,
      wrap(std::min(x, y)),
      wrap(std::max(x, y)),
      wrap(std::clamp(x, -100, 10)),
      wrap(std::abs(x)),
      wrap(x > 0   ? 1
           : x < 0 ? -1
                   : 0),
      (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u) | (a != c ? 8u : 0u) | (x < y ? 16u : 0u) |
          (x >= z ? 32u : 0u) | (cut(a + b) > c ? 64u : 0u),
      x < y ? a : c,
      a * b,
      static_cast<uint32_t>(x - y),
      bits(x),
      bits(a),
      a / 2,
      wrap(static_cast<int32_t>(x * -0.25)),
      a | b << 8 | c << 16 | cut(a + c) << 24,
      c | a << 8,
      a * 0x01030507u >> 16 & 0xff,
  };
  for (size_t i = 0; i < std::size(results); ++i) out[64 * i] = results[i];
}

void byte_arithmetic(const Manifest& manifest, BufferContents& buffers) {
  constexpr size_t kPixel = 8, kSet = size_t{34} * 64;
  const std::vector<uint8_t> pixels = buffers.at(0), block = buffers.at(1);
  std::vector<uint8_t>& narrow = buffers.at(2);
  const uint32_t* words = manifest.dispatches[0].push.data();
  const auto push = [&](size_t i) { return words[i / 4] >> 8 * (i % 4) & 0xff; };
  const auto extended = [](uint32_t bits) { return int32_t{static_cast<int8_t>(bits & 0xff)}; };
  for (size_t i = 0; i < 64; ++i) {
    const uint8_t* p = &pixels[i * kPixel];
    narrow[3 * i] = p[1];
    narrow[3 * i + 1] = pixels[(63 - i) * kPixel + 6];
    narrow[3 * i + 2] = static_cast<uint8_t>(p[3] + push(0));
    const uint8_t turned[] = {p[2], p[1], p[0], p[6]};
    std::copy(turned, turned + 4, &narrow[192 + 4 * i]);
    std::copy(p, p + 7, &narrow[448 + (63 - i) * kPixel]);
    uint32_t places[] = {p[4], p[5], p[3], push(1), push(7)};
    places[i % 5] = block[i & 3];
    uint32_t* own = &u32(buffers, 3)[i];
    byte_results(p[0], p[1], p[6], own);
    own[64 * 30] = static_cast<uint32_t>(extended(places[i * 3 % 5]));
    own[64 * 31] = static_cast<uint32_t>(extended(push(4 + (i & 3))));
    own[64 * 32] = block[5] + static_cast<uint32_t>(extended(block[4]));
    own[64 * 33] = push(3);
    byte_results(block[0], block[1], block[2], own + kSet);
  }
}

void half_functions(const Manifest&, BufferContents& buffers) {
  const std::vector<uint8_t>& in = buffers.at(0);
  const auto number = [&](size_t i) { return half(u16(in, 2 * i)); };
  using Vector = std::array<double, 3>;
  const auto dot = [](const Vector& x, const Vector& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
  const auto vectors = [&](size_t i) {
    const double a = number(i), b = number(64 + i), c = number(128 + i);
    return std::pair<Vector, Vector>{{a, b, c}, {c, a, std::abs(b) + 0.5}};
  };
  for (size_t i = 0; i < 64; ++i) {
    const double a = number(i), b = number(64 + i), c = number(128 + i), small = a * 0.25;
    const double positive = std::abs(b) + 0.5, t = std::clamp((a + 1) / 3, 0.0, 1.0), pi = std::numbers::pi;
    const auto [v, w] = vectors(i);
    const double length = std::sqrt(dot(w, w));
    const Vector unit = {w[0] / length, w[1] / length, w[2] / length};
    const Vector offset = {v[0] - w[0], v[1] - w[1], v[2] - w[2]};
    // The transpose of the neighbour's matrix has its columns for rows: a row vector times it weights the columns.
    const auto [first, second] = vectors(i ^ 1);
    Vector row;
    for (size_t k = 0; k < 3; ++k) row[k] = 0.125 * (positive * first[k] + b * second[k]);
    const auto [left, right] = vectors(63 - i);
    const double values[] = {std::tan(small),
                             std::asin(small),
                             std::acos(small),
                             std::atan(a),
                             std::atan2(b, positive),
                             std::sinh(small),
                             std::cosh(small),
                             std::tanh(a),
                             std::asinh(a),
                             std::acosh(positive + 1),
                             std::atanh(small),
                             t * t * (3 - 2 * t),
                             b * 50 * pi / 180,
                             small * 180 / pi,
                             dot(v, w),
                             v[2] * w[0] - v[0] * w[2],
                             unit[2],
                             std::sqrt(dot(offset, offset)),
                             v[0] - 2 * dot(unit, v) * unit[0],
                             dot(v, w) < 0 ? v[2] : -v[2],
                             dot(row, w),
                             left[0] * a + right[0] * positive,
                             left[2] * a + right[2] * positive,
                             a * positive - b * c,
                             a * 0.5 + c,
                             a * 3 - std::trunc(a * 3),
                             std::trunc(a * 3),
                             3 * 1.5 * a,
                             std::round(a + 0.3125),
                             0,
                             3.5};
    for (size_t r = 0; r < std::size(values); ++r) f32(buffers, 1)[64 * r + i] = static_cast<float>(values[r]);
    const uint32_t words[] = {0,
                              1,
                              0,
                              1,
                              static_cast<uint32_t>(-5),
                              3 * 31027 & 0xffff,
                              9,
                              (i & 2) != 0 ? 0u : 77u,
                              static_cast<uint32_t>(static_cast<int32_t>(a) * 3)};
    for (size_t r = 0; r < std::size(words); ++r) u32(buffers, 2)[64 * r + i] = words[r];
  }
}

void byte_compare(const Manifest&, BufferContents& b) {
  const auto byte = [&](uint32_t at) { return static_cast<uint8_t>(u32(b, 0)[at / 4] >> at % 4 * 8); };
  for (uint32_t group = 0; group < 8; ++group) {
    for (uint32_t i = 0; i < 64; ++i) {
      const uint8_t own = byte(group);
      uint32_t result = own == 0x7c ? 1 : 0;
      if (own != byte(group + 1)) result |= 2;
      if (own < 100) result |= 4;
      if (static_cast<int8_t>(own) < -3) result |= 8;
      if (byte(i) == 9 || byte(i + group) == 0xff) result |= 16;
      if (static_cast<int8_t>(byte(i)) >= static_cast<int8_t>(own)) result |= 32;
      u32(b, 1)[group * 64 + i] = result + byte(i + group) * 256u;
    }
  }
}

constexpr Reference kReferences[] = {
    {"byte_compare", byte_compare},       {"storage16", storage16},           {"short_arithmetic", short_arithmetic},
    {"half_arithmetic", half_arithmetic}, {"half_functions", half_functions}, {"byte_arithmetic", byte_arithmetic},
};

}  // namespace

std::span<const Reference> narrow_references() {
  return kReferences;
}

}  // namespace spalt::run
