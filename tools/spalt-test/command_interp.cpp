// SPDX-License-Identifier: MIT
#include "command.h"
#include "ir/parser.h"
#include "run_lines.h"

namespace spalt::golden {
namespace {

/// Executes the run lines on the interpreter; prints nothing.
class InterpCommand : public Command {
 public:
  std::string_view name() const override { return "interp"; }
  std::string_view summary() const override { return "execute the '; run:' lines on the IR interpreter"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    if (!has_runs(file)) return test_error("there is no '; run:' line");
    if (Result<void> r = check_runs(file, *module); !r) return r.error();
    return std::optional<std::string>();
  }
};

/// The message of the interpreter for a run that must fail.
class InterpErrorCommand : public Command {
 public:
  std::string_view name() const override { return "interp_error"; }
  std::string_view summary() const override { return "the error message of a run that must fail"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    if (!has_runs(file)) return test_error("there is no '; run:' line");
    const Result<void> verdict = check_runs(file, *module);
    if (verdict) return test_error("the run succeeds but should not");
    return std::optional(verdict.error().message + "\n");
  }
};

}  // namespace

const Command& interp_command() {
  static const InterpCommand command;
  return command;
}
const Command& interp_error_command() {
  static const InterpErrorCommand command;
  return command;
}

}  // namespace spalt::golden
