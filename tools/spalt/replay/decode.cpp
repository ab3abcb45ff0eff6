// SPDX-License-Identifier: MIT
#include "replay/decode.h"

namespace spalt_tool::replay {
namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

bool decode_varint(std::span<const uint8_t> bytes, size_t count, std::vector<uint32_t>& words) {
  // A word takes at least a byte; this also bounds the memory.
  if (count > bytes.size()) return false;
  words.resize(count);
  const uint8_t* at = bytes.data();
  const uint8_t* end = at + bytes.size();
  for (uint32_t& word : words) {
    word = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == end || shift > 28) return false;
      const uint8_t byte = *at++;
      word |= uint32_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
  }
  return at == end;
}

bool decode_base64(const std::string& text, std::vector<uint8_t>& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    uint32_t group = 0;
    for (size_t j = 0; j < 4; ++j) {
      const int digit = j < digits ? base64_digit(text[i + j]) : 0;
      if (digit < 0) return false;
      group = group << 6 | static_cast<uint32_t>(digit);
    }
    for (size_t j = 0; j + 1 < digits; ++j) bytes.push_back(static_cast<uint8_t>(group >> (16 - 8 * j)));
  }
  return true;
}

}  // namespace spalt_tool::replay
