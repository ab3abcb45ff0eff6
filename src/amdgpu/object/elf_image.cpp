// SPDX-License-Identifier: MIT
#include "amdgpu/object/elf_image.h"

#include <cstring>

#include "base/bits.h"

namespace spalt::object {
namespace {

constexpr size_t kMaxSections = 4096, kMaxSegments = 256, kMaxSymbols = 1u << 20;

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

/// The range [offset, offset + size) of bytes; false when it leaves them.
bool slice(std::span<const uint8_t> bytes, uint64_t offset, uint64_t size, std::span<const uint8_t>& out) {
  if (offset > bytes.size() || size > bytes.size() - offset) return false;
  out = bytes.subspan(offset, size);
  return true;
}

bool string_at(std::span<const uint8_t> table, uint64_t offset, std::string_view& out) {
  if (offset >= table.size()) return false;
  const char* start = reinterpret_cast<const char*>(table.data()) + offset;
  const void* end = std::memchr(start, 0, table.size() - offset);
  if (end == nullptr) return false;
  out = {start, static_cast<size_t>(static_cast<const char*>(end) - start)};
  return true;
}

Result<ElfHeader> read_header(std::span<const uint8_t> bytes) {
  ElfHeader header;
  if (bytes.size() < sizeof header) return bad("the file is shorter than an ELF header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.ident, "\177ELF", 4) != 0) return bad("the file is not an ELF file");
  if (header.ident[4] != kElfClass64 || header.ident[5] != kElfLittleEndian) {
    return bad("the ELF file is not 64-bit little endian");
  }
  if (header.machine != kMachineAmdgpu) return bad("the ELF machine is not AMDGPU");
  if (header.section_entry_size != sizeof(ElfSection) || header.section_count == 0) {
    return bad("the ELF file has no usable section table");
  }
  if (header.section_count > kMaxSections) return bad("the ELF file has too many sections");
  return header;
}

Result<void> read_sections(std::span<const uint8_t> bytes, const ElfHeader& header, ElfImage& image) {
  std::span<const uint8_t> table;
  if (!slice(bytes, header.section_offset, uint64_t{header.section_count} * sizeof(ElfSection), table)) {
    return bad("the section table leaves the file");
  }
  image.sections.resize(header.section_count);
  for (size_t i = 0; i < image.sections.size(); ++i) {
    ElfImage::Section& section = image.sections[i];
    std::memcpy(&section.header, table.data() + i * sizeof(ElfSection), sizeof(ElfSection));
    if (section.header.type == kSectionNull || section.header.type == kSectionNobits) continue;
    if (!slice(bytes, section.header.offset, section.header.size, section.data)) {
      return bad("section " + std::to_string(i) + " leaves the file");
    }
  }
  if (header.section_names >= image.sections.size()) return bad("the section name table does not exist");
  const std::span<const uint8_t> names = image.sections[header.section_names].data;
  for (size_t i = 1; i < image.sections.size(); ++i) {
    if (!string_at(names, image.sections[i].header.name, image.sections[i].name)) {
      return bad("the name of section " + std::to_string(i) + " leaves the name table");
    }
  }
  return {};
}

Result<void> read_segments(std::span<const uint8_t> bytes, const ElfHeader& header, ElfImage& image) {
  if (header.program_count == 0) return {};
  if (header.program_entry_size != sizeof(ElfSegment)) return bad("the ELF file has no usable program header table");
  if (header.program_count > kMaxSegments) return bad("the ELF file has too many segments");
  std::span<const uint8_t> table;
  if (!slice(bytes, header.program_offset, uint64_t{header.program_count} * sizeof(ElfSegment), table)) {
    return bad("the program header table leaves the file");
  }
  for (size_t i = 0; i < header.program_count; ++i) {
    ElfImage::Segment segment;
    std::memcpy(&segment.header, table.data() + i * sizeof(ElfSegment), sizeof(ElfSegment));
    if (segment.header.type != kSegmentLoad) continue;
    if (!slice(bytes, segment.header.offset, segment.header.file_size, segment.data)) {
      return bad("segment " + std::to_string(i) + " leaves the file");
    }
    if (segment.header.memory_size < segment.header.file_size) {
      return bad("segment " + std::to_string(i) + " is smaller in memory than in the file");
    }
    image.segments.push_back(segment);
  }
  return {};
}

Result<void> read_symbols(const ElfImage::Section& table, ElfImage& image) {
  if (table.header.link >= image.sections.size()) return bad("the symbol table has no string table");
  const std::span<const uint8_t> strings = image.sections[table.header.link].data;
  const size_t count = table.data.size() / sizeof(ElfSymbol);
  if (count > kMaxSymbols) return bad("the ELF file has too many symbols");
  for (size_t i = 1; i < count; ++i) {
    ElfImage::Symbol symbol;
    std::memcpy(&symbol.entry, table.data.data() + i * sizeof(ElfSymbol), sizeof(ElfSymbol));
    if (!string_at(strings, symbol.entry.name, symbol.name)) {
      return bad("the name of symbol " + std::to_string(i) + " leaves the string table");
    }
    image.symbols.push_back(symbol);
  }
  return {};
}

Result<void> read_notes(std::span<const uint8_t> data, ElfImage& image) {
  size_t position = 0;
  while (data.size() - position >= sizeof(ElfNote)) {
    ElfNote header;
    std::memcpy(&header, data.data() + position, sizeof header);
    position += sizeof header;
    std::span<const uint8_t> name, desc;
    if (!slice(data, position, header.name_size, name)) return bad("a note name leaves its section");
    position += align_up(header.name_size, 4);
    if (!slice(data, position, header.desc_size, desc)) return bad("a note descriptor leaves its section");
    position += align_up(header.desc_size, 4);
    std::string_view text(reinterpret_cast<const char*>(name.data()), name.size());
    if (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    image.notes.push_back({text, header.type, desc});
    if (position >= data.size()) break;
  }
  return {};
}

}  // namespace

const ElfImage::Section* ElfImage::find_section(std::string_view name) const {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

const ElfImage::Symbol* ElfImage::find_symbol(std::string_view name) const {
  for (const Symbol& symbol : symbols) {
    if (symbol.name == name) return &symbol;
  }
  return nullptr;
}

Result<ElfImage> read_elf_image(std::span<const uint8_t> bytes) {
  const Result<ElfHeader> header = read_header(bytes);
  if (!header) return header.error();
  ElfImage image;
  image.os_abi = header->ident[7];
  image.abi_version = header->ident[8];
  image.type = header->type;
  image.flags = header->flags;
  if (Result<void> done = read_sections(bytes, *header, image); !done) return done.error();
  if (Result<void> done = read_segments(bytes, *header, image); !done) return done.error();
  for (size_t i = 0; i < image.sections.size(); ++i) {
    const ElfImage::Section& section = image.sections[i];
    if (section.header.type == kSectionSymtab || section.header.type == kSectionDynsym) {
      if (Result<void> done = read_symbols(section, image); !done) return done.error();
    } else if (section.header.type == kSectionNote) {
      if (Result<void> done = read_notes(section.data, image); !done) return done.error();
    }
  }
  return image;
}

Result<EntryPlace> find_entry(const ElfImage& image, std::string_view symbol) {
  const ElfImage::Symbol* found = image.find_symbol(symbol);
  if (found == nullptr) return bad("the entry symbol \"" + std::string(symbol) + "\" is not in the symbol table");
  const ElfSymbol& entry = found->entry;
  if (entry.section == 0 || entry.section >= image.sections.size()) return bad("the entry symbol is in no section");
  const ElfImage::Section& section = image.sections[entry.section];
  const uint64_t start = entry.value - section.header.address;
  if (start >= section.data.size() || entry.size > section.data.size() - start) {
    return bad("the entry symbol leaves its section");
  }
  if (start % 4 != 0 || entry.size % 4 != 0) return bad("the entry symbol is not dword aligned");
  return EntryPlace{&section, static_cast<uint32_t>(start), entry.size};
}

Result<const isa::Target*> target_of(const ElfImage& image) {
  if (const isa::Target* target = isa::find_target_of_elf(image.flags)) return target;
  const uint32_t mach = isa::kElfMach.of(image.flags);
  const std::string machine = std::to_string(mach);
  if (isa::find_target_of_elf(mach) == nullptr) {
    return Error{Status::unsupported, "the ELF machine number " + machine + " is no supported processor"};
  }
  return Error{Status::unsupported, "the ELF machine number " + machine + " with generic version " +
                                        std::to_string(isa::kElfGenericVersion.of(image.flags)) + " is not supported"};
}

Result<std::span<const uint8_t>> metadata_note_of(const ElfImage& image) {
  const ElfImage::Note* note = nullptr;
  for (const ElfImage::Note& candidate : image.notes) {
    if (candidate.name == kNoteName && candidate.type == kNoteAmdgpuMetadata) note = &candidate;
  }
  if (note == nullptr) return bad("the ELF file has no AMDGPU metadata note");
  return note->desc;
}

}  // namespace spalt::object
