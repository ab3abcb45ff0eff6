// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace spalt::text {

enum class TokenKind : uint8_t {
  end,         ///< end of input
  newline,     ///< one or more line ends; the IR languages are line based
  identifier,  ///< letters, digits, '_', '.', not starting with a digit
  value,       ///< '%' followed by letters, digits, '_', '.'; text excludes the '%'
  global,      ///< '@' followed by the same; text excludes the '@'
  number,      ///< decimal, 0x hexadecimal or decimal floating point, optionally signed
  string,      ///< double quoted, no escapes; text excludes the quotes
  punctuation  ///< one character, or "->"
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  uint32_t line = 1;
};

/// Splits the text of IR and machine IR into tokens. Comments run from ';' to the end of the line. The text must
/// outlive the lexer. Any bytes are accepted; a byte that starts no token becomes punctuation and is for the parser to
/// reject.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return current_; }
  Token next() {
    Token token = current_;
    advance();
    return token;
  }
  bool at(TokenKind kind) const { return current_.kind == kind; }
  bool at(std::string_view punctuation_or_word) const {
    return (current_.kind == TokenKind::punctuation || current_.kind == TokenKind::identifier) &&
           current_.text == punctuation_or_word;
  }
  /// Consumes the current token if it is the given punctuation or word.
  bool accept(std::string_view punctuation_or_word) {
    if (!at(punctuation_or_word)) return false;
    advance();
    return true;
  }
  void skip_newlines() {
    while (current_.kind == TokenKind::newline) advance();
  }
  /// An invalid-input error at the current line; `message` says what was expected.
  Error error(std::string message) const;

 private:
  void advance();
  void skip_blank();
  void lex_word(TokenKind kind, size_t begin);
  void lex_number();

  std::string_view text_;
  size_t position_ = 0;
  uint32_t line_ = 1;
  Token current_;
};

/// Parses a number token as an unsigned 64-bit pattern; negative decimal numbers become two's complement.
bool parse_integer(std::string_view text, uint64_t& value);
/// Parses a number token as a double; hexadecimal tokens are rejected.
bool parse_float(std::string_view text, double& value);

}  // namespace spalt::text
