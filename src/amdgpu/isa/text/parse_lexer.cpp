// SPDX-License-Identifier: MIT
#include "amdgpu/isa/text/parse_lexer.h"

#include <algorithm>
#include <charconv>

namespace spalt::isa {
namespace {

constexpr size_t kMaxNumberLength = 100;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == '@';
}

bool is_word(char c) {
  return is_word_start(c) || is_digit(c);
}

bool parse_integer(std::string_view text, uint64_t& value) {
  int base = 10;
  const char second = text.size() > 1 ? text[1] : '\0';
  if (text[0] == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
    base = second == 'x' || second == 'X' ? 16 : 2;
    text.remove_prefix(2);
  } else if (text[0] == '0' && text.size() > 1) {
    base = 8;
  }
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return code == std::errc() && end == text.data() + text.size();
}

bool parse_real(std::string_view text, double& value) {
  auto format = std::chars_format::general;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    format = std::chars_format::hex;
    text.remove_prefix(2);
  }
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  return code == std::errc() && end == text.data() + text.size();
}

}  // namespace

void AsmLexer::skip_blank() {
  for (;;) {
    const char c = peek_char();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == ';' || (c == '/' && peek_char(1) == '/')) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && peek_char(1) == '*') {
      const size_t close = text_.find("*/", position_ + 2);
      position_ = close == std::string_view::npos ? text_.size() : close + 2;
    } else {
      return;
    }
  }
}

/// Takes everything that could belong to the number, so that a malformed one is one token.
void AsmLexer::lex_number() {
  const std::string_view rest = text_.substr(position_);
  const bool hex = rest.starts_with("0x") || rest.starts_with("0X");
  size_t length = hex ? 2 : 0;
  bool real = false;
  for (; length < rest.size(); ++length) {
    const char c = rest[length], before = length > 0 ? rest[length - 1] : '\0';
    const bool exponent = hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
    if ((c == '+' || c == '-') ? !exponent : !is_word(c)) break;
    real |= c == '.' || (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E');
  }
  take(AsmTokenKind::bad_number, length);
  if (length > kMaxNumberLength) return;
  if (real) {
    if (parse_real(current_.text, current_.real)) current_.kind = AsmTokenKind::real;
  } else {
    if (parse_integer(current_.text, current_.integer)) current_.kind = AsmTokenKind::integer;
  }
}

void AsmLexer::advance() {
  previous_end_ = static_cast<uint32_t>(position_);
  skip_blank();
  current_.position = static_cast<uint32_t>(position_);
  if (position_ >= text_.size()) {
    current_.kind = AsmTokenKind::end;
    current_.text = {};
    return;
  }
  const char c = peek_char();
  if (c == '\n') {
    take(AsmTokenKind::newline, 1);
  } else if (is_digit(c) || (c == '.' && is_digit(peek_char(1)))) {
    lex_number();
  } else if (is_word_start(c)) {
    size_t length = 1;
    while (is_word(peek_char(length))) ++length;
    take(AsmTokenKind::word, length);
  } else if (c == '"') {
    const size_t close = text_.find_first_of("\"\n", position_ + 1);
    const bool closed = close != std::string_view::npos && text_[close] == '"';
    if (!closed) return take(AsmTokenKind::other, 1);
    take(AsmTokenKind::string, close - position_ + 1);
    current_.text = current_.text.substr(1, current_.text.size() - 2);
  } else {
    take(AsmTokenKind::other, 1);
  }
}

TextPosition text_position(std::string_view text, uint32_t offset) {
  const std::string_view before = text.substr(0, std::min<size_t>(offset, text.size()));
  const size_t newline = before.rfind('\n');
  TextPosition result;
  result.line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  result.column = static_cast<uint32_t>(before.size() - (newline == std::string_view::npos ? 0 : newline + 1)) + 1;
  return result;
}

}  // namespace spalt::isa
