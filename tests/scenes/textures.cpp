// SPDX-License-Identifier: MIT
#include "textures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "glyphs.h"
#include "matrix.h"
#include "vkrun/image_manifest.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;
using vkrun::TexelPlace;

using Color = std::array<double, 4>;
/// The colour of a texel of level 0.
using Pattern = std::function<Color(const TexelPlace&)>;

Color color_of(const json& object, const char* name, const Color& otherwise) {
  return object.contains(name) ? object.at(name).get<Color>() : otherwise;
}

uint32_t component_of(const vkrun::ImageDesc& image, double value) {
  if (vkrun::has_integers(*image.format)) return static_cast<uint32_t>(static_cast<int64_t>(value));
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

double number_of(const vkrun::ImageDesc& image, uint32_t component) {
  if (!vkrun::has_integers(*image.format)) return std::bit_cast<float>(component);
  return image.format->layout.number == texel::Number::sint ? double(static_cast<int32_t>(component)) : component;
}

void store(const vkrun::ImageDesc& image, std::vector<uint8_t>& contents, const TexelPlace& place, const Color& color) {
  texel::Texel texel;
  for (size_t i = 0; i < 4; ++i) texel[i] = component_of(image, color[i]);
  vkrun::store_texel(image, contents, place, texel);
}

template <typename Action>
void for_each_texel(const vkrun::ImageDesc& image, uint32_t level, Action action) {
  const vkrun::LevelSize size = vkrun::level_size(image, level);
  for (uint32_t slice = 0; slice < size.slices; ++slice) {
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x) action(TexelPlace{level, x, y, slice});
    }
  }
}

// ---- patterns ----

/// Squares of `cell` texels in two colours; cubes of 3D images.
Pattern checker(const vkrun::ImageDesc& image, const json& object) {
  vkrun::expect_members(object, "a checker", {"cell", "a", "b"});
  const auto cell = std::max(1u, object.value("cell", 8u));
  const Color a = color_of(object, "a", {1, 1, 1, 1});
  const Color b = color_of(object, "b", {0, 0, 0, 1});
  const bool deep = image.dimensions == 3;
  return [=](const TexelPlace& at) {
    return (at.x / cell + at.y / cell + (deep ? at.slice / cell : at.slice)) % 2 == 0 ? a : b;
  };
}

/// Height of a wall at (x, y): 0 in the mortar, 1 on bricks of 16 x 8 texels with slopes of two texels.
double brick_height(uint32_t x, uint32_t y) {
  const uint32_t row = y / 8;
  const uint32_t along = (x + (row % 2) * 8) % 16;
  const uint32_t across = y % 8;
  const uint32_t border = std::min({along, 15 - along, across, 7 - across});
  return std::min(border, 2u) / 2.0;
}

Pattern bricks(const vkrun::ImageDesc&, const json& object) {
  vkrun::expect_members(object, "bricks", {"brick", "mortar"});
  const Color brick = color_of(object, "brick", {0.7, 0.3, 0.2, 1});
  const Color mortar = color_of(object, "mortar", {0.75, 0.75, 0.7, 1});
  return [=](const TexelPlace& at) { return brick_height(at.x, at.y) == 0 ? mortar : brick; };
}

/// The slopes of the wall as vectors of (u, v, outwards), 0 to 1 for -1 to 1.
Pattern brick_normals(const vkrun::ImageDesc& image, const json& object) {
  vkrun::expect_members(object, "brick normals", {"strength"});
  const double strength = object.value("strength", 1.0);
  const uint32_t width = image.width;
  const uint32_t height = image.height;
  return [=](const TexelPlace& at) -> Color {
    const double du = brick_height((at.x + 1) % width, at.y) - brick_height((at.x + width - 1) % width, at.y);
    const double dv = brick_height(at.x, (at.y + 1) % height) - brick_height(at.x, (at.y + height - 1) % height);
    const Vector3 normal = normalized({-du * strength, dv * strength, 1});
    return {normal[0] / 2 + 0.5, normal[1] / 2 + 0.5, normal[2] / 2 + 0.5, brick_height(at.x, at.y)};
  };
}

