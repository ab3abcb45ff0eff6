// SPDX-License-Identifier: MIT
#include <charconv>

#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/regalloc/allocate.h"
#include "amdgpu/regalloc/check/check.h"
#include "command.h"

namespace spalt::golden {
namespace {

/// Register allocation of machine IR of the masked stage, proved by the checker.
class RegallocCommand : public Command {
 public:
  std::string_view name() const override { return "regalloc"; }
  std::string_view summary() const override {
    return "allocate registers ([sgprs=N] [vgprs=N]), check, and print the machine IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    regalloc::Config config;
    for (const std::string& word : args) {
      if (!limit(word, "sgprs=", config.max_sgprs) && !limit(word, "vgprs=", config.max_vgprs)) {
        return test_error("unknown word '" + word + "'");
      }
    }
    Result<mir::Function> function = mir::parse(file.input);
    if (!function) return function.error();
    if (function->stage != mir::Stage::masked) return test_error("the input is not of the masked stage");
    if (const Result<void> verdict = mir::verify(*function); !verdict) return verdict.error();
    const mir::Function before = *function;
    regalloc::allocate_registers(*function, config);
    const std::string text = mir::print(*function);
    if (const Result<void> verdict = mir::verify(*function); !verdict) {
      return test_error(verdict.error().message + "\n" + text);
    }
    if (const Result<void> proof = regalloc::check_allocation(before, *function); !proof) {
      return test_error(proof.error().message + "\n" + text);
    }
    return std::optional(text);
  }

 private:
  static bool limit(std::string_view word, std::string_view key, unsigned& value) {
    if (!word.starts_with(key)) return false;
    word.remove_prefix(key.size());
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    return code == std::errc() && end == word.data() + word.size();
  }
};

}  // namespace

const Command& regalloc_command() {
  static const RegallocCommand command;
  return command;
}

}  // namespace spalt::golden
