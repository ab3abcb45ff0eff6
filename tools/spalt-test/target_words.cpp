// SPDX-License-Identifier: MIT
#include "target_words.h"

#include <algorithm>

#include "amdgpu/lower/lower_module.h"
#include "base/text/lexer.h"
#include "command.h"

namespace spalt::golden {

namespace {

/// The numbers of a list; false for anything else.
bool parse_numbers(std::string_view list, SmallVector<uint32_t, 8>& numbers) {
  for (;;) {
    const size_t comma = std::min(list.find(','), list.size());
    uint64_t number = 0;
    if (!text::parse_integer(list.substr(0, comma), number) || number > 0xffffffff) return false;
    numbers.push_back(static_cast<uint32_t>(number));
    if (comma == list.size()) return true;
    list.remove_prefix(comma + 1);
  }
}

bool add_attribute(std::string_view list, TargetWords& words) {
  SmallVector<uint32_t, 8> numbers;
  if (!parse_numbers(list, numbers) || numbers.size() < 5 || numbers.size() > 6) return false;
  abi::VertexAttribute attribute;
  attribute.location = numbers[0];
  attribute.binding = numbers[1];
  attribute.format = numbers[2];
  attribute.offset = numbers[3];
  attribute.stride = numbers[4];
  attribute.per_instance = numbers.size() == 6;
  if (attribute.per_instance) attribute.divisor = numbers[5];
  if (!words.graphics) words.graphics.emplace();
  words.graphics->attributes.push_back(attribute);
  return true;
}

bool add_read(std::string_view what, TargetWords& words) {
  if (!words.next_stage) words.next_stage.emplace();
  abi::PixelParameter read;
  uint64_t number = 0;
  if (what == "primitive_id") {
    read.parameter.kind = abi::ParameterKind::primitive_id;
  } else if (what == "clip_distances") {
    read.parameter.kind = abi::ParameterKind::clip_distances;
  } else if (text::parse_integer(what, number) && number < 128) {
    read.parameter.number = static_cast<uint8_t>(number);
  } else {
    return false;
  }
  words.next_stage->parameters.push_back(read);
  return true;
}

/// A word about the fixed functions behind a fragment shader.
bool parse_state_word(std::string_view word, TargetWords& words) {
  constexpr std::string_view kFormat = "format=", kSamples = "samples=", kMasks = "write_masks=";
  constexpr uint32_t kRgba8 = 37;  // VK_FORMAT_R8G8B8A8_UNORM
  abi::GraphicsState state = words.graphics.value_or(abi::GraphicsState());
  if (!words.graphics) {
    for (abi::ColorTarget& target : state.targets) target.format = kRgba8;
  }
  SmallVector<uint32_t, 8> numbers;
  if (word.starts_with(kFormat) && parse_numbers(word.substr(kFormat.size()), numbers)) {
    for (abi::ColorTarget& target : state.targets) target.format = numbers[0];
  } else if (word.starts_with(kSamples) && parse_numbers(word.substr(kSamples.size()), numbers)) {
    state.samples = numbers[0];
  } else if (word.starts_with(kMasks) && parse_numbers(word.substr(kMasks.size()), numbers) &&
             numbers.size() <= state.targets.size()) {
    for (size_t i = 0; i < numbers.size(); ++i) state.targets[i].write_mask = static_cast<uint8_t>(numbers[i] & 0xf);
  } else if (word == "blend") {
    for (abi::ColorTarget& target : state.targets) target.blend = true;
  } else if (word == "dual_source") {
    state.dual_source_blend = true;
  } else if (word == "alpha_to_coverage") {
    state.alpha_to_coverage = true;
  } else if (word == "alpha_to_one") {
    state.alpha_to_one = true;
  } else {
    return false;
  }
  words.graphics = state;
  return true;
}

/// A word about the parts of a stage.
bool parse_part_word(std::string_view word, TargetWords& words) {
  constexpr std::string_view kProlog = "prolog=", kRead = "seam_read=", kResult = "seam_result=";
  SmallVector<uint32_t, 8> numbers;
  if (word == "body") return words.body = true;
  if (word == "epilog") {
    words.epilog.emplace();
  } else if (word == "kills" && words.epilog) {
    words.epilog->kills = true;
  } else if (word.starts_with(kProlog) && parse_numbers(word.substr(kProlog.size()), numbers)) {
    words.prolog.emplace().kept_sgprs = static_cast<uint8_t>(numbers[0]);
  } else if (word.starts_with(kRead) && words.prolog && parse_numbers(word.substr(kRead.size()), numbers) &&
             numbers.size() == 3) {
    words.prolog->reads.push_back(
        {static_cast<uint8_t>(numbers[0]), static_cast<uint8_t>(numbers[1]), numbers[2] != 0});
  } else if (word.starts_with(kResult) && words.epilog && parse_numbers(word.substr(kResult.size()), numbers) &&
             numbers.size() == 4) {
    words.epilog->results.push_back({static_cast<abi::PixelResultKind>(numbers[0]), static_cast<uint8_t>(numbers[1]),
                                     static_cast<uint8_t>(numbers[2]), static_cast<abi::ResultType>(numbers[3])});
  } else {
    return false;
  }
  return true;
}

bool parse_graphics_word(std::string_view word, TargetWords& words) {
  constexpr std::string_view kAttribute = "attribute=", kReads = "reads=";
  if (word == "primitive_shader") return words.primitive_shader = true;
  if (word.starts_with(kAttribute)) return add_attribute(word.substr(kAttribute.size()), words);
  if (parse_state_word(word, words) || parse_part_word(word, words)) return true;
  return word.starts_with(kReads) && add_read(word.substr(kReads.size()), words);
}

}  // namespace

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
    } else if (!parse_graphics_word(word, words)) {
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
  const abi::GraphicsState graphics = words.graphics ? *words.graphics : lower::default_graphics_state(module);
  config.graphics = &graphics;
  config.next_stage = words.next_stage ? &*words.next_stage : nullptr;
  config.primitive_shader = words.primitive_shader;
  config.body_only = words.body;
  config.prolog = words.prolog ? &*words.prolog : nullptr;
  config.epilog = words.epilog ? &*words.epilog : nullptr;
  return lower::lower_module(module, context, config);
}

}  // namespace spalt::golden
