// SPDX-License-Identifier: MIT
#include "amdgpu/mir/parser.h"
#include "command.h"
#include "machine_passes.h"
#ifdef SPALT_PROVE
#include "prove/prove_machine.h"
#endif

namespace spalt::golden {
namespace {

/// Applies machine passes in order and proves after each one that the code does what it did.
class ProveMachineCommand : public Command {
 public:
  std::string_view name() const override { return "prove_machine"; }
  std::string_view summary() const override {
    return "apply the named machine passes in order and prove that each keeps what the code does";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
#ifdef SPALT_PROVE
    Result<mir::Function> function = mir::parse(file.input);
    if (!function) return function.error();
    CompileContext context;
    for (const std::string& name : args) {
      const MachinePass* pass = find_machine_pass(name);
      if (pass == nullptr) return test_error("unknown machine pass '" + name + "'");
      const mir::Function before = *function;
      pass->run(*function, context);
      const prove::Proof proof = prove::prove_machine(before, *function);
      if (proof.verdict == prove::Verdict::equal) continue;
      const char* what = proof.verdict == prove::Verdict::different ? "does something else" : "is not proved";
      return test_error("after " + name + " the code " + what + "\n" + proof.text);
    }
#else
    static_cast<void>(file);
    static_cast<void>(args);
#endif
    return std::optional<std::string>();
  }
};

}  // namespace

const Command& prove_machine_command() {
  static const ProveMachineCommand command;
  return command;
}

}  // namespace spalt::golden
