// SPDX-License-Identifier: MIT
#include "driver/disassemble.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "amdgpu/isa/text/listing.h"
#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/link.h"

namespace spalt::driver {
namespace {

bool is_plain_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), plain);
}

/// `name:`, quoted where it is no plain name; bytes that a name cannot have become '?'.
void append_label(std::string& out, std::string_view name) {
  if (is_plain_name(name)) {
    out += name;
  } else {
    out += '"';
    for (char c : name) out += c >= ' ' && c <= '~' && c != '"' ? c : '?';
    if (name.empty()) out += '?';
    out += '"';
  }
  out += ":\n";
}

std::vector<uint32_t> to_words(std::span<const uint8_t> bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

/// Code up to the first object of its section, data from there on.
std::string list_section(std::span<const uint8_t> text, const object::ElfImage& image, const isa::Target& target,
                         uint32_t wave_size) {
  const std::vector<uint32_t> words = to_words(text);
  uint64_t data = words.size();
  for (const object::ElfImage::Symbol& symbol : image.symbols) {
    if ((symbol.entry.info & 0xf) == object::kSymbolObject) data = std::min(data, symbol.entry.value / 4);
  }
  return isa::list_code(words, target, wave_size, static_cast<size_t>(data));
}

/// The .text section of an ELF that is no PAL code object.
Result<std::string> disassemble_text(const object::ElfImage& image, uint32_t wave_size) {
  const Result<const isa::Target*> target = object::target_of(image);
  if (!target) return target.error();
  const object::ElfImage::Section* text = image.find_section(".text");
  if (text == nullptr) return Error{Status::invalid_input, "the ELF file has no .text section"};
  return disassemble_bytes(text->data, **target, wave_size != 0 ? wave_size : default_wave_size(**target));
}

bool has_metadata(const object::ElfImage& image) {
  return std::any_of(image.notes.begin(), image.notes.end(), [](const object::ElfImage::Note& note) {
    return note.name == object::kNoteName && note.type == object::kNoteAmdgpuMetadata;
  });
}

}  // namespace

uint32_t default_wave_size(const isa::Target& target) {
  return target.has_wave32 ? 32 : 64;
}

Result<std::string> disassemble_bytes(std::span<const uint8_t> code, const isa::Target& target, uint32_t wave_size) {
  if (code.size() % 4 != 0) return Error{Status::invalid_input, "the code is not a whole number of dwords"};
  return isa::list_code(to_words(code), target, wave_size);
}

Result<std::string> disassemble(std::span<const uint8_t> elf, uint32_t wave_size) {
  const auto image = object::read_elf_image(elf);
  if (!image) return image.error();
  if (image->os_abi != object::kOsAbiPal || !has_metadata(*image)) return disassemble_text(*image, wave_size);
  const auto shader = object::read_elf(elf);
  if (!shader) return shader.error();
  const isa::Target* target = isa::find_target(shader->target_name);
  if (target == nullptr) {
    return Error{Status::unsupported, "the ELF is for " + shader->target_name + ", which is not supported"};
  }
  std::string out;
  append_label(out, shader->entry_symbol);
  return out + list_section(shader->code, *image, *target, shader->wave_size);
}

}  // namespace spalt::driver
