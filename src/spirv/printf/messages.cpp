// SPDX-License-Identifier: MIT
// Lines come from OpLine, or from DebugLine of NonSemantic.Shader.DebugInfo.100, whose file and number are operands by
// id.
#include "spirv/printf/messages.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "spirv/module/words.h"
#include "spirv/printf/printf.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr std::string_view kDebugSet = "NonSemantic.Shader.DebugInfo.100";
constexpr uint32_t kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;

class MessageReader {
 public:
  explicit MessageReader(std::span<const uint32_t> words) : words_(words) {}

  Result<PrintfMessages> run() {
    if (words_.size() < kHeaderWords || words_[0] != spv::MagicNumber) {
      return Error{Status::invalid_input, "expected a SPIR-V module", 0, {}, 0};
    }
    for (uint32_t at = kHeaderWords; at < words_.size();) {
      const Instruction in{words_.data() + at, words_[at] & 0xffff, words_[at] >> 16, at};
      if (in.count == 0 || in.count > words_.size() - at) {
        return Error{Status::invalid_input, "an instruction that leaves the module", at, {}, 0};
      }
      visit(in);
      at += in.count;
    }
    for (const auto& [id, text] : strings_) out_.strings.push_back({id, std::string(text)});
    std::sort(out_.strings.begin(), out_.strings.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return std::move(out_);
  }

 private:
  void visit(const Instruction& in) {
    std::string_view text;
    switch (in.opcode) {
      case spv::OpString:
        if (literal_string(in, 2, text)) strings_[in[1]] = text;
        return;
      case spv::OpExtInstImport:
        if (!literal_string(in, 2, text)) return;
        if (text == kPrintfSet) printf_set_ = in[1];
        if (text == kDebugSet) debug_set_ = in[1];
        return;
      case spv::OpConstant:
        if (in.count == 4) constants_[in[2]] = in[3];
        return;
      case spv::OpLine:
        if (in.count >= 3) set_line(in[1], in[2]);
        return;
      case spv::OpExtInst:
        return ext_inst(in);
      default:
        if (in.opcode == spv::OpNoLine || ends_block(in.opcode)) line_ = 0;
    }
  }

  static bool ends_block(uint32_t opcode) {
    return opcode == spv::OpLabel || opcode == spv::OpFunction || opcode == spv::OpFunctionEnd;
  }

  void set_line(uint32_t file, uint32_t line) {
    file_ = file;
    line_ = line;
  }

  void ext_inst(const Instruction& in) {
    if (in.count < kPrintfFormatWord) return;
    if (in[3] == debug_set_ && debug_set_ != 0) return debug(in);
    if (in[3] != printf_set_ || printf_set_ == 0 || in[4] != kPrintfInstruction) return;
    if (in.count <= kPrintfFormatWord) return;
    PrintfMessage message;
    message.format = string(in[kPrintfFormatWord]);
    if (line_ != 0) message.file = string(file_);
    message.line = line_;
    out_.messages.push_back(std::move(message));
  }

  void debug(const Instruction& in) {
    if (in[4] == kDebugSource && in.count > 5) sources_[in[2]] = in[5];
    if (in[4] == kDebugLine && in.count > 6) {
      const auto source = sources_.find(in[5]);
      const auto line = constants_.find(in[6]);
      if (line != constants_.end()) set_line(source == sources_.end() ? 0 : source->second, line->second);
    }
    if (in[4] == kDebugNoLine) line_ = 0;
  }

  std::string string(uint32_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? std::string() : std::string(found->second);
  }

  const std::span<const uint32_t> words_;
  PrintfMessages out_;
  std::unordered_map<uint32_t, std::string_view> strings_;
  std::unordered_map<uint32_t, uint32_t> constants_, sources_;
  uint32_t printf_set_ = 0, debug_set_ = 0;
  uint32_t file_ = 0, line_ = 0;
};

}  // namespace

Result<PrintfMessages> read_printf_messages(std::span<const uint32_t> words) {
  return MessageReader(words).run();
}

}  // namespace spalt::spirv
