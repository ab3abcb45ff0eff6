// SPDX-License-Identifier: MIT
#include "amdgpu/object/section_writer.h"

#include <cstring>
#include <vector>

#include "base/bits.h"

namespace spalt::object {

void append_bytes(std::vector<uint8_t>& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void pad_bytes(std::vector<uint8_t>& out, uint64_t alignment) {
  out.resize(align_up(out.size(), alignment), 0);
}

uint32_t SectionWriter::add_name(std::string_view name) {
  const auto offset = static_cast<uint32_t>(names_.size());
  names_.append(name);
  names_.push_back('\0');
  return offset;
}

void SectionWriter::add(std::string_view name, ElfSection header, const void* data, size_t size) {
  pad_bytes(file_, header.alignment);
  header.name = add_name(name);
  header.offset = file_.size();
  header.size = size;
  append_bytes(file_, data, size);
  headers_.push_back(header);
}

void SectionWriter::add_symbols(const std::vector<ElfSymbol>& symbols, uint32_t local_count, std::string_view strings) {
  const auto strings_index = static_cast<uint32_t>(headers_.size() + 1);
  add(".symtab",
      {.type = kSectionSymtab,
       .link = strings_index,
       .info = local_count,
       .alignment = 8,
       .entry_size = sizeof(ElfSymbol)},
      symbols.data(), symbols.size() * sizeof(ElfSymbol));
  add(".strtab", {.type = kSectionStrtab, .alignment = 1}, strings.data(), strings.size());
}

std::vector<uint8_t> SectionWriter::finish(uint8_t os_abi, uint32_t flags) {
  ElfSection names{.type = kSectionStrtab, .alignment = 1};
  names.name = add_name(".shstrtab");
  names.offset = file_.size();
  names.size = names_.size();
  append_bytes(file_, names_.data(), names_.size());
  headers_.push_back(names);

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
  return std::move(file_);
}

}  // namespace spalt::object
