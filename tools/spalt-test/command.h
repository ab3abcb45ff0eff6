// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "test_file.h"

namespace spalt::golden {

/// One word after `; test:`. A command reads the input of a file and prints something, or checks something, or both.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  /// One line for `spalt-test --help`.
  virtual std::string_view summary() const = 0;
  /// The text to compare with the expectation; empty if the command only checks. An Error fails the test.
  virtual Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const = 0;
};

/// All commands. To add one: write command_NAME.cpp with a function NAME_command(), list it in commands.cpp and
/// meson.build.
std::span<const Command* const> all_commands();
const Command* find_command(std::string_view name);

inline Error test_error(std::string message) {
  return Error{Status::invalid_input, std::move(message), Error::kNoOffset, {}, 0};
}

}  // namespace spalt::golden
