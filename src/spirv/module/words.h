// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace spalt::spirv {

/// One instruction in the module's words. `words[0]` is the opcode word, so that `in[1]` is the first operand, as the
/// SPIR-V specification counts. The reader of the word stream guarantees that `count` words exist.
struct Instruction {
  const uint32_t* words = nullptr;
  uint32_t opcode = 0;
  uint32_t count = 0;
  uint32_t offset = 0;  ///< of words[0] in the module

  uint32_t operator[](uint32_t index) const { return words[index]; }
};

/// The literal string at in[index], a view of the words; false when it has no end.
inline bool literal_string(const Instruction& in, uint32_t index, std::string_view& text) {
  // The first character is in the lowest bits of the first word.
  static_assert(std::endian::native == std::endian::little);
  if (index >= in.count) return false;
  const char* begin = reinterpret_cast<const char*>(in.words + index);
  const void* end = std::memchr(begin, 0, size_t{in.count - index} * sizeof(uint32_t));
  if (end == nullptr) return false;
  text = {begin, static_cast<const char*>(end)};
  return true;
}

/// Text of a diagnostic from pieces.
inline void append_piece(std::string& text, std::string_view piece) {
  text += piece;
}
inline void append_piece(std::string& text, uint64_t number) {
  text += std::to_string(number);
}
template <class... Pieces>
[[gnu::cold]] std::string concat(const Pieces&... pieces) {
  std::string text;
  (append_piece(text, pieces), ...);
  return text;
}

}  // namespace spalt::spirv
