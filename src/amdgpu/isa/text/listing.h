// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// Machine code as text in LLVM's dialect: one instruction per line, address and words as a comment. Any words are
/// accepted. Assembling the text gives the same words: what would not, or is no instruction, is written as .long, and
/// so is everything from the word `data` on.
std::string list_code(std::span<const uint32_t> words, const Target& target, unsigned wave_size,
                      size_t data = SIZE_MAX);

}  // namespace spalt::isa
