// SPDX-License-Identifier: MIT
#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/metadata.h"

namespace spalt::object {
namespace {

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

Result<void> read_code(const ElfImage& image, StageObject& shader) {
  const ElfImage::Symbol* symbol = image.find_symbol(shader.entry_symbol);
  if (symbol == nullptr) return bad("the entry symbol \"" + shader.entry_symbol + "\" is not in the symbol table");
  if (symbol->entry.section == 0 || symbol->entry.section >= image.sections.size()) {
    return bad("the entry symbol is in no section");
  }
  const ElfImage::Section& text = image.sections[symbol->entry.section];
  const uint64_t start = symbol->entry.value - text.header.address;
  if (start >= text.data.size() || symbol->entry.size > text.data.size() - start) {
    return bad("the entry symbol leaves its section");
  }
  if (start % 4 != 0 || symbol->entry.size % 4 != 0) return bad("the entry symbol is not dword aligned");
  // Functions and constants before or after the entry belong to the code; padding after it is cut off only where the
  // entry is the only symbol.
  const uint64_t end = symbol->entry.size == 0 || image.symbols.size() > 1 ? text.data.size() & ~uint64_t{3}
                                                                           : start + symbol->entry.size;
  shader.code.assign(text.data.first(end));
  shader.entry_offset = static_cast<uint32_t>(start);
  return {};
}

}  // namespace

Result<StageObject> read_elf(std::span<const uint8_t> bytes) {
  const Result<ElfImage> image = read_elf_image(bytes);
  if (!image) return image.error();
  if (image->os_abi != kOsAbiPal) return bad("the ELF file is not a PAL code object (OS ABI is not 65)");
  const Result<const isa::Target*> target = target_of(*image);
  if (!target) return target.error();
  const Result<std::span<const uint8_t>> note = metadata_note_of(*image);
  if (!note) return note.error();
  StageObject shader;
  shader.target_name = (*target)->name;
  if (Result<void> done = read_metadata(*note, **target, shader); !done) return done.error();
  if (Result<void> done = read_code(*image, shader); !done) return done.error();
  if (const ElfImage::Section* text = image->find_section(".AMDGPU.disasm")) {
    shader.disassembly.assign(text->data.begin(), text->data.end());
  }
  return shader;
}

}  // namespace spalt::object
