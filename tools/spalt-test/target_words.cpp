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
    } else if (word == "inline") {
      words.inline_data = true;
    } else if (word == "root") {
      words.root = true;
    } else {
      words.target = isa::find_target(word);
      if (words.target == nullptr) return test_error("unknown word '" + word + "'");
    }
  }
  return words;
}

namespace {

/// The offset is one that descriptors would not have.
void change_layout(const ir::Module& module, const TargetWords& words, abi::UserDataLayout& layout) {
  for (size_t i = 0; i < module.bindings.size(); ++i) {
    abi::BindingLocation& location = layout.bindings[i];
    if (words.inline_data && module.bindings[i].kind == ir::BindingKind::uniform_buffer) {
      location.kind = abi::BindingKind::inline_data;
      location.offset += 4;
      location.count = 32;
    }
    if (words.root && module.bindings[i].is_storage_buffer()) {
      location.kind = abi::BindingKind::user_data_buffer;
      location.entry = layout.entry_count;
      layout.entry_count += location.count * (abi::kBufferDescriptorBytes / 4);
    }
  }
}

}  // namespace

Result<abi::StageInterface> lower_for_test(ir::Module& module, CompileContext& context, const TargetWords& words) {
  abi::UserDataLayout layout = lower::default_user_data_layout(module);
  change_layout(module, words, layout);
  lower::LowerConfig config;
  config.target = words.target;
  config.wave_size = words.wave_size;
  config.layout = &layout;
  return lower::lower_module(module, context, config);
}

}  // namespace spalt::golden
