// SPDX-License-Identifier: MIT
#include "registers.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace spalt::run {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The number at the start of `text`, and what is after it. -1: there is none.
int take_number(std::string_view& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return -1;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

/// The last register of what follows the letter of a file: 7 of "7", 9 of "[6:9]". -1: this is no register.
int last_register(std::string_view text) {
  if (!text.starts_with('[')) {
    const int number = take_number(text);
    return text.empty() || !is_word(text[0]) ? number : -1;
  }
  text.remove_prefix(1);
  const int first = take_number(text);
  if (!text.starts_with(':')) return first;
  text.remove_prefix(1);
  return take_number(text);
}

void look_at(std::string_view instruction, Registers& use) {
  for (size_t i = 0; i < instruction.size(); ++i) {
    const char file = instruction[i];
    if ((file != 'v' && file != 's') || (i != 0 && is_word(instruction[i - 1]))) continue;
    const int last = last_register(instruction.substr(i + 1));
    uint32_t& count = file == 'v' ? use.vgprs : use.sgprs;
    count = std::max(count, static_cast<uint32_t>(last + 1));
  }
}

}  // namespace

Registers registers_named(std::string_view assembly) {
  Registers use;
  while (!assembly.empty()) {
    const std::string_view line = assembly.substr(0, assembly.find('\n'));
    assembly.remove_prefix(std::min(assembly.size(), line.size() + 1));
    look_at(line.substr(0, line.find("//")), use);
  }
  return use;
}

Registers parse_registers(const std::string& text) {
  const size_t comma = text.find(',');
  if (comma == std::string::npos) throw std::invalid_argument("two numbers of registers have a comma between them");
  return {static_cast<uint32_t>(std::stoul(text.substr(0, comma))),
          static_cast<uint32_t>(std::stoul(text.substr(comma + 1)))};
}

}  // namespace spalt::run
