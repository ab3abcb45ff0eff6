// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "base/result.h"

namespace spalt::object {

/// The sections and symbols of an AMDGPU ELF64 file, every offset checked. Views into the bytes it was read from.
struct ElfImage {
  struct Section {
    std::string_view name;
    ElfSection header;
    std::span<const uint8_t> data;  ///< empty for SHT_NOBITS
  };
  struct Segment {
    ElfSegment header;
    std::span<const uint8_t> data;  ///< file_size bytes
  };
  struct Symbol {
    std::string_view name;
    ElfSymbol entry;
  };
  struct Note {
    std::string_view name;  ///< without the terminating zero
    uint32_t type;
    std::span<const uint8_t> desc;
  };

  uint8_t os_abi = 0, abi_version = 0;
  uint16_t type = 0;
  uint32_t flags = 0;
  std::vector<Section> sections;  ///< index 0 is the null section
  std::vector<Segment> segments;  ///< PT_LOAD only
  std::vector<Symbol> symbols;
  std::vector<Note> notes;

  const Section* find_section(std::string_view name) const;
  const Symbol* find_symbol(std::string_view name) const;
};

Result<ElfImage> read_elf_image(std::span<const uint8_t> bytes);

/// Where a program begins: a section, and the symbol's place in it. Everything lies inside, at multiples of four.
struct EntryPlace {
  const ElfImage::Section* section = nullptr;
  uint32_t offset = 0;  ///< bytes
  uint64_t size = 0;    ///< bytes; 0: the symbol does not say
};
Result<EntryPlace> find_entry(const ElfImage& image, std::string_view symbol);

/// The processor that the ELF flags name, or an error when Spalt does not know it.
Result<const isa::Target*> target_of(const ElfImage& image);
/// The descriptor of the AMDGPU metadata note, a MessagePack document.
Result<std::span<const uint8_t>> metadata_note_of(const ElfImage& image);

}  // namespace spalt::object
