// SPDX-License-Identifier: MIT
#include "compare.h"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>

#include "image_texels.h"

namespace spalt::vkrun {
namespace {

uint32_t word_at(std::span<const uint8_t> bytes, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

bool numbers_agree(double rel, double abs, double e, double a) {
  if (std::isnan(e) || std::isnan(a)) return false;
  if (e == a) return true;
  if (std::isinf(e) || std::isinf(a)) return false;  // a relative tolerance of infinity allows anything
  return std::abs(a - e) <= abs + rel * std::abs(e);
}

bool floats_agree(double rel, double abs, uint32_t expected, uint32_t actual) {
  return numbers_agree(rel, abs, double{std::bit_cast<float>(expected)}, double{std::bit_cast<float>(actual)});
}

size_t bytes_of(ElementType type) {
  return type == ElementType::F64 ? 8 : 4;
}
uint64_t element_at(ElementType type, std::span<const uint8_t> bytes, size_t at) {
  const uint64_t low = word_at(bytes, at);
  return type == ElementType::F64 ? low | uint64_t{word_at(bytes, at + 4)} << 32 : low;
}

bool elements_agree(const Check& check, uint64_t expected, uint64_t actual) {
  if (check.type == ElementType::F64) {
    return numbers_agree(check.rel, check.abs, std::bit_cast<double>(expected), std::bit_cast<double>(actual));
  }
  if (check.type != ElementType::F32) return expected == actual;
  return floats_agree(check.rel, check.abs, static_cast<uint32_t>(expected), static_cast<uint32_t>(actual));
}

std::string format_element(ElementType type, uint64_t bits) {
  char text[64];
  const auto word = static_cast<uint32_t>(bits);
  switch (type) {
    case ElementType::F64:
      std::snprintf(text, sizeof(text), "%.17g (0x%016" PRIx64 ")", std::bit_cast<double>(bits), bits);
      break;
    case ElementType::U32:
      std::snprintf(text, sizeof(text), "%u (0x%08x)", word, word);
      break;
    case ElementType::I32:
      std::snprintf(text, sizeof(text), "%d", static_cast<int32_t>(word));
      break;
    case ElementType::F32:
      std::snprintf(text, sizeof(text), "%.9g (0x%08x)", static_cast<double>(std::bit_cast<float>(word)), word);
      break;
  }
  return text;
}

std::string buffer_name(const BufferDesc& buffer) {
  std::string name = std::to_string(buffer.set) + ":" + std::to_string(buffer.binding);
  if (buffer.element != 0) name += "[" + std::to_string(buffer.element) + "]";
  return name;
}

/// `expected` starts at the first checked byte, `actual` at the start of the buffer.
std::optional<std::string> compare_range(const BufferDesc& buffer, const Check& check,
                                         std::span<const uint8_t> expected, std::span<const uint8_t> actual) {
  size_t differences = 0;
  std::string first;
  const size_t size = bytes_of(check.type);
  for (size_t i = 0; i < check.size; i += size) {
    const uint64_t e = element_at(check.type, expected, i);
    const uint64_t a = element_at(check.type, actual, check.offset + i);
    if (elements_agree(check, e, a)) continue;
    if (differences++ == 0) {
      first = "buffer " + buffer_name(buffer) + " word " + std::to_string((check.offset + i) / 4) + ": expected " +
              format_element(check.type, e) + ", got " + format_element(check.type, a);
    }
  }
  if (differences == 0) return std::nullopt;
  return first + "; " + std::to_string(differences) + " of " + std::to_string(check.size / size) +
         (size == 4 ? " words differ" : " elements differ");
}

bool texels_agree(const ImageDesc& image, const ImageCheck& check, const texel::Texel& expected,
                  const texel::Texel& actual) {
  if (has_integers(*image.format)) return expected == actual;
  for (size_t c = 0; c < 4; ++c) {
    if (!floats_agree(check.rel, check.abs, expected[c], actual[c])) return false;
  }
  return true;
}

std::string format_texel(const ImageDesc& image, const texel::Texel& texel) {
  const bool is_signed = image.format->layout.number == texel::Number::sint;
  const ElementType integer = is_signed ? ElementType::I32 : ElementType::U32;
  const ElementType type = has_integers(*image.format) ? integer : ElementType::F32;
  std::string text = "(";
  for (size_t c = 0; c < 4; ++c) text += (c == 0 ? "" : ", ") + format_element(type, texel[c]);
  return text + ")";
}

std::optional<std::string> compare_level(const ImageDesc& image, const ImageCheck& check, uint32_t level,
                                         const std::vector<uint8_t>& expected, const std::vector<uint8_t>& actual) {
  const LevelSize size = level_size(image, level);
  size_t differences = 0;
  std::string first;
  for (uint32_t slice = 0; slice < size.slices; ++slice) {
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x) {
        const TexelPlace place{level, x, y, slice};
        const texel::Texel e = load_texel(image, expected, place);
        const texel::Texel a = load_texel(image, actual, place);
        if (texels_agree(image, check, e, a) || differences++ != 0) continue;
        first = "image " + image.name + " level " + std::to_string(level) + " texel (" + std::to_string(x) + ", " +
                std::to_string(y) + ", " + std::to_string(slice) + "): expected " + format_texel(image, e) + ", got " +
                format_texel(image, a);
      }
    }
  }
  if (differences == 0) return std::nullopt;
  return first + "; " + std::to_string(differences) + " of " +
         std::to_string(size_t{size.width} * size.height * size.slices) + " texels differ";
}

std::optional<std::string> compare_image(const ImageDesc& image, const std::vector<uint8_t>& expected,
                                         const std::vector<uint8_t>& actual) {
  if (expected.size() != image.initial.size() || actual.size() != image.initial.size()) {
    return "image " + image.name + " changed its size";
  }
  for (const ImageCheck& check : image.checks) {
    for (uint32_t level = 0; level < image.levels; ++level) {
      if (check.level.value_or(level) != level) continue;
      auto message = compare_level(image, check, level, expected, actual);
      if (message) return message;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> compare_runs(const Manifest& manifest, const BufferContents& expected,
                                        const BufferContents& actual) {
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    const BufferDesc& buffer = manifest.buffers[i];
    if (expected[i].size() != buffer.initial.size() || actual[i].size() != buffer.initial.size()) {
      return "buffer " + buffer_name(buffer) + " changed its size";
    }
    for (const Check& check : buffer.checks) {
      auto message = compare_range(buffer, check, std::span(expected[i]).subspan(check.offset), actual[i]);
      if (message) return message;
    }
  }
  for (size_t i = 0; i < manifest.images.size(); ++i) {
    const size_t at = manifest.buffers.size() + i;
    auto message = compare_image(manifest.images[i], expected[at], actual[at]);
    if (message) return message;
  }
  return std::nullopt;
}

std::optional<std::string> compare_expectations(const Manifest& manifest, const BufferContents& actual) {
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    for (const Expectation& expectation : manifest.buffers[i].expectations) {
      auto message = compare_range(manifest.buffers[i], expectation.check, expectation.bytes, actual[i]);
      if (message) return "literal expectation: " + *message;
    }
  }
  return std::nullopt;
}

}  // namespace spalt::vkrun
