// SPDX-License-Identifier: MIT
//
// The formats of texels: what the bits of a texel in memory are (Layout), and which of Vulkan's formats has which
// layout. What the hardware calls them is in amdgpu/abi.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace spalt::texel {

/// A row of shapes.def.
enum class Shape : uint8_t {
#define SPALT_SHAPE(name, ...) name,
#include "texel/shapes.def"
#undef SPALT_SHAPE
};

struct ShapeFacts {
  const char* name;
  uint8_t bytes;  ///< of a block; a texel is a block of 1 x 1
  uint8_t block_width, block_height;
  std::array<uint8_t, 4> bits;    ///< of each channel
  std::array<uint8_t, 4> offset;  ///< of its least significant bit in the texel

  constexpr bool is_compressed() const { return block_width != 1; }
};

namespace detail {
constexpr ShapeFacts shape_facts(const char* name, uint8_t bytes, uint8_t width, uint8_t height, uint8_t x, uint8_t y,
                                 uint8_t z, uint8_t w) {
  return {name,   bytes,        width,
          height, {x, y, z, w}, {0, x, static_cast<uint8_t>(x + y), static_cast<uint8_t>(x + y + z)}};
}

inline constexpr ShapeFacts kShapes[] = {
#define SPALT_SHAPE(name, ...) shape_facts(#name, __VA_ARGS__),
#include "texel/shapes.def"
#undef SPALT_SHAPE
};
}  // namespace detail

constexpr const ShapeFacts& facts(Shape shape) {
  return detail::kShapes[static_cast<size_t>(shape)];
}

/// What the bits of a channel mean. sRGB: unsigned normalized with the transfer function of sRGB, but for w.
enum class Number : uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, floating, ufloat, srgb };

constexpr bool is_integer(Number number) {
  return number == Number::uint || number == Number::sint;
}

/// What a texel in memory is.
struct Layout {
  Shape shape = Shape::s8;
  Number number = Number::unorm;
  bool operator==(const Layout&) const = default;
};

/// Where a component of a result comes from.
enum class Select : uint8_t { zero, one, x, y, z, w };
/// For R, G, B, A.
using Swizzle = std::array<Select, 4>;

/// Bits of Format::aspects, with the values of VkImageAspectFlagBits.
enum Aspect : uint8_t { kColor = 1, kDepth = 2, kStencil = 4 };

struct Format {
  uint32_t vk;       ///< VkFormat
  const char* name;  ///< without VK_FORMAT_
  Layout layout;     ///< of the only plane, or of the depth plane
  Swizzle swizzle;
  Swizzle border_swizzle;
  uint8_t aspects;  ///< Aspect bits

  const ShapeFacts& shape() const { return facts(layout.shape); }
  /// Integers of 64 bits are two channels of 32.
  bool has_64_bit_texels() const { return vk == 110 || vk == 111; }
  bool has_depth_and_stencil() const { return aspects == (kDepth | kStencil); }
};

/// All formats, ascending by number.
std::span<const Format> formats();
/// nullptr: not a format that is known.
const Format* find_format(uint32_t vk);
/// The format of the plane that holds the aspect: D24_UNORM_S8_UINT has X8_D24_UNORM_PACK32 and S8_UINT. nullptr: the
/// format has no such aspect.
const Format* plane_format(const Format& format, Aspect aspect);

}  // namespace spalt::texel
