// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace spalt::golden {

/// One command of a golden test: "pass simplify" is the line, its words are the name and the arguments.
struct CommandLine {
  std::string line;
  std::vector<std::string> words;
};

/// What a command printed or should print. `label` is the command's line, or empty when the file says `; expect:`.
struct Expectation {
  std::string label;
  std::string text;
};

/// A golden test: header lines `; test: COMMAND`, the input, and blocks of expected output:
///
///     ; test: cat
///     func @main() {
///     ...
///     ; expect:
///     ; func @main() {
///     ...
///
/// docs/testing.md describes the format.
struct TestFile {
  std::string path;
  std::vector<CommandLine> commands;
  std::string head;   ///< everything before the first `; expect`, kept byte for byte when blessing
  std::string input;  ///< `head` without the header lines, which become empty lines so that line numbers agree
  std::vector<Expectation> expectations;

  /// The text after `; WORD:` of each such line of the input, in order.
  std::vector<std::string> annotations(std::string_view word) const;
};

Result<TestFile> parse_test_file(std::string path, std::string_view text);

/// The whole file again, with other expectations.
std::string format_test_file(const TestFile& file, const std::vector<Expectation>& expectations);

std::vector<std::string> split_lines(std::string_view text);
std::string_view trim(std::string_view text);

}  // namespace spalt::golden
