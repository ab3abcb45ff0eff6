// SPDX-License-Identifier: MIT
#include "amdgpu/abi/image_layout.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace spalt::abi {
namespace {

/// What differs between generations.
struct LinearRules {
  bool one_pitch;           ///< all levels have the pitch of level 0, and level 0 comes first
  uint32_t row_alignment;   ///< bytes
  uint32_t size_alignment;  ///< what a row counts for in the size of a level, in bytes
};
constexpr LinearRules kGfx9{true, 256, 256}, kGfx10{false, 256, 256}, kGfx12{false, 128, 256};
constexpr LinearRules kRules[isa::kGenerationCount] = {kGfx9, kGfx10, kGfx10, kGfx10, kGfx10, kGfx12};

constexpr uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

constexpr uint32_t divide_up(uint32_t value, uint32_t divisor) {
  return static_cast<uint32_t>((uint64_t{value} + divisor - 1) / divisor);
}

/// Of a row of elements, with a pitch that is a whole number of elements.
uint64_t row_bytes(uint32_t elements, uint32_t element_bytes, const LinearRules& rules) {
  return align_up(uint64_t{elements} * element_bytes, std::lcm(rules.row_alignment, element_bytes));
}

bool extent_fits(const ImageShape& shape) {
  const bool exist =
      shape.width != 0 && shape.height != 0 && shape.depth != 0 && shape.levels != 0 && shape.layers != 0;
  const bool flat = (shape.dimensions >= 2 || shape.height == 1) && (shape.dimensions == 3 || shape.depth == 1);
  return exist && flat && shape.dimensions >= 1 && shape.dimensions <= 3 && shape.width <= kMaxImageExtent &&
         shape.height <= kMaxImageExtent && shape.depth <= kMaxImageDepth && shape.layers <= kMaxImageLayers &&
         (shape.dimensions != 3 || shape.layers == 1);
}

bool levels_fit(const ImageShape& shape) {
  const uint32_t largest = std::max({shape.width, shape.height, shape.depth});
  return shape.levels <= static_cast<uint32_t>(std::bit_width(largest));
}

bool samples_fit(const ImageShape& shape) {
  constexpr uint32_t kMaxSamples = 16;
  if (!std::has_single_bit(shape.samples) || shape.samples > kMaxSamples) return false;
  return shape.samples == 1 || (shape.dimensions == 2 && shape.levels == 1 && !shape.format->shape().is_compressed());
}

bool is_image_texel(const texel::ShapeFacts& facts) {
  constexpr uint8_t kThreeDwords = 12;
  return std::has_single_bit(facts.bytes) || facts.bytes == kThreeDwords;
}

}  // namespace

bool is_image_shape(const ImageShape& shape) {
  return shape.format != nullptr && is_image_texel(shape.format->shape()) && extent_fits(shape) && levels_fit(shape) &&
         samples_fit(shape);
}

ImageLayout image_layout(const ImageShape& shape, const isa::Target& target) {
  const LinearRules& rules = kRules[static_cast<size_t>(target.generation)];
  const texel::ShapeFacts& facts = shape.format->shape();
  const uint32_t width = divide_up(shape.width, facts.block_width),
                 height = divide_up(shape.height, facts.block_height);
  ImageLayout layout;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < shape.levels; ++i) {
    const uint32_t l = rules.one_pitch ? i : shape.levels - 1 - i;
    ImageLevel& level = layout.levels[l];
    level.offset = offset;
    level.row_bytes = row_bytes(rules.one_pitch ? width : divide_up(width, 1u << l), facts.bytes, rules);
    level.rows = divide_up(height, 1u << l);
    offset += align_up(level.row_bytes, rules.size_alignment) * level.rows;
  }
  layout.slice_bytes = offset;
  layout.bytes = offset * shape.layers * shape.depth * shape.samples;
  return layout;
}

unsigned log2_samples(uint32_t samples) {
  return static_cast<unsigned>(std::countr_zero(samples));
}

}  // namespace spalt::abi
