// SPDX-License-Identifier: MIT
#include "compare.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>

namespace spalt::vkrun {
namespace {

uint32_t word_at(std::span<const uint8_t> bytes, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

bool words_agree(const Check& check, uint32_t expected, uint32_t actual) {
  if (check.type != ElementType::F32) return expected == actual;
  const double e = std::bit_cast<float>(expected);
  const double a = std::bit_cast<float>(actual);
  if (std::isnan(e) || std::isnan(a)) return false;
  if (e == a) return true;
  if (std::isinf(e) || std::isinf(a)) return false;  // a relative tolerance of infinity allows anything
  return std::abs(a - e) <= check.abs + check.rel * std::abs(e);
}

std::string format_word(ElementType type, uint32_t word) {
  char text[64];
  switch (type) {
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
  for (size_t i = 0; i < check.size; i += 4) {
    const uint32_t e = word_at(expected, i);
    const uint32_t a = word_at(actual, check.offset + i);
    if (words_agree(check, e, a)) continue;
    if (differences++ == 0) {
      first = "buffer " + buffer_name(buffer) + " word " + std::to_string((check.offset + i) / 4) + ": expected " +
              format_word(check.type, e) + ", got " + format_word(check.type, a);
    }
  }
  if (differences == 0) return std::nullopt;
  return first + "; " + std::to_string(differences) + " of " + std::to_string(check.size / 4) + " words differ";
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
