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

/// The channels of a texel that is not block compressed; those that the shape does not have are 0. `bytes` has the
/// bytes of the shape. sRGB becomes linear.
Texel decode(Layout layout, const std::byte* bytes);
/// The channels of all 16 texels of a compressed block, rows from the top.
void decode_block(Layout layout, const std::byte* bytes, std::array<Texel, 16>& texels);
/// Writes a texel that is not block compressed: normalized numbers are clamped and rounded to the nearest, ties to
/// even, shorter floats round toward zero, integers are saturated, NaN becomes 0 where there is none. Linear becomes
/// sRGB.
void encode(Layout layout, const Texel& texel, std::byte* bytes);

/// R, G, B, A from channels in memory, or any other selection. One is the integer for integer layouts, else 1.0.
Texel swizzled(const Texel& channels, const Swizzle& swizzle, Number number);
/// The channels in memory from R, G, B, A: channel c is the first component that selects it, or 0.
Texel unswizzled(const Texel& components, const Swizzle& swizzle);

}  // namespace spalt::texel
