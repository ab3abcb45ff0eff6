// SPDX-License-Identifier: MIT
#include "data.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "base/random.h"

namespace spalt::opencl {
namespace {

uint64_t seed_of(const KernelSpec& kernel, size_t argument) {
  uint64_t seed = 1469598103934665603u + argument;
  for (const char c : kernel.name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed;
}

struct FloatLayout {
  unsigned mantissa, exponent;
  uint64_t exponent_mask() const { return ((uint64_t{1} << exponent) - 1) << mantissa; }
  uint64_t sign() const { return uint64_t{1} << (mantissa + exponent); }
};
FloatLayout layout_of(Type type) {
  return type == Type::f16 ? FloatLayout{10, 5} : type == Type::f32 ? FloatLayout{23, 8} : FloatLayout{52, 11};
}

double half_to_double(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) value = mantissa == 0 ? INFINITY : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}
/// Rounds toward zero; for making inputs.
uint16_t double_to_half(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (magnitude >= 65504) return sign | 0x7bff;
  if (magnitude < 0x1p-14) return sign | static_cast<uint16_t>(std::ldexp(magnitude, 24));
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10) |
                               (static_cast<uint16_t>(std::ldexp(fraction, 11)) & 1023));
}

uint64_t float_bits(Type type, double value) {
  if (type == Type::f16) return double_to_half(value);
  if (type == Type::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}
double float_value(Type type, uint64_t bits) {
  if (type == Type::f16) return half_to_double(static_cast<uint16_t>(bits));
  if (type == Type::f32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

/// Zeros, denormals, powers of two, ones, the largest, infinities, NaN; then all bits random, or with an exponent near
/// 0.
uint64_t any_float(Type type, size_t index, Random& random) {
  const FloatLayout f = layout_of(type);
  const uint64_t one = ((uint64_t{1} << (f.exponent - 1)) - 1) << f.mantissa;
  const uint64_t corners[] = {0,
                              1,
                              (uint64_t{1} << f.mantissa) - 1,
                              uint64_t{1} << f.mantissa,
                              one,
                              one + 1,
                              one - 1,
                              one + (uint64_t{1} << f.mantissa),
                              one + (uint64_t{1} << (f.mantissa - 1)),
                              one - (uint64_t{1} << f.mantissa),
                              f.exponent_mask() - 1,
                              f.exponent_mask(),
                              f.exponent_mask() | uint64_t{1} << (f.mantissa - 1)};
  constexpr size_t kCorners = std::size(corners);
  const uint64_t bits = random.next();
  // Corners meet other corners in the other arguments, since each argument draws its own.
  if (index % 3 == 0) return corners[bits % kCorners] | (bits >> 32 & 1 ? f.sign() : 0);
  const uint64_t all = bits & (f.sign() | (f.sign() - 1));
  if (index % 3 == 1) return all;
  const uint64_t near = one + (bits >> 40) % 16 * (uint64_t{1} << f.mantissa) - 8 * (uint64_t{1} << f.mantissa);
  return (all & ~f.exponent_mask()) | near;
}

uint64_t any_integer(Type type, size_t index, Random& random) {
  const size_t bits = size_of(type) * 8;
  const uint64_t value = random.next();
  const uint64_t top = uint64_t{1} << (bits - 1);
  const uint64_t corners[] = {0,
                              1,
                              2,
                              3,
                              7,
                              8,
                              15,
                              31,
                              32,
                              63,
                              64,
                              top,
                              top - 1,
                              top + 1,
                              ~uint64_t{0},
                              ~uint64_t{1},
                              0x55555555'55555555u,
                              0xaaaaaaaa'aaaaaaaau,
                              0x7f,
                              0x80,
                              0xff,
                              0x7fff,
                              0x8000,
                              0xffff};
  if (index % 3 == 0) return corners[value % std::size(corners)];
  // Every other value is small, so that quotients and shifts are interesting.
  return index % 3 == 1 ? value : value >> (64 - bits) >> (value & 63) % bits;
}

uint64_t ranged(Type type, const Generator& generator, Random& random) {
  const double value = generator.low + (generator.high - generator.low) * random.unit();
  if (is_float(type)) return float_bits(type, value);
  return static_cast<uint64_t>(static_cast<int64_t>(std::floor(value)));
}

uint64_t element(const Argument& argument, size_t index, Random& random) {
  const Type type = argument.type;
  const Generator& generator = argument.generator;
  if (generator.name == "zeros") return 0;
  if (generator.name == "index") return is_float(type) ? float_bits(type, static_cast<double>(index)) : index;
  if (generator.name == "range") return ranged(type, generator, random);
  if (generator.name == "any")
    return is_float(type) ? any_float(type, index, random) : any_integer(type, index, random);
  if (generator.name == "nonzero") {
    const uint64_t mask = ~uint64_t{0} >> (64 - size_of(type) * 8);
    for (size_t i = index;; ++i) {
      if (const uint64_t value = any_integer(type, i, random); (value & mask) != 0) return value;
    }
  }
  if (generator.name == "finite") {
    for (size_t i = index;; ++i) {
      if (const uint64_t bits = any_float(type, i, random); std::isfinite(float_value(type, bits))) return bits;
    }
  }
  if (generator.name == "number") {
    for (size_t i = index;; ++i) {
      if (const uint64_t bits = any_float(type, i, random); !std::isnan(float_value(type, bits))) return bits;
    }
  }
  if (generator.name == "magnitude" || generator.name == "positive") {
    const double value = std::exp2(generator.low + (generator.high - generator.low) * random.unit());
    const bool negative = generator.name == "magnitude" && (random.next() & 1) != 0;
    return float_bits(type, negative ? -value : value);
  }
  throw std::runtime_error("unknown generator '" + generator.name + "'");
}

uint64_t bits_at(const Bytes& bytes, Type type, size_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * size_of(type), size_of(type));
  return bits;
}

std::string text_of(Type type, uint64_t bits) {
  char text[96];
  if (is_float(type)) {
    std::snprintf(text, sizeof text, "%.17g (0x%0*llx)", float_value(type, bits), static_cast<int>(size_of(type) * 2),
                  static_cast<unsigned long long>(bits));
  } else {
    std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(size_of(type) * 2),
                  static_cast<unsigned long long>(bits));
  }
  return text;
}

/// A float's place among all of them in order; neighbours differ by one.
int64_t place_of(Type type, uint64_t bits) {
  const FloatLayout f = layout_of(type);
  const auto magnitude = static_cast<int64_t>(bits & (f.sign() - 1));
  return (bits & f.sign()) != 0 ? -magnitude : magnitude;
}

bool near_enough(const Argument& argument, uint64_t expected, uint64_t actual) {
  if (expected == actual) return true;
  if (!is_float(argument.type)) return false;
  const double want = float_value(argument.type, expected), got = float_value(argument.type, actual);
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  const Tolerance& tolerance = argument.tolerance;
  if (tolerance.absolute > 0 && std::fabs(want - got) <= tolerance.absolute) return true;
  if (want == 0 && got == 0) return tolerance.any_zero || tolerance.ulps > 0;
  if (std::signbit(want) != std::signbit(got)) return false;
  // An infinity is one step past the largest number: an error of an ulp may cross over.
  const int64_t distance = place_of(argument.type, expected) - place_of(argument.type, actual);
  return static_cast<double>(std::abs(distance)) <= tolerance.ulps;
}

std::string describe(const KernelSpec& kernel, size_t argument, size_t index, const std::vector<Bytes>& inputs,
                     const std::vector<Bytes>& expected, const std::vector<Bytes>& actual) {
  const Type type = kernel.arguments[argument].type;
  std::string text = "argument " + std::to_string(argument) + " element " + std::to_string(index) + " is " +
                     text_of(type, bits_at(actual[argument], type, index)) + ", the host has " +
                     text_of(type, bits_at(expected[argument], type, index));
  const size_t count = kernel.arguments[argument].count;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& other = kernel.arguments[i];
    if (!other.is_buffer() || other.kind == Argument::Kind::out || count % other.count != 0) continue;
    // The results of one item usually lie together.
    const size_t at = index / (count / other.count);
    text += "; argument " + std::to_string(i) + " was " + text_of(other.type, bits_at(inputs[i], other.type, at));
  }
  return text;
}

}  // namespace

