// SPDX-License-Identifier: MIT
//
// Programs that ask for rounding toward zero or flushed denormals, of each width. Numbers of 16 bits are computed in
// double precision, where what these programs do is exact, and are counted in units of their last place. Numbers of 64
// bits are rounded to nearest by the host and go back by one unit where their error, which is a double itself, has the
// other sign.
#include <algorithm>
#include <bit>
#include <cmath>

#include "doubles.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

enum class Rounding : uint8_t { nearest, toward_zero };
enum class Denormals : uint8_t { kept, flushed };

// ---- 16 bits ----

/// The bits of the half that a number becomes; there are no NaN here.
uint32_t half_of(double x, Rounding rounding, Denormals denormals = Denormals::kept) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::abs(x);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const double units = std::ldexp(magnitude, 10 - exponent);
  const double whole = rounding == Rounding::nearest ? std::nearbyint(units) : std::trunc(units);
  if (std::ldexp(whole, exponent - 10) > 65504) return sign | (rounding == Rounding::nearest ? 0x7c00 : 0x7bff);
  // 1024 units are the hidden bit, and 2048 the next exponent.
  const auto bits = static_cast<uint32_t>((exponent + 14) * 1024 + static_cast<int>(whole));
  return denormals == Denormals::flushed && bits < 0x400 ? sign : sign | bits;
}

double half_value(uint32_t bits, Denormals denormals = Denormals::kept) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto significand = static_cast<double>(bits & 0x3ff);
  if (exponent == 0) return denormals == Denormals::flushed ? sign * 0.0 : sign * std::ldexp(significand, -24);
  return sign * std::ldexp(significand + 1024, exponent - 25);
}

uint32_t pair(uint32_t low, uint32_t high) {
  return low | high << 16;
}
uint32_t single_bits(float x) {
  return std::bit_cast<uint32_t>(x);
}
float single(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

void half_toward_zero(const Manifest&, BufferContents& b) {
  const auto cut = [](double x) { return half_of(x, Rounding::toward_zero); };
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i], next = u32(b, 0)[i ^ 1];
    const double x = half_value(word & 0xbfff), y = half_value(word >> 16 & 0xbfff), z = half_value(next & 0xbfff);
    const float wide = single((next & 0x83ffffffu) + 0x37000000u), large = single((word & 0x80ffffffu) | 0x47000000u);
    const double long_one = number(next | uint64_t{(word & 0x803fffffu) + 0x3f000000u} << 32);
    const double shifted = std::floor(static_cast<int32_t>(word) / 8192.0);
    const uint32_t words[] = {pair(cut(x + y), cut(x * y)),
                              pair(cut(1 - x), cut(x * y + z)),
                              pair(cut(wide), cut(large)),
                              pair(cut(shifted), cut(word >> 15)),
                              pair(cut(wide), cut(large)),
                              single_bits(wide + 1.0f),
                              pair(cut(-wide), cut(-large)),
                              pair(cut(long_one), cut(long_one * 65536)) ^ 1};  // NaN, and two zeros of positive sign
    std::copy_n(words, 8, &u32(b, 1)[8 * i]);
  }
}

/// -0 is less than +0.
double larger(double x, double y) {
  return x > y || (x == y && std::signbit(y)) ? x : y;
}

void half_flush(const Manifest&, BufferContents& b) {
  const auto flushed = [](double x) { return half_of(x, Rounding::nearest, Denormals::flushed); };
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t random = u32(b, 0)[i], word = random & 0x87ff87ffu;
    const double x = half_value(word & 0xffff, Denormals::flushed), y = half_value(word >> 16, Denormals::flushed);
    const float tiny = static_cast<float>(random & 0xffff) * 2e-9f;
    const uint32_t words[] = {pair(flushed(-x), flushed(std::abs(y))),
                              pair(flushed(x), flushed(x * 0.5)),
                              pair(flushed(x + y), flushed(x - std::ldexp(1, -14))),
                              pair(flushed(larger(x, y)), flushed(x)),
                              single_bits(static_cast<float>(x)),
                              single_bits(static_cast<float>(y)),
                              pair(flushed(tiny), flushed(-tiny)),
                              pair(flushed(-tiny), flushed(tiny)),
                              single_bits(single(random & 0x807fffffu) * 0.5f),
                              x == 0,
                              x < y,
                              word};
    std::copy_n(words, 12, &u32(b, 1)[12 * i]);
  }
}

