// SPDX-License-Identifier: MIT
#include "values.h"

#include <iterator>

#include "real.h"

namespace spalt::semantics {
namespace {

uint64_t bits64(std::mt19937& random) {
  return random() | static_cast<uint64_t>(random()) << 32;
}

uint64_t integer_corner(unsigned width, std::mt19937& random) {
  const unsigned bit = random() % width;
  const uint64_t power = uint64_t{1} << bit;
  switch (random() % 8) {
    case 0:
      return power;
    case 1:
      return power - 1;
    case 2:
      return ~power;
    case 3:
      return ~power + 1;
    case 4:
      return random() % 70;
    case 5:
      return ~uint64_t{random() % 70};
    case 6:
      return random() % 2 == 0 ? 0x5555555555555555u : 0xaaaaaaaaaaaaaaaau;
    default:
      return random() % 2 == 0 ? 0 : ~uint64_t{0};
  }
}

uint64_t integer(unsigned width, std::mt19937& random) {
  return random() % 2 == 0 ? bits64(random) : integer_corner(width, random);
}

uint64_t with_junk(uint64_t value, unsigned width, std::mt19937& random) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  return (value & mask) | (bits64(random) & ~mask);
}

}  // namespace

uint64_t sample(const FloatFormat& format, std::mt19937& random) {
  const uint64_t sign = random() % 2 == 0 ? 0 : format.sign_bit();
  const uint64_t fraction = bits64(random) & format.mantissa_mask();
  const auto exponent = [&](unsigned range) {
    const int field = format.bias() - static_cast<int>(range / 2) + static_cast<int>(random() % range);
    return static_cast<uint64_t>(field) << format.mantissa_bits;
  };
  switch (random() % 16) {
    case 0:
      return sign;
    case 1:
      return sign | (random() % 2 == 0 ? fraction : random() % 3 + 1);  // denormal
    case 2:
      return sign | format.mantissa_mask() | (random() % 2 == 0 ? 0 : format.one());
    case 3:
      return sign | format.infinity();
    case 4:
      return sign | format.infinity() | (random() % 2 == 0 ? format.quiet_bit() : 0) | fraction | 1;  // NaN
    case 5:
      return sign | (format.infinity() - 1 - random() % 3);
    case 6:
      return sign | (uint64_t{1} << format.mantissa_bits | random() % 3);  // the smallest normal numbers
    case 7: {                                                              // k + 1/2 and whole numbers
      const uint64_t steps = random() % 512;
      return sign | to_bits(make_real(false, steps, -1), format, Rounding::nearest_even);
    }
    case 8:
    case 9:
      return bits64(random);
    case 10:
      return sign | exponent(static_cast<unsigned>(2 * format.mantissa_bits)) |
             (random() % 2 == 0 ? 0 : format.mantissa_mask());
    case 11:
      return sign | exponent(format.exponent_bits == 5 ? 26u : 80u) | fraction;
    default:
      return sign | exponent(8) | fraction;
  }
}

uint64_t sample_half(std::mt19937& random) {
  return (random() % 4 == 0 ? integer(16, random) : sample(kF16, random)) & 0xffffu;
}

uint64_t sample(isa::OperandType type, std::mt19937& random) {
  using isa::OperandType;
  switch (type) {
    case OperandType::f16:
      return with_junk(sample(kF16, random), 16, random);
    case OperandType::f32:
      return with_junk(sample(kF32, random), 32, random);
    case OperandType::f64:
      return sample(kF64, random);
    case OperandType::b16:
    case OperandType::i16:
    case OperandType::u16:
      return with_junk(integer(16, random), 16, random);
    case OperandType::f16x2:
      return sample_half(random) | sample_half(random) << 16;
    case OperandType::i16x2:
      return (integer(16, random) & 0xffffu) | (integer(16, random) & 0xffffu) << 16;
    case OperandType::b64:
    case OperandType::i64:
    case OperandType::u64:
      return integer(64, random);
    default:
      return integer(32, random);
  }
}

}  // namespace spalt::semantics
