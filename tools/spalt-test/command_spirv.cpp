// SPDX-License-Identifier: MIT
#include <spirv-tools/libspirv.h>

#include <memory>
#include <string_view>

#include "command.h"
#include "ir/names.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "run_lines.h"
#include "spirv/reader.h"

namespace spalt::golden {
namespace {

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_3;

struct Destroy {
  void operator()(spv_context_t* context) const { spvContextDestroy(context); }
  void operator()(spv_binary_t* binary) const { spvBinaryDestroy(binary); }
  void operator()(spv_diagnostic_t* diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

Error tools_error(const std::string& what, spv_diagnostic_t* diagnostic) {
  const std::string detail = diagnostic == nullptr ? "" : diagnostic->error;
  return test_error(what + ": " + detail);
}

/// Assembles the input; `validate` also asks the validator, so that a test cannot rest on a module that Vulkan forbids.
Result<std::vector<uint32_t>> assemble(const TestFile& file, bool validate) {
  const Owned<spv_context_t> context(spvContextCreate(kEnvironment));
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t assembled =
      spvTextToBinary(context.get(), file.input.data(), file.input.size(), &binary, &diagnostic);
  const Owned<spv_binary_t> owned_binary(binary);
  const Owned<spv_diagnostic_t> owned_diagnostic(diagnostic);
  if (assembled != SPV_SUCCESS) return tools_error("the input does not assemble", diagnostic);
  if (validate) {
    spv_const_binary_t words{binary->code, binary->wordCount};
    spv_diagnostic complaint = nullptr;
    const spv_result_t valid = spvValidate(context.get(), &words, &complaint);
    const Owned<spv_diagnostic_t> owned_complaint(complaint);
    // A validator that is older than a capability cannot judge the module.
    const std::string_view text = complaint == nullptr ? "" : complaint->error;
    const bool is_newer = text.starts_with("Invalid capability operand");
    if (valid != SPV_SUCCESS && !is_newer) return tools_error("the input is not valid SPIR-V for Vulkan", complaint);
  }
  return std::vector<uint32_t>(binary->code, binary->code + binary->wordCount);
}

/// Reads SPIR-V assembly and prints the IR. The IR must pass the verifier, and run lines are executed.
class SpirvCommand : public Command {
 public:
  std::string_view name() const override { return "spirv"; }
  std::string_view summary() const override {
    return "read SPIR-V assembly [vertex|fragment] [entry point] [all_widths] and print the IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    const Result<std::vector<uint32_t>> words = assemble(file, true);
    if (!words) return words.error();
    spirv::ReadOptions options;
    for (const std::string& arg : args) {
      if (arg == "all_widths") {
        options.widths = {true, true, true, true, true};
      } else if (const std::optional<ir::ShaderStage> stage = ir::find_shader_stage(arg)) {
        options.stage = *stage;
      } else {
        options.entry_point = arg;
      }
    }
    CompileContext context;
    const Result<ir::Module> module = spirv::read(*words, options, context);
    if (!module) return module.error();
    const std::string text = ir::print(*module);
    const Result<void> verdict = ir::verify(*module);
    if (!verdict) return test_error(verdict.error().message + "\n" + text);
    if (has_runs(file)) {
      const Result<void> runs = check_runs(file, *module);
      if (!runs) return test_error(runs.error().message + "\n" + text);
    }
    return std::optional(text);
  }
};

/// The reader's diagnostic for a module that it must reject. Not validated: most of them are invalid.
class SpirvErrorCommand : public Command {
 public:
  std::string_view name() const override { return "spirv_error"; }
  std::string_view summary() const override { return "the error message for SPIR-V assembly that must be rejected"; }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string>) const override {
    const Result<std::vector<uint32_t>> words = assemble(file, false);
    if (!words) return words.error();
    CompileContext context;
    const Result<ir::Module> module = spirv::read(*words, {}, context);
    if (module) return test_error("the module is accepted but should not be");
    const Error& error = module.error();
    const std::string offset = error.offset == Error::kNoOffset ? "" : "word " + std::to_string(error.offset) + ": ";
    return std::optional(offset + error.message + "\n");
  }
};

}  // namespace

const Command& spirv_command() {
  static const SpirvCommand command;
  return command;
}
const Command& spirv_error_command() {
  static const SpirvErrorCommand command;
  return command;
}

}  // namespace spalt::golden
