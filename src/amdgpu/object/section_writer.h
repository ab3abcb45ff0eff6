// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/object/elf_format.h"

namespace spalt::object {

void append_bytes(std::vector<uint8_t>& out, const void* data, size_t size);
/// Zeros up to a multiple of `alignment`.
void pad_bytes(std::vector<uint8_t>& out, uint64_t alignment);

/// Lays sections out behind the file header and writes the section table behind them.
class SectionWriter {
 public:
  SectionWriter() { headers_.push_back({}); }

  /// Fills name, offset and size of the header.
  void add(std::string_view name, ElfSection header, const void* data, size_t size);
  /// A symbol table and its strings. `symbols[0]` is the null symbol; the first `local_count` symbols are local.
  void add_symbols(const std::vector<ElfSymbol>& symbols, uint32_t local_count, std::string_view strings);
  /// Adds the section names and returns the file: a relocatable AMDGPU object.
  std::vector<uint8_t> finish(uint8_t os_abi, uint32_t flags);

 private:
  uint32_t add_name(std::string_view name);

  std::vector<uint8_t> file_ = std::vector<uint8_t>(sizeof(ElfHeader), 0);
  std::vector<ElfSection> headers_;
  std::string names_ = std::string(1, '\0');
};

}  // namespace spalt::object
