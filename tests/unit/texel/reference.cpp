// SPDX-License-Identifier: MIT
#include "reference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace spalt::texel::reference {
namespace {

/// "A2B10G10R10" as letters and widths, in the order of the name.
std::vector<Component> parse_components(const std::string& word) {
  std::vector<Component> components;
  for (const char c : word) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      components.back().bits = components.back().bits * 10 + static_cast<unsigned>(c - '0');
    } else {
      components.push_back({c, 0, 0});
    }
  }
  return components;
}

long double to_linear(long double encoded) {
  return encoded <= 0.04045L ? encoded / 12.92L : std::pow((encoded + 0.055L) / 1.055L, 2.4L);
}

long double to_srgb(long double linear) {
  return linear <= 0.0031308L ? linear * 12.92L : 1.055L * std::pow(linear, 1 / 2.4L) - 0.055L;
}

/// Floats have 5 bits of exponent, and a sign if they have 16 bits.
long double float_value(uint64_t raw, unsigned bits) {
  const unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
  const auto mantissa = static_cast<long double>(raw & ((1u << mantissa_bits) - 1));
  const auto exponent = static_cast<int>(raw >> mantissa_bits & 31);
  const long double sign = bits == 16 && (raw >> 15 & 1) != 0 ? -1 : 1;
  const long double scale = std::ldexp(1.0L, static_cast<int>(mantissa_bits));
  if (exponent == 31) return mantissa != 0 ? std::numeric_limits<long double>::quiet_NaN() : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa / scale, -14);
  return sign * std::ldexp(1 + mantissa / scale, exponent - 15);
}

/// The greatest finite or infinite magnitude that is not greater, found by halving.
uint64_t truncated_float(long double value, unsigned bits) {
  const unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
  const bool negative = std::signbit(value);
  if (negative && bits != 16) return 0;
  const long double magnitude = std::fabs(value);
  const uint64_t infinity = uint64_t{31} << mantissa_bits;
  if (std::isinf(magnitude)) return infinity | (negative ? 0x8000u : 0u);
  uint64_t low = 0, high = infinity;  // low is not greater, high is
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (float_value(middle, bits) <= magnitude ? low : high) = middle;
  }
  return low | (negative ? 0x8000u : 0u);
}

}  // namespace

const Component* Meaning::find(char letter) const {
  for (const Component& component : components) {
    if (component.letter == letter) return &component;
  }
  return nullptr;
}

std::string Meaning::number_of(char letter) const {
  return number == "SRGB" && letter == 'A' ? "UNORM" : number;
}

Meaning meaning_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == '_') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  Meaning meaning;
  meaning.components = parse_components(words[0]);
  size_t next = 1;
  if (words[0] == "X8") {
    meaning.components.push_back(parse_components(words[next++])[0]);
  }
  meaning.number = words[next];
  // Packed formats name the components from the most significant bit on, others in the order of the bytes. D24_S8 has
  // its depth plane as X8_D24.
  const bool packed = name.find("PACK") != std::string::npos;
  unsigned offset = 0;
  for (size_t i = 0; i < meaning.components.size(); ++i) {
    Component& component = meaning.components[packed ? meaning.components.size() - 1 - i : i];
    component.offset = offset;
    offset += component.bits;
  }
  if (words[0] == "D24") offset = 32;
  meaning.bytes = offset / 8;
  return meaning;
}

uint64_t get_bits(const uint8_t* bytes, unsigned offset, unsigned bits) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bits; ++i) value |= uint64_t{bytes[(offset + i) / 8] >> (offset + i) % 8 & 1u} << i;
  return value;
}

void set_bits(uint8_t* bytes, unsigned offset, unsigned bits, uint64_t value) {
  for (unsigned i = 0; i < bits; ++i) {
    uint8_t& byte = bytes[(offset + i) / 8];
    const auto mask = static_cast<uint8_t>(1u << (offset + i) % 8);
    byte = static_cast<uint8_t>((value >> i & 1) != 0 ? byte | mask : byte & ~mask);
  }
}

long double value_of(const std::string& number, uint64_t raw, unsigned bits) {
  const auto value = static_cast<long double>(raw), range = std::ldexp(1.0L, static_cast<int>(bits));
  const long double with_sign = value >= range / 2 ? value - range : value;
  if (number == "UNORM") return value / (range - 1);
  if (number == "SNORM") return std::max(with_sign / (range / 2 - 1), -1.0L);
  if (number == "USCALED" || number == "UINT") return value;
  if (number == "SSCALED" || number == "SINT") return with_sign;
  if (number == "SRGB") return to_linear(value / 255);
  return float_value(raw, bits);
}

uint64_t bits_of_value(const std::string& number, long double value, unsigned bits) {
  const long double range = std::ldexp(1.0L, static_cast<int>(bits));
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const auto as_bits = [&](long double integer) { return static_cast<uint64_t>(static_cast<int64_t>(integer)) & mask; };
  if (number == "SFLOAT" || number == "UFLOAT") return truncated_float(value, bits);
  if (std::isnan(value)) return 0;
  if (number == "UNORM") return as_bits(std::nearbyint(std::clamp(value, 0.0L, 1.0L) * (range - 1)));
  if (number == "SNORM") return as_bits(std::nearbyint(std::clamp(value, -1.0L, 1.0L) * (range / 2 - 1)));
  if (number == "USCALED" || number == "UINT") return as_bits(std::trunc(std::clamp(value, 0.0L, range - 1)));
  if (number == "SRGB") return as_bits(std::nearbyint(to_srgb(std::clamp(value, 0.0L, 1.0L)) * 255));
  return as_bits(std::trunc(std::clamp(value, -range / 2, range / 2 - 1)));
}

uint32_t shared_exponent_of(const float* rgb) {
  constexpr int kN = 9, kB = 15;
  const long double most = std::ldexp(511.0L / 512, 31 - kB);
  long double c[3];
  for (int i = 0; i < 3; ++i) c[i] = rgb[i] > 0 ? std::min<long double>(most, rgb[i]) : 0;
  const long double largest = std::max({c[0], c[1], c[2]});
  const int exponent =
      largest > std::ldexp(1.0L, -(kB + 1)) ? static_cast<int>(std::floor(std::log2(largest))) + 1 + kB : 0;
  const auto mantissa = [&](long double value, int at) { return std::floor(std::ldexp(value, kB + kN - at) + 0.5L); };
  const int shared = mantissa(largest, exponent) < 512 ? exponent : exponent + 1;
  uint32_t texel = static_cast<uint32_t>(shared) << 27;
  for (int i = 0; i < 3; ++i) texel |= static_cast<uint32_t>(mantissa(c[i], shared)) << (9 * i);
  return texel;
}

}  // namespace spalt::texel::reference
