// SPDX-License-Identifier: MIT
// Formats by name: Vega ISA guide, table 26 (DFMT, NFMT); RDNA 1 to 4, table "Data Format Encodings". What the guides
// do not say is in docs/isa-errata.md, "Typed buffers".
#include "typed_format.h"

#include <algorithm>

namespace spalt::semantics {
namespace {

constexpr ChannelLayout k8{1, {8}}, k16{1, {16}}, k88{2, {8, 8}}, k32{1, {32}}, k1616{2, {16, 16}},
    k101111{3, {11, 11, 10}}, k111110{3, {10, 11, 11}}, k1010102{4, {2, 10, 10, 10}}, k2101010{4, {10, 10, 10, 2}},
    k8888{4, {8, 8, 8, 8}}, k3232{2, {32, 32}}, k16161616{4, {16, 16, 16, 16}}, k323232{3, {32, 32, 32}},
    k32323232{4, {32, 32, 32, 32}};

/// Number formats of a layout, one after the other in the unified numbering.
struct Run {
  ChannelLayout layout;
  std::vector<Number> numbers;
};
using N = Number;
const std::vector<N> kAllInteger = {N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint};
const std::vector<N> kAll = {N::unorm, N::snorm, N::uscaled, N::sscaled, N::uint, N::sint, N::floating};
const std::vector<N> kWhole = {N::uint, N::sint, N::floating};

std::vector<TypedFormat> numbered(const std::vector<Run>& runs) {
  std::vector<TypedFormat> formats;
  unsigned code = 1;
  for (const Run& run : runs) {
    for (const Number number : run.numbers) formats.push_back({run.layout, number, code++});
  }
  return formats;
}

}  // namespace

/// GFX10 numbers all pairs that exist; GFX11 and GFX12 leave out most of the packed ones.
std::vector<TypedFormat> formats_of(const isa::Target& target) {
  const std::vector<Run> gfx10 = {
      {k8, kAllInteger}, {k16, kAll},       {k88, kAllInteger},      {k32, kWhole},           {k1616, kAll},
      {k101111, kAll},   {k111110, kAll},   {k1010102, kAllInteger}, {k2101010, kAllInteger}, {k8888, kAllInteger},
      {k3232, kWhole},   {k16161616, kAll}, {k323232, kWhole},       {k32323232, kWhole}};
  if (target.major == 10) return numbered(gfx10);
  if (target.major >= 11) {
    const std::vector<N> four = {N::unorm, N::snorm, N::uint, N::sint};
    return numbered({{k8, kAllInteger},
                     {k16, kAll},
                     {k88, kAllInteger},
                     {k32, kWhole},
                     {k1616, kAll},
                     {k101111, {N::floating}},
                     {k111110, {N::floating}},
                     {k1010102, four},
                     {k2101010, kAllInteger},
                     {k8888, kAllInteger},
                     {k3232, kWhole},
                     {k16161616, kAll},
                     {k323232, kWhole},
                     {k32323232, kWhole}});
  }
  // GFX9: DFMT 1 to 14 in this order, NFMT beside it.
  const ChannelLayout order[] = {k8,       k16,      k88,   k32,   k1616,     k101111, k111110,
                                 k1010102, k2101010, k8888, k3232, k16161616, k323232, k32323232};
  std::vector<TypedFormat> formats = numbered(gfx10);
  for (TypedFormat& format : formats) {
    unsigned data = 0;
    while (order[data].bits != format.layout.bits) ++data;
    const unsigned number = format.number == N::floating ? 7 : static_cast<unsigned>(format.number);
    format.code = (data + 1) | number << 4;
  }
  return formats;
}

// ---- conversion ----

uint32_t bits_at(const Element& element, unsigned first, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(element[(first + i) / 8] >> ((first + i) % 8) & 1) << i;
  return static_cast<uint32_t>(value);
}
void set_bits(Element& element, unsigned first, unsigned count, uint64_t value) {
  for (unsigned i = 0; i < count; ++i) {
    const auto bit = static_cast<uint8_t>(1u << ((first + i) % 8));
    element[(first + i) / 8] =
        static_cast<uint8_t>((value >> i & 1) != 0 ? element[(first + i) / 8] | bit : element[(first + i) / 8] & ~bit);
  }
}
unsigned first_bit(const ChannelLayout& layout, unsigned channel) {
  unsigned first = 0;
  for (unsigned i = 0; i < channel; ++i) first += layout.bits[i];
  return first;
}
FloatFormat float_of(unsigned bits) {
  if (bits == 32) return kF32;
  return bits == 16 ? kF16 : FloatFormat{static_cast<int>(bits) - 5, 5};
}

namespace {

int64_t as_signed(uint32_t value, unsigned bits) {
  const auto wide = static_cast<int64_t>(value);
  return (value >> (bits - 1) & 1) != 0 ? wide - (int64_t{1} << bits) : wide;
}

Real number_of(Number number, uint32_t raw, unsigned bits) {
  const int64_t most = (int64_t{1} << bits) - 1, most_signed = (int64_t{1} << (bits - 1)) - 1;
  switch (number) {
    case N::unorm:
      return divide(from_integer(raw), from_integer(most));
    case N::snorm:
      return divide(from_integer(std::max(as_signed(raw, bits), -most_signed)), from_integer(most_signed));
    case N::uscaled:
      return from_integer(raw);
    case N::sscaled:
      return from_integer(as_signed(raw, bits));
    default:
      return from_bits(raw, float_of(bits));
  }
}

Real clamp(const Real& value, int64_t low, int64_t high) {
  if (value.is_nan()) return make_zero(false);
  if (compare(value, from_integer(low)) == Order::less) return from_integer(low);
  return compare(value, from_integer(high)) == Order::greater ? from_integer(high) : value;
}

}  // namespace

uint32_t loaded(Number number, uint32_t raw, unsigned bits, bool half) {
  if (number == N::uint) return half ? std::min<uint32_t>(raw, 0xffff) : raw;
  if (number == N::sint) {
    const int64_t value = as_signed(raw, bits);
    return static_cast<uint32_t>(half ? std::clamp<int64_t>(value, -32768, 32767) & 0xffff : value);
  }
  if (number == N::floating && (half ? bits == 16 : bits == 32)) return raw;
  const Rounding rounding = number == N::floating ? Rounding::toward_zero : Rounding::nearest_even;
  return static_cast<uint32_t>(to_bits(number_of(number, raw, bits), half ? kF16 : kF32, rounding));
}

uint64_t stored(Number number, uint32_t value, unsigned bits, bool half) {
  const int64_t most = (int64_t{1} << bits) - 1, most_signed = (int64_t{1} << (bits - 1)) - 1;
  const FloatFormat& in = half ? kF16 : kF32;
  const auto integer = [](const Real& real, Rounding rounding) {
    return static_cast<uint64_t>(
        static_cast<int64_t>(to_integer(round_to_integer(real, rounding), -(I128{1} << 40), I128{1} << 40)));
  };
  const Real real = from_bits(value, in);
  switch (number) {
    case N::unorm:
      return integer(multiply(clamp(real, 0, 1), from_integer(most)), Rounding::nearest_even);
    case N::snorm:
      return integer(multiply(clamp(real, -1, 1), from_integer(most_signed)), Rounding::nearest_even);
    case N::uscaled:
      return integer(clamp(real, 0, most), Rounding::toward_zero);
    case N::sscaled:
      return integer(clamp(real, -most_signed - 1, most_signed), Rounding::toward_zero);
    case N::uint:
      return std::min<uint64_t>(value, static_cast<uint64_t>(most));
    case N::sint:
      return static_cast<uint64_t>(
          std::clamp<int64_t>(half ? as_signed(value, 16) : as_signed(value, 32), -most_signed - 1, most_signed));
    default:
      break;
  }
  if (bits == (half ? 16u : 32u)) return value;
  if (bits < 16 && real.negative && !real.is_nan()) return 0;
  return to_bits(real, float_of(bits), Rounding::toward_zero);
}

bool is_nan_in(Number number, uint32_t raw, unsigned bits) {
  return number == N::floating && float_of(bits).is_nan(raw);
}

}  // namespace spalt::semantics
