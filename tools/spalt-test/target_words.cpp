// SPDX-License-Identifier: MIT
#include "target_words.h"

#include "amdgpu/lower/lower_module.h"
#include "command.h"

namespace spalt::golden {

Result<TargetWords> parse_target_words(std::span<const std::string> args) {
  TargetWords words;
  words.target = isa::find_target("gfx1030");
  for (const std::string& word : args) {
    if (word == "wave32" || word == "wave64") {
      words.wave_size = word == "wave32" ? 32 : 64;
    } else if (word == "scratch") {
      words.scratch = true;
    } else {
      words.target = isa::find_target(word);
      if (words.target == nullptr) return test_error("unknown word '" + word + "'");
    }
  }
  return words;
}

Result<abi::StageInterface> lower_for_test(ir::Module& module, CompileContext& context, const TargetWords& words) {
  const abi::UserDataLayout layout = lower::default_user_data_layout(module);
  lower::LowerConfig config;
  config.target = words.target;
  config.wave_size = words.wave_size;
  config.layout = &layout;
  return lower::lower_module(module, context, config);
}

}  // namespace spalt::golden
