// SPDX-License-Identifier: MIT
#include "base/text/lexer.h"

#include <charconv>

namespace spalt::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
  return is_word_start(c) || is_digit(c) || c == '.';
}

}  // namespace

Error Lexer::error(std::string message) const {
  Error error;
  error.status = Status::invalid_input;
  error.offset = current_.line;
  error.message = "line " + std::to_string(current_.line) + ": " + std::move(message);
  if (current_.kind != TokenKind::end && current_.kind != TokenKind::newline) {
    error.message += ", found '" + std::string(current_.text) + "'";
  }
  return error;
}

void Lexer::skip_blank() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ';') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else {
      return;
    }
  }
}

void Lexer::lex_word(TokenKind kind, size_t begin) {
  size_t end = begin;
  while (end < text_.size() && is_word(text_[end])) ++end;
  current_.kind = kind;
  current_.text = text_.substr(begin, end - begin);
  position_ = end;
}

void Lexer::lex_number() {
  const size_t begin = position_;
  size_t end = begin + 1;
  const bool hex = text_.substr(begin).starts_with("0x") || text_.substr(begin).starts_with("-0x");
  while (end < text_.size()) {
    const char c = text_[end];
    const bool exponent_sign = !hex && (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
    if (!is_word(c) && !exponent_sign) break;
    ++end;
  }
  current_.kind = TokenKind::number;
  current_.text = text_.substr(begin, end - begin);
  position_ = end;
}

void Lexer::advance() {
  skip_blank();
  current_.line = line_;
  if (position_ >= text_.size()) {
    current_.kind = TokenKind::end;
    current_.text = {};
    return;
  }
  const char c = text_[position_];
  const char following = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
  if (c == '\n') {
    while (position_ < text_.size() && text_[position_] == '\n') {
      ++line_;
      ++position_;
      skip_blank();
    }
    current_.kind = TokenKind::newline;
    current_.text = {};
  } else if (is_word_start(c)) {
    lex_word(TokenKind::identifier, position_);
  } else if (c == '%' || c == '@') {
    lex_word(c == '%' ? TokenKind::value : TokenKind::global, position_ + 1);
  } else if (is_digit(c) || (c == '-' && is_digit(following))) {
    lex_number();
  } else if (c == '"') {
    const size_t close = text_.find('"', position_ + 1);
    const size_t end = close == std::string_view::npos ? text_.size() : close;
    current_.kind = TokenKind::string;
    current_.text = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end < text_.size() ? end + 1 : end;
  } else {
    const size_t length = c == '-' && following == '>' ? 2 : 1;
    current_.kind = TokenKind::punctuation;
    current_.text = text_.substr(position_, length);
    position_ += length;
  }
}

bool parse_integer(std::string_view text, uint64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc() || end != text.data() + text.size() || text.empty()) return false;
  if (negative) value = ~value + 1;
  return true;
}

bool parse_float(std::string_view text, double& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace spalt::text
