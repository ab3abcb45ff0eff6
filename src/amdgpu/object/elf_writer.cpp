// SPDX-License-Identifier: MIT
#include <cstring>
#include <string_view>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/metadata.h"
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

void append(std::vector<uint8_t>& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void pad(std::vector<uint8_t>& out, uint64_t alignment) {
  out.resize(align_up(out.size(), alignment), 0);
}

std::vector<uint8_t> note_section(const std::vector<uint8_t>& metadata) {
  const ElfNote header{sizeof(kNoteName), static_cast<uint32_t>(metadata.size()), kNoteAmdgpuMetadata};
  std::vector<uint8_t> note;
  append(note, &header, sizeof header);
  append(note, kNoteName, sizeof kNoteName);
  pad(note, 4);
  append(note, metadata.data(), metadata.size());
  pad(note, 4);
  return note;
}

/// Lays sections out behind the file header and writes the section table behind them.
class SectionWriter {
 public:
  SectionWriter() { headers_.push_back({}); }

  void add(std::string_view name, ElfSection header, const void* data, size_t size) {
    file_.resize(align_up(file_.size(), header.alignment), 0);
    header.name = add_name(name);
    header.offset = file_.size();
    header.size = size;
    append(file_, data, size);
    headers_.push_back(header);
  }
  void add_names() {
    ElfSection header{.type = kSectionStrtab, .alignment = 1};
    const uint32_t own = add_name(".shstrtab");
    header.name = own;
    header.offset = file_.size();
    header.size = names_.size();
    append(file_, names_.data(), names_.size());
    headers_.push_back(header);
  }
  std::vector<uint8_t> finish(uint32_t flags) {
    pad(file_, 8);
    ElfHeader header{};
    const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', kElfClass64, kElfLittleEndian, kElfVersion, kOsAbiPal};
    std::memcpy(header.ident, ident, sizeof ident);
    header.type = kTypeRelocatable;
    header.machine = kMachineAmdgpu;
    header.version = kElfVersion;
    header.flags = flags;
    header.section_offset = file_.size();
    header.header_size = sizeof(ElfHeader);
    header.section_entry_size = sizeof(ElfSection);
    header.section_count = static_cast<uint16_t>(headers_.size());
    header.section_names = static_cast<uint16_t>(headers_.size() - 1);
    append(file_, headers_.data(), headers_.size() * sizeof(ElfSection));
    std::memcpy(file_.data(), &header, sizeof header);
    return std::move(file_);
  }
  uint32_t next_index() const { return static_cast<uint32_t>(headers_.size()); }

 private:
  uint32_t add_name(std::string_view name) {
    const auto offset = static_cast<uint32_t>(names_.size());
    names_.append(name);
    names_.push_back('\0');
    return offset;
  }

  std::vector<uint8_t> file_ = std::vector<uint8_t>(sizeof(ElfHeader), 0);
  std::vector<ElfSection> headers_;
  std::string names_ = std::string(1, '\0');
};

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
  ElfSymbol symbols[2] = {};
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
  out.add(".symtab",
          {.type = kSectionSymtab,
           .link = out.next_index() + 1,
           .info = 1,
           .alignment = 8,
           .entry_size = sizeof(ElfSymbol)},
          symbols, sizeof symbols);
  out.add(".strtab", {.type = kSectionStrtab, .alignment = 1}, strings.data(), strings.size());
  out.add_names();
  return out.finish((*target)->elf_mach);
}

}  // namespace spalt::object
