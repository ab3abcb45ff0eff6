// SPDX-License-Identifier: MIT
#include "picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "png.h"
#include "vkrun/image_manifest.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

using Numbers = std::array<double, 4>;

Numbers numbers_of(const vkrun::ImageDesc& desc, const texel::Texel& texel) {
  Numbers numbers;
  for (size_t i = 0; i < 4; ++i) {
    if (desc.format->layout.number == texel::Number::sint) {
      numbers[i] = static_cast<int32_t>(texel[i]);
    } else {
      numbers[i] = vkrun::has_integers(*desc.format) ? texel[i] : double(std::bit_cast<float>(texel[i]));
    }
  }
  return numbers;
}

/// Bits of the channel that the component comes from; 0 for a constant one.
unsigned bits_of(const texel::Format& format, size_t component) {
  const auto select = static_cast<unsigned>(format.swizzle[component]);
  constexpr auto kFirst = static_cast<unsigned>(texel::Select::x);
  return select < kFirst ? 0 : format.shape().bits[select - kFirst];
}

/// The difference that two drivers may have: one step of 8 bits, or of the channel if it has fewer.
class Tolerance {
 public:
  Tolerance(const texel::Format& format, const Comparison& comparison) {
    constexpr double kStep = 1.0 / 255.0;
    constexpr double kDepthStep = 8.0 / 65535.0;
    const texel::Number number = format.layout.number;
    const bool is_depth = comparison.aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
    for (size_t i = 0; i < 4; ++i) {
      const unsigned bits = bits_of(format, i);
      if (texel::is_integer(number)) continue;
      absolute_[i] = is_depth ? kDepthStep : kStep;
      if (number == texel::Number::floating || number == texel::Number::ufloat) {
        // 5 or 6 bits of mantissa in channels of 10 or 11 bits.
        const double grain = bits == 10 ? 1.0 / 32 : bits == 11 ? 1.0 / 64 : 0.0;
        relative_[i] = is_depth ? 0.0 : std::max(kStep, grain);
      } else if (bits != 0) {
        const unsigned magnitude = number == texel::Number::snorm ? bits - 1 : bits;
        absolute_[i] = std::max(absolute_[i], 1.0 / (std::exp2(magnitude) - 1.0));
      }
      if (comparison.tolerance) {
        absolute_[i] = *comparison.tolerance;
        relative_[i] = 0.0;
      }
    }
  }

  bool allows(const Numbers& expected, const Numbers& actual) const {
    constexpr double kRounding = 1e-3;  // components are decoded to 32-bit floats
    for (size_t i = 0; i < 4; ++i) {
      if (expected[i] == actual[i] || (std::isnan(expected[i]) && std::isnan(actual[i]))) continue;
      const double limit = absolute_[i] + relative_[i] * std::abs(expected[i]);
      if (!(std::abs(expected[i] - actual[i]) <= limit * (1 + kRounding))) return false;
    }
    return true;
  }

 private:
  Numbers absolute_{}, relative_{};
};

template <typename Action>
void for_each_texel(const vkrun::ImageDesc& desc, Action action) {
  const vkrun::LevelSize size = vkrun::level_size(desc, 0);
  for (uint32_t slice = 0; slice < size.slices; ++slice) {
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x) action(vkrun::TexelPlace{0, x, y, slice});
    }
  }
}

std::string text_of(const Numbers& numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%s%.5g", text.empty() ? "" : " ", number);
    text += digits;
  }
  return text;
}

std::string sentence(const vkrun::ImageDesc& desc, const vkrun::TexelPlace& at, const Numbers& expected,
                     const Numbers& actual) {
  std::string where = std::to_string(at.x) + ", " + std::to_string(at.y);
  if (vkrun::level_size(desc, 0).slices > 1) where += ", slice " + std::to_string(at.slice);
  return desc.name + " (" + where + ") is " + text_of(actual) + " instead of " + text_of(expected);
}

