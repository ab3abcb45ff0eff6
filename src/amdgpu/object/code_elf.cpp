// SPDX-License-Identifier: MIT
#include "amdgpu/object/code_elf.h"

#include <vector>

#include "amdgpu/object/section_writer.h"

namespace spalt::object {

std::vector<uint8_t> write_code_elf(std::span<const uint32_t> code, std::span<const CodeSymbol> symbols,
                                    const isa::Target& target) {
  constexpr uint16_t kTextSection = 1;
  std::vector<ElfSymbol> entries(1);
  std::string strings(1, '\0');
  uint32_t local_count = 1;
  // The format wants local symbols first.
  for (const bool global : {false, true}) {
    for (const CodeSymbol& symbol : symbols) {
      if (symbol.is_global != global) continue;
      ElfSymbol entry{};
      entry.name = static_cast<uint32_t>(strings.size());
      entry.info = static_cast<uint8_t>((global ? kBindGlobal : 0) << 4);
      entry.section = kTextSection;
      entry.value = symbol.offset;
      entries.push_back(entry);
      strings += symbol.name;
      strings.push_back('\0');
    }
    if (!global) local_count = static_cast<uint32_t>(entries.size());
  }
  SectionWriter out;
  out.add(".text", {.type = kSectionProgbits, .flags = kFlagAlloc | kFlagExec, .alignment = kEntryAlignment},
          code.data(), code.size_bytes());
  out.add_symbols(entries, local_count, strings);
  return out.finish(kOsAbiPal, target.elf_flags());
}

}  // namespace spalt::object
