// SPDX-License-Identifier: MIT
#include "driver/disassemble.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "amdgpu/isa/assembler.h"
#include "amdgpu/isa/codec.h"
#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/shader_object.h"

namespace spalt::driver {
namespace {

void append_comment(std::string& out, size_t line_start, size_t address, std::span<const uint32_t> words) {
  const size_t length = out.size() - line_start;
  out.append(length < 60 ? 60 - length : 1, ' ');
  char text[32];
  std::snprintf(text, sizeof text, "// %012zX:", address);
  out += text;
  for (uint32_t word : words) {
    std::snprintf(text, sizeof text, " %08X", word);
    out += text;
  }
}

void append_words(std::string& out, std::span<const uint32_t> words) {
  const char* separator = ".long ";
  for (uint32_t word : words) {
    char text[24];
    std::snprintf(text, sizeof text, "%s0x%08x", separator, word);
    out += text;
    separator = ", ";
  }
}

/// Whether the assembler makes exactly these words of the text. It does not where hardware ignores bits, or where a
/// literal stands for what could be an inline constant.
bool assembles_to(std::string_view text, std::span<const uint32_t> words, const isa::Target& target,
                  unsigned wave_size) {
  const auto inst = isa::from_text(text, target, wave_size);
  isa::EncodedInst encoded;
  if (!inst || isa::try_encode(*inst, target, encoded) != nullptr) return false;
  return std::equal(words.begin(), words.end(), encoded.words, encoded.words + encoded.count);
}

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

const isa::Target* target_of(uint32_t flags) {
  for (const isa::Target& target : isa::targets()) {
    if (target.elf_mach == (flags & 0xff)) return &target;
  }
  return nullptr;
}

/// The .text section of an ELF that is no PAL code object.
Result<std::string> disassemble_text(const object::ElfImage& image, uint32_t wave_size) {
  const isa::Target* target = target_of(image.flags);
  if (target == nullptr) {
    return Error{Status::unsupported,
                 "the ELF machine number " + std::to_string(image.flags & 0xff) + " is no supported processor"};
  }
  const object::ElfImage::Section* text = image.find_section(".text");
  if (text == nullptr) return Error{Status::invalid_input, "the ELF file has no .text section"};
  return disassemble_bytes(text->data, *target, wave_size != 0 ? wave_size : default_wave_size(*target));
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

std::string disassemble_code(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t line_start = out.size();
    out += '\t';
    const auto inst = isa::decode(words.subspan(at), target, wave_size);
    const size_t length = inst ? inst->size_bytes / 4 : 1;
    const auto encoding = words.subspan(at, length);
    const std::string text = inst ? isa::to_text(*inst, target) : std::string();
    const bool exact = inst && assembles_to(text, encoding, target, wave_size);
    if (exact) {
      out += text;
    } else {
      append_words(out, encoding);
    }
    append_comment(out, line_start, at * 4, encoding);
    if (inst && !exact) out += " " + text;
    out += '\n';
    at += length;
  }
  return out;
}

Result<std::string> disassemble_bytes(std::span<const uint8_t> code, const isa::Target& target, uint32_t wave_size) {
  if (code.size() % 4 != 0) return Error{Status::invalid_input, "the code is not a whole number of dwords"};
  return disassemble_code(to_words(code), target, wave_size);
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
  return out + disassemble_code(to_words(shader->code), *target, shader->wave_size);
}

}  // namespace spalt::driver
