// SPDX-License-Identifier: MIT
#include "amdgpu/abi/image_format.h"

#include <algorithm>
#include <array>

namespace spalt::abi {
namespace {

using texel::Layout;
using texel::Number;
using texel::Select;
using texel::Shape;

struct Row {
  Layout layout;
  std::array<uint16_t, isa::kGenerationCount> code;
};

constexpr uint16_t gfx9_code(unsigned data, unsigned number) {
  return static_cast<uint16_t>(data | number << kDataFormatBits);
}

constexpr Row kRows[] = {
#define SPALT_IMAGE_FORMAT(shape, number, data9, number9, code10, code11) \
  {{Shape::shape, Number::number}, {gfx9_code(data9, number9), code10, code10, code11, code11, code11}},
#include "amdgpu/abi/image_formats.def"
#undef SPALT_IMAGE_FORMAT
};

constexpr size_t kShapes = static_cast<size_t>(Shape::bc7) + 1, kNumbers = static_cast<size_t>(Number::srgb) + 1;
constexpr size_t kCodes = 1024;  ///< the field has 8 to 10 bits
constexpr uint8_t kNoRow = 0xff;

struct Index {
  std::array<std::array<uint8_t, kNumbers>, kShapes> of_layout;
  std::array<std::array<uint8_t, kCodes>, isa::kGenerationCount> of_code;
};

constexpr Index make_index() {
  Index index{};
  for (auto& numbers : index.of_layout) numbers.fill(kNoRow);
  for (auto& codes : index.of_code) codes.fill(kNoRow);
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const Row& row = kRows[i];
    index.of_layout[static_cast<size_t>(row.layout.shape)][static_cast<size_t>(row.layout.number)] =
        static_cast<uint8_t>(i);
    for (size_t g = 0; g < isa::kGenerationCount; ++g) index.of_code[g][row.code[g]] = static_cast<uint8_t>(i);
  }
  return index;
}
constexpr Index kIndex = make_index();

bool is_scaled(Number number) {
  return number == Number::uscaled || number == Number::sscaled;
}

/// R, G, B and A are x, y, z and w, as far as they are there.
bool has_natural_order(const texel::Format& format) {
  for (size_t c = 0; c < format.swizzle.size(); ++c) {
    const Select select = format.swizzle[c];
    if (select >= Select::x && static_cast<size_t>(select) - static_cast<size_t>(Select::x) != c) return false;
  }
  return true;
}

bool has_64_bit_components(const texel::Format& format) {
  constexpr uint32_t kR64Uint = 110, kR64Sint = 111;
  return format.vk == kR64Uint || format.vk == kR64Sint;
}

/// Texels of 8 to 128 bits in powers of two, none of them packed into 16 bits.
bool is_storage_shape(Shape shape) {
  return shape <= Shape::s32_32_32_32 && shape != Shape::s32_32_32;
}

/// With a w of two bits that has a sign. Mesa does not offer those for storage either, and the conformance suite
/// expects integers beyond two bits to wrap where Vulkan says nothing and typed stores of ours saturate.
bool has_signed_two_bits(Layout layout) {
  return layout.shape == Shape::s2_10_10_10 && (layout.number == Number::snorm || layout.number == Number::sint);
}

/// Shapes that typed buffers know are the first ones.
bool is_buffer_layout(Layout layout) {
  return layout.shape <= Shape::s32_32_32_32 && layout.number != Number::srgb;
}

uint32_t sampled_uses(const texel::Format& format) {
  if (is_scaled(format.layout.number) || format.layout.shape == Shape::s32_32_32) return 0;
  const bool filters = !texel::is_integer(format.layout.number);
  const bool compares = (format.aspects & texel::kDepth) != 0;
  return kUseSampled | (filters ? kUseLinearFilter : 0u) | (compares ? kUseDepthCompare : 0u);
}

uint32_t storage_uses(const texel::Format& format) {
  const Layout layout = format.layout;
  const bool stores = format.aspects == texel::kColor && is_storage_shape(layout.shape) &&
                      layout.number != Number::srgb && !is_scaled(layout.number) && !has_signed_two_bits(layout) &&
                      has_natural_order(format);
  if (!stores) return 0;
  return kUseStorage | (layout.shape == Shape::s32 ? kUseStorageAtomic : 0u);
}

uint32_t buffer_uses(const texel::Format& format, uint32_t storage) {
  if (format.aspects != texel::kColor || !is_buffer_layout(format.layout)) return 0;
  return kUseTexelBuffer | ((storage & kUseStorage) != 0 ? kUseStorageTexelBuffer : 0u) |
         ((storage & kUseStorageAtomic) != 0 ? kUseTexelBufferAtomic : 0u);
}

}  // namespace

std::optional<uint16_t> image_format_code(Layout layout, const isa::Target& target) {
  const uint8_t row = kIndex.of_layout[static_cast<size_t>(layout.shape)][static_cast<size_t>(layout.number)];
  if (row == kNoRow) return std::nullopt;
  return kRows[row].code[static_cast<size_t>(target.generation)];
}

const Layout* image_format_layout(uint16_t code, const isa::Target& target) {
  if (code >= kCodes) return nullptr;
  const uint8_t row = kIndex.of_code[static_cast<size_t>(target.generation)][code];
  return row == kNoRow ? nullptr : &kRows[row].layout;
}

uint32_t format_uses(const texel::Format& format, const isa::Target& target) {
  if (!image_format_code(format.layout, target)) return 0;
  if (has_64_bit_components(format)) {
    return kUseStorage | kUseStorageAtomic | kUseStorageTexelBuffer | kUseTexelBufferAtomic;
  }
  const uint32_t storage = storage_uses(format);
  return sampled_uses(format) | storage | buffer_uses(format, storage);
}

}  // namespace spalt::abi