// ---- 64 bits ----

/// What is `nearest` plus something of the sign of `error`, rounded toward zero.
double cut(double nearest, double error) {
  return error != 0 && std::signbit(error) != std::signbit(nearest) ? std::nextafter(nearest, 0.0) : nearest;
}
/// The error of a sum of which the first number is larger (Dekker).
double cut_sum(double large, double small) {
  const double sum = large + small;
  return cut(sum, small - (sum - large));
}
double cut_product(double x, double y) {
  const double product = x * y;
  return cut(product, std::fma(x, y, -product));
}
double cut_integer(uint64_t magnitude) {
  const int excess = 64 - 53 - std::countl_zero(magnitude);
  return static_cast<double>(excess > 0 ? magnitude >> excess << excess : magnitude);
}

uint64_t double_word(BufferContents& b, uint32_t i) {
  return u32(b, 0)[2 * i] | uint64_t{u32(b, 0)[2 * i + 1]} << 32;
}
void put_doubles(BufferContents& b, uint32_t i, const uint64_t (&words)[8]) {
  for (uint32_t k = 0; k < 8; ++k) {
    u32(b, 1)[16 * i + 2 * k] = static_cast<uint32_t>(words[k]);
    u32(b, 1)[16 * i + 2 * k + 1] = static_cast<uint32_t>(words[k] >> 32);
  }
}

void double_toward_zero(const Manifest&, BufferContents& b) {
  constexpr uint64_t kFraction = 0x800fffffffffffffu, kShort = 0x800ffffff8000000u;
  for (uint32_t i = 0; i < 128; ++i) {
    const uint64_t word = double_word(b, i), next = double_word(b, i ^ 1);
    const double x = number((word & kFraction) | 0x3ff0000000000000u);
    const double y = number((next & kFraction) | 0x3e90000000000000u);
    const double short_x = number((word & kShort) | 0x3ff0000000000000u);
    const double short_y = number((next & kShort) | 0x3fd0000000000000u);
    const double product = short_x * short_y;  // exact, and less than x
    const auto signed_word = static_cast<int64_t>(word);
    const uint64_t magnitude = signed_word < 0 ? 0 - word : word;
    const double whole = cut_integer(magnitude);
    put_doubles(b, i,
                {bits(cut_sum(x, y)), bits(cut_product(x, y)), bits(cut_sum(-x, y)), bits(cut_sum(x, product)),
                 bits(std::ldexp(std::trunc(std::ldexp(x, 45)), -1074)), bits(cut_integer(word)),
                 bits(signed_word < 0 ? -whole : whole),
                 single_bits(static_cast<float>(x)) | uint64_t{single_bits(static_cast<float>(y))} << 32});
  }
}

double flushed(double x) {
  return std::abs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x;
}

void double_flush(const Manifest&, BufferContents& b) {
  constexpr uint64_t kSmall = 0x801fffffffffffffu;
  for (uint32_t i = 0; i < 128; ++i) {
    const uint64_t word = double_word(b, i), next = double_word(b, i ^ 1);
    const double x = flushed(number(word & kSmall)), y = flushed(number(next & kSmall));
    const float small = single(static_cast<uint32_t>(word) & 0x807fffffu);
    put_doubles(b, i,
                {bits(-x), bits(std::abs(y)), bits(x), bits(flushed(x * 0.5)), bits(flushed(x + y)), bits(larger(x, y)),
                 static_cast<uint64_t>(x == 0) | uint64_t{single_bits(small * 0.5f)} << 32,
                 bits(static_cast<double>(small)) ^ bits(x)});
  }
}

