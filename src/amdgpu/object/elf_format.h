// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::object {

// The parts of the ELF64 format in use (System V ABI, chapters 4 and 5; PAL pipeline ABI, section 1).

struct ElfHeader {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, program_offset, section_offset;
  uint32_t flags;
  uint16_t header_size, program_entry_size, program_count;
  uint16_t section_entry_size, section_count, section_names;
};
static_assert(sizeof(ElfHeader) == 64);

struct ElfSection {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entry_size;
};
static_assert(sizeof(ElfSection) == 64);

struct ElfSymbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;
};
static_assert(sizeof(ElfSymbol) == 24);

struct ElfSegment {
  uint32_t type, flags;
  uint64_t offset, address, physical_address, file_size, memory_size, alignment;
};
static_assert(sizeof(ElfSegment) == 56);

struct ElfRelocation {
  uint64_t offset, info;
  int64_t addend;
};
static_assert(sizeof(ElfRelocation) == 24);

struct ElfNote {
  uint32_t name_size, desc_size, type;
};

constexpr uint8_t kElfClass64 = 2, kElfLittleEndian = 1, kElfVersion = 1;
constexpr uint8_t kOsAbiHsa = 64, kOsAbiPal = 65;
constexpr uint16_t kTypeRelocatable = 1, kTypeDynamic = 3, kMachineAmdgpu = 224;
constexpr uint32_t kSectionNull = 0, kSectionProgbits = 1, kSectionSymtab = 2, kSectionStrtab = 3, kSectionRela = 4,
                   kSectionNote = 7, kSectionNobits = 8, kSectionRel = 9, kSectionDynsym = 11;
constexpr uint32_t kSegmentLoad = 1;
constexpr uint32_t kSegmentExec = 1, kSegmentWrite = 2;
constexpr uint64_t kFlagWrite = 1, kFlagAlloc = 2, kFlagExec = 4;
constexpr uint8_t kBindLocal = 0, kBindGlobal = 1, kSymbolObject = 1, kSymbolFunc = 2;
constexpr uint32_t kNoteAmdgpuMetadata = 32;
constexpr char kNoteName[] = "AMDGPU";
constexpr uint32_t kEntryAlignment = 256;

}  // namespace spalt::object
