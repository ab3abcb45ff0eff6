// SPDX-License-Identifier: MIT
#include "test_file.h"

#include <sstream>

namespace spalt::golden {
namespace {

constexpr std::string_view kTest = "; test:";
constexpr std::string_view kExpect = "; expect";

/// The label if the line starts an expectation: "; expect:" or "; expect LABEL:".
bool expect_label(std::string_view line, std::string& label) {
  if (!line.starts_with(kExpect) || !line.ends_with(':')) return false;
  label = std::string(trim(line.substr(kExpect.size(), line.size() - kExpect.size() - 1)));
  return line.size() == kExpect.size() + 1 || line[kExpect.size()] == ' ';
}

CommandLine parse_command(std::string_view line) {
  CommandLine command;
  std::istringstream stream{std::string(line)};
  for (std::string word; stream >> word;) {
    command.line += (command.words.empty() ? "" : " ") + word;
    command.words.push_back(word);
  }
  return command;
}

Error file_error(const std::string& path, size_t line, const std::string& what) {
  return Error{Status::invalid_input, path + ":" + std::to_string(line) + ": " + what, Error::kNoOffset, {}, 0};
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

std::vector<std::string> TestFile::annotations(std::string_view word) const {
  const std::string prefix = "; " + std::string(word) + ":";
  std::vector<std::string> found;
  for (const std::string& line : split_lines(input)) {
    if (line.starts_with(prefix)) found.emplace_back(trim(std::string_view(line).substr(prefix.size())));
  }
  return found;
}

Result<TestFile> parse_test_file(std::string path, std::string_view text) {
  TestFile file;
  file.path = std::move(path);
  bool in_header = true;
  size_t number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    std::string label;
    if (expect_label(line, label)) {
      file.expectations.push_back({std::move(label), {}});
    } else if (!file.expectations.empty()) {
      if (!line.starts_with(";")) return file_error(file.path, number, "input follows the expected output");
      std::string_view content = std::string_view(line).substr(1);
      if (content.starts_with(' ')) content.remove_prefix(1);
      file.expectations.back().text += std::string(content) + "\n";
    } else {
      const bool is_command = line.starts_with(kTest);
      if (is_command && !in_header) return file_error(file.path, number, "'; test:' lines come first");
      if (is_command) file.commands.push_back(parse_command(std::string_view(line).substr(kTest.size())));
      if (!line.starts_with(";")) in_header = false;
      file.head += line + "\n";
      file.input += (is_command ? "" : line) + "\n";
    }
  }
  if (file.commands.empty()) return file_error(file.path, 1, "expected '; test: COMMAND' in the first line");
  for (const CommandLine& command : file.commands) {
    if (command.words.empty()) return file_error(file.path, 1, "expected a command after '; test:'");
  }
  return file;
}

std::string format_test_file(const TestFile& file, const std::vector<Expectation>& expectations) {
  std::string out = file.head;
  for (const Expectation& expectation : expectations) {
    out += std::string(kExpect) + (expectation.label.empty() ? "" : " " + expectation.label) + ":\n";
    for (const std::string& line : split_lines(expectation.text)) out += line.empty() ? ";\n" : "; " + line + "\n";
  }
  return out;
}

}  // namespace spalt::golden