// ---- all widths ----

float cut_single(double x) {
  const auto nearest = static_cast<float>(x);
  const float cut = std::abs(static_cast<double>(nearest)) > std::abs(x) ? std::nextafter(nearest, 0.0f) : nearest;
  return std::abs(cut) < 0x1p-126f ? std::copysign(0.0f, cut) : cut;
}

void float_modes_apart(const Manifest&, BufferContents& b) {
  const auto nearest = [](double x) { return half_of(x, Rounding::nearest); };
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i];
    const double x = half_value(word & 0xbfff), y = half_value(word >> 16 & 0xbfff);
    const double wide = number(word * 2654435761u | uint64_t{(word & 0x800fffffu) | 0x3ff00000u} << 32);
    const uint64_t sum = bits(wide + 0.1), product = bits(wide * 0.7);
    const uint64_t tiny = bits(number(word | uint64_t{word & 0x800fffffu} << 32) * 0.5);
    const float from_wide = cut_single(wide);
    const uint32_t words[] = {pair(nearest(x + y), nearest(x * y)),
                              pair(nearest(from_wide), nearest(wide)),
                              static_cast<uint32_t>(sum),
                              static_cast<uint32_t>(sum >> 32),
                              static_cast<uint32_t>(product),
                              static_cast<uint32_t>(product >> 32),
                              static_cast<uint32_t>(tiny),
                              static_cast<uint32_t>(tiny >> 32),
                              single_bits(from_wide),
                              single_bits(cut_single(wide * 1e-40)),
                              single_bits(static_cast<float>(x)),
                              1};  // the product is NaN, and both zeros are positive
    std::copy_n(words, 12, &u32(b, 1)[12 * i]);
  }
}

void float_specials(const Manifest&, BufferContents& b) {
  constexpr uint32_t kSpecials[] = {0,          0x3f800000, 0x7f800000, 0x7fc00000,
                                    0x40200000, 0x3f000000, 0x7f7fffff, 0x40000000};
  const auto special_bits = [](float x) { return std::isnan(x) ? 0x7fc00000 : single_bits(x); };
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i];
    const float x = single(kSpecials[word & 7] | (word & 0x80000000u));
    float whole = 0;
    const float fraction = std::modf(x, &whole);
    // Both angles of two infinities are near, their hyperbolic tangent is one, and no sign is a NaN.
    const uint32_t facts = (std::isnan(x) ? 7u : 0u) | 8 | 16 | 32 | 64;
    const uint32_t mixed = special_bits(x * 0.5f + 1.0f);
    const uint32_t words[] = {special_bits(fraction), special_bits(whole), mixed, mixed ^ facts};
    std::copy_n(words, 4, &u32(b, 1)[4 * i]);
  }
}

/// A product that is rounded before it is added; of the two zeros -0 + 0 and 0 - x both are +0.
void fast_math(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i], bits = (word & 0x807fffffu) | 0x3f800000u;
    const float x = single(bits), product = x * 0.333333343f;
    const auto whole = static_cast<float>(word & 0x7ff);
    u32(b, 1)[2 * i] = single_bits(product - x);
    u32(b, 1)[2 * i + 1] = single_bits(whole * whole + whole) * 5 + 1;
  }
}

constexpr Reference kReferences[] = {
    {"half_toward_zero", half_toward_zero},     {"half_flush", half_flush},
    {"double_toward_zero", double_toward_zero}, {"double_flush", double_flush},
    {"float_modes_apart", float_modes_apart},   {"spv_fast_math", fast_math},
    {"float_specials", float_specials},
};

}  // namespace

std::span<const Reference> float_mode_references() {
  return kReferences;
}

}  // namespace spalt::run
