// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
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