std::vector<Bytes> initial_buffers(const KernelSpec& kernel) {
  constexpr uint8_t kUnwritten = 0x5a;
  std::vector<Bytes> buffers(kernel.arguments.size());
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    if (!argument.is_buffer()) continue;
    const size_t bytes = size_of(argument.type);
    buffers[i].assign(argument.count * bytes, kUnwritten);
    if (argument.kind == Argument::Kind::out) continue;
    Random random(seed_of(kernel, i));
    for (size_t k = 0; k < argument.count; ++k) {
      const uint64_t value = element(argument, k, random);
      std::memcpy(buffers[i].data() + k * bytes, &value, bytes);
    }
  }
  return buffers;
}

std::optional<std::string> compare(const KernelSpec& kernel, const std::vector<Bytes>& inputs,
                                   const std::vector<Bytes>& expected, const std::vector<Bytes>& actual) {
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    if (!argument.is_checked()) continue;
    for (size_t k = 0; k < argument.count; ++k) {
      if (near_enough(argument, bits_at(expected[i], argument.type, k), bits_at(actual[i], argument.type, k))) continue;
      if (wrong++ == 0) first = describe(kernel, i, k, inputs, expected, actual);
    }
  }
  if (wrong == 0) return std::nullopt;
  return std::to_string(wrong) + " wrong: " + first;
}

}  // namespace spalt::opencl
