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
  const Result<EntryPlace> entry = find_entry(image, shader.entry_symbol);
  if (!entry) return entry.error();
  const std::span<const uint8_t> text = entry->section->data;
  // Functions and constants before or after the entry belong to the code; padding after it is cut off only where the
  // entry is the only symbol.
  const uint64_t end =
      entry->size == 0 || image.symbols.size() > 1 ? text.size() & ~uint64_t{3} : entry->offset + entry->size;
  shader.code.assign(text.first(end));
  shader.entry_offset = entry->offset;
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
