// SPDX-License-Identifier: MIT
#include "amdgpu/object/section_writer.h"

#include <cstring>

#include "base/bits.h"

namespace spalt::object {

void pad_bytes(Bytes& out, uint64_t alignment) {
  out.resize(align_up(out.size(), alignment), 0);
}

SectionWriter::SectionWriter(Bytes& file) : file_(file) {
  file_.resize(sizeof(ElfHeader), 0);
  headers_.push_back({});
}

void SectionWriter::begin(std::string_view name, const ElfSection& header) {
  pad_bytes(file_, header.alignment);
  headers_.push_back(header);
  ElfSection& section = headers_.back();
  section.name = next_name_;
  section.offset = file_.size();
  names_.push_back(name);
  next_name_ += static_cast<uint32_t>(name.size()) + 1;
}

void SectionWriter::end() {
  headers_.back().size = file_.size() - headers_.back().offset;
}

void SectionWriter::begin_symbols(uint32_t local_count) {
  begin(".symtab", {.type = kSectionSymtab,
                    .link = headers_.size() + 1,
                    .info = local_count,
                    .alignment = 8,
                    .entry_size = sizeof(ElfSymbol)});
  constexpr ElfSymbol kNullSymbol{};
  append_bytes(file_, &kNullSymbol, sizeof kNullSymbol);
}

void SectionWriter::begin_strings(std::string_view name) {
  begin(name, {.type = kSectionStrtab, .alignment = 1});
  file_.push_back(0);
}

void SectionWriter::finish(uint8_t os_abi, uint32_t flags) {
  begin_strings(".shstrtab");
  for (const std::string_view name : names_) {
    append_text(file_, name);
    file_.push_back(0);
  }
  end();

  pad_bytes(file_, 8);
  ElfHeader header{};
  const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', kElfClass64, kElfLittleEndian, kElfVersion, os_abi};
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
  append_bytes(file_, headers_.data(), headers_.size() * sizeof(ElfSection));
  std::memcpy(file_.data(), &header, sizeof header);
}

}  // namespace spalt::object
