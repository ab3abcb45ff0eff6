// SPDX-License-Identifier: MIT
//
// Texels in memory to numbers and back.
//
// A texel is four 32-bit registers, as a shader sees it: the bits of a float for normalized, scaled and floating
// formats, an extended integer for integer ones. Channels are those of the memory, x first; `swizzled` makes R, G, B, A
// of them. Integers of 64 bits are the low and the high half, in x and y.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "texel/format.h"

namespace spalt::texel {

using Texel = std::array<uint32_t, 4>;

/// The conversions of one layout, for callers that convert more than one texel. Rows are texels that follow each other
/// in memory.
struct Codec {
  void (*decode)(const std::byte* bytes, Texel& texel);
  void (*decode_row)(const std::byte* bytes, size_t count, Texel* texels);
  void (*encode)(const Texel& texel, std::byte* bytes);
  void (*encode_row)(const Texel* texels, size_t count, std::byte* bytes);
};
/// Of a layout that is not block compressed. One that no format has decodes to zeros and encodes to nothing.
const Codec& codec_of(Layout layout);

/// The channels of a texel that is not block compressed; those that the shape does not have are 0. `bytes` has the
/// bytes of the shape. sRGB becomes linear.
Texel decode(Layout layout, const std::byte* bytes);
/// The channels of all 16 texels of a compressed block, rows from the top.
void decode_block(Layout layout, const std::byte* bytes, std::array<Texel, 16>& texels);
/// Writes a texel that is not block compressed: normalized numbers are clamped and rounded to the nearest, ties to
/// even, shorter floats round toward zero (5_9_9_9: to the nearest), integers are saturated, NaN becomes 0 where there
/// is none. Linear becomes sRGB. Bits that belong to no channel become 0.
void encode(Layout layout, const Texel& texel, std::byte* bytes);

/// The constant one: the integer for integer layouts, else 1.0.
constexpr uint32_t one_of(Number number) {
  return is_integer(number) ? 1 : 0x3f800000u;
}

/// R, G, B, A from channels in memory, or any other selection.
inline Texel swizzled(const Texel& channels, const Swizzle& swizzle, Number number) {
  const std::array<uint32_t, 6> sources = {0, one_of(number), channels[0], channels[1], channels[2], channels[3]};
  const auto source = [&](unsigned i) { return sources[static_cast<size_t>(swizzle[i])]; };
  return {source(0), source(1), source(2), source(3)};
}
/// Selects the channels in memory from R, G, B, A: channel c is the first component that selects it, or 0.
Swizzle inverse(const Swizzle& swizzle);
/// The channels in memory; `inverse` looked up.
inline Texel unswizzled(const Texel& components, const Swizzle& swizzle) {
  return swizzled(components, inverse(swizzle), Number::uint);
}

}  // namespace spalt::texel
