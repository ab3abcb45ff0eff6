// SPDX-License-Identifier: MIT
#include "image_texels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "data_init.h"
#include "manifest.h"

namespace spalt::vkrun {
namespace {

using nlohmann::json;

constexpr size_t kMaxImageBytes = 64u << 20;

uint32_t minify(uint32_t size, uint32_t level) {
  return std::max(1u, size >> level);
}

uint32_t blocks(uint32_t texels, uint32_t block) {
  return (texels + block - 1) / block;
}

size_t texel_offset(const ImageDesc& image, const TexelPlace& place) {
  const size_t row = place.slice * size_t{row_count(image, place.level)} + place.y;
  return level_offset(image, place.level) + row * row_bytes(image, place.level) +
         place.x * size_t{image.format->shape().bytes};
}

/// A number as a component of the format.
uint32_t component_of(const ImageDesc& image, double value) {
  if (!has_integers(*image.format)) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

/// Calls `texel_at(place, index)` for each texel, in the order of the contents, and stores what it returns.
template <typename TexelAt>
void fill(const ImageDesc& image, std::vector<uint8_t>& contents, TexelAt texel_at) {
  if (image.format->shape().is_compressed()) throw Error("texels of a compressed image are given as bytes");
  size_t index = 0;
  for (uint32_t level = 0; level < image.levels; ++level) {
    const LevelSize size = level_size(image, level);
    for (uint32_t slice = 0; slice < size.slices; ++slice) {
      for (uint32_t y = 0; y < size.height; ++y) {
        for (uint32_t x = 0; x < size.width; ++x, ++index) {
          const TexelPlace place{level, x, y, slice};
          store_texel(image, contents, place, texel_at(place, index));
        }
      }
    }
  }
}

/// {"r": [c, x, y, slice, level], ..., "modulo": m}: a sum of products, modulo m. The remainder is taken of numbers
/// that doubles hold exactly as long as those of the manifest have few digits after the point in binary.
void fill_ramp(const ImageDesc& image, const json& spec, std::vector<uint8_t>& contents) {
  double factors[4][5] = {{}, {}, {}, {1.0}};
  const double modulo = spec.value("modulo", 0.0);
  for (const auto& [name, value] : spec.items()) {
    if (name == "modulo") continue;
    const size_t component = std::string("rgba").find(name);
    if (name.size() != 1 || component > 3) throw Error("a ramp has no member '" + name + "'");
    for (double& factor : factors[component]) factor = 0.0;
    if (!value.is_array() || value.size() > 5) throw Error("a ramp has up to five factors for each component");
    for (size_t i = 0; i < value.size(); ++i) factors[component][i] = value[i].get<double>();
  }
  fill(image, contents, [&](const TexelPlace& place, size_t) {
    const double terms[5] = {1.0, double(place.x), double(place.y), double(place.slice), double(place.level)};
    texel::Texel texel;
    for (size_t c = 0; c < 4; ++c) {
      double sum = 0.0;
      for (size_t i = 0; i < 5; ++i) sum += factors[c][i] * terms[i];
      if (modulo > 0.0) sum -= modulo * std::floor(sum / modulo);
      texel[c] = component_of(image, sum);
    }
    return texel;
  });
}

/// {"seed": s, "lo": l, "hi": h}: independent components, numbers of lo + k (hi - lo) / 256 with 0 <= k <= 256, or of
/// integers between lo and hi.
void fill_random(const ImageDesc& image, const json& spec, std::vector<uint8_t>& contents) {
  Random random(spec.at("seed").get<uint64_t>());
  const double lo = spec.value("lo", 0.0);
  const double hi = spec.value("hi", 1.0);
  const bool integers = has_integers(*image.format);
  fill(image, contents, [&](const TexelPlace&, size_t) {
    texel::Texel texel;
    for (uint32_t& component : texel) {
      const uint32_t word = random.word();
      const double value = integers ? lo + std::floor((hi - lo + 1.0) * (word * 0x1p-32))
                                    : lo + (hi - lo) * ((word >> 16) % 257) / 256.0;
      component = component_of(image, value);
    }
    return texel;
  });
}

/// A list of texels, each one a list of up to four components; repeated until the image is full.
void fill_texels(const ImageDesc& image, const json& list, std::vector<uint8_t>& contents) {
  if (!list.is_array() || list.empty()) throw Error("texels must be a list");
  fill(image, contents, [&](const TexelPlace&, size_t index) {
    const json& item = list[index % list.size()];
    texel::Texel texel = {0, 0, 0, component_of(image, 1.0)};
    if (!item.is_array() || item.size() > 4) throw Error("a texel must be a list of up to four components");
    for (size_t c = 0; c < item.size(); ++c) texel[c] = component_of(image, item[c].get<double>());
    return texel;
  });
}

void fill_bytes(const json& segments, std::vector<uint8_t>& contents) {
  std::vector<uint8_t> bytes;
  append_initial_bytes(segments, bytes);
  // Segments hold whole words, which an image need not.
  if (bytes.size() < contents.size() || bytes.size() >= contents.size() + 4) {
    throw Error("the image has " + std::to_string(contents.size()) + " bytes, its segments have " +
                std::to_string(bytes.size()));
  }
  std::copy_n(bytes.begin(), contents.size(), contents.begin());
}

}  // namespace

LevelSize level_size(const ImageDesc& image, uint32_t level) {
  return {minify(image.width, level), minify(image.height, level),
          image.dimensions == 3 ? minify(image.depth, level) : image.layers};
}

size_t row_bytes(const ImageDesc& image, uint32_t level) {
  const texel::ShapeFacts& shape = image.format->shape();
  return size_t{blocks(minify(image.width, level), shape.block_width)} * shape.bytes;
}

uint32_t row_count(const ImageDesc& image, uint32_t level) {
  return blocks(minify(image.height, level), image.format->shape().block_height);
}

size_t level_bytes(const ImageDesc& image, uint32_t level) {
  return row_bytes(image, level) * row_count(image, level) * level_size(image, level).slices;
}

size_t level_offset(const ImageDesc& image, uint32_t level) {
  size_t offset = 0;
  for (uint32_t before = 0; before < level; ++before) offset += level_bytes(image, before);
  return offset;
}

size_t image_bytes(const ImageDesc& image) {
  return image.samples == 1 ? level_offset(image, image.levels) : 0;
}

texel::Texel load_texel(const ImageDesc& image, const std::vector<uint8_t>& contents, const TexelPlace& place) {
  const auto* bytes = reinterpret_cast<const std::byte*>(contents.data() + texel_offset(image, place));
  return texel::swizzled(texel::decode(image.format->layout, bytes), image.format->swizzle,
                         image.format->layout.number);
}

void store_texel(const ImageDesc& image, std::vector<uint8_t>& contents, const TexelPlace& place,
                 const texel::Texel& rgba) {
  auto* bytes = reinterpret_cast<std::byte*>(contents.data() + texel_offset(image, place));
  texel::encode(image.format->layout, texel::unswizzled(rgba, image.format->swizzle), bytes);
}

bool has_integers(const texel::Format& format) {
  return texel::is_integer(format.layout.number);
}

std::vector<uint8_t> initial_image(const ImageDesc& image, const json& init) {
  const size_t size = image_bytes(image);
  if (size > kMaxImageBytes) throw Error("an image may not be larger than 64 MiB");
  std::vector<uint8_t> contents(size, 0);
  if (init.is_null()) return contents;
  if (image.samples != 1) throw Error("a multisampled image has no init");
  if (!init.is_object() || init.size() != 1) throw Error("the init of an image must have exactly one member");
  const std::string& name = init.begin().key();
  const json& value = init.begin().value();
  if (name == "bytes") {
    fill_bytes(value, contents);
  } else if (name == "ramp") {
    fill_ramp(image, value, contents);
  } else if (name == "random") {
    fill_random(image, value, contents);
  } else if (name == "texels") {
    fill_texels(image, value, contents);
  } else {
    throw Error("an image has no init '" + name + "'");
  }
  return contents;
}

}  // namespace spalt::vkrun