/// Smooth noise that repeats: random values on a lattice of `cells` across the image, and finer octaves of half the
/// weight.
class Noise {
 public:
  Noise(const vkrun::ImageDesc& image, const json& object)
      : image_(image),
        cells_(std::max(1u, object.value("cells", 4u))),
        octaves_(std::clamp(object.value("octaves", 3u), 1u, 8u)) {
    Random random(object.at("seed").get<uint64_t>());
    for (double& value : values_) value = random.unit();
  }

  double at(const TexelPlace& place) const {
    double sum = 0, weights = 0, weight = 1;
    for (uint32_t octave = 0; octave < octaves_; ++octave, weight /= 2) {
      sum += weight * smooth(place, cells_ << octave);
      weights += weight;
    }
    return sum / weights;
  }

 private:
  static constexpr size_t kValues = 4096;

  double lattice(uint32_t x, uint32_t y, uint32_t z, uint32_t cells) const {
    const uint32_t at = ((x % cells) * 73856093u) ^ ((y % cells) * 19349663u) ^ ((z % cells) * 83492791u);
    return values_[(at >> 3) % kValues];
  }

  double smooth(const TexelPlace& place, uint32_t cells) const {
    const std::array<double, 3> point = {double(place.x) * cells / image_.width,
                                         double(place.y) * cells / image_.height,
                                         image_.depth > 1 ? double(place.slice) * cells / image_.depth : place.slice};
    std::array<uint32_t, 3> corner;
    std::array<double, 3> weight;
    for (size_t i = 0; i < 3; ++i) {
      corner[i] = static_cast<uint32_t>(point[i]);
      const double t = point[i] - corner[i];
      weight[i] = t * t * (3 - 2 * t);
    }
    double sum = 0;
    for (uint32_t bits = 0; bits < 8; ++bits) {
      double product = 1;
      for (size_t i = 0; i < 3; ++i) product *= (bits >> i & 1) != 0 ? weight[i] : 1 - weight[i];
      sum += product * lattice(corner[0] + (bits & 1), corner[1] + (bits >> 1 & 1), corner[2] + (bits >> 2), cells);
    }
    return sum;
  }

  vkrun::ImageDesc image_;
  uint32_t cells_, octaves_;
  std::array<double, kValues> values_;
};

Color mixed(const Color& a, const Color& b, double t) {
  Color result;
  for (size_t i = 0; i < 4; ++i) result[i] = a[i] + (b[i] - a[i]) * t;
  return result;
}

Pattern noise(const vkrun::ImageDesc& image, const json& object) {
  vkrun::expect_members(object, "noise", {"seed", "cells", "octaves", "a", "b"});
  const Color a = color_of(object, "a", {0, 0, 0, 1});
  const Color b = color_of(object, "b", {1, 1, 1, 1});
  return [=, lattice = Noise(image, object)](const TexelPlace& at) { return mixed(a, b, lattice.at(at)); };
}

/// The direction in which the centre of a texel of a cube's face lies.
Vector3 cube_direction(const vkrun::ImageDesc& image, const TexelPlace& at) {
  const double s = 2 * (at.x + 0.5) / image.width - 1;
  const double t = 2 * (at.y + 0.5) / image.height - 1;
  switch (at.slice % 6) {
    case 0:
      return normalized({1, -t, -s});
    case 1:
      return normalized({-1, -t, s});
    case 2:
      return normalized({s, 1, t});
    case 3:
      return normalized({s, -1, -t});
    case 4:
      return normalized({s, -t, 1});
    default:
      return normalized({-s, -t, -1});
  }
}

/// Six faces: blue above, brown below, and a warm light around `sun`.
Pattern sky(const vkrun::ImageDesc& image, const json& object) {
  if (image.layers % 6 != 0) throw Error("a sky has six layers");
  vkrun::expect_members(object, "a sky", {"sun"});
  const Vector3 sun = normalized(object.value("sun", Vector3{1, 1, 1}));
  return [=](const TexelPlace& at) -> Color {
    const Vector3 d = cube_direction(image, at);
    const double up = std::clamp(d[1] * 4 + 0.5, 0.0, 1.0);
    Color color = mixed({0.35, 0.25, 0.15, 1}, {0.3 + 0.3 * (1 - d[1]), 0.5 + 0.2 * (1 - d[1]), 0.9, 1}, up);
    const double light = std::pow(std::max(0.0, d[0] * sun[0] + d[1] * sun[1] + d[2] * sun[2]), 16);
    return mixed(color, {1, 0.9, 0.6, 1}, light);
  };
}

