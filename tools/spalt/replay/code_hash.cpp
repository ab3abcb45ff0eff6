// SPDX-License-Identifier: MIT
#include "replay/code_hash.h"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace spalt_tool::replay {
namespace {

/// Copies a struct of the file; false when it is not all there.
template <class Struct>
bool get(std::string_view file, uint64_t offset, Struct& value) {
  if (offset > file.size() || sizeof value > file.size() - offset) return false;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return true;
}

std::string_view contents(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) return {};
  return file.substr(section.sh_offset, section.sh_size);
}

std::string_view find_section(std::string_view file, std::string_view name) {
  Elf64_Ehdr header;
  Elf64_Shdr names, section;
  if (!get(file, 0, header)) return {};
  const auto place = [&](unsigned index) { return header.e_shoff + uint64_t{index} * header.e_shentsize; };
  if (!get(file, place(header.e_shstrndx), names)) return {};
  const std::string_view strings = contents(file, names);
  for (unsigned i = 0; i < header.e_shnum && get(file, place(i), section); ++i) {
    if (section.sh_name < strings.size() && strings.substr(section.sh_name).substr(0, name.size()) == name) {
      return contents(file, section);
    }
  }
  return {};
}

}  // namespace

uint64_t hash_bytes(const void* data, size_t size, uint64_t hash) {
  for (const char c : std::string_view(static_cast<const char*>(data), size)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

uint64_t code_hash(const void* elf, size_t size) {
  const std::string_view code =
      find_section({static_cast<const char*>(elf), size}, std::string_view(".text\0", sizeof ".text"));
  if (code.empty()) return 0;
  return hash_bytes(code.data(), code.size());
}

}  // namespace spalt_tool::replay
