// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/section_writer.h"

namespace spalt::object {

struct CodeSymbol {
  std::string name;  ///< without zero bytes
  uint32_t offset = 0;
  bool is_global = false;
};

/// A relocatable ELF with the code as .text and the symbols: what an assembler makes, without metadata.
Bytes write_code_elf(std::span<const uint32_t> code, std::span<const CodeSymbol> symbols, const isa::Target& target);

}  // namespace spalt::object