PictureDifference compare_words(const Buffer& buffer, const std::vector<uint8_t>& expected,
                                const std::vector<uint8_t>& actual) {
  PictureDifference result;
  for (size_t at = 0; at + 4 <= expected.size(); at += 4) {
    uint32_t wanted = 0, got = 0;
    std::memcpy(&wanted, expected.data() + at, 4);
    std::memcpy(&got, actual.data() + at, 4);
    ++result.pixels;
    if (wanted == got || result.different++ != 0) continue;
    char text[96];
    std::snprintf(text, sizeof(text), " (word %zu) is 0x%08x instead of 0x%08x", at / 4, got, wanted);
    result.first = buffer.name + text;
  }
  return result;
}

}  // namespace

vkrun::ImageDesc picture_desc(const Scene& scene, const Comparison& comparison) {
  vkrun::ImageDesc desc = scene.images[comparison.image].desc;
  const vkrun::LevelSize size = vkrun::level_size(desc, comparison.level);
  desc.width = size.width;
  desc.height = size.height;
  if (desc.dimensions == 3) desc.depth = size.slices;
  desc.levels = 1;
  desc.initial.clear();
  if (comparison.aspect != VK_IMAGE_ASPECT_COLOR_BIT) {
    desc.format = texel::plane_format(*desc.format, static_cast<texel::Aspect>(comparison.aspect));
    if (desc.format == nullptr) throw Error("the image " + desc.name + " has no such aspect");
  }
  std::string name = desc.format->name;
  if (const size_t at = name.find("SRGB"); at != std::string::npos) {
    desc.format = vkrun::format_named(name.replace(at, 4, "UNORM"));
  }
  return desc;
}

PictureDifference compare_pictures(const Scene& scene, const Comparison& comparison,
                                   const std::vector<uint8_t>& expected, const std::vector<uint8_t>& actual) {
  if (comparison.buffer) return compare_words(scene.buffers[*comparison.buffer], expected, actual);
  const vkrun::ImageDesc desc = picture_desc(scene, comparison);
  const Tolerance tolerance(*desc.format, comparison);
  PictureDifference result;
  for_each_texel(desc, [&](const vkrun::TexelPlace& at) {
    const Numbers wanted = numbers_of(desc, vkrun::load_texel(desc, expected, at));
    const Numbers got = numbers_of(desc, vkrun::load_texel(desc, actual, at));
    ++result.pixels;
    if (tolerance.allows(wanted, got)) return;
    if (result.different++ == 0) result.first = sentence(desc, at, wanted, got);
  });
  return result;
}

void write_png(const std::string& path, const Scene& scene, const Comparison& comparison,
               const std::vector<uint8_t>& picture) {
  const vkrun::ImageDesc desc = picture_desc(scene, comparison);
  const vkrun::LevelSize size = vkrun::level_size(desc, 0);
  double most = 1.0;  // of integers
  if (vkrun::has_integers(*desc.format)) {
    for_each_texel(desc, [&](const vkrun::TexelPlace& at) {
      for (const double number : numbers_of(desc, vkrun::load_texel(desc, picture, at))) most = std::max(most, number);
    });
  }
  const bool is_grey = comparison.aspect != VK_IMAGE_ASPECT_COLOR_BIT;
  std::vector<uint8_t> pixels;
  for_each_texel(desc, [&](const vkrun::TexelPlace& at) {
    const Numbers numbers = numbers_of(desc, vkrun::load_texel(desc, picture, at));
    for (size_t i = 0; i < 3; ++i) {
      const double number = numbers[is_grey ? 0 : i] / most;
      pixels.push_back(static_cast<uint8_t>(std::lround(std::clamp(std::isnan(number) ? 0 : number, 0.0, 1.0) * 255)));
    }
  });
  write_rgb_png(path, size.width, size.height * size.slices, pixels);
}

}  // namespace spalt::scenes
