// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace spalt_tool::replay {

/// A hash (FNV-1a) of the .text section of an ELF of the compiler: changes with the instructions, and not with
/// metadata. 0 when there is no such section.
uint64_t code_hash(const void* elf, size_t size);

}  // namespace spalt_tool::replay
