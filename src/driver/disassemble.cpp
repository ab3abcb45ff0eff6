// SPDX-License-Identifier: MIT
#include "driver/disassemble.h"

#include <cstdio>
#include <cstring>

#include "amdgpu/isa/codec.h"
#include "amdgpu/object/shader_object.h"

namespace spalt::driver {
namespace {

void append_comment(std::string& out, size_t line_start, size_t address, std::span<const uint32_t> words) {
  const size_t length = out.size() - line_start;
  out.append(length < 60 ? 60 - length : 1, ' ');
  char text[32];
  std::snprintf(text, sizeof text, "// %012zX:", address);
  out += text;
  for (uint32_t word : words) {
    std::snprintf(text, sizeof text, " %08X", word);
    out += text;
  }
  out += '\n';
}

}  // namespace

std::string disassemble_code(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t line_start = out.size();
    out += '\t';
    const auto inst = isa::decode(words.subspan(at), target, wave_size);
    size_t length = 1;
    if (inst) {
      length = inst->size_bytes / 4;
      out += isa::to_text(*inst, target);
    } else {
      char text[24];
      std::snprintf(text, sizeof text, ".long 0x%08x", words[at]);
      out += text;
    }
    append_comment(out, line_start, at * 4, words.subspan(at, length));
    at += length;
  }
  return out;
}

Result<std::string> disassemble(std::span<const uint8_t> elf) {
  const auto shader = object::read_elf(elf);
  if (!shader) return shader.error();
  const isa::Target* target = isa::find_target(shader->target_name);
  if (target == nullptr) {
    Error error;
    error.status = Status::unsupported;
    error.message = "the ELF is for " + shader->target_name + ", which is not supported";
    return error;
  }
  std::vector<uint32_t> words(shader->code.size() / 4);
  std::memcpy(words.data(), shader->code.data(), words.size() * 4);
  return shader->entry_symbol + ":\n" + disassemble_code(words, *target, shader->wave_size);
}

}  // namespace spalt::driver
