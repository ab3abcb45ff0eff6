// SPDX-License-Identifier: MIT
// Formats and their texels: what a driver or a tool does with images on the host.
#include <algorithm>
#include <array>
#include <cstddef>

#include "api/structs.h"
#include "base/float_environment.h"
#include "spalt/texel.h"
#include "texel/codec.h"

using namespace spalt;
using namespace spalt::api;
using texel::Format;
using texel::Texel;

namespace {

using texel::Number;
static_assert(SPALT_NUMBER_UNORM == static_cast<int>(Number::unorm));
static_assert(SPALT_NUMBER_SNORM == static_cast<int>(Number::snorm));
static_assert(SPALT_NUMBER_USCALED == static_cast<int>(Number::uscaled));
static_assert(SPALT_NUMBER_SSCALED == static_cast<int>(Number::sscaled));
static_assert(SPALT_NUMBER_UINT == static_cast<int>(Number::uint));
static_assert(SPALT_NUMBER_SINT == static_cast<int>(Number::sint));
static_assert(SPALT_NUMBER_FLOAT == static_cast<int>(Number::floating));
static_assert(SPALT_NUMBER_UFLOAT == static_cast<int>(Number::ufloat));
static_assert(SPALT_NUMBER_SRGB == static_cast<int>(Number::srgb));

/// Unsigned floats are told by their shape; block compression, which has both, by its number.
spalt_number_kind number_kind(const Format& format) {
  const texel::Shape shape = format.layout.shape;
  if (shape == texel::Shape::s10_11_11 || shape == texel::Shape::s5_9_9_9) return SPALT_NUMBER_UFLOAT;
  return static_cast<spalt_number_kind>(format.layout.number);
}

uint32_t component_bits(const Format& format, unsigned component) {
  if (format.has_64_bit_texels()) return component == 0 ? 64 : 0;
  const texel::Select select = format.swizzle[component];
  if (select < texel::Select::x) return 0;
  return format.shape().bits[static_cast<size_t>(select) - static_cast<size_t>(texel::Select::x)];
}

uint32_t plane_number(const Format& format, texel::Aspect aspect) {
  const Format* plane = texel::plane_format(format, aspect);
  return plane != nullptr ? plane->vk : 0;
}

spalt_format_info describe(const Format& format) {
  const texel::ShapeFacts& shape = format.shape();
  spalt_format_info info{};
  info.name = format.name;
  info.block_width = shape.block_width;
  info.block_height = shape.block_height;
  info.block_bytes = shape.bytes;
  info.aspects = format.aspects;
  info.number = number_kind(format);
  for (unsigned i = 0; i < 4; ++i) info.component_bits[i] = component_bits(format, i);
  info.depth_format = plane_number(format, texel::kDepth);
  info.stencil_format = plane_number(format, texel::kStencil);
  return info;
}

/// Texels are converted in pieces that fit the stack.
constexpr size_t kPiece = 64;

constexpr size_t kBlockTexels = 16;

bool is_valid(const Format* format, const void* bytes, const void* texels, size_t count) {
  if (format == nullptr || format->has_depth_and_stencil()) return false;
  if (format->shape().is_compressed() && count != kBlockTexels) return false;
  return count == 0 || (bytes != nullptr && texels != nullptr && count <= SIZE_MAX / sizeof(spalt_texel));
}

void store_components(const Format& format, const Texel* channels, size_t count, spalt_texel* texels) {
  for (size_t i = 0; i < count; ++i) {
    const Texel rgba = swizzled(channels[i], format.swizzle, format.layout.number);
    std::copy(rgba.begin(), rgba.end(), texels[i].rgba);
  }
}

}  // namespace

uint32_t spalt_known_format(size_t index) {
  const std::span<const Format> formats = texel::formats();
  return index < formats.size() ? formats[index].vk : 0;
}

spalt_result spalt_query_format(uint32_t format, spalt_format_info* info) {
  const Format* found = texel::find_format(format);
  return found != nullptr ? write_struct(describe(*found), info) : SPALT_ERROR_INVALID_ARGUMENT;
}

spalt_result spalt_decode_texels(uint32_t format, const void* bytes, size_t count, spalt_texel* texels) {
  const Format* found = texel::find_format(format);
  if (!is_valid(found, bytes, texels, count)) return SPALT_ERROR_INVALID_ARGUMENT;
  const DefaultFloatEnvironment environment;
  if (found->shape().is_compressed()) {
    std::array<Texel, kBlockTexels> channels;
    decode_block(found->layout, static_cast<const std::byte*>(bytes), channels);
    store_components(*found, channels.data(), count, texels);
    return SPALT_SUCCESS;
  }
  const texel::Codec& codec = codec_of(found->layout);
  const auto* next = static_cast<const std::byte*>(bytes);
  std::array<Texel, kPiece> channels;
  for (size_t done = 0; done < count; done += kPiece) {
    const size_t piece = std::min(kPiece, count - done);
    codec.decode_row(next, piece, channels.data());
    store_components(*found, channels.data(), piece, texels + done);
    next += piece * found->shape().bytes;
  }
  return SPALT_SUCCESS;
}

spalt_result spalt_encode_texels(uint32_t format, const spalt_texel* texels, size_t count, void* bytes) {
  const Format* found = texel::find_format(format);
  if (!is_valid(found, bytes, texels, count) || found->shape().is_compressed()) return SPALT_ERROR_INVALID_ARGUMENT;
  const DefaultFloatEnvironment environment;
  const texel::Codec& codec = codec_of(found->layout);
  const texel::Swizzle to_memory = texel::inverse(found->swizzle);
  auto* next = static_cast<std::byte*>(bytes);
  std::array<Texel, kPiece> channels;
  for (size_t done = 0; done < count; done += kPiece) {
    const size_t piece = std::min(kPiece, count - done);
    for (size_t i = 0; i < piece; ++i) {
      const uint32_t(&rgba)[4] = texels[done + i].rgba;
      channels[i] = swizzled({rgba[0], rgba[1], rgba[2], rgba[3]}, to_memory, texel::Number::uint);
    }
    codec.encode_row(channels.data(), piece, next);
    next += piece * found->shape().bytes;
  }
  return SPALT_SUCCESS;
}
