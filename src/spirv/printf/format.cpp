// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include "spirv/printf/messages.h"
#include "spirv/printf/printf.h"

namespace spalt::spirv {
namespace {

/// Widths and precisions with more digits are none.
constexpr size_t kMostDigits = 3;

/// One conversion of a format: "%-8.3v4f" is flags "-8.3", components 4, letter f.
struct Conversion {
  std::string_view text;
  std::string flags;  ///< with width and precision
  uint32_t components = 1;
  char letter = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class ConversionParser {
 public:
  explicit ConversionParser(std::string_view text) : text_(text) {}

  /// Of text that begins with '%'; none where it is no conversion of a value.
  std::optional<Conversion> run() {
    while (at_ < text_.size() && std::string_view("-+ #0").find(text_[at_]) != std::string_view::npos) keep();
    if (!digits()) return std::nullopt;
    if (peek() == '.') {
      keep();
      if (!digits()) return std::nullopt;
    }
    if (peek() == 'v') {
      ++at_;
      if (peek() < '2' || peek() > '4') return std::nullopt;
      out_.components = static_cast<uint32_t>(text_[at_++] - '0');
    }
    if (peek() == 'u' && at_ + 1 < text_.size() && text_[at_ + 1] == 'l') {  // %ul
      at_ += 2;
      out_.letter = 'u';
    } else {
      while (peek() == 'l' || peek() == 'h') ++at_;
      if (std::string_view("diuxXocfFeEgGaAs").find(peek()) == std::string_view::npos) return std::nullopt;
      out_.letter = text_[at_++];
    }
    out_.text = text_.substr(0, at_);
    return out_;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\1'; }
  void keep() { out_.flags += text_[at_++]; }
  bool digits() {
    const size_t first = at_;
    while (is_digit(peek())) keep();
    return at_ - first <= kMostDigits;
  }

  const std::string_view text_;
  size_t at_ = 1;
  Conversion out_;
};

/// The components of an argument as the record has them.
struct Argument {
  ArgumentForm form;
  std::span<const uint32_t> words;
};

class Formatter {
 public:
  Formatter(const PrintfMessages& messages, std::span<const uint32_t> arguments)
      : messages_(messages), arguments_(arguments) {}

  std::string run(std::string_view format) {
    while (!format.empty()) {
      const size_t percent = std::min(format.find('%'), format.size());
      out_ += format.substr(0, percent);
      format.remove_prefix(percent);
      if (format.empty()) break;
      format.remove_prefix(convert(format));
    }
    return std::move(out_);
  }

 private:
  /// Returns how much of the format is done.
  size_t convert(std::string_view text) {
    if (text.starts_with("%%")) {
      out_ += '%';
      return 2;
    }
    const std::optional<Conversion> conversion = ConversionParser(text).run();
    if (!conversion) {
      out_ += '%';
      return 1;
    }
    const std::optional<Argument> argument = next();
    if (argument) {
      print(*conversion, *argument);
    } else {
      out_ += conversion->text;
    }
    return conversion->text.size();
  }

  std::optional<Argument> next() {
    if (arguments_.empty()) return std::nullopt;
    Argument argument{ArgumentForm::unpack(arguments_[0]), {}};
    const size_t words = size_t{argument.form.components} * (argument.form.bits > 32 ? 2 : 1);
    if (words > arguments_.size() - 1) return std::nullopt;
    argument.words = arguments_.subspan(1, words);
    arguments_ = arguments_.subspan(1 + words);
    return argument;
  }

  void print(const Conversion& conversion, const Argument& argument) {
    for (uint32_t i = 0; i < conversion.components && i < argument.form.components; ++i) {
      if (i != 0) out_ += ", ";
      component(conversion, argument, i);
    }
  }

  void component(const Conversion& conversion, const Argument& argument, uint32_t index) {
    const bool wide = argument.form.bits > 32;
    uint64_t bits = argument.words[index * (wide ? 2 : 1)];
    if (wide) bits |= uint64_t{argument.words[2 * index + 1]} << 32;
    if (conversion.letter == 's') return string(argument, static_cast<uint32_t>(bits));
    const double number = argument.form.kind != ArgumentKind::floating ? static_cast<double>(as_signed(argument, bits))
                          : wide                                       ? std::bit_cast<double>(bits)
                                 : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
    const char letter[] = {conversion.letter, 0};
    switch (conversion.letter) {
      case 'c':
        out_ += static_cast<char>(bits);
        return;
      case 'd':
      case 'i':
        return write("%" + conversion.flags + PRId64, whole(argument, bits, number, true));
      case 'u':
        return write("%" + conversion.flags + PRIu64, whole(argument, bits, number, false));
      case 'x':
        return write("%" + conversion.flags + PRIx64, whole(argument, bits, number, false));
      case 'X':
        return write("%" + conversion.flags + PRIX64, whole(argument, bits, number, false));
      case 'o':
        return write("%" + conversion.flags + PRIo64, whole(argument, bits, number, false));
      default:
        return write("%" + conversion.flags + letter, number);
    }
  }

  static int64_t as_signed(const Argument& argument, uint64_t bits) {
    if (argument.form.kind == ArgumentKind::boolean || argument.form.bits == 0 || argument.form.bits > 64) {
      return static_cast<int64_t>(bits);
    }
    const unsigned unused = 64u - argument.form.bits;
    return static_cast<int64_t>(bits << unused) >> unused;
  }

  /// Of a float, what is before its point.
  static int64_t whole(const Argument& argument, uint64_t bits, double number, bool is_signed) {
    if (argument.form.kind == ArgumentKind::floating) {
      return number > -0x1p63 && number < 0x1p63 ? static_cast<int64_t>(number) : 0;
    }
    return is_signed ? as_signed(argument, bits) : static_cast<int64_t>(bits);
  }

  void string(const Argument& argument, uint32_t id) {
    if (argument.form.kind != ArgumentKind::string) return static_cast<void>(out_ += "%s");
    const auto found = std::lower_bound(messages_.strings.begin(), messages_.strings.end(), id,
                                        [](const PrintfString& each, uint32_t wanted) { return each.id < wanted; });
    if (found != messages_.strings.end() && found->id == id) out_ += found->text;
  }

  template <class Number>
  void write(const std::string& format, Number number) {
    const int size = std::snprintf(nullptr, 0, format.c_str(), number);
    if (size <= 0) return;
    const size_t before = out_.size();
    out_.resize(before + static_cast<size_t>(size) + 1);
    std::snprintf(out_.data() + before, static_cast<size_t>(size) + 1, format.c_str(), number);
    out_.pop_back();
  }

  const PrintfMessages& messages_;
  std::span<const uint32_t> arguments_;
  std::string out_;
};

}  // namespace

std::string format_printf(const PrintfMessages& messages, const PrintfMessage& message,
                          std::span<const uint32_t> arguments) {
  return Formatter(messages, arguments).run(message.format);
}

}  // namespace spalt::spirv
