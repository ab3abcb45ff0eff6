// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

namespace spalt::isa {

enum class AsmTokenKind : uint8_t {
  end,         ///< end of the text
  newline,     ///< end of a line
  word,        ///< letters, digits, '_', '.', '$', '@', not starting with a digit
  integer,     ///< decimal, 0x hexadecimal, 0b binary, 0 octal; the value is in `integer`
  real,        ///< with a point, an exponent, or both; the value is in `real`
  string,      ///< in double quotes, without escapes; the text excludes the quotes
  bad_number,  ///< starts like a number and is none, or does not fit 64 bits
  other        ///< one character
};

struct AsmToken {
  AsmTokenKind kind = AsmTokenKind::end;
  std::string_view text;
  uint32_t position = 0;  ///< byte offset of its first character
  uint64_t integer = 0;
  double real = 0;

  bool is(char c) const { return kind == AsmTokenKind::other && text[0] == c; }
};

/// Splits assembler text into tokens. Comments run from ';' or '//' to the end of the line, or between '/*' and '*/'.
/// Any bytes are accepted. The text must outlive the lexer; it must be shorter than 4 GiB.
class AsmLexer {
 public:
  explicit AsmLexer(std::string_view text) : text_(text) { advance(); }

  const AsmToken& peek() const { return current_; }
  /// Where the last token that was taken ended.
  uint32_t previous_end() const { return previous_end_; }
  bool at(AsmTokenKind kind) const { return current_.kind == kind; }
  bool at(char c) const { return current_.is(c); }
  bool at_line_end() const { return at(AsmTokenKind::end) || at(AsmTokenKind::newline); }
  AsmToken next() {
    const AsmToken token = current_;
    advance();
    return token;
  }
  bool accept(char c) {
    if (!at(c)) return false;
    advance();
    return true;
  }
  void skip_line() {
    while (!at_line_end()) advance();
  }

 private:
  void advance();
  void skip_blank();
  void lex_number();
  char peek_char(size_t distance = 0) const {
    return position_ + distance < text_.size() ? text_[position_ + distance] : '\0';
  }
  void take(AsmTokenKind kind, size_t length) {
    current_.kind = kind;
    current_.text = text_.substr(position_, length);
    position_ += length;
  }

  std::string_view text_;
  size_t position_ = 0;
  AsmToken current_;
  uint32_t previous_end_ = 0;
};

/// "line:column" of a byte offset, both from 1; a tab is one column.
struct TextPosition {
  uint32_t line = 1, column = 1;
};
TextPosition text_position(std::string_view text, uint32_t offset);

}  // namespace spalt::isa
