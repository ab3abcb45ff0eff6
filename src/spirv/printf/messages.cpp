// SPDX-License-Identifier: MIT
#include "spirv/printf/messages.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/walk.h"
#include "spirv/printf/printf.h"
#include "spirv/source/lines.h"

namespace spalt::spirv {
namespace {

class MessageReader {
 public:
  explicit MessageReader(std::span<const uint32_t> words) : words_(words) {}

  Result<PrintfMessages> run() {
    const Result<void> walked = walk_module(words_, [this](const Instruction& in) { visit(in); });
    if (!walked) return walked.error();
    for (const auto& [id, text] : lines_.strings()) out_.strings.push_back({id, std::string(text)});
    std::sort(out_.strings.begin(), out_.strings.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return std::move(out_);
  }

 private:
  void visit(const Instruction& in) {
    std::string_view text;
    lines_.visit(in);
    switch (in.opcode) {
      case spv::OpExtInstImport:
        if (literal_string(in, 2, text) && text == kPrintfSet) printf_set_ = in[1];
        return;
      case spv::OpExtInst:
        return ext_inst(in);
      default:
        return;
    }
  }

  void ext_inst(const Instruction& in) {
    if (in.count <= kPrintfFormatWord) return;
    if (in[3] != printf_set_ || printf_set_ == 0 || in[4] != kPrintfInstruction) return;
    PrintfMessage message;
    message.format = lines_.string(in[kPrintfFormatWord]);
    if (lines_.line() != 0) message.file = lines_.string(lines_.file());
    message.line = lines_.line();
    out_.messages.push_back(std::move(message));
  }

  const std::span<const uint32_t> words_;
  PrintfMessages out_;
  LineReader lines_;
  uint32_t printf_set_ = 0;
};

}  // namespace

Result<PrintfMessages> read_printf_messages(std::span<const uint32_t> words) {
  return MessageReader(words).run();
}

}  // namespace spalt::spirv
