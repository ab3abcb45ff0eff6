// SPDX-License-Identifier: MIT
#include "spirv/source/lines.h"

#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

bool ends_block(uint32_t opcode) {
  return opcode == spv::OpLabel || opcode == spv::OpFunction || opcode == spv::OpFunctionEnd;
}

}  // namespace

void LineReader::visit(const Instruction& in) {
  std::string_view text;
  switch (in.opcode) {
    case spv::OpString:
      if (literal_string(in, 2, text)) strings_[in[1]] = text;
      return;
    case spv::OpExtInstImport:
      if (literal_string(in, 2, text) && text == kDebugSet) debug_set_ = in[1];
      return;
    case spv::OpConstant:
      if (in.count == 4) constants_[in[2]] = in[3];
      return;
    case spv::OpLine:
      if (in.count < 3) return;
      file_ = in[1];
      line_ = in[2];
      return;
    case spv::OpExtInst:
      if (is_debug(in, kDebugSource) && in.count > 5) sources_[in[2]] = in[5];
      if (is_debug(in, kDebugLine) && in.count > 6) debug_line(in);
      if (is_debug(in, kDebugNoLine)) line_ = 0;
      return;
    default:
      if (in.opcode == spv::OpNoLine || ends_block(in.opcode)) line_ = 0;
  }
}

void LineReader::debug_line(const Instruction& in) {
  const auto source = sources_.find(in[5]);
  const auto line = constants_.find(in[6]);
  if (line == constants_.end()) return;
  file_ = source == sources_.end() ? 0 : source->second;
  line_ = line->second;
}

bool LineReader::is_debug(const Instruction& in, uint32_t number) const {
  return in.opcode == spv::OpExtInst && in.count >= 5 && debug_set_ != 0 && in[3] == debug_set_ && in[4] == number;
}

std::string_view LineReader::string(uint32_t id) const {
  const auto found = strings_.find(id);
  return found == strings_.end() ? std::string_view() : found->second;
}

}  // namespace spalt::spirv
