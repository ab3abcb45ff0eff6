// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_module.h"
#include "command.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "run_lines.h"
#include "target_words.h"

namespace spalt::golden {
namespace {

/// Target lowering with the default user-data layout. Run lines without a dispatch must hold before and after.
class LowerCommand : public Command {
 public:
  std::string_view name() const override { return "lower"; }
  std::string_view summary() const override {
    return "lower to the target ([wave32|wave64] [inline] [root]) and print the IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    const Result<TargetWords> words = parse_target_words(args);
    if (!words) return words.error();
    Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    CompileContext context;
    const Result<abi::StageInterface> interface = lower_for_test(*module, context, *words);
    if (!interface) return std::optional("error: " + interface.error().message + "\n");
    if (const Result<void> verdict = ir::verify(*module); !verdict) {
      return test_error("after lower: " + verdict.error().message + "\n" + ir::print(*module));
    }
    if (has_runs(file)) {
      if (const Result<void> runs = check_runs(file, *module); !runs) return test_error(runs.error().message);
    }
    return std::optional(ir::print(*module));
  }
};

}  // namespace

const Command& lower_command() {
  static const LowerCommand command;
  return command;
}

}  // namespace spalt::golden
