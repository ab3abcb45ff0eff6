// SPDX-License-Identifier: MIT
#include "amdgpu/abi/vertex_format.h"

#include <algorithm>

#include "amdgpu/abi/image_format.h"

namespace spalt::abi {
namespace {

using texel::Layout;
using texel::Number;
using texel::Shape;

constexpr uint32_t kDword = 4;

/// The shape of that many channels, but three, of one or two bytes.
Shape shape_of(unsigned bytes, unsigned channels) {
  constexpr Shape kBytes[] = {Shape::s8, Shape::s8_8, Shape::s8_8_8_8},
                  kHalves[] = {Shape::s16, Shape::s16_16, Shape::s16_16_16_16};
  return (bytes == 1 ? kBytes : kHalves)[channels / 2];
}

/// The number in the field of a typed buffer instruction.
uint8_t instruction_format(Layout layout, const isa::Target& target) {
  const uint16_t code = *image_format_code(layout, target);
  if (target.buffer_layout != isa::BufferLayout::split_format) return static_cast<uint8_t>(code);
  constexpr unsigned kDataBits = 4;
  return static_cast<uint8_t>((code & ((1u << kDataBits) - 1)) | code >> kDataFormatBits << kDataBits);
}

bool is_packed(const texel::ShapeFacts& shape) {
  return shape.bits[0] % 8 != 0;
}

bool is_vertex_format(const texel::Format& format) {
  const Shape shape = format.layout.shape;
  const bool known = shape <= Shape::s32_32_32_32 || shape == Shape::s8_8_8 || shape == Shape::s16_16_16;
  return known && format.layout.number != Number::srgb && format.aspects == texel::kColor;
}

/// Bytes that all parts of an attribute are at multiples of.
uint32_t part_bytes(const texel::Format& format) {
  constexpr uint32_t kFirstPacked = 51, kLastPacked = 57;  // A8B8G8R8_UNORM_PACK32 to A8B8G8R8_SRGB_PACK32
  const texel::ShapeFacts& shape = format.shape();
  const bool packed = is_packed(shape) || (format.vk >= kFirstPacked && format.vk <= kLastPacked);
  return packed ? shape.bytes : shape.bits[0] / 8u;
}

/// Chooses the loads of one attribute.
class FetchPlan {
 public:
  FetchPlan(const VertexAttribute& attribute, const texel::Format& format, uint32_t alignment,
            const isa::Target& target)
      : attribute_(attribute), layout_(format.layout), shape_(format.shape()), alignment_(alignment), target_(target) {}

  bool add(unsigned channels, VertexLoads& loads) {
    if (is_packed(shape_)) return add_load({0, channel_count(), channels}, loads);
    for (unsigned first = 0; first < std::min(channels, channel_count());) {
      const Piece piece = next_piece(first, std::min(channels, channel_count()) - first);
      if (!add_load(piece, loads)) return false;
      first += piece.loaded;
    }
    return true;
  }

 private:
  /// Channels that one instruction loads: the first ones of a format of so many.
  struct Piece {
    unsigned first, channels, loaded;
  };

  unsigned channel_bytes() const { return shape_.bits[0] / 8; }
  unsigned channel_count() const {
    return static_cast<unsigned>(
        std::count_if(shape_.bits.begin(), shape_.bits.end(), [](uint8_t b) { return b != 0; }));
  }
  /// From the start of the element in which the attribute begins; it may go on in the next one.
  uint32_t offset_of(unsigned channel) const {
    const uint32_t start = attribute_.stride == 0 ? attribute_.offset : attribute_.offset % attribute_.stride;
    return start + channel * channel_bytes();
  }

  /// As many of the `wanted` next channels as one instruction can load.
  Piece next_piece(unsigned first, unsigned wanted) const {
    if (channel_bytes() == kDword) return {first, wanted, wanted};
    for (unsigned channels : {4u, 2u}) {
      const bool too_many = first + channels > channel_count() || channels / 2 >= wanted;
      if (too_many || !aligned(offset_of(first), channels)) continue;
      return {first, channels, std::min(channels, wanted)};
    }
    return {first, 1, 1};
  }

  bool aligned(uint32_t at, unsigned channels) const {
    const uint32_t bytes = channels * channel_bytes();
    const uint32_t needed = target_.typed_loads_align ? bytes : std::min(bytes, kDword);
    return (alignment_ | at) % needed == 0;
  }

  bool add_load(const Piece& piece, VertexLoads& loads) const {
    VertexFetch fetch;
    fetch.offset = offset_of(piece.first);
    fetch.next = attribute_.stride == 0 ? 0 : attribute_.offset / attribute_.stride;
    fetch.first = static_cast<uint8_t>(piece.first);
    fetch.channels = static_cast<uint8_t>(piece.loaded);
    if (is_packed(shape_)) {
      fetch.format = instruction_format(layout_, target_);
    } else if (channel_bytes() < kDword) {
      fetch.format = instruction_format({shape_of(channel_bytes(), piece.channels), layout_.number}, target_);
    }
    loads.fetches.push_back(fetch);
    return fetch.offset <= static_cast<uint32_t>(target_.mubuf_offset_max);
  }

  const VertexAttribute& attribute_;
  const Layout layout_;
  const texel::ShapeFacts& shape_;
  const uint32_t alignment_;
  const isa::Target& target_;
};

}  // namespace

uint8_t missing_components(uint32_t vk_format) {
  const texel::Format* format = texel::find_format(vk_format);
  uint8_t missing = 0;
  for (unsigned i = 0; format != nullptr && i < format->swizzle.size(); ++i) {
    if (format->swizzle[i] < texel::Select::x) missing = static_cast<uint8_t>(missing | 1u << i);
  }
  return missing;
}

uint32_t element_alignment(const GraphicsState& state, uint32_t binding, std::span<const uint8_t> used) {
  uint32_t alignment = 1;
  for (const VertexAttribute& attribute : state.attributes) {
    if (attribute.binding != binding || attribute.location >= used.size() || used[attribute.location] == 0) continue;
    const texel::Format* format = texel::find_format(attribute.format);
    if (format == nullptr || !is_vertex_format(*format)) continue;
    const uint32_t part = part_bytes(*format);
    if (attribute.offset % part == 0) alignment = std::max(alignment, part);
  }
  return alignment;
}

std::optional<VertexLoads> vertex_loads(const VertexAttribute& attribute, unsigned components, uint32_t alignment,
                                        const isa::Target& target) {
  constexpr uint32_t kMostOffset = 1u << 30;
  const texel::Format* format = texel::find_format(attribute.format);
  if (format == nullptr || !is_vertex_format(*format) || attribute.offset > kMostOffset) return std::nullopt;
  VertexLoads loads;
  loads.swizzle = format->swizzle;
  unsigned channels = 0;
  for (unsigned i = 0; i < loads.swizzle.size(); ++i) {
    const auto select = static_cast<unsigned>(loads.swizzle[i]), x = static_cast<unsigned>(texel::Select::x);
    if ((components >> i & 1) != 0 && select >= x) channels = std::max(channels, select - x + 1);
  }
  if (channels == 0) return loads;
  if (!FetchPlan(attribute, *format, alignment, target).add(channels, loads)) return std::nullopt;
  return loads;
}

}  // namespace spalt::abi