/// A disc: colour `a` inside, `b` outside, alpha falling over `soft` of the radius.
Pattern disc(const vkrun::ImageDesc& image, const json& object) {
  vkrun::expect_members(object, "a disc", {"a", "b", "radius", "soft"});
  const Color a = color_of(object, "a", {1, 1, 1, 1});
  const Color b = color_of(object, "b", {0, 0, 0, 0});
  const double radius = object.value("radius", 0.9);
  const double soft = object.value("soft", 0.2);
  return [=](const TexelPlace& at) {
    const double s = 2 * (at.x + 0.5) / image.width - 1;
    const double t = 2 * (at.y + 0.5) / image.height - 1;
    return mixed(a, b, std::clamp((std::hypot(s, t) - radius) / soft + 0.5, 0.0, 1.0));
  };
}

/// Distances to the outline of a line of text: 0.5 on it, greater inside; `spread` texels to 0 and 1.
Pattern text(const vkrun::ImageDesc& image, const json& object) {
  vkrun::expect_members(object, "text", {"line", "spread"});
  const double spread = object.value("spread", 4.0);
  const GlyphLine line(object.at("line").get<std::string>());
  return [=](const TexelPlace& at) -> Color {
    const double scale = std::min(double(image.width) / line.width(), double(image.height) / line.height());
    const double distance = line.distance((at.x + 0.5) / scale, (at.y + 0.5) / scale) * scale;
    const double value = std::clamp(0.5 + distance / (2 * spread), 0.0, 1.0);
    return {value, value, value, 1};
  };
}

// ---- all of them ----

struct PatternMaker {
  const char* name;
  Pattern (*make)(const vkrun::ImageDesc&, const json&);
};

constexpr PatternMaker kPatterns[] = {
    {"checker", checker}, {"bricks", bricks}, {"brick_normals", brick_normals}, {"noise", noise}, {"sky", sky},
    {"disc", disc},       {"text", text},
};

/// Nothing: the pattern is one of vkrun's.
Pattern find_pattern(const vkrun::ImageDesc& image, const json& init) {
  if (!init.is_object() || init.size() != 1) return nullptr;
  for (const PatternMaker& maker : kPatterns) {
    if (init.begin().key() == maker.name) return maker.make(image, init.begin().value());
  }
  return nullptr;
}

Color load(const vkrun::ImageDesc& image, const std::vector<uint8_t>& contents, const TexelPlace& place) {
  const texel::Texel texel = vkrun::load_texel(image, contents, place);
  Color color;
  for (size_t i = 0; i < 4; ++i) color[i] = number_of(image, texel[i]);
  return color;
}

/// The average of the texels that one of a level covers in the level before.
Color averaged(const vkrun::ImageDesc& image, const std::vector<uint8_t>& contents, const TexelPlace& place) {
  const vkrun::LevelSize before = vkrun::level_size(image, place.level - 1);
  const bool deep = image.dimensions == 3;
  const uint32_t slices = deep ? 2 : 1;
  Color sum{};
  for (uint32_t i = 0; i < 4 * slices; ++i) {
    const TexelPlace from{place.level - 1, std::min(place.x * 2 + (i & 1), before.width - 1),
                          std::min(place.y * 2 + (i >> 1 & 1), before.height - 1),
                          deep ? std::min(place.slice * 2 + (i >> 2), before.slices - 1) : place.slice};
    const Color color = load(image, contents, from);
    for (size_t c = 0; c < 4; ++c) sum[c] += color[c] / (4 * slices);
  }
  return sum;
}

}  // namespace

std::vector<uint8_t> make_texels(const vkrun::ImageDesc& image, const json& init, bool mipmaps) {
  const Pattern pattern = find_pattern(image, init);
  std::vector<uint8_t> contents = vkrun::initial_image(image, pattern ? json() : init);
  if (pattern) {
    for_each_texel(image, 0, [&](const TexelPlace& at) { store(image, contents, at, pattern(at)); });
  }
  for (uint32_t level = 1; mipmaps && level < image.levels; ++level) {
    for_each_texel(image, level,
                   [&](const TexelPlace& at) { store(image, contents, at, averaged(image, contents, at)); });
  }
  return contents;
}

}  // namespace spalt::scenes
