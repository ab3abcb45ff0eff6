// SPDX-License-Identifier: MIT
#include "command.h"
#include "diff.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "named_pass.h"
#include "run_lines.h"

namespace spalt::golden {
namespace {

/// Applies IR passes in order. The module is verified before, between and after them, and the run lines must hold
/// before and after.
class PassCommand : public Command {
 public:
  std::string_view name() const override { return "pass"; }
  std::string_view summary() const override { return "apply the named IR passes in order and print the IR"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    if (args.empty()) return test_error("expected the name of a pass");
    Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    if (Result<void> r = check(file, *module, "before the passes"); !r) return r.error();
    for (const std::string& name : args) {
      const passes::PassEntry* pass = find_named_pass(name);
      if (pass == nullptr) return test_error("unknown pass '" + name + "'");
      const std::string before = ir::print(*module);
      CompileContext context;
      const bool changed = pass->run(*module, context);
      if (Result<void> r = check(file, *module, "after " + name); !r) return r.error();
      if (!changed && ir::print(*module) != before) return test_error(name + " says that it changed nothing");
    }
    return std::optional(ir::print(*module));
  }

 private:
  static Result<void> check(const TestFile& file, const ir::Module& module, const std::string& when) {
    const Result<void> verdict = ir::verify(module);
    if (!verdict) return test_error(when + ": " + verdict.error().message + "\n" + ir::print(module));
    if (!has_runs(file)) return {};
    const Result<void> runs = check_runs(file, module);
    if (!runs) return test_error(when + ": " + runs.error().message + "\n" + ir::print(module));
    return {};
  }
};

}  // namespace

const Command& pass_command() {
  static const PassCommand command;
  return command;
}

}  // namespace spalt::golden
