// SPDX-License-Identifier: MIT
#include <cstring>
#include <string_view>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/section_writer.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

// s_code_end after the last instruction: the instruction cache prefetches up to three lines past the end
// (LLVM AMDGPU usage guide, "Code Object", s_code_end padding).
constexpr uint32_t kCodeEnd = 0xbf9f0000;
constexpr size_t kCacheLine = 64, kPaddingLines = 3;

std::vector<uint8_t> text_section(const ShaderObject& shader, const isa::Target& target) {
  std::vector<uint8_t> text = shader.code;
  if (!target.inst_prefetch_padding) return text;
  const size_t end = align_up(text.size(), kCacheLine) + kPaddingLines * kCacheLine;
  while (text.size() < end) {
    for (unsigned byte = 0; byte < 4; ++byte) text.push_back(static_cast<uint8_t>(kCodeEnd >> (8 * byte)));
  }
  return text;
}

std::vector<uint8_t> note_section(const std::vector<uint8_t>& metadata) {
  const ElfNote header{sizeof(kNoteName), static_cast<uint32_t>(metadata.size()), kNoteAmdgpuMetadata};
  std::vector<uint8_t> note;
  append_bytes(note, &header, sizeof header);
  append_bytes(note, kNoteName, sizeof kNoteName);
  pad_bytes(note, 4);
  append_bytes(note, metadata.data(), metadata.size());
  pad_bytes(note, 4);
  return note;
}

Result<const isa::Target*> check(const ShaderObject& shader) {
  const isa::Target* target = isa::find_target(shader.target_name);
  if (target == nullptr) return Error{Status::invalid_argument, "unknown target \"" + shader.target_name + "\""};
  if (shader.code.empty() || shader.code.size() % 4 != 0) {
    return Error{Status::invalid_argument, "the code is not a non-empty sequence of dwords"};
  }
  if (shader.entry_offset >= shader.code.size() || shader.entry_offset % kEntryAlignment != 0) {
    return Error{Status::invalid_argument, "the entry point is not 256-byte aligned inside the code"};
  }
  if (shader.wave_size != 32 && shader.wave_size != 64) {
    return Error{Status::invalid_argument, "the wave size is neither 32 nor 64"};
  }
  return target;
}

}  // namespace

Result<std::vector<uint8_t>> write_elf(const ShaderObject& shader, MetadataVersion version) {
  const Result<const isa::Target*> target = check(shader);
  if (!target) return target.error();
  const std::vector<uint8_t> text = text_section(shader, **target);
  const std::vector<uint8_t> note = note_section(write_metadata(shader, version));

  const std::string strings = std::string(1, '\0') + shader.entry_symbol + '\0';
  std::vector<ElfSymbol> symbols(2);
  symbols[1].name = 1;
  symbols[1].info = static_cast<uint8_t>(kBindGlobal << 4 | kSymbolFunc);
  symbols[1].section = 1;
  symbols[1].value = shader.entry_offset;
  // Loaders derive the prefetch size from the symbol size: the code without its padding.
  symbols[1].size = shader.code.size() - shader.entry_offset;

  SectionWriter out;
  out.add(".text", {.type = kSectionProgbits, .flags = kFlagAlloc | kFlagExec, .alignment = kEntryAlignment},
          text.data(), text.size());
  out.add(".note", {.type = kSectionNote, .alignment = 4}, note.data(), note.size());
  if (!shader.disassembly.empty()) {
    out.add(".AMDGPU.disasm", {.type = kSectionProgbits, .alignment = 1}, shader.disassembly.data(),
            shader.disassembly.size());
  }
  out.add_symbols(symbols, 1, strings);
  return out.finish(kOsAbiPal, (*target)->elf_flags());
}

}  // namespace spalt::object
