// SPDX-License-Identifier: MIT
// Conversion between the formats of typed buffers and registers. Normalized numbers and halves made of them are rounded
// once to nearest even; a float becomes a shorter float by truncation (RDNA 3 ISA guide, 9.3.1 "D16 Instructions"). For
// what the guides leave out see docs/isa-errata.md, "Typed buffers".
#include "emu/memory/format_convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/bits.h"
#include "emu/memory/lane_access.h"
#include "emu/vector/float_math.h"

namespace spalt::emu {
namespace {

using isa::BufferFormat;
using isa::NumberFormat;

constexpr unsigned kTowardZero = 3;  ///< rounding field of MODE

/// A channel has 32 bits or lies within one dword.
uint32_t raw_channel(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  uint32_t dword;
  std::memcpy(&dword, element.data() + format.offset[channel] / 32 * 4, sizeof dword);
  return static_cast<uint32_t>(bits_of(dword, format.offset[channel] % 32, format.bits[channel]));
}

/// Floats of 10 and 11 bits are halves without a sign whose mantissa is cut.
unsigned small_float_shift(unsigned bits) {
  return 15 - bits;
}

/// The number that the channel stands for; formats other than integers and 32-bit floats.
double number_of(NumberFormat number, uint32_t raw, unsigned bits) {
  const auto value = static_cast<double>(raw), with_sign = static_cast<double>(sign_extend(raw, bits));
  switch (number) {
    case NumberFormat::unorm:
      return value / static_cast<double>((uint64_t{1} << bits) - 1);
    case NumberFormat::snorm:
      return std::max(with_sign / static_cast<double>((uint64_t{1} << (bits - 1)) - 1), -1.0);
    case NumberFormat::uscaled:
      return value;
    case NumberFormat::sscaled:
      return with_sign;
    default:
      return half_to_float(bits == 16 ? raw : raw << small_float_shift(bits));
  }
}

/// Drops what a half has no room for; infinity remains, and a NaN with as much of its payload as fits.
uint32_t truncate_to_half(uint32_t float_bits) {
  if (is_nan32(float_bits)) {
    const uint32_t payload = float_bits >> 13 & 0x3ffu;
    return (float_bits >> 16 & 0x8000u) | 0x7c00u | (payload != 0 ? payload : 0x200u);
  }
  return float_to_half(as_float(float_bits), kTowardZero);
}

uint32_t clamp_signed(uint32_t value, unsigned bits) {
  const int64_t limit = int64_t{1} << (bits - 1);
  return static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int32_t>(value), -limit, limit - 1));
}

uint32_t clamp_unsigned(uint32_t value, unsigned bits) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, (uint64_t{1} << bits) - 1));
}

/// A float as an integer between the limits; NaN is 0.
uint32_t quantize(double value, double low, double high, double scale, bool truncate) {
  if (std::isnan(value)) return 0;
  const double scaled = std::clamp(value, low, high) * scale;
  return static_cast<uint32_t>(static_cast<int64_t>(truncate ? std::trunc(scaled) : std::nearbyint(scaled)));
}

uint32_t encode_float(uint32_t float_bits, unsigned bits) {
  if (bits == 32) return float_bits;
  const uint32_t half = truncate_to_half(float_bits);
  if (bits == 16) return half;
  // No sign: negative numbers become 0. NaN stays one, whatever its sign.
  if (is_nan16(half)) return kQuietNan16 >> small_float_shift(bits);
  return (half & 0x8000u) != 0 ? 0 : half >> small_float_shift(bits);
}

uint32_t encode_channel(const BufferFormat& format, uint32_t value, unsigned bits) {
  const auto most = static_cast<double>((uint64_t{1} << bits) - 1);
  const auto most_signed = static_cast<double>((uint64_t{1} << (bits - 1)) - 1);
  switch (format.number) {
    case NumberFormat::unorm:
      return quantize(as_float(value), 0, 1, most, false);
    case NumberFormat::snorm:
      return quantize(as_float(value), -1, 1, most_signed, false);
    case NumberFormat::uscaled:
      return quantize(as_float(value), 0, most, 1, true);
    case NumberFormat::sscaled:
      return quantize(as_float(value), -most_signed - 1, most_signed, 1, true);
    case NumberFormat::uint:
      return clamp_unsigned(value, bits);
    case NumberFormat::sint:
      return clamp_signed(value, bits);
    default:
      return encode_float(value, bits);
  }
}

}  // namespace

