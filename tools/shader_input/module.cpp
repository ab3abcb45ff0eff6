// SPDX-License-Identifier: MIT
#include "module.h"

#include <spirv-tools/libspirv.h>

#include <iterator>
#include <memory>
#include <spirv-tools/optimizer.hpp>
#include <string_view>

namespace shader_input {
namespace {

spv_target_env environment_of(const Options& options) {
  return options.vulkan_1_2 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_3;
}

struct Destroy {
  void operator()(spv_context_t* context) const { spvContextDestroy(context); }
  void operator()(spv_binary_t* binary) const { spvBinaryDestroy(binary); }
  void operator()(spv_diagnostic_t* diagnostic) const { spvDiagnosticDestroy(diagnostic); }
  void operator()(spv_validator_options_t* options) const { spvValidatorOptionsDestroy(options); }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

/// What "; Version: 1.3" says: an environment whose modules have that version.
spv_target_env environment_of_comment(const std::string& text, spv_target_env otherwise) {
  constexpr std::string_view kComment = "; Version: 1.";
  constexpr spv_target_env kEnvironments[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                              SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                              SPV_ENV_UNIVERSAL_1_6};
  const size_t at = text.find(kComment);
  if (at == text.npos || at + kComment.size() >= text.size()) return otherwise;
  const auto minor = static_cast<size_t>(text[at + kComment.size()] - '0');
  return minor < std::size(kEnvironments) ? kEnvironments[minor] : otherwise;
}

void add_line(std::string& messages, const std::string& line) {
  if (!messages.empty()) messages += '\n';
  messages += line;
}

/// What SPIRV-Tools say of a module with a number that they are too old for: they can neither judge nor change it.
bool is_too_new(std::string_view complaint) {
  return complaint.starts_with("Invalid capability operand") ||
         complaint.starts_with("Invalid execution mode operand") || complaint.starts_with("Invalid opcode");
}

}  // namespace

bool assemble(const std::string& path, const std::string& text, const Options& options, std::vector<uint32_t>& words,
              std::string& messages) {
  spv_target_env environment = environment_of(options);
  if (options.version_comment) environment = environment_of_comment(text, environment);
  const Owned<spv_context_t> context(spvContextCreate(environment));
  uint32_t flags = SPV_TEXT_TO_BINARY_OPTION_NONE;
  if (options.keep_ids) flags = SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS;
  spv_binary raw = nullptr;
  spv_diagnostic complaint = nullptr;
  const spv_result_t result =
      spvTextToBinaryWithOptions(context.get(), text.data(), text.size(), flags, &raw, &complaint);
  const Owned<spv_binary_t> binary(raw);
  const Owned<spv_diagnostic_t> diagnostic(complaint);
  if (result == SPV_SUCCESS) {
    words.assign(raw->code, raw->code + raw->wordCount);
    return true;
  }
  std::string place = path;
  // SPIRV-Tools counts lines and columns from 0.
  if (complaint != nullptr) {
    place += ":" + std::to_string(complaint->position.line + 1) + ":" + std::to_string(complaint->position.column + 1);
  }
  add_line(messages, place + ": error: " + (complaint != nullptr ? complaint->error : "does not assemble"));
  return false;
}

bool optimize(const std::string& path, const Options& wanted, std::vector<uint32_t>& words, std::string& messages) {
  spvtools::Optimizer optimizer(environment_of(wanted));
  bool too_new = false;
  optimizer.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
    too_new = too_new || is_too_new(text);
    if (too_new) return;
    if (level <= SPV_MSG_ERROR) add_line(messages, path + ": error: " + text);
  });
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  // Validating is the caller's choice.
  options.set_run_validator(false);
  if (optimizer.Run(words.data(), words.size(), &words, options) || too_new) return true;
  if (messages.empty()) messages = path + ": error: cannot be optimized";
  return false;
}

bool validate(const std::string& path, const Options& wanted, const std::vector<uint32_t>& words,
              std::string& messages) {
  const Owned<spv_context_t> context(spvContextCreate(environment_of(wanted)));
  const Owned<spv_validator_options_t> options(spvValidatorOptionsCreate());
  spvValidatorOptionsSetScalarBlockLayout(options.get(), true);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic complaint = nullptr;
  const spv_result_t result = spvValidateWithOptions(context.get(), options.get(), &binary, &complaint);
  const Owned<spv_diagnostic_t> diagnostic(complaint);
  if (result == SPV_SUCCESS) return true;
  if (complaint != nullptr && is_too_new(complaint->error)) return true;
  add_line(messages, path + ": error: not valid for Vulkan 1." + (wanted.vulkan_1_2 ? "2: " : "3: ") +
                         (complaint != nullptr ? complaint->error : ""));
  return false;
}

}  // namespace shader_input
