// SPDX-License-Identifier: MIT
#include "command.h"
#include "ir/parser.h"
#include "ir/verifier.h"

namespace spalt::golden {
namespace {

/// The verifier's message, or "valid".
class VerifyCommand : public Command {
 public:
  std::string_view name() const override { return "verify"; }
  std::string_view summary() const override { return "the error that the IR verifier finds, or 'valid'"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    const Result<void> verdict = ir::verify(*module);
    return std::optional((verdict ? std::string("valid") : verdict.error().message) + "\n");
  }
};

}  // namespace

const Command& verify_command() {
  static const VerifyCommand command;
  return command;
}

}  // namespace spalt::golden
