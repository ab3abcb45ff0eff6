// SPDX-License-Identifier: MIT
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "command.h"
#include "select_for_test.h"

namespace spalt::golden {
namespace {

/// Instruction selection of the entry point. A module of the core stage is lowered first.
class SelectCommand : public Command {
 public:
  std::string_view name() const override { return "select"; }
  std::string_view summary() const override {
    return "select instructions ([wave32|wave64] [scratch]) and print the machine IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    const Result<TargetWords> words = parse_target_words(args);
    if (!words) return words.error();
    CompileContext context;
    const Result<SelectedForTest> selected = select_for_test(file, *words, context);
    if (!selected) return selected.error();
    const std::string text = mir::print(selected->function);
    if (const Result<void> verdict = mir::verify(selected->function); !verdict) {
      return test_error("after select: " + verdict.error().message + "\n" + text);
    }
    return std::optional(text);
  }
};

}  // namespace

const Command& select_command() {
  static const SelectCommand command;
  return command;
}

}  // namespace spalt::golden
