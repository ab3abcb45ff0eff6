// SPDX-License-Identifier: MIT
// Elements of typed buffers and registers: the rules for a channel are those of images (texel/channel.h).
#include "emu/memory/format_convert.h"

#include <cstring>

#include "base/bits.h"
#include "emu/memory/lane_access.h"
#include "texel/channel.h"
#include "texel/codec.h"

namespace spalt::emu {
namespace {

using isa::BufferFormat;
using isa::NumberFormat;
using texel::Number;

/// Both follow the hardware's order.
constexpr Number number_of_format(NumberFormat format) {
  return format == NumberFormat::floating ? Number::floating : static_cast<Number>(format);
}
static_assert(number_of_format(NumberFormat::unorm) == Number::unorm);
static_assert(number_of_format(NumberFormat::snorm) == Number::snorm);
static_assert(number_of_format(NumberFormat::uscaled) == Number::uscaled);
static_assert(number_of_format(NumberFormat::sscaled) == Number::sscaled);
static_assert(number_of_format(NumberFormat::uint) == Number::uint);
static_assert(number_of_format(NumberFormat::sint) == Number::sint);

/// A channel has 32 bits or lies within one dword.
uint32_t raw_channel(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  uint32_t dword;
  std::memcpy(&dword, element.data() + format.offset[channel] / 32 * 4, sizeof dword);
  return static_cast<uint32_t>(bits_of(dword, format.offset[channel] % 32, format.bits[channel]));
}

}  // namespace

uint32_t decode_channel(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  return texel::decode_channel(number_of_format(format.number), raw_channel(format, element, channel),
                               format.bits[channel]);
}

uint32_t decode_channel16(const BufferFormat& format, const ElementBytes& element, unsigned channel) {
  return texel::decode_channel16(number_of_format(format.number), raw_channel(format, element, channel),
                                 format.bits[channel]);
}

uint32_t format_one(const BufferFormat& format, bool half) {
  const Number number = number_of_format(format.number);
  return half ? texel::half_one_of(number) : texel::one_of(number);
}

uint32_t widen16(const BufferFormat& format, uint32_t half) {
  return texel::widen16(number_of_format(format.number), half);
}

ElementBytes encode_element(const BufferFormat& format, const std::array<uint32_t, 4>& channels) {
  ElementBytes element{};
  for (unsigned c = 0; c < format.channels; ++c) {
    const uint32_t raw = texel::encode_channel(number_of_format(format.number), channels[c], format.bits[c]);
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
