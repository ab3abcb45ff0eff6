// SPDX-License-Identifier: MIT
#include "test_image.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "base/random.h"
#include "texel/codec.h"
#include "vkrun/image_texels.h"

namespace spalt::sampling {
namespace {

using vkrun::ImageDesc;

constexpr Kind kKinds[] = {
    {"1D", 1, false, false, 0, {16, 1, 1}, 1, 4},      {"2D", 2, false, false, 1, {16, 11, 1}, 1, 4},
    {"3D", 3, false, false, 2, {8, 10, 9}, 1, 4},      {"Cube", 2, true, false, 3, {8, 8, 1}, 6, 4},
    {"1DArray", 1, false, true, 4, {13, 1, 1}, 3, 3},  {"2DArray", 2, false, true, 5, {9, 12, 1}, 3, 4},
    {"CubeArray", 2, true, true, 6, {8, 8, 1}, 12, 4},
};

/// Formats of each class: how texels become numbers, and how exact numbers are.
constexpr FormatChoice kFormats[] = {
    {37, "rgba8", FormatClass::Color, true, true},
    {43, "srgb8", FormatClass::Color, false, false},
    {38, "rgba8_snorm", FormatClass::Color, false, false},
    {97, "rgba16f", FormatClass::Color, true, true},
    {109, "rgba32f", FormatClass::Color, false, false},
    {64, "a2b10", FormatClass::Color, false, false},
    {58, "a2r10", FormatClass::Color, false, false},
    {122, "b10g11r11f", FormatClass::Color, false, false},
    {123, "e5b9g9r9f", FormatClass::Color, false, false},
    {91, "rgba16", FormatClass::Color, false, false},
    {92, "rgba16_snorm", FormatClass::Color, false, false},
    {4, "r5g6b5", FormatClass::Color, false, false},
    {8, "a1r5g5b5", FormatClass::Color, false, false},
    {3, "b4g4r4a4", FormatClass::Color, false, false},
    {9, "r8", FormatClass::Color, false, false},
    {16, "rg8", FormatClass::Color, false, false},
    {50, "bgra8_srgb", FormatClass::Color, false, false},
    {131, "bc1_rgb", FormatClass::Compressed, true, true},
    {134, "bc1_rgba_srgb", FormatClass::Compressed, false, false},
    {135, "bc2", FormatClass::Compressed, false, false},
    {137, "bc3", FormatClass::Compressed, false, false},
    {139, "bc4", FormatClass::Compressed, false, false},
    {140, "bc4_snorm", FormatClass::Compressed, false, false},
    {141, "bc5", FormatClass::Compressed, false, false},
    {143, "bc6h", FormatClass::Compressed, false, false},
    {145, "bc7", FormatClass::Compressed, false, false},
    {41, "rgba8ui", FormatClass::Integer, true, true},
    {108, "rgba32i", FormatClass::Integer, false, true},
    {81, "rg16ui", FormatClass::Integer, false, false},
    {68, "a2b10ui", FormatClass::Integer, false, false},
    {126, "d32f", FormatClass::Depth, true, true},
    {124, "d16", FormatClass::Depth, false, false},
    {125, "d24", FormatClass::Depth, false, false},
};

bool has_sign(const ImageDesc& image) {
  const texel::Number number = image.format->layout.number;
  return number == texel::Number::snorm || number == texel::Number::sint;
}

void fill_texels(ImageDesc& image, Random& random) {
  for (uint32_t level = 0; level < image.levels; ++level) {
    const vkrun::LevelSize size = vkrun::level_size(image, level);
    for (uint32_t i = 0; i < size.width * size.height * size.slices; ++i) {
      texel::Texel texel;
      for (uint32_t& component : texel) {
        const uint32_t word = random.word() >> 24;
        const double value = has_sign(image) ? word / 128.0 - 1.0 : word / 256.0;
        const auto integer = static_cast<uint32_t>(static_cast<int32_t>(word) - (has_sign(image) ? 128 : 0));
        component = vkrun::has_integers(*image.format) ? integer : std::bit_cast<uint32_t>(static_cast<float>(value));
      }
      vkrun::store_texel(image, image.initial,
                         {level, i % size.width, i / size.width % size.height, i / size.width / size.height}, texel);
    }
  }
}

/// Blocks of BC6H: one region, whose endpoints have 10 bits (mode 3 in 5 bits). The upper ones stay 0, so that numbers
/// are of like size.
void fill_half_blocks(std::vector<uint8_t>& bytes) {
  constexpr unsigned kModeBits = 5, kMode = 3, kEndpoints = 6, kEndpointBits = 10;
  for (size_t block = 0; block + 16 <= bytes.size(); block += 16) {
    const auto set = [&](unsigned bit, bool value) {
      uint8_t& byte = bytes[block + bit / 8];
      byte = static_cast<uint8_t>((byte & ~(1u << bit % 8)) | (value ? 1u : 0u) << bit % 8);
    };
    for (unsigned bit = 0; bit < kModeBits; ++bit) set(bit, (kMode >> bit & 1) != 0);
    for (unsigned i = 0; i < kEndpoints; ++i) {
      const unsigned top = kModeBits + i * kEndpointBits + kEndpointBits - 1;
      set(top, false);
      set(top - 1, true);
    }
  }
}

Vec4 numbers_of(const texel::Format& format, const texel::Texel& bits) {
  Vec4 value;
  for (size_t c = 0; c < 4; ++c) {
    if (format.layout.number == texel::Number::uint) {
      value[c] = bits[c];
    } else if (format.layout.number == texel::Number::sint) {
      value[c] = static_cast<int32_t>(bits[c]);
    } else {
      value[c] = double{std::bit_cast<float>(bits[c])};
    }
  }
  return value;
}

/// One texel after the other, decoding the block that it is in.
Vec4 texel_at(const ImageDesc& image, uint32_t level, uint32_t x, uint32_t y, uint32_t slice) {
  const texel::Format& format = *image.format;
  if (!format.shape().is_compressed()) {
    return numbers_of(format, vkrun::load_texel(image, image.initial, {level, x, y, slice}));
  }
  const size_t row = size_t{slice} * vkrun::row_count(image, level) + y / 4;
  const size_t offset =
      vkrun::level_offset(image, level) + row * vkrun::row_bytes(image, level) + size_t{x} / 4 * format.shape().bytes;
  std::array<texel::Texel, 16> block;
  texel::decode_block(format.layout, reinterpret_cast<const std::byte*>(image.initial.data() + offset), block);
  return numbers_of(format, texel::swizzled(block[y % 4 * 4 + x % 4], format.swizzle, format.layout.number));
}

/// The texels of one level, x by x, row by row, slice by slice.
struct Level {
  int width, height;
  std::vector<Vec4> texels;
};

/// Of what the binding shows.
std::shared_ptr<std::vector<Level>> decoded(const Kind& kind, const ImageDesc& image,
                                            const vkrun::ImageBinding& binding) {
  auto levels = std::make_shared<std::vector<Level>>();
  for (uint32_t level = binding.first_level; level < binding.first_level + binding.level_count; ++level) {
    const vkrun::LevelSize size = vkrun::level_size(image, level);
    const uint32_t first = kind.axes == 3 ? 0 : binding.first_layer;
    const uint32_t count = kind.axes == 3 ? size.slices : binding.layer_count;
    Level& one = levels->emplace_back();
    one.width = static_cast<int>(size.width);
    one.height = static_cast<int>(size.height);
    for (uint32_t slice = first; slice < first + count; ++slice) {
      for (uint32_t i = 0; i < size.width * size.height; ++i) {
        one.texels.push_back(texel_at(image, level, i % size.width, i / size.width, slice));
      }
    }
  }
  return levels;
}

}  // namespace

std::span<const Kind> kinds() {
  return kKinds;
}

std::span<const FormatChoice> formats() {
  return kFormats;
}

bool exists(const Kind& kind, const FormatChoice& format) {
  if (format.kind == FormatClass::Compressed) return kind.axes >= 2;
  return format.kind != FormatClass::Depth || kind.axes == 2;
}

ImageDesc make_image(const Kind& kind, uint32_t vk_format, uint64_t seed) {
  ImageDesc image;
  image.name = "image";
  image.format = texel::find_format(vk_format);
  image.dimensions = static_cast<uint32_t>(kind.axes);
  image.width = kind.size[0];
  image.height = kind.size[1];
  image.depth = kind.size[2];
  image.levels = kind.levels;
  image.layers = kind.layers;
  image.initial.resize(vkrun::image_bytes(image));
  Random random(seed);
  if (image.format->shape().is_compressed()) {
    for (uint8_t& byte : image.initial) byte = static_cast<uint8_t>(random.word() >> 24);
    if (image.format->layout.number == texel::Number::ufloat) fill_half_blocks(image.initial);
  } else {
    fill_texels(image, random);
  }
  return image;
}

View view_of(const Kind& kind, const ImageDesc& image, const vkrun::ImageBinding& binding) {
  View view;
  view.axes = kind.axes;
  view.is_cube = kind.is_cube;
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto size = static_cast<int>(axis == 0 ? image.width : axis == 1 ? image.height : image.depth);
    view.size[axis] = std::max(1, size >> binding.first_level);
  }
  view.levels = static_cast<int>(binding.level_count);
  view.layers = static_cast<int>(binding.layer_count);
  view.swizzle = binding.swizzle;
  view.clamps_reference = image.format->layout.number == texel::Number::unorm;
  view.has_integers = vkrun::has_integers(*image.format);
  view.has_signed_integers = image.format->layout.number == texel::Number::sint;
  for (size_t c = 0; c < 4; ++c) {
    const texel::Select select = image.format->swizzle[c];
    view.has_component[c] = select != texel::Select::zero && select != texel::Select::one;
  }
  view.texel = [levels = decoded(kind, image, binding)](int level, int x, int y, int slice) {
    const Level& all = (*levels)[static_cast<size_t>(level)];
    return all.texels[static_cast<size_t>((slice * all.height + y) * all.width + x)];
  };
  return view;
}

}  // namespace spalt::sampling