uint32_t decode_channel(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  const unsigned bits = format.bits[channel];
  const uint32_t raw = raw_channel(format, element, channel);
  if (format.number == NumberFormat::uint || bits == 32) return raw;
  if (format.number == NumberFormat::sint) return static_cast<uint32_t>(sign_extend(raw, bits));
  return as_bits(static_cast<float>(number_of(format.number, raw, bits)));
}

uint32_t decode_channel16(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  const unsigned bits = format.bits[channel];
  const uint32_t raw = raw_channel(format, element, channel);
  if (format.number == NumberFormat::uint) return clamp_unsigned(raw, 16);
  if (format.number == NumberFormat::sint) {
    return clamp_signed(static_cast<uint32_t>(sign_extend(raw, bits)), 16) & 0xffffu;
  }
  if (format.number == NumberFormat::floating) {
    return bits == 32 ? truncate_to_half(raw) : bits == 16 ? raw : raw << small_float_shift(bits);
  }
  return float_to_half(number_of(format.number, raw, bits), 0);
}

uint32_t format_one(const BufferFormat& format, bool half) {
  if (format.is_integer()) return 1;
  return half ? 0x3c00u : 0x3f800000u;
}

uint32_t widen16(const BufferFormat& format, uint32_t half) {
  if (format.number == NumberFormat::uint) return half & 0xffffu;
  if (format.number == NumberFormat::sint) return static_cast<uint32_t>(sign_extend(half & 0xffffu, 16));
  return as_bits(half_to_float(half & 0xffffu));
}

ElementBytes encode_element(const BufferFormat& format, const std::array<uint32_t, 4>& channels) {
  ElementBytes element{};
  for (unsigned c = 0; c < format.channels; ++c) {
    const uint32_t raw = encode_channel(format, channels[c], format.bits[c]);
    uint8_t* at = element.data() + format.offset[c] / 32 * 4;
    uint32_t dword;
    std::memcpy(&dword, at, sizeof dword);
    dword = static_cast<uint32_t>(with_bits(dword, format.offset[c] % 32, format.bits[c], raw));
    std::memcpy(at, &dword, sizeof dword);
  }
  return element;
}

namespace {

/// The element of one lane; zeros where it is out of range.
ElementBytes gather(const Transfer& t, unsigned lane) {
  ElementBytes element{};
  for (unsigned c = 0; c < t.components; ++c) {
    if ((t.valid[lane] >> c & 1) == 0) continue;
    std::memcpy(element.data() + size_t{c} * t.component_bytes, t.component(lane, c), t.component_bytes);
  }
  return element;
}

uint32_t selected(const Conversion& conversion, const ElementBytes& element, unsigned result) {
  constexpr uint8_t kSelect1 = 1, kSelectX = 4;
  const BufferFormat& format = *conversion.format;
  const bool half = conversion.width != Conversion::Width::dword;
  const uint8_t select = conversion.select[result];
  if (select == kSelect1) return format_one(format, half);
  if (select < kSelectX || select - kSelectX >= format.channels) return 0;
  const unsigned channel = select - kSelectX;
  return half ? decode_channel16(format, element, channel) : decode_channel(format, element, channel);
}

}  // namespace

void perform_typed_load(const Transfer& t, uint32_t* dst) {
  const Conversion& conversion = t.conversion;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    const ElementBytes element = gather(t, lane);
    for (unsigned i = 0; i < conversion.results; ++i) {
      const uint32_t value = selected(conversion, element, i);
      if (conversion.width == Conversion::Width::dword) {
        dst[i * kMaxLanes + lane] = value;
        continue;
      }
      const bool high = i % 2 != 0 || conversion.width == Conversion::Width::high_half;
      uint32_t& reg = dst[i / 2 * kMaxLanes + lane];
      reg = static_cast<uint32_t>(with_bits(reg, high ? 16 : 0, 16, value));
    }
  }
}

}  // namespace spalt::emu
