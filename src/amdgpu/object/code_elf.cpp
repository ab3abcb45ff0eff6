// SPDX-License-Identifier: MIT
#include "amdgpu/object/code_elf.h"

#include <algorithm>

namespace spalt::object {

Bytes write_code_elf(std::span<const uint32_t> code, std::span<const CodeSymbol> symbols, const isa::Target& target) {
  constexpr uint16_t kTextSection = 1;
  Bytes file;
  SectionWriter out(file);
  out.begin(".text", {.type = kSectionProgbits, .flags = kFlagAlloc | kFlagExec, .alignment = kEntryAlignment});
  append_bytes(file, code.data(), code.size_bytes());
  out.end();

  // The format wants local symbols first.
  const auto in_order = [symbols](auto&& visit) {
    for (const bool global : {false, true}) {
      for (const CodeSymbol& symbol : symbols) {
        if (symbol.is_global == global) visit(symbol);
      }
    }
  };
  const auto globals =
      std::count_if(symbols.begin(), symbols.end(), [](const CodeSymbol& symbol) { return symbol.is_global; });
  out.begin_symbols(static_cast<uint32_t>(symbols.size() + 1 - static_cast<size_t>(globals)));
  uint32_t next_name = 1;
  in_order([&](const CodeSymbol& symbol) {
    ElfSymbol entry{};
    entry.name = next_name;
    entry.info = static_cast<uint8_t>((symbol.is_global ? kBindGlobal : 0) << 4);
    entry.section = kTextSection;
    entry.value = symbol.offset;
    append_bytes(file, &entry, sizeof entry);
    next_name += static_cast<uint32_t>(symbol.name.size()) + 1;
  });
  out.end();
  out.begin_strings();
  in_order([&](const CodeSymbol& symbol) { append_bytes(file, symbol.name.c_str(), symbol.name.size() + 1); });
  out.end();
  out.finish(kOsAbiPal, target.elf_flags());
  return file;
}

}  // namespace spalt::object
