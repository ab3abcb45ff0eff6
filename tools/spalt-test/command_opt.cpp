// SPDX-License-Identifier: MIT
#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/opt/merge_memory.h"
#include "command.h"

namespace spalt::golden {
namespace {

/// One pass of src/amdgpu/opt on machine IR of the selected stage.
class OptCommand : public Command {
 public:
  std::string_view name() const override { return "opt"; }
  std::string_view summary() const override { return "apply a machine peephole pass (merge_memory)"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    if (args.size() != 1 || args[0] != "merge_memory") return test_error("expected the name of a pass: merge_memory");
    Result<mir::Function> function = mir::parse(file.input);
    if (!function) return function.error();
    if (const Result<void> verdict = mir::verify(*function); !verdict) return verdict.error();
    CompileContext context;
    opt::merge_memory(*function, context);
    const std::string text = mir::print(*function);
    if (const Result<void> verdict = mir::verify(*function); !verdict) {
      return test_error(verdict.error().message + "\n" + text);
    }
    return std::optional(text);
  }
};

}  // namespace

const Command& opt_command() {
  static const OptCommand command;
  return command;
}

}  // namespace spalt::golden
