// SPDX-License-Identifier: MIT
// A pair of functions for each shape and kind of number, made from the table of shapes, so that widths and positions
// are constants in them; the rules for a channel are in channel.h. A texel with a channel that is not whole bytes has
// no more than 32 bits.
#include "texel/codec.h"

#include <cstring>
#include <utility>

#include "texel/channel.h"
#include "texel/shared_exponent.h"

namespace spalt::texel {
namespace {

constexpr bool is_whole_bytes(Shape shape, unsigned channel) {
  const unsigned bits = facts(shape).bits[channel];
  return facts(shape).offset[channel] % 8 == 0 && (bits == 8 || bits == 16 || bits == 32);
}

/// Channels that are decoded; the upper bits of 8_24 belong to nobody.
constexpr unsigned channel_count(Shape shape) {
  if (shape == Shape::s8_24) return 1;
  unsigned count = 0;
  while (count < 4 && facts(shape).bits[count] != 0) ++count;
  return count;
}

constexpr bool is_packed(Shape shape) {
  for (unsigned c = 0; c < channel_count(shape); ++c) {
    if (!is_whole_bytes(shape, c)) return true;
  }
  return false;
}

/// Alpha, which is the fourth channel where there is one, is linear.
constexpr Number channel_number(Number number, unsigned channel) {
  return number == Number::srgb && channel == 3 ? Number::unorm : number;
}

/// Whether the channels can be numbers of this kind.
constexpr bool exists(Shape shape, Number number) {
  if (facts(shape).is_compressed() || number == Number::ufloat) return false;
  if (shape == Shape::s5_9_9_9) return number == Number::floating;
  for (unsigned c = 0; c < channel_count(shape); ++c) {
    const unsigned bits = facts(shape).bits[c];
    const bool is_float = bits == 10 || bits == 11 || bits == 16 || bits == 32;
    if (number == Number::floating && !is_float) return false;
    if (number == Number::srgb && bits != 8) return false;
    if (!is_integer(number) && number != Number::floating && bits == 32) return false;
    if (number == Number::snorm && bits == 1) return false;
  }
  return true;
}

template <Shape S>
uint32_t load_word(const std::byte* bytes) {
  uint32_t word = 0;
  std::memcpy(&word, bytes, facts(S).bytes);
  return word;
}

template <Shape S>
void store_word(uint32_t word, std::byte* bytes) {
  std::memcpy(bytes, &word, facts(S).bytes);
}

template <Shape S, unsigned C>
uint32_t load_channel(const std::byte* bytes) {
  constexpr unsigned kOffset = facts(S).offset[C], kBits = facts(S).bits[C];
  if constexpr (is_whole_bytes(S, C)) {
    uint32_t raw = 0;
    std::memcpy(&raw, bytes + kOffset / 8, kBits / 8);
    return raw;
  } else {
    return load_word<S>(bytes) >> kOffset & all_ones(kBits);
  }
}

/// The channels of a shape, as compile-time constants.
template <Shape S>
using Channels = std::make_index_sequence<channel_count(S)>;

/// Stores each channel by itself: a texel that is returned goes through two integer registers.
template <Shape S, Number N, size_t... C>
void decode_channels(const std::byte* bytes, Texel& texel, std::index_sequence<C...>) {
  ((texel[C] = decode_channel(channel_number(N, C), load_channel<S, C>(bytes), facts(S).bits[C])), ...);
  for (size_t c = sizeof...(C); c < texel.size(); ++c) texel[c] = 0;
}

template <Shape S, Number N, size_t... C>
void encode_channels(const Texel& texel, std::byte* bytes, std::index_sequence<C...>) {
  const uint32_t raw[] = {encode_channel(channel_number(N, C), texel[C], facts(S).bits[C])...};
  if constexpr (is_packed(S)) {
    store_word<S>((0u | ... | ((raw[C] & all_ones(facts(S).bits[C])) << facts(S).offset[C])), bytes);
  } else {
    (std::memcpy(bytes + facts(S).offset[C] / 8, &raw[C], facts(S).bits[C] / 8), ...);
  }
}

template <Shape S, Number N>
void decode_one(const std::byte* bytes, Texel& texel) {
  if constexpr (!exists(S, N)) {
    texel = {};
  } else if constexpr (S == Shape::s5_9_9_9) {
    const std::array<float, 3> rgb = decode_shared_exponent(load_word<S>(bytes));
    texel = {std::bit_cast<uint32_t>(rgb[0]), std::bit_cast<uint32_t>(rgb[1]), std::bit_cast<uint32_t>(rgb[2]), 0};
  } else {
    decode_channels<S, N>(bytes, texel, Channels<S>());
  }
}

template <Shape S, Number N>
void encode_one(const Texel& texel, std::byte* bytes) {
  if constexpr (!exists(S, N)) {
    return;
  } else if constexpr (S == Shape::s5_9_9_9) {
    store_word<S>(encode_shared_exponent(std::bit_cast<float>(texel[0]), std::bit_cast<float>(texel[1]),
                                         std::bit_cast<float>(texel[2])),
                  bytes);
  } else {
    encode_channels<S, N>(texel, bytes, Channels<S>());
  }
}

template <Shape S, Number N>
void decode_row(const std::byte* bytes, size_t count, Texel* texels) {
  for (size_t i = 0; i < count; ++i) decode_one<S, N>(bytes + i * facts(S).bytes, texels[i]);
}

template <Shape S, Number N>
void encode_row(const Texel* texels, size_t count, std::byte* bytes) {
  for (size_t i = 0; i < count; ++i) encode_one<S, N>(texels[i], bytes + i * facts(S).bytes);
}

template <Number N>
constexpr Codec kCodecs[] = {
#define SPALT_SHAPE(name, ...) \
  {decode_one<Shape::name, N>, decode_row<Shape::name, N>, encode_one<Shape::name, N>, encode_row<Shape::name, N>},
#include "texel/shapes.def"
#undef SPALT_SHAPE
};

/// In the order of Number.
constexpr const Codec* kCodecsOfNumber[] = {
    kCodecs<Number::unorm>,    kCodecs<Number::snorm>,  kCodecs<Number::uscaled>,
    kCodecs<Number::sscaled>,  kCodecs<Number::uint>,   kCodecs<Number::sint>,
    kCodecs<Number::floating>, kCodecs<Number::ufloat>, kCodecs<Number::srgb>,
};

}  // namespace

const Codec& codec_of(Layout layout) {
  return kCodecsOfNumber[static_cast<size_t>(layout.number)][static_cast<size_t>(layout.shape)];
}

Texel decode(Layout layout, const std::byte* bytes) {
  Texel texel;
  codec_of(layout).decode(bytes, texel);
  return texel;
}

void encode(Layout layout, const Texel& texel, std::byte* bytes) {
  codec_of(layout).encode(texel, bytes);
}

Swizzle inverse(const Swizzle& swizzle) {
  Swizzle channels = {Select::zero, Select::zero, Select::zero, Select::zero};
  for (size_t i = swizzle.size(); i-- > 0;) {
    if (swizzle[i] < Select::x) continue;
    channels[static_cast<size_t>(swizzle[i]) - static_cast<size_t>(Select::x)] =
        static_cast<Select>(static_cast<size_t>(Select::x) + i);
  }
  return channels;
}

}  // namespace spalt::texel
