// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::driver {

/// The code of a PAL ELF as assembly text in LLVM's dialect: one instruction per line, address and words as a comment.
/// Words that are no instruction print as .long. The bytes are untrusted.
Result<std::string> disassemble(std::span<const uint8_t> elf);

/// The same for bare code. Stops at the padding behind the last instruction.
std::string disassemble_code(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size);

}  // namespace spalt::driver
