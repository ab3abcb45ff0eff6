// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::driver {

/// 32 where the target has such waves, else 64.
uint32_t default_wave_size(const isa::Target& target);

/// The code of an ELF as assembly text in LLVM's dialect: one instruction per line, address and words as a comment.
/// Assembling the text gives the same words: what would not, or is no instruction, prints as .long. A PAL code object
/// says its wave size; for any other AMDGPU ELF, whose .text is shown, it is `wave_size`, or the target's default when
/// that is 0. The bytes are untrusted.
Result<std::string> disassemble(std::span<const uint8_t> elf, uint32_t wave_size = 0);

/// The same for bare code; bytes after the last whole word are an error.
Result<std::string> disassemble_bytes(std::span<const uint8_t> code, const isa::Target& target, uint32_t wave_size);

}  // namespace spalt::driver
