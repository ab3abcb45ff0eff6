// SPDX-License-Identifier: MIT
#include "amdgpu/isa/text/listing.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"

namespace spalt::isa {
namespace {

void append_comment(std::string& out, size_t line_start, size_t address, std::span<const uint32_t> words) {
  const size_t length = out.size() - line_start;
  out.append(length < 60 ? 60 - length : 1, ' ');
  char text[32];
  std::snprintf(text, sizeof text, "// %012zX:", address);
  out += text;
  for (uint32_t word : words) {
    std::snprintf(text, sizeof text, " %08X", word);
    out += text;
  }
}

void append_words(std::string& out, std::span<const uint32_t> words) {
  const char* separator = ".long ";
  for (uint32_t word : words) {
    char text[24];
    std::snprintf(text, sizeof text, "%s0x%08x", separator, word);
    out += text;
    separator = ", ";
  }
}

/// Whether the assembler makes exactly these words of the text. It does not where hardware ignores bits, or where a
/// literal stands for what could be an inline constant.
bool assembles_to(std::string_view text, std::span<const uint32_t> words, const Target& target, unsigned wave_size) {
  const auto inst = from_text(text, target, wave_size);
  EncodedInst encoded;
  if (!inst || try_encode(*inst, target, encoded) != nullptr) return false;
  return std::equal(words.begin(), words.end(), encoded.words, encoded.words + encoded.count);
}

}  // namespace

std::string list_code(std::span<const uint32_t> all, const Target& target, unsigned wave_size, size_t data) {
  std::string out;
  const auto words = all.first(std::min(data, all.size()));
  for (size_t at = 0; at < words.size();) {
    const size_t line_start = out.size();
    out += '\t';
    const auto inst = decode(words.subspan(at), target, wave_size);
    const size_t length = inst ? inst->size_bytes / 4 : 1;
    const auto encoding = words.subspan(at, length);
    const std::string text = inst ? to_text(*inst, target) : std::string();
    const bool exact = inst && assembles_to(text, encoding, target, wave_size);
    if (exact) {
      out += text;
    } else {
      append_words(out, encoding);
    }
    append_comment(out, line_start, at * 4, encoding);
    if (inst && !exact) out += " " + text;
    out += '\n';
    at += length;
  }
  constexpr size_t kDataWords = 4;
  for (size_t at = words.size(); at < all.size(); at += kDataWords) {
    const size_t line_start = out.size();
    const auto line = all.subspan(at, std::min(kDataWords, all.size() - at));
    out += '\t';
    append_words(out, line);
    append_comment(out, line_start, at * 4, line);
    out += '\n';
  }
  return out;
}

}  // namespace spalt::isa
