// SPDX-License-Identifier: MIT
#include "command.h"
#include "diff.h"
#include "ir/parser.h"
#include "ir/printer.h"

namespace spalt::golden {
namespace {

/// Parses and prints the IR; the printed text must parse and print to itself.
class CatCommand : public Command {
 public:
  std::string_view name() const override { return "cat"; }
  std::string_view summary() const override { return "parse and print the IR; printing again must change nothing"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    const std::string text = ir::print(*module);
    const Result<ir::Module> again = ir::parse(text);
    if (!again) return test_error("the printed text does not parse: " + again.error().message + "\n" + text);
    const std::string diff = unified_diff(text, ir::print(*again));
    if (!diff.empty()) return test_error("printing again gives another text:\n" + diff);
    return std::optional(text);
  }
};

/// The message of the parser for a text that it must reject.
class ParseErrorCommand : public Command {
 public:
  std::string_view name() const override { return "parse_error"; }
  std::string_view summary() const override { return "the error message for IR text that must not parse"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<ir::Module> module = ir::parse(file.input);
    if (module) return test_error("the input parses but should not");
    return std::optional(module.error().message + "\n");
  }
};

}  // namespace

const Command& cat_command() {
  static const CatCommand command;
  return command;
}
const Command& parse_error_command() {
  static const ParseErrorCommand command;
  return command;
}

}  // namespace spalt::golden
